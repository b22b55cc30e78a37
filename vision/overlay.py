"""The camera's picture with what was read drawn on it, to set up a camera by and to settle disputes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import EDGES, Cell, Edges
from vision.carry import cell_quads
from vision.pictures import Image
from vision.sight import Sight

MAX_BYTES = 300_000
MAX_WIDTH = 1280
QUALITIES = (82, 70, 55, 40, 25)
FARTHEST_PX = 30_000

Points = NDArray[np.float64]
Colour = tuple[int, int, int]
KNOWN: Colour = (235, 190, 90)
LEGAL: Colour = (120, 200, 60)
ILLEGAL: Colour = (60, 90, 240)
UNSEEN: Colour = (190, 190, 190)
INK: Colour = (20, 20, 20)
PAPER: Colour = (245, 245, 245)

CARD = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
"""A card's corners when its middle is 0 and its sides are 2 long."""
MIDDLES = dict(zip(EDGES, np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]), strict=True))
"""The middles of its sides N, E, S, W."""
DEAD_END, BAR, BEND = 0.4, 0.22, 0.3
"""Where a dead end's bar lies and how far it reaches, and how far towards its own sides a tunnel bends that
passes another by, as shares of half a side."""


@dataclass(frozen=True)
class Verdict:
    """What the referee says of the card in one cell."""

    cell: Cell
    legal: bool


def draw(
    image: Image,
    sight: Sight,
    verdict: Verdict | None = None,
    simulated: bool = False,
    label: str = "SIMULATION",
) -> bytes:
    """The picture as a JPEG of at most MAX_BYTES, every known card outlined.

    Colours never speak alone: a legal card has a tick and an illegal one a cross, a card that cannot be seen
    now is dashed, and so is a place with a question mark where nobody can tell whether a card lies. On each
    card lie its tunnels as they were read, which anybody can compare with the card in any language. A
    simulated picture bears `label` (Latin letters) across its top, so that nobody takes it for a camera's.
    """
    scale = min(1.0, MAX_WIDTH / image.shape[1])
    canvas = image.copy()
    if scale < 1:
        canvas = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    known = {one.card.cell: one.card for one in sight.cards}
    for place in cell_quads(known, [cell for cell in sight.hidden if cell not in known]).values():
        if _whole(place, image):
            _dashes(canvas, place * scale)
            _question(canvas, place * scale)
    for card in known.values():
        points = np.asarray(card.corners, np.float64) * scale
        if not _drawable(points):
            continue
        judged = verdict if verdict and verdict.cell == card.cell else None
        _tunnels(canvas, points, card.tunnels)
        if judged:
            _outline(canvas, points, LEGAL if judged.legal else ILLEGAL, 4)
            (_tick if judged.legal else _cross)(canvas, points)
        elif card.cell in sight.hidden:
            _dashes(canvas, points)
        else:
            _outline(canvas, points, KNOWN, 2)
    if simulated:
        _banner(canvas, label)
    return encode(canvas)


def _drawable(points: NDArray[np.floating]) -> bool:
    return bool(np.isfinite(points).all() and np.abs(points).max() <= FARTHEST_PX)


def _whole(place: NDArray[np.floating], image: Image) -> bool:
    """Whether a place lies within the picture: the program asks about many that nobody can see."""
    height, width = image.shape[:2]
    return bool((place >= 0).all() and (place < (width, height)).all())


