"""What was read in one picture of the table: the one currency of readers, tracker and overlay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.game.cards import Cell, Edges, Kind, letters
from vision.plane import Reals

Point = tuple[float, float]
"""(x, y) in px of the picture: x to the right, y down, the centre of the first pixel at (0, 0)."""

Corners = tuple[Point, Point, Point, Point]
"""A card's top-left, top-right, bottom-right and bottom-left corner, as its face is printed."""


@dataclass(frozen=True)
class Problem:
    """Something that keeps the table from being read (well): a code to look up, and what it speaks of.

    >>> Problem("too_small", {"px_per_card": 30, "needed": 60}).to_json()
    {'code': 'too_small', 'params': {'px_per_card': 30, 'needed': 60}}
    """

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The problem as plain data."""
        return {"code": self.code, "params": dict(self.params)}


@dataclass(frozen=True)
class CardRead:
    """One card as a picture shows it."""

    cell: Cell
    face: str | None
    """The deck's name of the physical card; None when it lies face down."""
    tunnels: tuple[Edges, ...]
    """Its tunnels as printed (before any turning); empty when it lies face down."""
    kind: Kind
    turned: bool
    """Whether it lies turned by 180 degrees in the board's frame."""
    face_up: bool
    confidence: float
    """0..1; everything given out at all has passed the reader's own threshold."""
    corners: Corners

    @staticmethod
    def lying(
        cell: Cell,
        face: str | None,
        tunnels: tuple[Edges, ...],
        kind: Kind,
        turned: bool,
        face_up: bool,
        confidence: float,
        outline: Reals,
    ) -> CardRead:
        """A card by its outline (4, 2) in px, the corner that lies top-left on the board first."""
        a, b, c, d = ((float(x), float(y)) for x, y in (np.roll(outline, 2, 0) if turned else outline))
        return CardRead(cell, face, tunnels, kind, turned, face_up, confidence, (a, b, c, d))

    def to_json(self) -> dict[str, Any]:
        """The card as plain data; tunnels as lists of edge letters, as in a deck folder."""
        return {
            "cell": list(self.cell),
            "face": self.face,
            "kind": self.kind.value,
            "tunnels": [list(letters(group)) for group in self.tunnels],
            "turned": self.turned,
            "face_up": self.face_up,
            "confidence": round(self.confidence, 3),
            "corners": [[round(x, 2), round(y, 2)] for x, y in self.corners],
        }


@dataclass(frozen=True)
class Reading:
    """All that one picture tells about the table.

    A cell that is neither in `cards` nor in `hidden` was seen, and no card lies there.
    """

    cards: tuple[CardRead, ...]
    problems: tuple[Problem, ...]
    size: tuple[int, int]
    """(width, height) of the picture in px."""
    ms: float
    """How long the reading took, in ms."""
    px_per_mm: float = 0.0
    """Scale in the middle of the table; 0 when no table was found."""
    hidden: tuple[Cell, ...] = ()
    """Cells that were looked at but could not be judged: a hand, glare, blur, or the edge of the picture."""

    def to_json(self) -> dict[str, Any]:
        """The reading as plain data."""
        return {
            "cards": [card.to_json() for card in self.cards],
            "hidden": [list(cell) for cell in self.hidden],
            "problems": [problem.to_json() for problem in self.problems],
            "size": list(self.size),
            "ms": round(self.ms, 1),
            "px_per_mm": round(self.px_per_mm, 3),
        }
