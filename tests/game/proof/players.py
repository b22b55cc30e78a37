"""Players for random matches: sensible turns, the host's interventions, and tries that make no sense."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from companion.game.board import Board
from companion.game.cards import EDGES, GOAL_CELLS, GOALS, Cell, Face, Laid, lay, neighbour
from companion.game.commands import (
    COMMANDS,
    Accept,
    Break,
    Command,
    Correct,
    Discard,
    DiscardToClear,
    EndRound,
    Free,
    HandsOff,
    Inspect,
    Join,
    Map,
    Pick,
    Place,
    Repair,
    RevealGoal,
    Rockfall,
    SetOptions,
    StartRound,
    Steal,
    SwapHands,
    SwapHats,
    Theft,
    Trap,
    Undo,
    parse_command,
)
from companion.game.decks import Tool
from companion.game.history import Batch, History
from companion.game.options import Options
from companion.game.paths import why_none_left
from companion.game.refusal import Refusal
from companion.game.ruleset import rules_of
from companion.game.shares import victims
from companion.game.state import HOST, JOINER, THEFT, TRAPPED, Match, Phase, Seat
from companion.game.views import View, for_phone

FACES_HELD = 5
"""The app does not know hands: a player is taken to hold so many faces, found by chance every turn."""


def seated(options: Options, players: int, chance: random.Random) -> History:
    """A table with its options set and its players seated."""
    history = step(History(), SetOptions(HOST, options.to_json()), chance)
    for number in range(1, players + 1):
        history = step(history, Join(JOINER, f"P{number}"), chance)
    return history


def step(history: History, command: Command, chance: random.Random) -> History:
    """The history after a command that must not be refused."""
    batch = history.decide(command, chance)
    assert isinstance(batch, Batch), (command, batch)
    return history.append(batch)


def next_command(history: History, chance: random.Random, digging: float = 0.75) -> Command:
    """What comes next at a table where everybody plays on. `digging`: how often a path is laid, 0..1."""
    match = history.match
    if match.phase in (Phase.LOBBY, Phase.BETWEEN, Phase.OVER):
        return StartRound(HOST)
    if match.phase is Phase.ASKING:
        return told(match, chance)
    if match.phase is Phase.PICKING:
        return Pick(match.picker, chance.randrange(len(match.fan)))
    if match.phase is Phase.STEALING:
        return Steal(match.thieves[0], chance.choice(victims(match, match.thieves[0])))
    return turn(history, chance, digging)


def told(match: Match, chance: random.Random) -> Command:
    """The answer to which goal it is that was reached: one that does not lie open yet."""
    lying = [laid.face for laid in match.board.cards.values()]
    face = chance.choice([goal for goal in GOALS if goal not in lying])
    return RevealGoal(chance.choice((HOST, match.to_move)), chance.choice(match.asking), face)


# ------------------------------------------------------------ a turn


def turn(history: History, chance: random.Random, digging: float) -> Command:
    """A turn as people take it: mostly a card towards the goals, else an action, else a discard."""
    match, seat = history.match, history.match.to_move
    view = for_phone(history, seat)
    if chance.random() < digging and view["me"]["may"]["path"]["ok"]:
        held = chance.sample(view["faces"], FACES_HELD)
        laying = [place for place in placings(match, seat) if place.face.name in held]
        if laying:
            return chance.choice(laying) if chance.random() < 0.15 else best(match.board, laying)
    kinds = [list(group) for _, group in groupby(offered(view), type)]
    return chance.choice(chance.choice(kinds))


def placings(match: Match, seat: int) -> list[Place]:
    """Every path card of the deck wherever it may lie, as long as some are left."""
    faces = [face for face in rules_of(match).paths if not why_none_left(match, face)]
    found = [Place(seat, cell, laid.face, laid.turned) for cell, laid in match.board.placements(faces)]
    return sorted(found, key=lambda place: (place.cell, place.face.name, place.turned))


def best(board: Board, laying: list[Place]) -> Place:
    """The card that brings the way nearest to a goal that is still face down."""
    return min(laying, key=lambda place: distance(board, place.cell, lay(place.face, place.turned)))


def distance(board: Board, cell: Cell, laid: Laid) -> int:
    """How far from a goal face down the way ends that goes on from this card (a dead end: far)."""
    after = board.laid(cell, laid)
    ends = [neighbour(cell, edge) for edge in EDGES if after.reached.get(cell, 0) & edge]
    return min(
        (
            abs(end[0] - goal[0]) + abs(end[1] - goal[1])
            for end in ends
            if end not in after.cards
            for goal in after.face_down
        ),
        default=99,
    )


def offered(view: View) -> Iterator[Command]:
    """Every turn but laying a path that a phone offers to its player, kind by kind."""
    me = view["me"]
    seat, may = me["seat"], {name: answer["ok"] for name, answer in me["may"].items()}
    before = {other["seat"]: other["before"] for other in view["seats"]}
    others = [other for other in before if other != seat]
    if may["break"]:
        yield from (Break(seat, who["seat"], Tool(tool)) for who in me["breakable"] for tool in who["tools"])
    if may["repair"]:
        for who in me["repairable"]:
            for tool in who["tools"]:
                for card in me["repair_cards"]:
                    if tool in card:
                        yield Repair(seat, who["seat"], Tool(tool), tuple(Tool(each) for each in card))
    if may["rockfall"]:
        yield from (Rockfall(seat, (cell[0], cell[1])) for cell in me["rockfall_cells"])
    if may["map"]:
        yield from (Map(seat, (cell[0], cell[1])) for cell in me["map_cells"])
    if may["discard"]:
        most = 3 if view["options"]["game"] == "expansion" else 1
        yield from (Discard(seat, count) for count in range(1, min(most, me["hand"]) + 1))
    if may.get("discard_to_clear"):
        yield from (DiscardToClear(seat, token) for token in me["before"])
    if may.get("theft"):
        yield Theft(seat)
    if may.get("hands_off"):
        yield from (HandsOff(seat, other) for other in before if THEFT in before[other])
    if may.get("swap_hands"):
        yield from (SwapHands(seat, other) for other in others)
    if may.get("swap_hats"):
        yield from (SwapHats(seat, other) for other in before)
    if may.get("inspect"):
        yield from (Inspect(seat, other) for other in others)
    if may.get("trap"):
        yield from (Trap(seat, other) for other in others if TRAPPED not in before[other])
    if may.get("free"):
        yield from (Free(seat, other) for other in before if TRAPPED in before[other])


def every_turn(history: History, seat: Seat, chance: random.Random) -> Iterator[Command]:
    """Turns of every kind that somebody might try, allowed or not, with targets found by chance."""
    match = history.match
    someone, cell = chance.choice(match.players).seat, chance.choice(sorted(match.board.cards))
    goal, tool = chance.choice(GOAL_CELLS), chance.choice(list(Tool))
    laying = placings(match, seat)
    if laying:
        yield chance.choice(laying)
    yield from (Break(seat, someone, tool), Repair(seat, someone, tool), Rockfall(seat, cell))
    yield from (Map(seat, goal), Discard(seat), Theft(seat))
    yield from (kind(seat, someone) for kind in (HandsOff, SwapHands, SwapHats, Inspect, Trap, Free))
    yield from (DiscardToClear(seat, token) for token in (THEFT, TRAPPED, tool.value))


# ------------------------------------------------------------ the host


def intervention(history: History, chance: random.Random) -> Command | None:
    """What a host may do in a running round, or nothing if chance picks what is not to be had now."""
    match = history.match
    cells = sorted(match.board.cards)
    column, row = chance.choice(cells)
    free = (column + chance.choice((-1, 0, 1)), row + chance.choice((-1, 0, 1)))
    face = chance.choice(sorted(rules_of(match).paths, key=str))
    turned = chance.random() < 0.5
    goal = chance.choice(GOAL_CELLS)
    dealt = dict(match.goals).get(goal)
    card = chance.choice((None, *([Face.parse(dealt)] if dealt else GOALS)))
    command: Command = chance.choice(
        (
            Correct(HOST, (column, row)),
            Correct(HOST, free, face, turned),
            Correct(HOST, goal, card, turned),
            Accept(HOST, free, face, turned),
            Undo(HOST, chance.randint(1, 6)),
            Undo(HOST, chance.randint(1, 60)),
        )
    )
    return None if isinstance(history.decide(command, chance), Refusal) else command


def end_by_hand() -> Command:
    """The host has enough of this round."""
    return EndRound(HOST, "  it is late\n")


# ------------------------------------------------------------ nonsense


def nonsense(chance: random.Random) -> Command | Refusal:
    """A request with every field at random: mostly against the rules, sometimes against all sense."""
    cell = [chance.randint(-2, 10), chance.randint(-3, 3)]
    values: dict[str, list[Any]] = {
        "cell": [cell, cell, cell, list(chance.choice(GOAL_CELLS)), [0, 0], [1], [1000, 0], None],
        "face": [
            "NS",
            "EW",
            "NESW",
            "N.S",
            "NS.EW",
            "NE+ladder",
            "ES+green",
            "gold",
            "start",
            "stone-NE",
            "X",
            7,
        ],
        "turned": [True, False, False, "yes"],
        "target": [*range(14), None, True],
        "tool": ["pickaxe", "lantern", "cart", "spade"],
        "card": [["pickaxe"], ["pickaxe", "lantern"], ["cart", "lantern"], [], ["cart"] * 3],
        "count": [-1, 0, 1, 2, 3, 4, 99],
        "token": ["theft", "trapped", "pickaxe", "lantern", "cart", ""],
        "index": [-1, 0, 1, 5, 50],
        "seats": [[], [1], [1, 2, 3], [3, 2, 1], [1, 1, 2], "1"],
        "options": [{}, {"game": "expansion"}, {"game": "chess"}, {"boss_always": 1}, {"colour": True}, []],
        "first": [0, 1, 2, 99, None],
        "reason": ["", "late", "x" * 300],
        "steps": [-1, 0, 1, 5, 1000],
        "seat": [0, 1, 2, 99],
        "name": ["Ada"],
    }
    name = chance.choice([*COMMANDS, "dance"])
    body = {field: chance.choice(choices) for field, choices in values.items() if chance.random() < 0.9}
    return parse_command({"do": name, **body}, chance.randint(-1, 13))
