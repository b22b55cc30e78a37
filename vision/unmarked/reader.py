"""Reads one picture of a table with an unmarked deck whose faces are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import GOAL_CELLS, START_CELL, Cell
from vision import troubles
from vision.deckbook import Deck
from vision.grid import GOAL_COLUMN, Layout, beside
from vision.pictures import Image
from vision.plane import Plane
from vision.pointed import Pointed
from vision.pointing import Pointing
from vision.reading import CardRead, Problem, Reading
from vision.sized import read_sized
from vision.steady import steady_plane
from vision.tags import TagFinder, Tags, layout_between, plane_by_tags
from vision.unmarked.again import carried
from vision.unmarked.apart import apart
from vision.unmarked.features import Features
from vision.unmarked.judging import Witness
from vision.unmarked.known import KnownFaces
from vision.unmarked.maze import ANCHOR, EXPECTED, THOROUGH, Found, Maze
from vision.unmarked.orient import anchored_maze, rough_maze, supposed
from vision.unmarked.sighting import Sighting
from vision.unmarked.view import View

ANCHORS = 2
"""Of start and goals so many must lie where tags or pointed corners put them; else any card is looked for."""
CALIBRATED = ((EXPECTED, 1.0, 1.1, 1.5, 1.9), (0.5, 0.6, 0.75, 0.9, 0.99))
"""Strength of a witness, and the confidence that it is right. Of 1,156 cards told on 79 rendered pictures of
four decks one was wrong, with 1.04; of the 26 that had less than 1.1 it was the only one. Below 1.0 only
goals' backs are told, where they are expected."""
GLIMPSED = 0.45
"""Likeness from which on a place holds a card, even if it cannot be told which."""


@dataclass(frozen=True, eq=False)
class Unfound:
    """Why a picture does not tell where the board lies."""

    problem: Problem
    sightings: Sequence[Sighting] = ()
    """Cards that surely lie somewhere in it all the same."""


