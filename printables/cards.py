"""The physical cards of the printed decks: which cards there are, their ids, numbers and markers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.game.cards import GOALS, START, Face
from companion.game.decks import (
    BASE_ACTIONS,
    BASE_PATHS,
    EXPANSION_ACTIONS,
    EXPANSION_PATHS,
    Action,
    ActionCard,
    Tool,
)
from vision.markers import markers_of


@dataclass(frozen=True)
class PhysicalCard:
    """One path-type card of paper: the `copy`-th (from 1) of its face.

    `number` counts the cards of both decks in an order that never changes: printed cards stay valid.
    """

    id: str
    number: int
    face: Face
    copy: int

    @property
    def markers(self) -> tuple[int, int]:
        """Ids of the markers at the top left and bottom right of the face as printed."""
        return markers_of(self.number)


@dataclass(frozen=True)
class PrintedAction:
    """One action card of paper: the `copy`-th (from 1) that does the same."""

    id: str
    action: Action
    tools: tuple[Tool, ...]
    copy: int


def _paths(deck: Mapping[str, int], first: int) -> tuple[PhysicalCard, ...]:
    copies = [(Face.parse(text), copy) for text, count in deck.items() for copy in range(1, count + 1)]
    return tuple(
        PhysicalCard(f"{face}-{copy}", first + place, face, copy) for place, (face, copy) in enumerate(copies)
    )


def _specials(first: int) -> tuple[PhysicalCard, ...]:
    return tuple(
        PhysicalCard(str(face), first + place, face, 1) for place, face in enumerate((START, *GOALS))
    )


def _actions(deck: Mapping[ActionCard, int], after: Mapping[ActionCard, int]) -> tuple[PrintedAction, ...]:
    """Copies are counted on from those of the deck that came before."""
    return tuple(
        PrintedAction("-".join((action.value, *tools, str(copy))), action, tools, copy)
        for (action, tools), count in deck.items()
        for first in (after.get((action, tools), 0) + 1,)
        for copy in range(first, first + count)
    )


_BASE = _paths(BASE_PATHS, 0)
DECK: tuple[PhysicalCard, ...] = _BASE + _specials(len(_BASE))
"""The base deck: 40 path cards, the start card, 3 goal cards; numbers 0..43."""

EXPANSION: tuple[PhysicalCard, ...] = _paths(EXPANSION_PATHS, len(DECK))
"""The path cards of the expansion; numbers 44..73."""

ACTIONS: tuple[PrintedAction, ...] = _actions(BASE_ACTIONS, {})
"""The 27 action cards of the base deck."""

MORE_ACTIONS: tuple[PrintedAction, ...] = _actions(EXPANSION_ACTIONS, BASE_ACTIONS)
"""The 21 action cards of the expansion."""

PLACE_HOLDERS = 3
"""Cards with a goal back on both sides: they lie in the goal cells while the app knows what they hide."""
