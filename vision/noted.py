"""What a survey of one picture notes down: where it looked, and what it knew at some time."""

from __future__ import annotations

from dataclasses import dataclass

from vision.plane import Plane, Reals
from vision.spots import Marks, Spot


@dataclass(eq=False)
class Look:
    """One place that was looked at more closely."""

    at: Reals
    """(2,) px of the place's middle."""
    margin: float
    """How far round it, in mm."""
    found: Reals
    """(2,) px of the most card-like place there."""
    angle: float
    """Of a card there, either way up, in radians."""
    likeness: float
    """To what all cards have in common, -1..1."""


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of a table at some time."""

    plane: Plane | None
    marks: Marks
    tags: Marks
    spots: tuple[Spot, ...]
    by_art: tuple[Spot, ...]
    angle: float
