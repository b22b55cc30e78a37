"""Where exactly a card lies near a cell, and which one it may be: from a coarse look to a settled outline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Reals
from vision.squares import Floats
from vision.unmarked.known import COARSE, TURNS, KnownFaces
from vision.unmarked.view import Overview, View

FAR = (4.0, 2.5)
"""Blurs in mm of the steps that bring an outline from 3 mm and 4 degrees off to about 1 mm."""
NEAR = (2.0, 1.0)
"""Blurs in mm of the steps that bring it from there to a third of a mm."""
ROUGH = ((8.0, False), (6.0, False), (6.0, True), (4.0, True), (4.0, True))
"""Blurs in mm, and whether the shape may change, of the steps where the plane is not known at all."""
ROUGHLY = 2.0
"""How many times further such a step may go."""
WORTH = (0.28, 0.33)
"""Likeness after each of the far steps from which on others follow. 655 cards of 48 rendered pictures had
0.34 and 0.39 at least, and what was none mostly less than 0.30."""
ROUGH_WORTH = (0.0, 0.25)
"""The same where a few features tell about where a card lies: those come further, and are few."""
STRIDE = 2
"""Every so many of the coarse places are compared with all ways, and those about the best with the best."""
LIKELY, CLOSER, CLEARLY = 0.3, 5, 0.2
"""Likeness there of what may be a card, how many ways are looked at closer then, and by how much the best
must lead before those are enough that are asked for."""
THERE = 0.75
"""Likeness from which on an outline is near enough for the near steps."""
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
    windows = overview.windows(middle, reach_mm, known.coarse_size)
    if windows is None:
        return []
    turns = len(TURNS) if askew else 1
    patterns = known.coarse_of(ways, turns)
    like = windows.like(patterns, STRIDE)
    best = like.max((0, 1)).reshape(turns, -1).max(0)
    found: list[Glimpse] = []
    for index in np.argsort(-best)[: most if best.max() < LIKELY else CLOSER]:
        if len(found) >= most and best[index] < found[0].like - CLEARLY:
            break
        down, across, turn = np.unravel_index(
            like[..., index :: len(ways)].argmax(), (*like.shape[:2], turns)
        )
        pattern = patterns[turn * len(ways) + index]
        closer, place = windows.best_about(int(down) * STRIDE, int(across) * STRIDE, pattern)
        found.append(Glimpse(int(ways[index]), place, TURNS[turn], closer))
    found.sort(key=lambda one: -one.like)
    return found[:most]


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
    known: KnownFaces,
    view: View,
    corners: Reals,
    ways: Sequence[int],
    least: tuple[float, float] = WORTH,
) -> list[Settled]:
    """Outlines (n, 4, 2) in px, some 3 mm off, moved to where the picture fits each one's way best.

    What is less like its way than `least` after either of the far steps is none, and left where it is then:
    no time is lost on bare tables.
    """
    corners = np.array(corners, np.float64)
    patches = view.patches(corners)
    left, far = list(range(len(ways))), list(range(len(ways)))
    for blur, worth in zip(FAR, least, strict=True):
        _step(known, view, corners, patches, ways, far, blur)
        like_way = {row: known.like_way(patches[row], ways[row]) for row in far}
        left = [row for row in left if like_way.get(row, 1.0) >= worth]
        far = [row for row in far if worth <= like_way[row] < THERE]
    before = corners.copy(), patches.copy()
    for blur in NEAR:
        _step(known, view, corners, patches, ways, left, blur)
    like = known.like(patches)
    for row in left:
        # A card burnt out by a lamp has more of an edge about it than of art in it, and may be led astray.
        if known.like_way(before[1][row], ways[row]) > like[row, ways[row]]:
            corners[row], patches[row] = before[0][row], before[1][row]
            like[row] = known.like(patches[row : row + 1])[0]
    return [Settled(way, corners[row], patches[row], like[row]) for row, way in enumerate(ways)]


def drawn_in(known: KnownFaces, view: View, corners: Reals, way: int) -> Reals:
    """An outline (4, 2) in px, some 8 mm, 10 degrees or a fifth of its size off, brought near enough."""
    corners = np.array(corners, np.float64)
    for blur, shape in ROUGH:
        if not np.isfinite(corners).all():
            break
        step = known.step(view.patches(corners[None])[0], way, blur, shape)
        if _sane(step, ROUGHLY):
            corners = _moved(corners, view.outline, step)
    return corners


def _sane(step: Floats, times: float) -> bool:
    return bool(
        np.hypot(step[0], step[1]) < LONGEST_MM * times
        and abs(step[2]) < WIDEST_RAD * times
        and np.abs(step[3:]).max() < STRETCH * times
    )


def _step(
    known: KnownFaces,
    view: View,
    corners: Reals,
    patches: Floats,
    ways: Sequence[int],
    rows: Sequence[int],
    blur: float,
) -> None:
    """Moves some of the outlines (n, 4, 2) a step and cuts their patches (n, height, width), in place."""
    for row in rows:
        # The outline itself may change a little once it is near: the plane may not be well known yet.
        step = known.step(patches[row], ways[row], blur, shape=blur in NEAR)
        if _sane(step, 1.0):
            corners[row] = _moved(corners[row], view.outline, step)
            patches[row] = view.patches(corners[row : row + 1])[0]


def _moved(corners: Reals, outline: Reals, step: Floats) -> Reals:
    """The corners (4, 2) of a card after a step (6,) in its own millimetres."""
    right, down, turn, larger, longer, lean = (float(value) for value in step)
    shape = np.array([(1 + larger - longer, lean - turn), (lean + turn, 1 + larger + longer)])
    return _onto(outline, corners, outline @ shape.T + (right, down))


def _onto(outline: Reals, corners: Reals, points: Reals) -> Reals:
    """Points (n, 2) in mm of a card, in px, by the perspective that takes its outline to its corners."""
    onto = cv2.getPerspectiveTransform(outline.astype(np.float32), corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(points[None], onto)[0], np.float64)
