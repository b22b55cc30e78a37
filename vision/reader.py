"""Reads one picture of a table with the marked deck: markers, plane, grid, then the art as a witness."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

import cv2
import numpy as np

from companion.game.cards import GOAL_CELLS, START_CELL, Cell
from vision import troubles
from vision.by_faces import ByFaces
from vision.deckbook import Deck, Picture
from vision.eyes import Eyes
from vision.grid import GOAL_COLUMN
from vision.locate import Board, Locator
from vision.plane import Reals
from vision.pointed import Pointed
from vision.pointing import Pointing
from vision.reading import CardRead, Problem, Reading
from vision.sized import read_sized
from vision.spots import Spot
from vision.survey import COVERED, Survey
from vision.unmarked.maze import Maze
from vision.verdict import NEAR, Pose, Witness, sure_by_art, sure_with_marker, sure_with_markers


class Reader:
    """Reads pictures of one deck, each by itself. Not for two threads at once."""

    def __init__(self, deck: Deck) -> None:
        """`deck` has markers; `vision.unmarked` reads one without."""
        self.deck = deck
        self._eyes = Eyes(deck)
        self._locator = Locator(self._eyes)

    def read(self, image: Picture, pointed: Pointed | None = None) -> Reading:
        """Every card that surely lies on the table in a picture (height, width, 3), BGR."""
        return read_sized(image, pointed, self._read)

    def _read(self, image: Picture, pointed: Pointed | None) -> Reading:
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        size = grey.shape[1], grey.shape[0]
        survey = Survey(self._eyes, grey)
        board, maze = self._locate(image, survey, pointed)
        if isinstance(board, Problem):
            why = (board, *troubles.light(grey), *troubles.sharpness(grey))
            return Reading((), why, size, 0.0)
        board = self._locator.fill(survey, board)
        cards = self._judge(survey, board)
        if maze is not None:
            cards += self._by_faces.more(maze, cards)
        if self._missed(survey, board, cards):
            cards += self._in_place(survey, board, cards)
        if self._missed(survey, board, cards):
            cards += self._by_faces.beside(image, survey, board.plane, board.layout, cards)
        cards.sort(key=lambda card: card.cell)
        scale = board.plane.px_per_mm(board.layout.to_plane(board.grid.middle((GOAL_COLUMN // 2, 0))))
        hidden, cut_off = self._unseen(survey, board, {card.cell for card in cards})
        problems = self._problems(survey, board, cards, scale, cut_off)
        return Reading(tuple(cards), tuple(problems), size, 0.0, scale, tuple(hidden))

    def _locate(
        self, image: Picture, survey: Survey, pointed: Pointed | None
    ) -> tuple[Board | Problem, Maze | None]:
        """Where the board lies, and the maze that the faces show where markers alone do not tell it."""
        marked = len(survey.first) + len(survey.tags) > 0
        board = self._locator.find(survey, Pointing(pointed, self.deck.card_mm) if pointed else None)
        # One marker is a sign of the deck: burnt out or blurred, its art may be plainer than they are.
        if isinstance(board, Board) or not marked:
            return board, None
        maze = self._by_faces.maze(image, survey.grey, pointed)
        if isinstance(maze, Problem):
            return (maze if board.code == "no_table" else board), None
        return self._locator.as_faced(survey, maze), maze

    @cached_property
    def _by_faces(self) -> ByFaces:
        """The same deck by its faces: made when it is first needed."""
        return ByFaces(self._eyes)

    def _missed(self, survey: Survey, board: Board, cards: list[CardRead]) -> bool:
        """Whether anything speaks of a card that was not told: a place like one, or burnt white; no goal."""
        read = {card.cell for card in cards}
        special = {START_CELL, *GOAL_CELLS}
        if (special | set(board.spots) | self._card_like(survey, board)) - read:
            return True
        places = board.layout.to_plane(board.grid.middles(sorted(_beside(read) - read)))
        return survey.burnt(places)

    def _in_place(self, survey: Survey, board: Board, cards: list[CardRead]) -> list[CardRead]:
        """Cards that a marker tells where one should be, though nothing there looks like a card."""
        read = {card.cell for card in cards}
        cells = sorted((_beside(read) | {START_CELL, *GOAL_CELLS} | set(board.spots)) - read)
        faces = {card.face for card in cards if card.face}
        plane, layout = board.plane, board.layout
        placed = self._eyes.in_place.read(survey.grey, plane, layout, board.grid, cells, faces)
        poses = [Pose(one.centre, layout.angle) for one in placed]
        outlines = self._eyes.judge.corners(plane, poses) if poses else ()
        return [
            self._card(one.cell, self._eyes.faces.way_of[one.face, one.turned], outline, one.likeness)
            for one, outline in zip(placed, outlines, strict=True)
        ]

    # What lies there

    def _judge(self, survey: Survey, board: Board) -> list[CardRead]:
        judge = self._eyes.judge
        told: list[tuple[Cell, Spot, Witness]] = []
        heard = self._hear(survey, board, list(board.spots.values()))
        for (cell, spot), one in zip(board.spots.items(), heard, strict=True):
            if _sure(spot, one):
                told.append((cell, spot, one))
        # Every card exists once: of two that claim to be the same, the better told stays.
        told.sort(key=lambda one: (not one[1].both, -one[2].total))
        seen: set[str] = set()
        cards = []
        outlines = judge.corners(board.plane, [one.pose for _, _, one in told])
        for (cell, spot, one), outline in zip(told, outlines, strict=True):
            if spot.face is None or spot.face not in seen:
                cards.append(self._card(cell, one.way, outline, _confidence(spot, one)))
                seen |= {spot.face} if spot.face else set()
        return cards

    def _hear(self, survey: Survey, board: Board, spots: list[Spot]) -> list[Witness]:
        """What the picture says of every spot; of those without both markers where it fits their art best."""
        judge, poses, ways = self._eyes.judge, [], []
        for spot in spots:
            turned = bool(np.cos(spot.angle - board.layout.angle) < 0)
            ways.append(self._eyes.faces.way_of[(spot.face, turned)])
            poses.append(Pose(spot.centre, spot.angle + (np.pi if turned else 0)))
        heard: dict[int, Witness] = {}
        for rows, ear, picture, shrunk in (
            ([row for row, spot in enumerate(spots) if not spot.both], judge, survey.grey, 1.0),
            (
                [row for row, spot in enumerate(spots) if spot.both],
                self._eyes.cursory,
                survey.soft,
                survey.shrunk,
            ),
        ):
            its_poses, its_ways = [poses[row] for row in rows], [ways[row] for row in rows]
            if ear is judge:
                its_poses = self._eyes.cursory.settle(
                    survey.soft, board.plane, its_poses, its_ways, NEAR, survey.shrunk
                )
            told = ear.hear(picture, board.plane, its_poses, its_ways, shrunk)
            heard |= dict(zip(rows, told, strict=True))
        return [heard[row] for row in range(len(spots))]

    def _card(self, cell: Cell, its_way: int, outline: Reals, confidence: float) -> CardRead:
        way = self._eyes.faces.ways[its_way]
        face = self.deck.faces[way.face] if way.face else None
        a, b, c, d = ((float(x), float(y)) for x, y in (np.roll(outline, 2, 0) if way.turned else outline))
        tunnels = face.tunnels if face else ()
        return CardRead(
            cell, way.face, tunnels, way.kind, way.turned, face is not None, confidence, (a, b, c, d)
        )

    # What could not be read, and why

    def _unseen(self, survey: Survey, board: Board, read: set[Cell]) -> tuple[list[Cell], list[Cell]]:
        """Cells with signs of a card nobody could tell, or outside the picture; and the latter alone."""
        hidden = (set(board.spots) | self._card_like(survey, board)) - read
        cells = sorted(
            ({START_CELL, *GOAL_CELLS} | hidden | set(self._locator.open_cells(survey, board))) - read
        )
        half = np.array(self.deck.card_mm) / 2 - 5
        box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + board.grid.middles(cells)[:, None]
        px = board.plane.to_px(board.layout.to_plane(box))
        inside = np.all((px >= 0) & (px < np.array(survey.size)), axis=(1, 2)).tolist()
        outside = [cell for cell, whole in zip(cells, inside, strict=True) if not whole]
        return sorted(hidden | set(outside)), outside

    def _card_like(self, survey: Survey, board: Board) -> set[Cell]:
        """Cells that look as if they held a card."""
        cells = set()
        for look in survey.looks:
            if COVERED <= look.likeness < 1:
                cell, off = board.grid.cell_of(board.layout.to_board(board.plane.to_mm(look.found)))
                if off < 0.3:
                    cells.add(cell)
        return cells

    def _problems(
        self, survey: Survey, board: Board, cards: list[CardRead], scale: float, outside: list[Cell]
    ) -> list[Problem]:
        read = {card.cell for card in cards}
        problems = troubles.special(read, outside)
        problems += troubles.view(board.plane, scale, self.deck.card_mm[0])
        if survey.poor or not {START_CELL, *GOAL_CELLS} <= read:
            problems += troubles.light(survey.grey) + troubles.sharpness(survey.grey)
        return problems


def _beside(cells: Collection[Cell]) -> set[Cell]:
    """The cells that have a side in common with any of some cells."""
    return {(c + x, r + y) for c, r in cells for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))}


def _sure(spot: Spot, one: Witness) -> bool:
    """Whether a spot surely holds its card, by what markers and picture say."""
    if spot.both:
        return sure_with_markers(one)
    return sure_by_art(one) if spot.outline is not None else sure_with_marker(one, spot.lead)


def _confidence(spot: Spot, one: Witness) -> float:
    """0..1, from the reader's own thresholds up: how clearly everything speaks for the card."""
    if spot.both:
        return float(np.clip(0.85 + 0.1 * one.total, 0.85, 1))
    return float(np.clip(0.45 + 0.25 * one.total + 0.4 * one.lead, 0.5, 0.98))
