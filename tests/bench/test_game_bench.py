"""How fast the rules are. Figures are printed, with a yardstick taken in the same run, and never asserted:

python -m pytest tests/bench/test_game_bench.py -s
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

from companion.game.board import Board
from companion.game.cards import Face, Kind
from companion.game.commands import Command
from companion.game.decide import decide
from companion.game.evolve import evolve_all
from companion.game.history import Batch, History
from companion.game.options import DEFAULT, Game, Options
from companion.game.ruleset import RULES
from companion.game.state import Match, Phase
from companion.game.views import for_phone, for_table
from tests.game.proof import plain, players

HAND = "NS EW NW NES NESW N.E.S"
CARDS = 40
RUNS = 15


def seconds(work: Callable[[], Any], runs: int = RUNS) -> float:
    """The median processor time of one run, in s: what else the machine does leaves it alone."""
    times = []
    for _ in range(runs):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return statistics.median(times)


def big_board(seed: int) -> Board:
    """A maze of 40 path cards of both boxes, laid at random where they may lie; goals stay face down."""
    chance = random.Random(seed)
    board, deck = Board.opening(), [face for face, n in RULES[Game.EXPANSION].paths.items() for _ in range(n)]
    for _ in range(CARDS):
        found = sorted(board.placements(set(deck)), key=lambda item: (item[0], str(item[1])))
        open_ways = [
            (cell, laid) for cell, laid in found if len(laid.tunnels) == 1 and laid.open.bit_count() > 1
        ]
        cell, laid = chance.choice(open_ways or found)
        deck.remove(laid.face)
        board = board.laid(cell, laid)
    return board


def night(game: Game, seats: int) -> tuple[History, list[Command]]:
    """A whole night with few paths, so that every round takes long, and what was asked for step by step."""
    options = DEFAULT.changed({"game": game.value})
    assert isinstance(options, Options)
    deals, moves = random.Random(0), random.Random(1)
    history, commands = players.seated(options, seats, deals), []
    while history.match.phase is not Phase.OVER:
        commands.append(players.next_command(history, moves, 0.4))
        history = players.step(history, commands[-1], deals)
    return history, commands


def test_all_placements_of_a_hand_on_a_board_of_40_cards() -> None:
    boards = [big_board(seed) for seed in range(5)]
    assert all(sum(laid.face.kind is Kind.PATH for laid in board.cards.values()) == CARDS for board in boards)
    faces = [Face.parse(name) for name in HAND.split()]
    found = sum(len(list(board.placements(faces))) for board in boards)

    def fresh() -> None:
        for board in boards:
            list(Board(board.cards, board.face_down).placements(faces))

    def again() -> None:
        for board in boards:
            list(board.placements(faces))

    def plainly() -> None:
        for board in boards:
            plain.Table.read(str(board)).legal(HAND.split())

    per_board = 1000 / len(boards)
    first, later, yardstick = (seconds(work) * per_board for work in (fresh, again, plainly))
    print(
        f"\nplacements of 6 cards on {CARDS} cards ({found / len(boards):.0f} found): "
        f"{first:.3f} ms on a new board, {later:.3f} ms once walked; "
        f"plain implementation {yardstick:.1f} ms ({yardstick / first:.0f} x)"
    )


@pytest.mark.parametrize("game", Game)
def test_events_through_decide_and_evolve(game: Game) -> None:
    history, commands = night(game, 10)
    seating = 1 + 10
    opening = evolve_all(Match(), (event for batch in history.batches[:seating] for event in batch.events))
    count = sum(len(batch.events) for batch in history.batches[seating:])

    def play() -> None:
        match, deals = opening, random.Random(0)
        for command in commands:
            events = decide(match, command, deals)
            assert isinstance(events, tuple), (command, events)
            match = evolve_all(match, events)

    def dump() -> None:
        for batch in history.batches[seating:]:
            json.dumps(batch.to_json())

    took, yardstick = seconds(play), seconds(dump)
    print(
        f"\ndecide and evolve, {game.value}, 10 players: {count} events in {took * 1000:.1f} ms = "
        f"{count / took:,.0f}/s; writing them as JSON {yardstick * 1000:.1f} ms ({took / yardstick:.1f} x)"
    )


@pytest.mark.parametrize("game", Game)
def test_replay_of_a_whole_night_of_ten_players(game: Game) -> None:
    history, _ = night(game, 10)
    lines = [json.dumps(batch.to_json()) for batch in history.batches]

    def from_log() -> History:
        return History.replay(Batch.from_json(json.loads(line)) for line in lines)

    assert from_log().match == history.match
    whole, steps = seconds(from_log), seconds(lambda: History.replay(history.batches))
    yardstick = seconds(lambda: [json.loads(line) for line in lines])
    print(
        f"\nreplay, {game.value}, 10 players: {len(lines)} steps in {whole * 1000:.1f} ms from text, "
        f"{steps * 1000:.1f} ms of it replaying; json.loads alone {yardstick * 1000:.1f} ms"
    )


def test_views_of_every_viewer_in_the_middle_of_a_round() -> None:
    history, _ = night(Game.EXPANSION, 10)
    middle = History.replay(history.batches[: 11 + 60])
    assert middle.match.phase is Phase.ROUND
    seats = [player.seat for player in middle.match.players]

    def look() -> None:
        json.dumps(for_table(middle))
        for seat in seats:
            json.dumps(for_phone(middle, seat))

    took, size = seconds(look), len(json.dumps(for_phone(middle, 1)))
    print(f"\nviews: table and 10 phones in {took * 1000:.1f} ms, a phone's is {size / 1000:.1f} kB")
