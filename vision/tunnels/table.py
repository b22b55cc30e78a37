"""Where the board lies in a picture when no face of the deck is known: by cards that lie apart, and tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.game.cards import CARD_MM, GOAL_CELLS
from vision.enrolment.outlines import find_outlines
from vision.grid import GAP_MM, Grid, Layout, board_angle, find_layout, layout_by_tags
from vision.pictures import Image
from vision.plane import Plane, Reals, Rigid, fit_plane, poses
from vision.pointed import Pointed
from vision.tunnels.patch import cut
from vision.tunnels.read import TunnelsRead, read_all
from vision.unmarked.board import TagFinder, plane_by_tags

HALF = np.array(CARD_MM) / 2
OUTLINE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * HALF
"""(4, 2): a card's corners in mm from its middle, the one top left first."""
FITS_PX = 5.0
"""Residual in the common plane above which an outline is no card's."""
GOAL_MM = 45.0
"""How far off its cell's middle a goal may lie while the board is known by tags only."""


@dataclass(frozen=True, eq=False)
class Lying:
    """A card lying apart, by its outline."""

    corners: Reals
    """(4, 2) px, upright on the board once the layout is known."""
    read: TunnelsRead


@dataclass(eq=False)
class Table:
    """The board in one picture."""

    plane: Plane
    layout: Layout
    grid: Grid
    lying: list[Lying]

    def corners(self, place: Reals) -> Reals:
        """Corners (4, 2) in px of a card upright on the board with its middle at (2,) mm of the board."""
        return self.plane.to_px(self.layout.to_plane(OUTLINE + place))

    def place(self, corners: Reals) -> Reals:
        """The middle (2,) in mm on the board of a card with these corners (4, 2) in px."""
        return np.asarray(self.layout.to_board(self.plane.to_mm(corners)).mean(0), np.float64)


def find_table(image: Image, tags: TagFinder, pointed: Pointed | None = None) -> Table | None:
    """The board in a picture (height, width, 3), BGR; None when nothing tells where it lies."""
    size = image.shape[1], image.shape[0]
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    quads = list(find_outlines(image).quads)
    reads = read_all([cut(image, quad) for quad in quads])
    lying = [Lying(quad, read) for quad, read in zip(quads, reads, strict=True)]
    found = tags.find(grey)
    by_tags = plane_by_tags(size, found)
    things = _things([one.corners for one in lying])
    start = by_tags[0] if by_tags else None
    if by_tags:
        kept = by_tags[1].things()
        things = Rigid(
            np.concatenate([things.found, kept.found]),
            np.concatenate([things.known, kept.known]),
            np.concatenate([things.weight, kept.weight]),
        )
    if len(things.found) < 2:
        return None
    fitted = fit_plane(size, things, start)
    if fitted is None:
        return None
    plane, residual = fitted
    fits = residual[: len(lying)] < FITS_PX * max(size) / 1280
    lying = [one for one, fit in zip(lying, fits, strict=True) if fit]
    places = by_tags[1] if by_tags else None
    middles = plane.to_mm(places.corners.mean(1)) if places else np.zeros((0, 2))
    tag_places = dict(zip(places.ids, middles, strict=True)) if places else {}
    layout = _by_corners(plane, pointed) if pointed else _layout(plane, lying, tag_places)
    if layout is None:
        return None
    table = Table(plane, layout, Grid(CARD_MM), [])
    _anchor(table, image, lying)
    return table


def _things(corners: Sequence[Reals]) -> Rigid:
    found = np.array(corners).reshape(-1, 4, 2)
    return Rigid(found, np.repeat(OUTLINE[None], len(found), 0), np.ones(found.shape[:2]))


def _layout(plane: Plane, lying: Sequence[Lying], tags: dict[int, Reals]) -> Layout | None:
    about = layout_by_tags(tags, CARD_MM)
    if not lying:
        return about
    middles, angles = poses(plane, _things([one.corners for one in lying]))
    backs = np.array([one.read.card < 0 for one in lying])
    angle = board_angle([float(one) for one in angles], [1.0] * len(lying))
    for goals in (backs, np.ones(len(lying), bool)):
        if goals.sum() < 2 and not tags:
            continue
        tried = find_layout(angle, np.zeros((0, 2)), middles[goals], middles[~goals], tags, CARD_MM)
        if tried:
            return tried[0]
    return about


def _by_corners(plane: Plane, pointed: Pointed) -> Layout | None:
    """From the outer corners of the empty board: where its start side and its goals lie."""
    a, b, c, d = plane.to_mm(np.array(pointed.corners))
    start, goal = (a + d) / 2, (b + c) / 2
    along = goal - start
    length = float(np.linalg.norm(along))
    if length < CARD_MM[0]:
        return None
    angle = float(np.arctan2(along[1], along[0]))
    return Layout(angle, start + along / length * HALF[0], True)


def _anchor(table: Table, image: Image, lying: Sequence[Lying]) -> None:
    """Turns what lies apart the way the board runs, and draws the layout to the goals among it."""
    pitch = np.array(CARD_MM) + GAP_MM
    for one in lying:
        corners = one.corners
        across = table.layout.to_board(table.plane.to_mm(corners))
        if across[1][0] < across[0][0]:
            corners = np.roll(corners, 2, 0)
            table.lying.append(Lying(corners, read_all([cut(image, corners)])[0]))
        else:
            table.lying.append(one)
    places = np.array([table.place(one.corners) for one in table.lying]).reshape(-1, 2)
    offs = []
    for cell in GOAL_CELLS:
        away = np.abs(places - np.array(cell) * pitch)
        near = np.flatnonzero((away < GOAL_MM).all(1)).tolist()
        if len(near):
            best = min(near, key=lambda row: float(np.hypot(*away[row])))
            offs.append(places[best] - np.array(cell) * pitch)
    if offs:
        shift = np.mean(offs, 0)
        origin = table.layout.to_plane(shift)
        table.layout = Layout(table.layout.angle, origin, True)
