"""Draws pictures of tables from a deck's own pictures, with a camera on any side: quick, exact, plain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import Cell
from vision.deckbook import PX_PER_MM, Deck
from vision.markers import TAG_DICTIONARY, TAG_MM, TAG_SHEET_MM

Picture = NDArray[np.uint8]
Matrix = NDArray[np.float64]
PITCH = (58.0, 89.0)


@dataclass
class DrawnTable:
    """A table with cards on it; lay cards, then ask for a picture."""

    deck: Deck
    pitch: tuple[float, float] = PITCH
    side: float = 0.0
    """Where the camera stands: 0 with the start card on the left, 90 at the board's right end, and so on."""
    tilt: float = 12.0
    high_mm: float = 830.0
    focal: float = 0.85
    things: list[tuple[Picture, Matrix]] = field(default_factory=list)
    places: dict[Cell, Matrix] = field(default_factory=dict)

    def lay(
        self,
        face: str | None,
        cell: tuple[float, float],
        turned: bool = False,
        off: tuple[float, float] = (0.0, 0.0),
        askew: float = 0.0,
        scale: float = 1.0,
    ) -> DrawnTable:
        """Lays a face, or a goal's back (None), `off` mm and `askew` degrees from a cell's middle."""
        picture = self.deck.goal_back if face is None else self.deck.faces[face].picture
        return self.put(picture, cell, (180.0 if turned else 0.0) + askew, off, self.deck.card_mm, scale)

    def put(
        self,
        picture: Picture,
        cell: tuple[float, float],
        degrees: float,
        off: tuple[float, float],
        size: tuple[float, float],
        scale: float = 1.0,
    ) -> DrawnTable:
        """Lays any picture of `size` mm."""
        middle = (cell[0] * self.pitch[0] + off[0], cell[1] * self.pitch[1] + off[1])
        angle = np.radians(degrees)
        c, s = np.cos(angle) * scale, np.sin(angle) * scale
        pose = np.array([(c, -s, middle[0]), (s, c, middle[1]), (0, 0, 1)])
        to_mm = np.array(
            [
                (size[0] / picture.shape[1], 0, -size[0] / 2),
                (0, size[1] / picture.shape[0], -size[1] / 2),
                (0, 0, 1),
            ]
        )
        self.things.append((picture, pose @ to_mm))
        if float(cell[0]).is_integer() and float(cell[1]).is_integer():
            self.places[int(cell[0]), int(cell[1])] = pose
        return self

    def goals(self, faces: Sequence[str | None] = (None, None, None), turned: bool = False) -> DrawnTable:
        """Lays the three goals, top to bottom."""
        for face, row in zip(faces, (-2, 0, 2), strict=True):
            self.lay(face, (8, row), turned)
        return self

    def tags(self, ids: Sequence[int] = (0, 1, 2, 3)) -> DrawnTable:
        """Lays corner tags."""
        dictionary = cv2.aruco.getPredefinedDictionary(TAG_DICTIONARY)
        places = ((-1.1, -2.9), (9.1, -2.9), (9.1, 2.9), (-1.1, 2.9))
        rim = round((TAG_SHEET_MM - TAG_MM) / 2 * PX_PER_MM)
        for one in ids:
            tag = cv2.aruco.generateImageMarker(dictionary, one, round(TAG_MM * PX_PER_MM))
            sheet = cv2.copyMakeBorder(tag, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(255,))
            self.put(_coloured(sheet), places[one], 2.0 * one - 3, (0, 0), (TAG_SHEET_MM, TAG_SHEET_MM))
        return self

    def camera(self, size: tuple[int, int]) -> Matrix:
        """mm on the table (start card's middle at the origin) -> px."""
        side, tilt = np.radians(self.side), np.radians(self.tilt)
        middle = np.array([(1, 0, -4 * self.pitch[0]), (0, 1, 0), (0, 0, 1.0)])
        about = np.array([(np.cos(side), -np.sin(side), 0), (np.sin(side), np.cos(side), 0), (0, 0, 1)])
        focal = self.focal * size[0]
        lens = np.array([(focal, 0, (size[0] - 1) / 2), (0, focal, (size[1] - 1) / 2), (0, 0, 1)])
        # The far side of the table is the picture's upper one.
        pose = np.array([(1, 0, 0), (0, np.cos(tilt), 0), (0, -np.sin(tilt), self.high_mm)])
        return np.asarray(lens @ pose @ about @ middle, np.float64)

    def corners(self, cell: Cell, size: tuple[int, int]) -> Matrix:
        """Where the card's corners are in the picture (4, 2), as its face is printed, px."""
        width, height = self.deck.card_mm
        outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)
        to_px = self.camera(size) @ self.places[cell]
        points = np.concatenate([outline, np.ones((4, 1))], 1) @ to_px.T
        return np.asarray(points[:, :2] / points[:, 2:], np.float64)

    def picture(
        self, size: tuple[int, int] = (1280, 720), blur: float = 0.7, noise: float = 3.0, light: float = 1.0
    ) -> Picture:
        """What the camera sees, (height, width, 3) BGR."""
        chance = np.random.default_rng(7)
        grain = cv2.resize(chance.random((40, 70), dtype=np.float32), size, interpolation=cv2.INTER_CUBIC)
        canvas = (np.array([95, 140, 175], np.float32) * (0.85 + 0.2 * grain[..., None])).astype(np.uint8)
        camera = self.camera(size)
        # The camera's points are middles of pixels; a picture's edge is half a pixel before one.
        edge = np.array([(1, 0, 0.5), (0, 1, 0.5), (0, 0, 1.0)])
        for picture, to_mm in self.things:
            shrink = max(1.0, PX_PER_MM * self.high_mm / (self.focal * size[0]))
            soft = cv2.GaussianBlur(picture, (0, 0), 0.45 * shrink)
            onto = camera @ to_mm @ edge
            mask = np.full(picture.shape[:2], 255, np.uint8)
            drawn = cv2.warpPerspective(soft, onto, size, flags=cv2.INTER_LINEAR)
            covered = cv2.warpPerspective(mask, onto, size, flags=cv2.INTER_LINEAR) > 127
            canvas[covered] = drawn[covered]
        seen = cv2.GaussianBlur(canvas, (0, 0), blur).astype(np.float32) * light
        seen += chance.normal(0, noise, seen.shape[:2]).astype(np.float32)[..., None]
        return np.clip(seen, 0, 255).astype(np.uint8)

    def hand_over(self, picture: Picture, cell: Cell) -> Picture:
        """The picture with an arm reaching over one cell."""
        size = picture.shape[1], picture.shape[0]
        corners = self.corners(cell, size)
        middle = corners.mean(0)
        reach = float(np.linalg.norm(corners[0] - corners[2])) / 2
        arm = picture.copy()
        end = (round(middle[0] + 40), size[1] + 50)
        cv2.line(
            arm, (round(middle[0]), round(middle[1])), end, (90, 60, 160), round(1.3 * reach), cv2.LINE_AA
        )
        cv2.circle(
            arm, (round(middle[0]), round(middle[1])), round(1.15 * reach), (120, 150, 205), -1, cv2.LINE_AA
        )
        return arm


def _coloured(grey: NDArray[np.generic]) -> Picture:
    return np.repeat(np.asarray(grey, np.uint8)[..., None], 3, 2)