class UnmarkedReader:
    """Reads pictures of one unmarked deck, each by itself. Not for two threads at once.

    Where the board lay in the last picture is only tried first, and believed when start and goals lie there.
    """

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.known = KnownFaces(deck)
        self._tags = TagFinder()
        self._last: Maze | None = None
        self._before: tuple[tuple[int, int], Plane, Layout] | None = None

    @cached_property
    def _features(self) -> Features:
        """What any card is found by, wherever it lies: made when it is first needed, for it is large."""
        return Features(self.deck, self.known)

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        """Every card that surely lies on the table in a picture (height, width, 3), BGR."""
        return self._look(image, None, pointed)

    def read_again(self, image: Image, touched: NDArray[np.bool_], pointed: Pointed | None = None) -> Reading:
        """The same of a picture that differs from the last one read only where `touched` says so: tiles
        (rows, columns) that cover the picture."""
        return self._look(image, touched, pointed)

    def _look(self, image: Image, touched: NDArray[np.bool_] | None, pointed: Pointed | None) -> Reading:
        before, self._last = self._last, None
        return read_sized(image, pointed, lambda sized, there: self._read(sized, there, before, touched))

    def _read(
        self, image: Image, pointed: Pointed | None, before: Maze | None, touched: NDArray[np.bool_] | None
    ) -> Reading:
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        view = View(image, grey, self.known)
        kept = carried(before, view, touched) if before is not None and touched is not None else None
        found = kept or self.find_maze(view, pointed)
        if isinstance(found, Maze):
            found.fill()
            # A hand over the start card leaves the cells of a standing camera as they were.
            found = found if kept or found.counted else Unfound(Problem("no_start_card"))
        if isinstance(found, Unfound):
            problems = (found.problem, *troubles.light(grey), *troubles.sharpness(grey))
            return Reading((), problems, view.size, 0.0)
        self._last = found
        self._before = found.view.size, found.board.plane, found.board.layout
        return self._told(found)

    def _told(self, maze: Maze) -> Reading:
        cards = self._cards(maze)
        hidden, outside = _unseen(maze, {card.cell for card in cards})
        board = maze.board
        scale = board.plane.px_per_mm(board.layout.to_plane(board.grid.middle((GOAL_COLUMN // 2, 0))))
        problems = self._problems(maze, {card.cell for card in cards}, scale, outside)
        return Reading(tuple(cards), tuple(problems), maze.view.size, 0.0, scale, tuple(hidden))

    def find_maze(self, view: View, pointed: Pointed | None = None) -> Maze | Unfound:
        """The table with its start card and goals, as far as they can be seen, before any other card is read.

        By pointed corners, by corner tags, or by any cards that can be found.
        """
        tags = self._tags.find(view.grey)
        by_tags = self._by_tags(view, tags)
        by_hand = self._by_corners(view, pointed) if pointed else None
        for guess in (by_hand, by_tags):
            if guess is not None:
                guess.anchor(ANCHOR)
                # Corners dragged by hand may be the wrong ones altogether; tags say which they are.
                if len(guess.found) >= ANCHORS and (guess is by_tags or START_CELL in guess.found):
                    return guess
        still = self._still(view)
        if still is not None:
            return still
        sightings = apart(self.known, view)
        sightings += self._features.sightings(view, sightings)
        maze = self._by_cards(view, _fitting(view, tags), sightings)
        if maze is None and by_hand is not None and len(by_hand.found) >= ANCHORS:
            return by_hand
        if maze is None:
            return Unfound(Problem("no_start_card" if sightings else "no_table"), sightings)
        return maze

    def _by_cards(self, view: View, tags: Tags, sightings: list[Sighting]) -> Maze | None:
        """The board by cards anywhere in the picture; None when they do not tell where it is."""
        for some in supposed(view, sightings):
            rough = rough_maze(self.known, view, tags, some)
            maze = anchored_maze(rough) if rough else None
            if maze is not None:
                return maze
        return None

    def _still(self, view: View) -> Maze | None:
        """The board where it lay in the picture before, if start card and a goal lie there in this one too.

        A camera that stands still need not look for the table again and again; any other is found out here.
        """
        if self._before is None or self._before[0] != view.size:
            return None
        _, plane, layout = self._before
        maze = Maze(self.known, view, plane, layout, Tags((), np.empty((0, 4, 2))))
        maze.anchor(THOROUGH)
        return maze if START_CELL in maze.found and len(maze.found) >= ANCHORS else None

    def _by_tags(self, view: View, tags: Tags) -> Maze | None:
        fitted = plane_by_tags(view.size, tags)
        if fitted is None:
            return None
        plane, kept = fitted
        layout = layout_between(plane, kept, self.known.card_mm)
        return Maze(self.known, view, plane, layout, kept) if layout else None

    def _by_corners(self, view: View, pointed: Pointed) -> Maze | None:
        pointing = Pointing(pointed, self.known.card_mm)
        fitted = steady_plane(view.size, pointing.thing)
        if fitted is None:
            return None
        layout = pointing.layout(fitted[0])
        maze = Maze(self.known, view, fitted[0], layout, Tags((), np.empty((0, 4, 2))))
        maze.pointed = True
        return maze

    # What is said of it

    def _cards(self, maze: Maze) -> list[CardRead]:
        """Every card found; of two that claim to be the same one, each stays if its meaning is sure."""
        return sorted((self.card(one) for one in maze.found.values()), key=lambda card: card.cell)

    def card(self, one: Found) -> CardRead:
        """What is told of a card found."""
        way = self.known.ways[one.witness.way]
        face = self.deck.faces[way.face] if way.face else None
        tunnels = face.tunnels if face else ()
        sure, outline = confidence(one.witness), one.settled.corners
        return CardRead.lying(
            one.cell, way.face, tunnels, way.kind, way.turned, face is not None, sure, outline
        )

    def _problems(self, maze: Maze, read: set[Cell], scale: float, outside: list[Cell]) -> list[Problem]:
        problems = troubles.unplayable(read, outside)
        problems += troubles.view(maze.board.plane, scale, self.deck.card_mm[0])
        if not {START_CELL, *GOAL_CELLS} <= read:
            problems += troubles.light(maze.view.grey) + troubles.sharpness(maze.view.grey)
        return problems


def doubted(maze: Maze) -> set[Cell]:
    """Cells that hold a card, even if it cannot be told which."""
    return {cell for cell, one in maze.doubtful.items() if one.witness.like >= GLIMPSED}


def confidence(witness: Witness) -> float:
    """0..1: above 0.9 only for what is far beyond all that was ever read wrongly."""
    return float(np.interp(witness.strength, *CALIBRATED))


def _unseen(maze: Maze, read: set[Cell]) -> tuple[list[Cell], list[Cell]]:
    """Cells with signs of a card nobody could tell, or outside of the picture; and the latter alone."""
    board = maze.board
    hidden = doubted(maze) - read
    cells = sorted(({START_CELL, *GOAL_CELLS} | hidden | beside(read)) - read)
    if not cells:
        return [], []
    box = maze.view.outline * 0.85 + board.grid.middles(cells)[:, None]
    px = board.plane.to_px(board.layout.to_plane(box))
    inside = np.all((px >= 0) & (px < np.array(maze.view.size)), axis=(1, 2)).tolist()
    outside = [cell for cell, whole in zip(cells, inside, strict=True) if not whole]
    return sorted(hidden | set(outside) | ({START_CELL, *GOAL_CELLS} - read)), outside


def _fitting(view: View, tags: Tags) -> Tags:
    """Tags of which one alone, or some that fit together, may help to find the plane."""
    fitted = plane_by_tags(view.size, tags)
    return fitted[1] if fitted else Tags((), np.empty((0, 4, 2)))