def encode(canvas: Image) -> bytes:
    """A picture as a JPEG of at most MAX_BYTES: coarser, and in the end smaller, until it fits."""
    while True:
        for quality in QUALITIES:
            _done, data = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, quality])
            if data.size <= MAX_BYTES:
                return data.tobytes()
        canvas = np.asarray(cv2.resize(canvas, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


def _px(points: Points) -> list[tuple[int, int]]:
    return [(round(float(x)), round(float(y))) for x, y in points.reshape(-1, 2)]


def _outline(canvas: Image, points: Points, colour: Colour, thick: int) -> None:
    outline = np.array(_px(points), np.int32)
    cv2.polylines(canvas, [outline], True, INK, thick + 2, cv2.LINE_AA)
    cv2.polylines(canvas, [outline], True, colour, thick, cv2.LINE_AA)


def _stroke(canvas: Image, points: Sequence[tuple[int, int]], colour: Colour) -> None:
    line = np.array(points, np.int32)
    cv2.polylines(canvas, [line], False, INK, 9, cv2.LINE_AA)
    cv2.polylines(canvas, [line], False, colour, 5, cv2.LINE_AA)


def _across(points: Points) -> tuple[float, float, float]:
    """A card's middle and a third of its width in px."""
    x, y = points.mean(0)
    return float(x), float(y), float(np.linalg.norm(points[1] - points[0])) / 3


def _tick(canvas: Image, points: Points) -> None:
    x, y, r = _across(points)
    _stroke(canvas, _px(np.array([[x - r, y], [x - r / 3, y + 0.7 * r], [x + r, y - 0.8 * r]])), LEGAL)


def _cross(canvas: Image, points: Points) -> None:
    x, y, r = _across(points)
    for ends in ([[x - r, y - r], [x + r, y + r]], [[x - r, y + r], [x + r, y - r]]):
        _stroke(canvas, _px(np.array(ends)), ILLEGAL)


def _dashes(canvas: Image, points: Points) -> None:
    for start, end in zip(points, np.roll(points, -1, 0), strict=True):
        for step in range(0, 10, 2):
            a, b = _px(np.array([start + (end - start) * step / 10, start + (end - start) * (step + 1) / 10]))
            cv2.line(canvas, a, b, INK, 4, cv2.LINE_AA)
            cv2.line(canvas, a, b, UNSEEN, 2, cv2.LINE_AA)


def _tunnels(canvas: Image, points: Points, tunnels: Sequence[Edges]) -> None:
    """Lines from the open edges to where they meet; a way that ends inside the card has a bar at its end."""
    onto = cv2.getPerspectiveTransform(CARD, points.astype(np.float32))
    lines = []
    for tunnel in tunnels:
        edges = [MIDDLES[edge] for edge in EDGES if tunnel & edge]
        if len(edges) == 1:
            along, across = edges[0] * DEAD_END, edges[0][::-1] * BAR
            lines += [(edges[0], along), (along - across, along + across)]
        else:
            # Two tunnels that pass each other by bend towards their own sides.
            bend = np.mean(edges, 0) * (BEND if len(tunnels) > 1 else 0.0)
            lines += [(edge, bend) for edge in edges]
    thick = max(1, round(_across(points)[2] / 10))
    for colour, wide in ((INK, thick + 2), (PAPER, thick)):
        for line in lines:
            ends = cv2.perspectiveTransform(np.array([line], np.float32), onto)[0]
            cv2.polylines(canvas, [np.array(_px(ends), np.int32)], False, colour, wide, cv2.LINE_AA)


def _question(canvas: Image, points: Points) -> None:
    x, y, r = _across(points)
    size = float(np.clip(r / 20, 0.5, 1.5))
    (width, height), _base = cv2.getTextSize("?", cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    at = (round(x - width / 2), round(y + height / 2))
    cv2.putText(canvas, "?", at, cv2.FONT_HERSHEY_SIMPLEX, size, INK, 5, cv2.LINE_AA)
    cv2.putText(canvas, "?", at, cv2.FONT_HERSHEY_SIMPLEX, size, PAPER, 2, cv2.LINE_AA)


def _banner(canvas: Image, label: str) -> None:
    (width, height), base = cv2.getTextSize(label, cv2.FONT_HERSHEY_SIMPLEX, 0.9, 2)
    cv2.rectangle(canvas, (0, 0), (width + 24, height + base + 16), INK, -1)
    cv2.putText(canvas, label, (12, height + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.9, PAPER, 2, cv2.LINE_AA)
