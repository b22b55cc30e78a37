"""A first plane and layout by the corners that a person has pointed out: good to some 10 px, never exact."""

from __future__ import annotations

import numpy as np

from companion.game.cards import GOAL_CELLS, START_CELL
from vision.grid import Grid, Layout
from vision.plane import Plane, Rigid, fit_plane, poses
from vision.pointed import Pointed


class Pointing:
    """The corners as one thing of known size, in mm from the start card's middle."""

    def __init__(self, pointed: Pointed, card_mm: tuple[float, float]) -> None:
        half = np.array(card_mm) / 2
        start, top, _, bottom = Grid(card_mm).middles((START_CELL, *GOAL_CELLS))
        ways = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        known = np.array([start, top, bottom, start]) + ways * half
        found = np.array(pointed.corners, np.float64)
        self.thing = Rigid(found[None], known[None], np.ones((1, 4)))

    def plane(self, size: tuple[int, int]) -> Plane | None:
        """The plane in which the corners lie as they should, in a picture of (width, height)."""
        fitted = fit_plane(size, self.thing)
        return fitted[0] if fitted else None

    def layout(self, plane: Plane) -> Layout:
        """Where the board lies in a plane, by the corners alone."""
        origin, angle = poses(plane, self.thing)
        return Layout(float(angle[0]), origin[0], True)
