"""Reading a table by tunnels alone: no face of the deck is known, only how big a card is."""

from __future__ import annotations

import numpy as np

from companion.game.cards import CARD_MM
from vision import troubles
from vision.grid import GOAL_COLUMN
from vision.pictures import Image
from vision.pointed import Pointed
from vision.reading import Problem, Reading
from vision.sized import read_sized
from vision.tags import TagFinder
from vision.tunnels.board import Board
from vision.tunnels.table import find_table
from vision.tunnels.telling import tell


class TunnelsReader:
    """Reads pictures of any deck, each by itself, without its faces. Not for two threads at once."""

    def __init__(self) -> None:
        self._tags = TagFinder()

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        """Every card that surely lies on the table in a picture (height, width, 3), BGR.

        Cards carry their tunnels and no face; each is given out as not turned, its tunnels as they lie.
        """
        return read_sized(image, pointed, self._read)

    def _read(self, image: Image, pointed: Pointed | None) -> Reading:
        size = image.shape[1], image.shape[0]
        grey = np.asarray(image.mean(2), np.uint8)
        table = find_table(image, self._tags, pointed)
        board = Board.of(image, table) if table else None
        if board is None:
            problems = (Problem("no_table"), *troubles.light(grey), *troubles.sharpness(grey))
            return Reading((), problems, size, 0.0)
        cards, hidden = tell(board)
        missing = troubles.unplayable({card.cell for card in cards})
        plane = board.table.plane
        middle = board.layout.to_plane(board.grid.middle((GOAL_COLUMN // 2, 0)))
        scale = plane.px_per_mm(middle)
        found = [*missing, *troubles.view(plane, scale, CARD_MM[0])]
        if missing:
            found += troubles.light(grey) + troubles.sharpness(grey)
        return Reading(tuple(cards), tuple(found), size, 0.0, scale, tuple(hidden))
