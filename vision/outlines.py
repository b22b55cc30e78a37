"""Finding cards that lie apart from one another on any table, by their outlines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Image

Reals = NDArray[np.float64]

LOOK_PX = 1100
"""Longest side of the picture in which outlines are looked for; they are refined in a larger one."""
FINE_PX = 2600
LEAST_SHARE, MOST_SHARE = 0.003, 0.45
"""A card's share of the picture's area: 60 cards fill it at most, and one alone is not larger."""
ASPECT = (0.5, 0.8)
"""Narrow side by long side as seen: 0.64 from above, and up to 35 degrees from the side."""
FILLS = 0.9
"""Share of its four-sided hull that a card's blob fills; the corners are round."""
STEPS = 17
SUPPORT = 0.5
"""Share of a side along which there must be an edge: a light way on a light table shows none."""
LEVELS = (14, 22, 32, 46)
"""Differences from the table around (Lab units) at which blobs are cut out."""
RIM_COLOUR = 0.45
"""A colour that is less than so common along the rim as in the whole picture is not the table's."""
TOUCHING = 1.6
"""A blob so many times as large as a card holds cards that touch."""


@dataclass(frozen=True, eq=False)
class Outlines:
    """What lies in a picture."""

    quads: tuple[Reals, ...]
    """(4, 2) px of the picture each, clockwise, the first side a short one: top-left, top-right, ... of the
    card in one of its two ways up."""
    touching: int
    """Blobs that look like several cards in one."""


def slopes(image: Image) -> tuple[NDArray[np.float32], float]:
    """How steep a picture is at each place, for `settled`, and by how much it was shrunk for that."""
    fine, shrink = _shrunk(image, FINE_PX)
    return _slope(fine), shrink


def find_outlines(image: Image) -> Outlines:
    """All cards lying apart in a picture (height, width, 3), BGR, in reading order."""
    small, shrink = _shrunk(image, LOOK_PX)
    slope, fine_shrink = slopes(image)
    candidates: list[tuple[float, Reals]] = []
    blobs: list[tuple[float, Reals]] = []
    for mask in masks(small):
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            share = cv2.contourArea(contour) / (small.shape[0] * small.shape[1])
            if not LEAST_SHARE < share < MOST_SHARE:
                continue
            quad = four_sided(np.asarray(contour))
            if quad is None:
                if cv2.contourArea(contour) < 0.8 * cv2.contourArea(cv2.convexHull(contour)):
                    continue
                blobs.append((share, np.asarray(contour[:, 0], np.float64).mean(0) / shrink))
                continue
            scaled = (quad + 0.5) * (fine_shrink / shrink) - 0.5
            drawn, support = settled(slope, scaled)
            if support >= SUPPORT and like_a_card(drawn):
                candidates.append((support, (drawn + 0.5) / fine_shrink - 0.5))
    quads = _alike(_best(candidates))
    return Outlines(tuple(_in_reading_order(quads)), _touching(blobs, quads, image.shape[:2]))


def _shrunk(image: Image, longest: int) -> tuple[Image, float]:
    shrink = min(1.0, longest / max(image.shape[:2]))
    if shrink == 1.0:
        return image, 1.0
    size = (round(image.shape[1] * shrink), round(image.shape[0] * shrink))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), shrink


def masks(small: Image) -> Iterator[NDArray[np.uint8]]:
    """What differs from the table, told in three ways: no one of them holds on every table."""
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.uint8)
    for size in (1 / 3, 1 / 7):
        off = cv2.absdiff(lab, _table(lab, size)).astype(np.float32) * np.array([1.0, 1.8, 1.8], np.float32)
        off = cv2.GaussianBlur(np.sqrt((off * off).sum(2)), (0, 0), 1.2)
        for level in LEVELS:
            yield from _blobs(off > level)
    yield from _blobs(_not_of_the_table(lab) > 0.5)
    for low in (25, 60):
        soft = [cv2.GaussianBlur(one, (0, 0), 1.5) for one in cv2.split(lab)]
        edges = np.max([cv2.Canny(one, low, 2.5 * low) for one in soft], 0)
        yield _filled(np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, _round(5)), np.uint8))


