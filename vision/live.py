"""The printed deck in a film: in haste while something moves, with patience when it rests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.game.cards import GOAL_CELLS, START_CELL, Cell
from vision import touched as changes
from vision.deckbook import Deck
from vision.pictures import Image
from vision.pointed import Pointed
from vision.reader import Effort, Reader, besides
from vision.reading import CardRead, Problem, Reading


class LiveReader:
    """Reads the pictures of one camera in their order. Not for two threads at once."""

    def __init__(self, deck: Deck) -> None:
        """`deck` has markers."""
        self._reader = Reader(deck)
        self._more: list[CardRead] = []
        """Of the last picture those cards that not its markers alone told."""

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        """Every card that surely lies on the table in a picture (height, width, 3), BGR."""
        reading = self._reader.read(image, pointed, Effort.LIVE)
        self._more = [card for card in reading.cards if card.cell in self._reader.beyond]
        return reading

    def read_again(self, image: Image, touched: NDArray[np.bool_], pointed: Pointed | None = None) -> Reading:
        """The same of a picture that differs from the last one read only where `touched` says so: tiles
        (rows, columns) that cover the picture.

        Only markers are asked, which is quick: a hand moves. What else was told is told again where nothing
        moved; where anything did it is hidden until a picture at rest is read.
        """
        if touched.mean() > changes.MOST:
            return self.read(image, pointed)
        reading = self._reader.read(image, pointed, Effort.HASTY)
        before, self._more = self._more, []
        if not before or not reading.cards:
            return reading
        outlines = np.array([card.corners for card in before])
        still = changes.untouched(outlines, touched, reading.size)
        kept = [card for card, same in zip(before, still, strict=True) if same]
        self._more = list(besides(kept, reading.cards))
        cards = sorted([*reading.cards, *self._more], key=lambda card: card.cell)
        read = {card.cell for card in cards}
        hidden = sorted((set(reading.hidden) | {card.cell for card in before}) - read)
        problems = tuple(problem for problem in reading.problems if not _solved(problem, read))
        return replace(reading, cards=tuple(cards), hidden=tuple(hidden), problems=problems)


def _solved(problem: Problem, read: set[Cell]) -> bool:
    """Whether a card is told after all that a problem says is missing."""
    if problem.code == "no_start_card":
        return START_CELL in read
    return problem.code == "no_goals" and bool(read & set(GOAL_CELLS))
