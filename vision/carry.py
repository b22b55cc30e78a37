"""Carrying what is known over to a view that has moved, and to cells that a reader has counted otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import CARD_MM, START_CELL, Cell, Kind
from vision.looks import Reals
from vision.reading import CardRead, Corners, Reading

GAP_MM = 1.5
"""Between neighbours, as people lay them."""
OUTLIER_PX = 4.0
AROUND = 2
"""Cells that are looked at for bare table lie at most so far from a card, in cells."""
SPREAD = 0.35
"""Half the share of a cell's width and height that is looked at: rows drift, and neighbours lie askew."""


def quad(corners: Corners) -> Reals:
    """Corners as a 4 x 2 array."""
    return np.asarray(corners, np.float32)


def as_corners(points: Reals) -> Corners:
    """A 4 x 2 array as corners."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def view_motion(
    before: Mapping[Cell, CardRead], now: Mapping[Cell, CardRead], anew: bool = False
) -> Reals | None:
    """How the view has moved (3 x 3, px to px), by cards that lie in both; None when there are none.

    A camera is nudged by little and keeps its distance; a picture taken `anew` may be from anywhere.
    """
    both = [cell for cell, card in now.items() if cell in before and _same_printed(before[cell], card)]
    if not both:
        return None
    old = np.concatenate([quad(before[cell].corners) for cell in both])
    new = np.concatenate([quad(now[cell].corners) for cell in both])
    if anew:
        seen_anew, _used = cv2.findHomography(old, new, cv2.RANSAC, OUTLIER_PX)
        return None if seen_anew is None else np.asarray(seen_anew, np.float32)
    matrix, _inliers = cv2.estimateAffinePartial2D(
        old, new, method=cv2.RANSAC, ransacReprojThreshold=OUTLIER_PX
    )
    if matrix is None:
        shift = np.median(new - old, axis=0)
        matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    return np.asarray(np.vstack([matrix, (0, 0, 1)]), np.float32)


def moved(points: Reals, motion: Reals) -> Reals:
    """Points (n x 2) after the view's motion."""
    return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float32), motion)[0], np.float32)


def empty_places(cards: Mapping[Cell, CardRead]) -> dict[Cell, Reals]:
    """Points (24 x 2 px) within each cell around the cards given in which none of them lies."""
    matrix = _board_to_px(cards)
    if matrix is None:
        return {}
    reach = range(-AROUND, AROUND + 1)
    cells = {(x + dx, y + dy) for x, y in cards for dx in reach for dy in reach} - set(cards)
    x, y = np.meshgrid(np.linspace(-SPREAD, SPREAD, 4), np.linspace(-SPREAD, SPREAD, 6))
    inner = np.stack([x.ravel() * CARD_MM[0], y.ravel() * CARD_MM[1]], 1)
    order = sorted(cells)
    at = _seen_at(np.concatenate([inner + _centre(cell) for cell in order]), matrix)
    return {cell: at[24 * i : 24 * i + 24] for i, cell in enumerate(order)}


def cell_quads(cards: Mapping[Cell, CardRead], cells: Sequence[Cell]) -> dict[Cell, Reals]:
    """Where a card would lie (4 x 2 px) in each of the cells, reckoned from the cards given."""
    matrix = _board_to_px(cards)
    if matrix is None or not cells:
        return {}
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * np.array(CARD_MM, np.float32) / 2
    at = _seen_at(np.concatenate([half + _centre(cell) for cell in cells]), matrix)
    return {cell: at[4 * i : 4 * i + 4] for i, cell in enumerate(cells)}


def _board_to_px(cards: Mapping[Cell, CardRead]) -> NDArray[np.float64] | None:
    """The homography (3 x 3) from the board in mm, as people lay it, to px; None without a card."""
    if not cards:
        return None
    model = np.concatenate([_model(card) for card in cards.values()])
    seen = np.concatenate([quad(card.corners) for card in cards.values()])
    matrix, _used = cv2.findHomography(model, seen, 0)
    return None if matrix is None else np.asarray(matrix, np.float64)


def _seen_at(points: Reals, matrix: NDArray[np.float64]) -> Reals:
    homogeneous = np.hstack([points, np.ones((len(points), 1))]) @ matrix.T
    # Points behind the camera's horizon come out mirrored: none of a table's cells is there in earnest.
    depth = homogeneous[:, 2:] * np.sign(matrix[2, 2])
    at = np.where(depth > 1e-6, homogeneous[:, :2] / np.where(depth > 1e-6, homogeneous[:, 2:], 1.0), -1e4)
    return np.asarray(at, np.float32)


def recounted(reading: Reading, known: Mapping[Cell, CardRead]) -> Reading:
    """The reading with its cells counted as before.

    Without the start card in sight a reader may count cells from another card. When all cards known by name
    have moved by one and the same step, it is the counting that has moved; when most have moved and each its
    own way, the reading cannot be trusted and comes back without cards.
    """
    if any(card.kind is Kind.START for card in reading.cards):
        return reading
    where = {card.face: cell for cell, card in known.items() if card.face and card.kind is Kind.PATH}
    steps = Counter(
        (card.cell[0] - where[card.face][0], card.cell[1] - where[card.face][1])
        for card in reading.cards
        if card.face in where
    )
    total = steps.total()
    if total < 2 or 2 * steps[(0, 0)] > total or START_CELL not in known:
        return reading
    (dx, dy), most = steps.most_common(1)[0]
    if most < total:
        return replace(reading, cards=(), hidden=tuple(known))
    return replace(
        reading,
        cards=tuple(replace(card, cell=(card.cell[0] - dx, card.cell[1] - dy)) for card in reading.cards),
        hidden=tuple((x - dx, y - dy) for x, y in reading.hidden),
    )


def _same_printed(a: CardRead, b: CardRead) -> bool:
    return (a.face, a.tunnels, a.turned, a.face_up) == (b.face, b.tunnels, b.turned, b.face_up)


def _centre(cell: Cell) -> Reals:
    return np.array([cell[0] * (CARD_MM[0] + GAP_MM), cell[1] * (CARD_MM[1] + GAP_MM)], np.float32)


def _model(card: CardRead) -> Reals:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * np.array(CARD_MM, np.float32) / 2
    return np.asarray(_centre(card.cell) + (-half if card.turned else half), np.float32)
