"""What cards of this deck and this table are made of in one picture: so that a bare board is no card.

Wood has grain that runs like ways, and nothing but its colour and its calm tells it from a card nobody knows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.pictures import Image
from vision.plane import Reals
from vision.squares import Floats
from vision.tunnels.patch import Patch, cut

AROUND = 1.5
"""How much larger than a card the frame is in which table is looked for around one that lies apart."""
LIGHT, LINES = 0.3, 3.0
"""How much lightness and the strength of lines count beside colours (Lab units): lamps change lightness."""


@dataclass
class Stuff:
    """Looks of cards and of bare table, gathered as they are found."""

    cards: list[Floats] = field(default_factory=list)
    table: list[Floats] = field(default_factory=list)

    def add_card(self, patch: Patch) -> None:
        """A patch that surely shows a card's face."""
        self.cards.append(_look(patch))

    def add_table(self, image: Image, corners: Reals, others: list[Reals]) -> None:
        """The table just outside of a card that lies apart, where no other card lies."""
        middle = corners.mean(0)
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            across, down = corners[1] - corners[0], corners[3] - corners[0]
            place = corners + AROUND * 0.75 * (x * across + y * down)
            centre = middle + AROUND * 0.75 * (x * across + y * down)
            free = all(
                cv2.pointPolygonTest(other.astype(np.float32), (float(centre[0]), float(centre[1])), True)
                < -0.5 * float(np.linalg.norm(across))
                for other in others
            )
            high, wide = image.shape[:2]
            inside = (place.min(0) > 0).all() and place[:, 0].max() < wide and place[:, 1].max() < high
            if free and inside:
                self.table.append(_look(cut(image, place)))

    def strangeness(self, patch: Patch) -> float:
        """How far a patch is from the cards here beside the bare table: 0 a card, beyond 1 table."""
        if not self.cards or not self.table:
            return 0.0
        look = _look(patch)
        to_card = min(float(np.linalg.norm(look - one)) for one in self.cards)
        to_table = min(float(np.linalg.norm(look - one)) for one in self.table)
        return to_card / max(to_table, 1e-3)


def _look(patch: Patch) -> Floats:
    """Colour, contrast and lines of the four corners: rock on every card, however its ways run."""
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    soft = cv2.GaussianBlur(lab, (0, 0), 1.0)
    lines = np.hypot(cv2.Sobel(soft[..., 0], cv2.CV_32F, 1, 0), cv2.Sobel(soft[..., 0], cv2.CV_32F, 0, 1))
    rows, columns = (slice(4, 26), slice(-26, -4)), (slice(3, 15), slice(-15, -3))
    rock = np.concatenate([soft[down, across].reshape(-1, 3) for down in rows for across in columns])
    strength = np.concatenate([lines[down, across].ravel() for down in rows for across in columns])
    light, *colours = rock.mean(0)
    return np.array([LIGHT * light, *colours, rock[:, 0].std(), LINES * np.sqrt(strength.mean())], np.float32)