def _blobs(differs: NDArray[np.bool_]) -> Iterator[NDArray[np.uint8]]:
    """What differs, as it is and closed up: a light way on a light table cuts a card into pieces."""
    mask = differs.astype(np.uint8) * 255
    for opened, closed in ((3, 0), (9, 0), (3, 15), (3, 29), (3, 43)):
        cut = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _round(opened))
        if closed:
            cut = cv2.morphologyEx(
                cut, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, (closed, closed))
            )
        yield _filled(np.asarray(cut, np.uint8))


def _not_of_the_table(lab: Image) -> NDArray[np.float32]:
    """0..1: how far the colours here are rarer along the picture's rim, which is table, than in the whole."""
    small = cv2.GaussianBlur(lab, (0, 0), 2.0)
    bins = (small // np.array([24, 8, 8], np.uint8)).astype(np.int64)
    index = bins[..., 0] * 1024 + bins[..., 1] * 32 + bins[..., 2]
    rim = np.zeros(index.shape, bool)
    edge = max(4, min(index.shape) // 25)
    rim[:edge], rim[-edge:], rim[:, :edge], rim[:, -edge:] = True, True, True, True
    everywhere = np.bincount(index.ravel(), minlength=16384) / index.size
    along_rim = np.bincount(index[rim], minlength=16384) / rim.sum()
    common = along_rim / np.maximum(everywhere, 1e-9)
    rare = (common[index] < RIM_COLOUR).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(rare, (0, 0), 2.0), np.float32)


def _table(lab: Image, share: float) -> Image:
    """The table as it would look without the cards: the median around each place, worked out small."""
    shrink = 160 / max(lab.shape[:2])
    tiny = cv2.resize(lab, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    around = 2 * round(160 * share / 2) + 1
    wide = around // 2
    padded = cv2.copyMakeBorder(tiny, wide, wide, wide, wide, cv2.BORDER_REFLECT)
    table = cv2.medianBlur(padded, around)[wide:-wide, wide:-wide]
    return np.asarray(cv2.resize(table, lab.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)


def _filled(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    contours = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    return np.asarray(cv2.drawContours(np.zeros_like(mask), contours, -1, 255, -1), np.uint8)


def _round(size: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def four_sided(contour: NDArray[np.int32], aspect: tuple[float, float] = ASPECT) -> Reals | None:
    """The corners (4, 2) round a blob, if it is one thing with about a card's four sides."""
    hull = cv2.convexHull(contour)
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) == 4:
            quad = np.asarray(corners[:, 0], np.float64)
            filled = cv2.contourArea(contour) / max(cv2.contourArea(corners), 1.0)
            return quad if FILLS < filled < 1.15 and like_a_card(quad, aspect) else None
    return None


def like_a_card(quad: Reals, aspect: tuple[float, float] = ASPECT) -> bool:
    """Whether four corners (4, 2) in px have about a card's sides, the one by the other, and angles."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    one, other = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if min(sides) < 8 or not aspect[0] < min(one, other) / max(one, other) < aspect[1]:
        return False
    after = np.roll(quad, -1, 0) - quad
    before = np.roll(quad, 1, 0) - quad
    cosine = (after * before).sum(1) / (np.linalg.norm(after, axis=1) * np.linalg.norm(before, axis=1))
    return bool(np.all(np.abs(cosine) < 0.35))


def _slope(fine: Image) -> NDArray[np.float32]:
    """How steep the picture is at each place, in the steepest of its channels."""
    soft = cv2.GaussianBlur(cv2.cvtColor(fine, cv2.COLOR_BGR2LAB), (0, 0), 1.2).astype(np.float32)
    across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    return np.asarray(np.hypot(across, down).max(2), np.float32)


def settled(slope: NDArray[np.float32], quad: Reals) -> tuple[Reals, float]:
    """The quad with each side drawn along the steepest places near it, and the least support of a side."""
    support = 1.0
    for width in (0.04, 0.012):
        lines = []
        scale = float(np.linalg.norm(quad[0] - quad[2]))
        support = 1.0
        for a, b in zip(quad, np.roll(quad, -1, 0), strict=True):
            line, held = _side(slope, a, b, width * scale)
            lines.append(line)
            support = min(support, held)
        crossed = [_crossing(lines[index - 1], lines[index]) for index in range(4)]
        if any(one is None for one in crossed):
            return quad, 0.0
        quad = np.array(crossed)
    return quad, support


def _side(slope: NDArray[np.float32], a: Reals, b: Reals, reach: float) -> tuple[tuple[Reals, Reals], float]:
    """A line (point, direction) along a side, and the share of the side where there is an edge on it.

    Of all lines near the side the one that has the most edge all along. How steep an edge is counts up to
    a cap only: the border of a card is long and often faint, lines of its art are strong and short.
    """
    along = b - a
    normal = np.array([-along[1], along[0]]) / max(float(np.linalg.norm(along)), 1e-6)
    # Not near the corners: they are round.
    shares = np.linspace(0.1, 0.9, 40)
    steps = np.linspace(-reach, reach, STEPS)
    at = (a + along * shares[:, None])[:, None] + normal * steps[:, None]
    x, y = at[..., 0].astype(np.float32), at[..., 1].astype(np.float32)
    seen = cv2.remap(slope, x, y, cv2.INTER_LINEAR)
    capped = np.minimum(seen, np.quantile(seen, 0.7))
    first, last = np.meshgrid(np.arange(STEPS), np.arange(STEPS), indexing="ij")
    rows = np.arange(len(shares))
    places = np.rint(first[..., None] * (1 - shares) + last[..., None] * shares).astype(np.int64)
    best = int(capped[rows, places].mean(-1).argmax())
    offs = steps[first.ravel()[best]], steps[last.ravel()[best]]
    start, end = a + along * shares[0] + normal * offs[0], a + along * shares[-1] + normal * offs[1]
    held = float((capped[rows, places.reshape(-1, len(rows))[best]] > np.quantile(seen, 0.55)).mean())
    return (start, end - start), held


def _crossing(one: tuple[Reals, Reals], other: tuple[Reals, Reals]) -> Reals | None:
    (p, u), (q, v) = one, other
    across = u[0] * v[1] - u[1] * v[0]
    if abs(across) < 1e-6:
        return None
    along = ((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / across
    return np.asarray(p + along * u, np.float64)


def _best(candidates: list[tuple[float, Reals]]) -> list[Reals]:
    """One quad a card: of those that overlap, the best supported, and of equals the larger."""
    chosen: list[Reals] = []
    for _, quad in sorted(candidates, key=lambda one: (-round(one[0], 1), -_area(one[1]))):
        if all(_overlap(quad, other) < 0.1 for other in chosen):
            chosen.append(quad)
    return chosen


def _area(quad: Reals) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def _overlap(one: Reals, other: Reals) -> float:
    shared, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(shared) / max(min(_area(one), _area(other)), 1.0)


def _alike(quads: list[Reals]) -> list[Reals]:
    """Those of one size: cards of one deck, and not a phone or a book beside them."""
    if len(quads) < 3:
        return quads
    middle = float(np.median([_area(quad) for quad in quads]))
    return [quad for quad in quads if 0.5 < _area(quad) / middle < 2.0]


def _touching(blobs: list[tuple[float, Reals]], quads: list[Reals], size: tuple[int, int]) -> int:
    """How many places hold a blob of more than a card in which no card was found."""
    if not quads:
        return 0
    card = float(np.median([_area(quad) for quad in quads]))
    outlines = [quad.astype(np.float32) for quad in quads]
    places: list[Reals] = []
    for share, middle in blobs:
        cards = share * size[0] * size[1] / card
        apart = 1.5 * np.sqrt(card * cards)
        free = all(cv2.pointPolygonTest(one, (middle[0], middle[1]), True) < -0.3 * apart for one in outlines)
        new = all(np.linalg.norm(middle - other) > apart for other in places)
        if TOUCHING < cards < 6 and free and new:
            places.append(middle)
    return len(places)


def _in_reading_order(quads: list[Reals]) -> list[Reals]:
    standing = [_standing(quad) for quad in quads]
    if not standing:
        return []
    height = float(np.median([np.linalg.norm(quad[0] - quad[3]) for quad in standing]))
    return sorted(standing, key=lambda quad: (round(quad[:, 1].mean() / height), quad[:, 0].mean()))


def _standing(quad: Reals) -> Reals:
    """Clockwise, beginning with a short side."""
    x, y = quad.T
    if float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) < 0:
        quad = quad[::-1]
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    start = 0 if sides[0] + sides[2] < sides[1] + sides[3] else 1
    ways = [np.roll(quad, -start - turn, 0) for turn in (0, 2)]
    # As it stands in the picture: the first corner is the upper left one.
    return min(ways, key=lambda way: way[0].sum() + way[1][1])
