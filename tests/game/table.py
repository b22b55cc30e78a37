"""Matches set up for a test in one line: who sits there, what lies where."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.game.board import Board
from companion.game.cards import GOAL_CELLS, Face
from companion.game.commands import Command, Place
from companion.game.decide import decide
from companion.game.events import Event, GameBegan, Joined, OptionsSet, RoundStarted
from companion.game.evolve import evolve_all
from companion.game.options import Options
from companion.game.refusal import Refusal
from companion.game.state import Match, Seat

GOALS = ("stone-NE", "gold", "stone-NW")
"""Where the goals lie unless a test says otherwise: the gold in the middle."""
GOLD_DECK = (1, 2, 3, 1, 2, 3, 1, 1, 2, 1, 1, 1)


def table(
    roles: Sequence[str] = ("miner", "miner", "saboteur"),
    board: str = "",
    goals: Sequence[str] = GOALS,
    before: Mapping[Seat, tuple[str, ...]] | None = None,
    hands: Mapping[Seat, int] | None = None,
    gold: Mapping[Seat, tuple[int, ...]] | None = None,
    first: Seat = 1,
    pile: int = 20,
    round_: int = 1,
    left_over: Sequence[str] = ("miner",),
    gold_deck: tuple[int, ...] = GOLD_DECK,
    physical: bool = False,
    **options: Any,
) -> Match:
    """A round in play. Seats count from 1 in the order of `roles`."""
    chosen = Options().changed({**options, "goals": "physical" if physical else "dealt"})
    assert isinstance(chosen, Options)
    dealt = () if physical else tuple(zip(GOAL_CELLS, goals, strict=True))
    match = evolve_all(
        Match(),
        [
            *(Joined(seat, f"Player {seat}") for seat in range(1, len(roles) + 1)),
            OptionsSet(tuple(chosen.to_json().items())),
            GameBegan(gold_deck),
            RoundStarted(round_, first, tuple(roles), tuple(left_over), dealt, 6, pile, 0),
        ],
    )
    if board:
        match = replace(match, board=Board.parse(board))
    for seat, tokens in (before or {}).items():
        match = match.with_player(seat, before=tokens)
    for seat, count in (hands or {}).items():
        match = match.with_player(seat, hand=count)
    for seat, cards in (gold or {}).items():
        match = match.with_player(seat, gold=cards)
    return match


def events_of(match: Match, command: Command, seed: int = 0) -> tuple[Event, ...]:
    """What an accepted command brings about."""
    events = decide(match, command, random.Random(seed))
    assert not isinstance(events, Refusal), [problem.code for problem in events.problems]
    return events


def do(match: Match, *commands: Command) -> Match:
    """The match after accepted commands."""
    for command in commands:
        match = evolve_all(match, events_of(match, command))
    return match


def refused(match: Match, command: Command) -> list[str]:
    """The codes for which a command is refused; empty when it is not."""
    answer = decide(match, command, random.Random(0))
    return [problem.code.value for problem in answer.problems] if isinstance(answer, Refusal) else []


def place(seat: Seat, where: str) -> Place:
    """A path card laid, in the text form of a board: "1,0=NW~"."""
    cell, _, card = where.partition("=")
    column, row = cell.split(",")
    return Place(seat, (int(column), int(row)), Face.parse(card.removesuffix("~")), card.endswith("~"))
