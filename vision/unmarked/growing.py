"""Where exactly a card lies near a cell, and which one it may be: from a coarse look to a settled outline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alike import alike
from vision.plane import Reals
from vision.squares import Floats
from vision.unmarked.known import COARSE, TURNS, KnownFaces, unit
from vision.unmarked.view import Overview, View

FAR = (4.0, 2.5)
"""Blurs in mm of the steps that bring an outline from 3 mm and 4 degrees off to about 1 mm."""
NEAR = (2.0, 1.0)
"""Blurs in mm of the steps that bring it from there to a third of a mm."""
WORTH = 0.25
"""Likeness after the first steps from which on the others follow (cards have 0.4 and more by then)."""
PEAKS = 4
"""Places of one way that a sweep gives out: three goals' backs, and a pile."""
APART_MM = 25.0
LONGEST_MM, WIDEST_RAD, STRETCH = 7.0, 0.2, 0.12
"""Steps beyond which an alignment has run away."""


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A way that may lie about some place, seen coarsely."""

    way: int
    place: Reals
    """(2,) mm on the board."""
    turn: float
    """Radians by which it may lie askew."""
    like: float
    """Likeness of the coarse patches, -1..1."""


@dataclass(frozen=True, eq=False)
class Settled:
    """A way laid where the picture fits it best."""

    way: int
    corners: Reals
    """(4, 2) px, the one top left on the board first."""
    patch: Floats
    """What lies there, evened, 1 px a mm."""
    like: Floats
    """(ways,): likeness to every way, -1..1."""


def glimpses(
    known: KnownFaces,
    overview: Overview,
    middle: Reals,
    reach_mm: float,
    ways: NDArray[np.int64],
    most: int,
    askew: bool,
) -> list[Glimpse]:
    """The likeliest of some ways about a place (2,) in mm on the board, at most so many, likeliest first.

    Two ways that mean the same are both given out: which picture it is tells where it lies. `askew`: whether
    they may lie far askew.
    """
    rows, places = overview.windows(middle, reach_mm, known.coarse_size)
    if not len(rows):
        return []
    rows = unit(rows)
    turns = TURNS if askew else TURNS[:1]
    like = np.stack([alike(rows, patterns) for patterns in known.coarse_of(ways)[: len(turns)]])
    best = like.max((0, 1))
    found = []
    for index in np.argsort(-best)[:most]:
        turn, row = np.unravel_index(like[:, :, index].argmax(), like.shape[:2])
        found.append(Glimpse(int(ways[index]), places[row], turns[turn], float(best[index])))
    return found


def sweep(
    known: KnownFaces, overview: Overview, ways: NDArray[np.int64], most: int, least: float
) -> list[Glimpse]:
    """Where on the whole table some ways may lie, likeliest first, at most so many and a hand apart."""
    width, height = known.coarse_size
    if min(overview.picture.shape) <= max(width, height):
        return []
    seen: list[Glimpse] = []
    for turn, patterns in zip(TURNS, known.coarse, strict=True):
        for way in ways:
            pattern = patterns[way].reshape(height, width)
            like = cv2.matchTemplate(overview.picture, pattern, cv2.TM_CCOEFF_NORMED)
            for _ in range(PEAKS):
                _, best, _, (x, y) = cv2.minMaxLoc(like)
                if best < least:
                    break
                place = (np.array([x, y]) + np.array([width, height]) / 2) * COARSE + overview.low
                seen.append(Glimpse(int(way), place, turn, float(best)))
                like[max(0, y - height // 2) : y + height // 2, max(0, x - width // 2) : x + width // 2] = -1
    seen.sort(key=lambda one: -one.like)
    kept: list[Glimpse] = []
    for one in seen:
        if all(np.abs(one.place - other.place).max() > APART_MM for other in kept):
            kept.append(one)
    return kept[:most]


def settle(
    known: KnownFaces, view: View, corners: Reals, ways: Sequence[int], far: bool, shape: bool = True
) -> list[Settled]:
    """Outlines (n, 4, 2) in px, known roughly, moved to where the picture fits each one's way best.

    `far`: whether they may be 3 mm off. `shape`: whether the outline itself may change a little, as it has
    to where the plane is not well known yet.
    """
    corners = np.array(corners, np.float64)
    if far:
        for blur in FAR:
            _align(known, view, corners, ways, blur, False)
    patches = view.patches(corners)
    like = known.like(patches)
    # What is unlike its way by now is none: no time is lost on bare tables.
    worth = [row for row, way in enumerate(ways) if not far or like[row, way] >= WORTH]
    if worth:
        some, closer = [ways[row] for row in worth], corners[worth]
        for blur in NEAR:
            _align(known, view, closer, some, blur, shape)
        corners[worth], patches[worth] = closer, view.patches(closer)
        like[worth] = known.like(patches[worth])
    return [Settled(way, corners[row], patches[row], like[row]) for row, way in enumerate(ways)]


def _align(
    known: KnownFaces, view: View, corners: Reals, ways: Sequence[int], blur: float, shape: bool
) -> None:
    """Moves outlines (n, 4, 2) a step, in place."""
    patches = view.patches(corners)
    for row, way in enumerate(ways):
        step = known.step(patches[row], way, blur, shape)
        if (
            np.hypot(step[0], step[1]) < LONGEST_MM
            and abs(step[2]) < WIDEST_RAD
            and np.abs(step[3:]).max() < STRETCH
        ):
            corners[row] = _moved(corners[row], view.outline, step)


def _moved(corners: Reals, outline: Reals, step: Floats) -> Reals:
    """The corners (4, 2) of a card after a step (6,) in its own millimetres."""
    right, down, turn, larger, longer, lean = (float(value) for value in step)
    shape = np.array([(1 + larger - longer, lean - turn), (lean + turn, 1 + larger + longer)])
    return _onto(outline, corners, outline @ shape.T + (right, down))


def _onto(outline: Reals, corners: Reals, points: Reals) -> Reals:
    """Points (n, 2) in mm of a card, in px, by the perspective that takes its outline to its corners."""
    onto = cv2.getPerspectiveTransform(outline.astype(np.float32), corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(points[None], onto)[0], np.float64)
