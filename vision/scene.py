"""The scene of a simulated table: its camera, its light, and which point of the table each pixel shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import CARD_MM, GOAL_CELLS, Cell

Array = NDArray[np.float64]

FOCAL = 0.85
"""Focal length in picture widths: a webcam that sees 61 degrees across."""
FILLED = 0.95
"""Share of the picture that the 9 x 5 cells of the playing area may fill."""


class Cover(StrEnum):
    """What the table is made of, or what lies over it."""

    WOOD = "wood"
    CLOTH = "cloth"
    FELT = "felt"


@dataclass(frozen=True)
class Scene:
    """Everything about a simulated table that is not a card."""

    tilt_deg: float = 12.0
    """Between the camera's axis and the plumb line, 0..35."""
    azimuth_deg: float = 90.0
    """The side the camera stands on: 90 is the near side, at the bottom of the picture."""
    k1: float = -0.05
    """Radial distortion, r in focal lengths."""
    cover: Cover = Cover.WOOD
    light: float = 1.0
    """Brightness, 1 in a well-lit room."""
    slope: float = 0.25
    """How much darker the darkest corner is than the brightest, as a share."""
    blur_px: float = 0.7
    noise: float = 3.0
    """Standard deviation in grey levels."""
    jpeg: int = 88
    jitter_mm: float = 1.2
    jitter_deg: float = 1.2
    gap_mm: float = 1.5
    tags: bool = True

    @staticmethod
    def drawn(seed: int) -> Scene:
        """One of many household scenes, always the same one for a seed."""
        chance = np.random.default_rng(seed)
        return Scene(
            tilt_deg=float(chance.uniform(3, 22)),
            azimuth_deg=float(chance.uniform(60, 120)),
            k1=float(chance.uniform(-0.08, 0.04)),
            cover=list(Cover)[int(chance.integers(len(Cover)))],
            light=float(chance.uniform(0.8, 1.1)),
            slope=float(chance.uniform(0.1, 0.35)),
            blur_px=float(chance.uniform(0.5, 0.9)),
            noise=float(chance.uniform(2, 5)),
            jpeg=int(chance.integers(82, 94)),
        )

    @property
    def pitch_mm(self) -> tuple[float, float]:
        """How far apart the columns and rows are meant to lie."""
        return CARD_MM[0] + self.gap_mm, CARD_MM[1] + self.gap_mm

    def centre_mm(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell: x to the right, y towards the near side, the start card at (0, 0)."""
        return cell[0] * self.pitch_mm[0], cell[1] * self.pitch_mm[1]


@dataclass(frozen=True)
class Nudge:
    """How far the camera has been pushed out of its place."""

    x_mm: float = 0.0
    y_mm: float = 0.0
    deg: float = 0.0


@dataclass(frozen=True)
class Pinhole:
    """A camera over the table's plane, with mild radial distortion."""

    scene: Scene
    size: tuple[int, int]
    nudge: Nudge = Nudge()

    @cached_property
    def focal(self) -> float:
        """Focal length in px."""
        return FOCAL * self.size[0]

    @cached_property
    def _unmoved(self) -> tuple[Array, Array]:
        """Rotation (rows: right, down, forward of the camera) and place in mm, so as to see all the area."""
        tilt, azimuth = np.radians(self.scene.tilt_deg), np.radians(self.scene.azimuth_deg)
        forward = np.array([-np.sin(tilt) * np.cos(azimuth), -np.sin(tilt) * np.sin(azimuth), -np.cos(tilt)])
        # Seen from above y runs down the picture, so "down" is y and z runs towards the camera.
        right = np.array([1.0, 0.0, 0.0]) - forward[0] * forward
        right /= np.linalg.norm(right)
        down = -np.cross(forward, right) if np.cross(forward, right)[1] < 0 else np.cross(forward, right)
        rotation = np.stack([right, down, forward])
        low, high = 100.0, 5000.0
        for _halving in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if self._shows_all(rotation, middle) else (middle, high)
        return rotation, self._aim - high * forward

    @cached_property
    def pose(self) -> tuple[Array, Array]:
        """Rotation and place of the camera as nudged."""
        rotation, place = self._unmoved
        turn = np.radians(self.nudge.deg)
        about = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        return about @ rotation, place + np.array([self.nudge.x_mm, self.nudge.y_mm, 0.0])

    @property
    def _aim(self) -> Array:
        return np.array([GOAL_CELLS[0][0] * self.scene.pitch_mm[0] / 2, 0.0, 0.0])

    def _shows_all(self, rotation: Array, distance: float) -> bool:
        x, y = (self.scene.pitch_mm[0] * 4.5, self.scene.pitch_mm[1] * 2.5)
        corners = self._aim + np.array([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]])
        seen = (corners - (self._aim - distance * rotation[2])) @ rotation.T
        if seen[:, 2].min() <= 1:
            return False
        share = np.abs(seen[:, :2] / seen[:, 2:] * self.focal) / (np.array(self.size) / 2)
        return bool(share.max() <= FILLED)

    def project(self, points_mm: Array) -> Array:
        """N x 2 points of the table in mm -> N x 2 px."""
        rotation, place = self.pose
        flat = np.hstack([points_mm, np.zeros((len(points_mm), 1))])
        seen = (flat - place) @ rotation.T
        at = seen[:, :2] / seen[:, 2:]
        bent: Array = at * (1 + self.scene.k1 * (at**2).sum(1, keepdims=True)) * self.focal
        return bent + (np.array(self.size) - 1) / 2

    def px_per_mm(self) -> float:
        """Scale in the middle of the table."""
        around = self._aim[:2] + np.array([[-5.0, 0.0], [5.0, 0.0], [0.0, -5.0], [0.0, 5.0]])
        px = self.project(around)
        return float(np.sqrt(np.linalg.norm(px[1] - px[0]) * np.linalg.norm(px[3] - px[2])) / 10)

    def seen_points(self, finer: int) -> NDArray[np.float32]:
        """For each point of a picture `finer` times as fine: the x, y on the table in mm (H x W x 2)."""
        width, height = self.size[0] * finer, self.size[1] * finer
        x = (np.arange(width, dtype=np.float32) + 0.5 - width / 2) / (finer * self.focal)
        y = (np.arange(height, dtype=np.float32) + 0.5 - height / 2) / (finer * self.focal)
        bent_x, bent_y = np.meshgrid(x, y)
        straight = np.ones_like(bent_x)
        for _round in range(4):
            # Undoing x_d = x_u (1 + k1 r_u^2) by fixed point: k1 r^2 is small.
            straight = 1 / (1 + self.scene.k1 * (bent_x**2 + bent_y**2) * straight**2)
        rotation, place = (part.astype(np.float32) for part in self.pose)
        across, down = bent_x * straight, bent_y * straight
        ray = [rotation[0, i] * across + rotation[1, i] * down + rotation[2, i] for i in range(3)]
        # Above the horizon no table is seen: such rays are sent far away.
        reach = np.where(ray[2] < -1e-3, -place[2] / np.minimum(ray[2], -1e-3), 1e4)
        points = cv2.merge([place[0] + reach * ray[0], place[1] + reach * ray[1]])
        return np.asarray(points, np.float32)
