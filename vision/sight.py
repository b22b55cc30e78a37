"""The steady sight: what lies on the table by the witness of many frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.game.cards import Cell
from vision.reading import CardRead, Problem


@dataclass(frozen=True)
class SteadyCard:
    """A card that has come to rest; `card.corners` are where it was last seen, carried with the view."""

    card: CardRead
    since: float
    """When it had settled, in seconds of the source."""

    def to_json(self) -> dict[str, Any]:
        """The card as plain data."""
        return {**self.card.to_json(), "since": round(self.since, 3)}


@dataclass(frozen=True)
class Sight:
    """What steadily lies on the table."""

    cards: tuple[SteadyCard, ...]
    """By column, then row."""
    hidden: tuple[Cell, ...]
    """Cells that cannot be seen now: what lies there, or does not, is as it was before."""
    steady: bool
    """Whether cards are known and nothing is just coming to rest or being taken away."""
    revision: int
    """Counts the changes of which cards lie where and which way up. Moving a card within its cell is none."""
    at_s: float = 0.0
    size: tuple[int, int] = (0, 0)
    problems: tuple[Problem, ...] = ()

    def to_json(self, simulated: bool = False) -> dict[str, Any]:
        """The sight as the server takes it."""
        return {
            "revision": self.revision,
            "steady": self.steady,
            "at": round(self.at_s, 3),
            "simulated": simulated,
            "size": list(self.size),
            "cards": [card.to_json() for card in self.cards],
            "hidden": [list(cell) for cell in self.hidden],
            "problems": [problem.to_json() for problem in self.problems],
        }
