"""What a simulated player does with a hand of cards: simple sense, no more. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game.board import Board
from companion.game.cards import EDGES, GOAL_CELLS, Cell, Face, Laid, neighbour
from companion.game.decks import Action, ActionCard

HandCard = tuple[str, Face] | ActionCard
"""A path card by its id in the deck, or an action card."""

SABOTAGE_FROM = 3
"""Saboteurs dig along like everybody else until the maze has come so many columns."""


COLUMNS, ROWS = range(-1, 10), range(-2, 3)
"""How far the table reaches that the simulated camera sees."""


@dataclass(frozen=True)
class Turn:
    """What to do: the card that leaves the hand, and what to ask of the table."""

    card: HandCard
    do: str
    fields: dict[str, Any]
    lay: tuple[Cell, Laid] | None = None
    """A path card is laid on the table rather than asked for."""


@dataclass(frozen=True)
class Mind:
    """What one player knows."""

    seat: int
    saboteur: bool
    stones: frozenset[Cell]
    """Goals known to be stone, turned up or seen on a map."""


def choose(
    mind: Mind, me: dict[str, Any], board: Board, hand: Sequence[HandCard], chance: random.Random
) -> Turn:
    """One turn that the player may take; `me` is the phone's own part of its view."""
    for turn in _wishes(mind, me, board, hand, chance):
        if turn is not None:
            return turn
    return Turn(_least(mind, hand, chance), "discard", {"count": 1})


def _wishes(
    mind: Mind, me: dict[str, Any], board: Board, hand: Sequence[HandCard], chance: random.Random
) -> list[Turn | None]:
    """Wishes, the first that can be had is done."""
    may = {name: entry["ok"] for name, entry in me["may"].items()}
    lay = _dig(mind, board, hand, chance) if may["path"] else None
    repair = _repair(mind, me, hand) if may["repair"] else None
    break_ = _break(mind, me, hand, chance) if may["break"] else None
    look = _map(mind, me, hand) if may["map"] else None
    fall = _rockfall(me, board, hand) if may["rockfall"] else None
    if not mind.saboteur:
        trouble = break_ if chance.random() < 0.25 else None
        return [repair if not may["path"] else None, lay, look, repair, trouble]
    if _progress(board) < SABOTAGE_FROM:
        return [lay, break_, look]
    block = _block(mind, board, hand) if may["path"] else None
    return [break_, block, fall, look] if chance.random() < 0.7 else [lay, break_, block]


def _progress(board: Board) -> int:
    return max(column for column, _ in board.cards)


def distance(board: Board, stones: frozenset[Cell]) -> float:
    """Cards from the nearest open end of the way to a goal that may be the gold (0: one is reached)."""
    goals = [cell for cell in GOAL_CELLS if cell in board.face_down and cell not in stones]
    if not goals or any(cell in goals for cell in board.arrivals()):
        return 0.0
    ends = {
        place
        for cell, edges in board.reached.items()
        for edge in EDGES
        if edges & edge
        and (place := neighbour(cell, edge)) not in board.cards
        and place not in board.face_down
    }
    away = [abs(goal[0] - end[0]) + abs(goal[1] - end[1]) for goal in goals for end in ends]
    return min(away, default=99)


def _dig(mind: Mind, board: Board, hand: Sequence[HandCard], chance: random.Random) -> Turn | None:
    now = distance(board, mind.stones)
    best: tuple[float, Turn] | None = None
    for turn, after in _placements(board, hand):
        gain = now - distance(after, mind.stones) + 0.1 * chance.random()
        if best is None or gain > best[0]:
            best = gain, turn
    return best[1] if best is not None and best[0] > 0 else None


def _placements(board: Board, hand: Sequence[HandCard]) -> Iterator[tuple[Turn, Board]]:
    """Every way to lay a path card of the hand on the table, with the board after it."""
    for card in hand:
        if isinstance(card[1], Face):
            for cell, laid in board.placements([card[1]]):
                if cell[0] in COLUMNS and cell[1] in ROWS:
                    yield Turn(card, "place", {}, (cell, laid)), board.laid(cell, laid)


def _block(mind: Mind, board: Board, hand: Sequence[HandCard]) -> Turn | None:
    """The card that leaves the way longest."""
    now = distance(board, mind.stones)
    worst: tuple[float, Turn] | None = None
    for turn, after in _placements(board, hand):
        loss = distance(after, mind.stones) - now
        if worst is None or loss > worst[0]:
            worst = loss, turn
    return worst[1] if worst is not None and worst[0] > 0 else None


def _actions(hand: Sequence[HandCard], action: Action) -> list[ActionCard]:
    return [
        card
        for card in hand
        if isinstance(card[0], Action) and not isinstance(card[1], Face) and card[0] is action
    ]


def _repair(mind: Mind, me: dict[str, Any], hand: Sequence[HandCard]) -> Turn | None:
    mine_first = sorted(me["repairable"], key=lambda entry: entry["seat"] != mind.seat)
    for entry in mine_first:
        if mind.saboteur and entry["seat"] != mind.seat:
            continue
        for card in _actions(hand, Action.REPAIR):
            for tool in card[1]:
                if tool.value in entry["tools"]:
                    shown = [shown.value for shown in card[1]]
                    return Turn(card, "repair", {"target": entry["seat"], "tool": tool.value, "card": shown})
    return None


def _break(mind: Mind, me: dict[str, Any], hand: Sequence[HandCard], chance: random.Random) -> Turn | None:
    whole = [entry for entry in me["breakable"] if entry["seat"] != mind.seat]
    chance.shuffle(whole)
    for card in _actions(hand, Action.BREAK):
        for entry in whole:
            if card[1][0].value in entry["tools"]:
                return Turn(card, "break", {"target": entry["seat"], "tool": card[1][0].value})
    return None


def _map(mind: Mind, me: dict[str, Any], hand: Sequence[HandCard]) -> Turn | None:
    unknown = [cell for cell in me["map_cells"] if tuple(cell) not in mind.stones]
    for card in _actions(hand, Action.MAP):
        if len(unknown) > 1:
            return Turn(card, "map", {"cell": unknown[0]})
    return None


def _rockfall(me: dict[str, Any], board: Board, hand: Sequence[HandCard]) -> Turn | None:
    """The joined card nearest the goals."""
    joined = [cell for cell in me["rockfall_cells"] if tuple(cell) in board.reached]
    for card in _actions(hand, Action.ROCKFALL):
        if joined:
            return Turn(card, "rockfall", {"cell": max(joined)})
    return None


def _least(mind: Mind, hand: Sequence[HandCard], chance: random.Random) -> HandCard:
    """The card one can best do without: for a miner a dead end, for a saboteur anything but trouble."""

    def worth(card: HandCard) -> float:
        if isinstance(card[1], Face):
            through = any(tunnel.bit_count() > 1 for tunnel in card[1].tunnels)
            return float(through != mind.saboteur)
        useful = {Action.BREAK, Action.ROCKFALL} if mind.saboteur else {Action.REPAIR, Action.MAP}
        return 0.5 + (card[0] in useful)

    return min(hand, key=lambda card: worth(card) + 0.4 * chance.random())
