"""What a command brings about, told event by event."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeVar

from companion.game.events import Event
from companion.game.evolve import evolve
from companion.game.refusal import Problem
from companion.game.state import Match

Problems = tuple[Problem, ...]
"""Why not; empty: it may be."""
Handler = Callable[["Story", Any], Problems]
"""Looks at a command; either answers why not, or tells what it brings about."""

Item = TypeVar("Item")


class Story:
    """Grows while a command is decided; `match` is always the match after the last event told."""

    def __init__(self, match: Match, chance: random.Random) -> None:
        self.match = match
        self.chance = chance
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        """One event more."""
        self.events.append(event)
        self.match = evolve(self.match, event)

    def shuffled(self, cards: tuple[Item, ...]) -> tuple[Item, ...]:
        """The cards in an order that chance decides."""
        return tuple(self.chance.sample(cards, len(cards)))
