"""Counted enumerations: the board and a deliberately plain second implementation find the same placements."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from companion.game.board import Board
from companion.game.cards import EDGES, GOAL_CELLS, LETTERS, Face, Kind, Laid, lay, letters
from companion.game.commands import Place, StartRound
from companion.game.decide import decide
from companion.game.evolve import evolve_all
from companion.game.options import DEFAULT, Options
from companion.game.paths import why_none_left
from companion.game.ruleset import RULES, rules_of
from companion.game.state import HOST, Match, Phase
from tests.game.proof import plain, players
from tests.game.proof.positions import GOALS, POSITIONS, TWO_WAYS_AT_ONCE, Position

CHANCE = random.Random(0)

named = pytest.mark.parametrize("position", POSITIONS.values(), ids=list(POSITIONS))


def match_of(position: Position) -> Match:
    """A round in which this position has come up."""
    options = DEFAULT.changed({"game": position.game.value})
    assert isinstance(options, Options)
    history = players.step(players.seated(options, 3, CHANCE), StartRound(HOST), CHANCE)
    goals = tuple(zip(GOAL_CELLS, GOALS[position.goals], strict=True))
    return replace(history.match, board=Board.parse(position.board), goals=goals)


def count(match: Match, hand: tuple[str, ...], depth: int) -> int:
    """In how many ways `depth` cards of the hand can be laid in turn; once gold is reached, in none."""
    if match.phase is not Phase.ROUND:
        return 0
    placements = list(match.board.placements({Face.parse(name) for name in hand}))
    if depth == 1:
        return len(placements)
    total = 0
    for cell, laid in placements:
        events = decide(match, Place(match.to_move, cell, laid.face, laid.turned), CHANCE)
        assert isinstance(events, tuple), (cell, laid, events)
        rest = list(hand)
        rest.remove(laid.face.name)
        total += count(evolve_all(match, events), tuple(rest), depth - 1)
    return total


@named
def test_the_position_could_lie_on_a_table(position: Position) -> None:
    board, deck = Board.parse(position.board), RULES[position.game].paths
    used = Counter(laid.face for laid in board.cards.values() if laid.face.kind is Kind.PATH)
    used += Counter(Face.parse(name) for name in position.hand.split())
    assert all(used[face] <= deck[face] for face in used)
    for cell, name in zip(GOAL_CELLS, GOALS[position.goals], strict=True):
        assert cell in board.face_down or board.cards[cell].face.name == name
    assert not board.arrivals()


@named
def test_the_board_counts_the_golden_numbers(position: Position) -> None:
    match, hand = match_of(position), tuple(position.hand.split())
    assert tuple(count(match, hand, depth) for depth in (1, 2, 3)) == position.counted


@named
def test_the_plain_implementation_counts_the_same(position: Position) -> None:
    table, hand = plain.Table.read(position.board), tuple(position.hand.split())
    dealt = dict(zip(GOAL_CELLS, GOALS[position.goals], strict=True))
    assert tuple(plain.count(table, dealt, hand, depth) for depth in (1, 2, 3)) == position.counted


@pytest.mark.parametrize("position", [*POSITIONS.values(), *TWO_WAYS_AT_ONCE.values()])
def test_both_turn_up_the_same_goals_the_same_way_up(position: Position) -> None:
    match, table = match_of(position), plain.Table.read(position.board)
    dealt = dict(zip(GOAL_CELLS, GOALS[position.goals], strict=True))
    for cell, laid in match.board.placements(map(Face.parse, position.hand.split())):
        events = decide(match, Place(match.to_move, cell, laid.face, laid.turned), CHANCE)
        assert isinstance(events, tuple)
        after = evolve_all(match, events)
        expected = plain.lay(table, (cell, laid.face.name, tunnels(laid)), dealt)
        assert plain.Table.read(str(after.board)) == expected
        assert (after.phase is not Phase.ROUND) == expected.gold_reached


@pytest.mark.parametrize("position", TWO_WAYS_AT_ONCE.values(), ids=list(TWO_WAYS_AT_ONCE))
def test_two_ways_do_arrive_at_once(position: Position) -> None:
    board = Board.parse(position.board)
    assert not board.arrivals()
    arrivals = [
        board.laid(cell, laid).arrivals().get((8, 0), 0)
        for cell, laid in board.placements(map(Face.parse, position.hand.split()))
    ]
    assert any(edges.bit_count() > 1 for edges in arrivals)


@named
def test_both_judge_every_card_in_every_cell_alike(position: Position) -> None:
    agree(Board.parse(position.board), list(RULES[position.game].paths))


@pytest.mark.parametrize("game", ["base", "expansion"])
@pytest.mark.parametrize("seed", range(4))
def test_both_judge_the_boards_of_random_rounds_alike(game: str, seed: int) -> None:
    chance = random.Random(seed)
    options = DEFAULT.changed({"game": game})
    assert isinstance(options, Options)
    history = players.step(players.seated(options, 5, chance), StartRound(HOST), chance)
    while history.match.phase is Phase.ROUND:
        command = players.intervention(history, chance) if chance.random() < 0.2 else None
        history = players.step(history, command or players.next_command(history, chance, 0.6), chance)
        if chance.random() < 0.15:
            match = history.match
            faces = [face for face in rules_of(match).paths if not why_none_left(match, face)]
            agree(match.board, chance.sample(faces, min(12, len(faces))))


def agree(board: Board, faces: list[Face]) -> None:
    """Both find the same joined edges, arrivals and placements, and give the same verdict on every cell."""
    table = plain.Table.read(str(board))
    joined = {(cell, LETTERS[edge]) for cell, ways in board.reached.items() for edge in EDGES if ways & edge}
    assert joined == table.joined
    arrivals = {cell: set(letters(sides)) for cell, sides in board.arrivals().items()}
    assert arrivals == table.arrivals()
    found = Counter((cell, laid.face.name, tunnels(laid)) for cell, laid in board.placements(faces))
    assert set(found.values()) <= {1}
    assert set(found) == table.legal([face.name for face in faces])
    for cell in table.cells():
        for face in faces:
            for laid in (lay(face), lay(face, True)):
                right = table.may_lie(cell, plain.Card(face.name, tunnels(laid), face.ladder))
                assert (not board.verdict(cell, laid)) == right, (str(board), cell, str(laid))


@cache
def tunnels(laid: Laid) -> plain.Tunnels:
    """The tunnels of a card as the plain implementation writes them."""
    return frozenset(frozenset(letters(group)) for group in laid.tunnels)
