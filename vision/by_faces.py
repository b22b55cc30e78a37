"""A marked deck read by its faces, too: where the board lies when markers fail, and cards that none told.

Small in the picture, blurred or burnt out, a marker is lost long before the tunnels of its card are; and what
is left of it still says whether the face that seems to lie there is the right one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.game.cards import START_CELL, Cell
from vision.eyes import Eyes
from vision.grid import Layout
from vision.pictures import Image
from vision.plane import Plane, Reals, poses
from vision.pointed import Pointed
from vision.reading import CardRead, Problem
from vision.spots import Spot
from vision.squares import Floats, Grey
from vision.survey import Survey
from vision.tags import Tags
from vision.unmarked.beside import maze_beside, untold
from vision.unmarked.maze import Found, Maze
from vision.unmarked.reader import Unfound, UnmarkedReader, doubted
from vision.unmarked.sighting import Sighting
from vision.unmarked.view import View
from vision.verdict import NEAR, Pose, sure_by_art

DOUBTED, DOUBTED_LIKE = 0.55, 0.45
"""Strength and likeness of a card that its face alone does not tell, from which a marker's word is enough.

In 38 rendered pictures nothing else than the card itself had both (0.69 with 0.37, 0.64 with 0.47 at most).
"""
NEARLY = 0.75
"""Strength from which it is enough that art and both corners, by the markers' own reader, are the card's."""


@dataclass(frozen=True, eq=False)
class Faced:
    """What faces tell of a picture."""

    plane: Plane
    layout: Layout
    cards: list[CardRead]
    doubts: set[Cell]
    """Cells that hold something nobody can tell."""


@dataclass(frozen=True, eq=False)
class Unplaced:
    """Why faces alone do not tell where the board lies."""

    problem: Problem
    cards: list[Spot]
    """What they tell all the same, somewhere in the picture."""


class ByFaces:
    """The faces of a marked deck. Not for two threads at once."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._reader = UnmarkedReader(eyes.deck)

    def alone(self, image: Image, grey: Grey, pointed: Pointed | None) -> Faced | Unplaced:
        """The table of a picture as its faces alone show it."""
        view = View(image, grey, self._reader.known)
        maze = self._reader.find_maze(view, pointed)
        if isinstance(maze, Unfound):
            return Unplaced(maze.problem, self._spots(maze.sightings))
        maze.fill()
        if not maze.found:
            return Unplaced(Problem("no_table"), [])
        if not maze.counted and not self._start_in_place(maze):
            return Unplaced(Problem("no_start_card"), self._spots(maze.found.values()))
        return self._faced(maze, ())

    def _spots(self, seen: Iterable[Sighting | Found]) -> list[Spot]:
        """Where cards lie that faces tell, in px alone: no plane is known yet."""
        ways = self._reader.known.ways
        return [Spot.seen(ways[one.witness.way].face, self._as_printed(one)) for one in seen]

    def _start_in_place(self, maze: Maze) -> bool:
        """Whether a marker of the start card lies where it should be."""
        board, grey = maze.board, maze.view.grey
        in_place = self._eyes.in_place.read(grey, board.plane, board.layout, board.grid, [START_CELL], ())
        return bool(in_place)

    def beside(
        self, image: Image, survey: Survey, plane: Plane, layout: Layout, told: Sequence[CardRead]
    ) -> Faced | None:
        """What a picture holds beside the cards `told`, which lie in this plane and layout."""
        known = self._reader.known
        tags = Tags(tuple(survey.tags.ids.tolist()), survey.tags.corners)
        maze = maze_beside(known, View(image, survey.grey, known), plane, layout, tags, told)
        return self._faced(maze, told) if maze else None

    def _faced(self, maze: Maze, told: Sequence[CardRead]) -> Faced:
        """What a maze holds beside the cards told, with those doubtful ones that markers bear out."""
        borne_out = {
            cell: one
            for cell, one in maze.doubtful.items()
            if cell not in maze.found and (self._named(maze, one) or self._alike(maze, one))
        }
        found = {**maze.found, **borne_out}
        new = untold(maze, found, told)
        doubts = (doubted(maze) | set(found)) - {one.cell for one in new} - {card.cell for card in told}
        cards = [self._reader.card(one) for one in new]
        return Faced(maze.board.plane, maze.board.layout, cards, doubts)

    def _named(self, maze: Maze, one: Found) -> bool:
        """Whether at either corner of a doubtful card its own marker is the likeliest of all."""
        if one.witness.strength < DOUBTED or one.witness.like < DOUBTED_LIKE:
            return False
        face = self._reader.known.ways[one.witness.way].face
        return self._eyes.in_place.bears_out(maze.view.grey, self._squares(self._as_printed(one)), face)

    def _as_printed(self, one: Sighting | Found) -> Reals:
        """Corners (4, 2) in px of a card, the one that is top left as printed first."""
        turned = self._reader.known.ways[one.witness.way].turned
        return np.roll(one.settled.corners, 2, 0) if turned else one.settled.corners

    def _alike(self, maze: Maze, one: Found) -> bool:
        """Whether a card that was nearly told is surely like itself in all its parts."""
        if one.witness.strength < NEARLY:
            return False
        way = self._reader.known.ways[one.witness.way]
        own = [self._eyes.faces.way_of[way.face, way.turned]]
        plane, grey, judge = maze.board.plane, maze.view.grey, self._eyes.judge
        middles, angles = poses(plane, maze.view.things([one.settled.corners]))
        settled = judge.settle(grey, plane, [Pose(middles[0], float(angles[0]))], own, NEAR)
        return sure_by_art(judge.hear(grey, plane, settled, own)[0])

    def _squares(self, corners: Reals) -> Floats:
        """Where the markers (2, 4, 2) lie on a card with these corners (4, 2) as printed, all in px."""
        anatomy = self._eyes.anatomy
        onto = cv2.getPerspectiveTransform(anatomy.outline.astype(np.float32), corners.astype(np.float32))
        squares = anatomy.squares.reshape(1, -1, 2).astype(np.float32)
        return np.asarray(cv2.perspectiveTransform(squares, onto), np.float32).reshape(2, 4, 2)
