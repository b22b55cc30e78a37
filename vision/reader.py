"""Reads one picture of a table with the marked deck: markers, plane, grid, then the art as a witness."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import cv2
import numpy as np

from companion.game.cards import GOAL_CELLS, START_CELL, Cell
from vision import troubles
from vision.by_faces import ByFaces, Faced
from vision.deckbook import Deck, Picture
from vision.eyes import Eyes
from vision.grid import GOAL_COLUMN, beside
from vision.locate import Locator, SpottedBoard
from vision.plane import Reals
from vision.pointed import Pointed
from vision.pointing import Pointing
from vision.reading import CardRead, Problem, Reading
from vision.sized import read_sized
from vision.spots import Spot
from vision.survey import COVERED, Survey
from vision.verdict import (
    NEAR,
    Pose,
    Witness,
    nearly_by_art,
    sure_by_art,
    sure_with_marker,
    sure_with_markers,
)

PERHAPS = 0.25
"""Likeness to a card, beside one told, from which on it is worth a closer look.

In 170 rendered pictures 21 of 75 cards not told by then had as much, and one in 20 of those in good light had
a bare place that had.
"""


BURNT = 225
"""Mean grey from which on a place may hold a card burnt white by a lamp: such cards had 240."""

KNOWN_MORE = ("no_goals", "no_start_card", "no_table")
"""Why a board is not found: what says most of the table first."""


@dataclass(frozen=True, eq=False)
class Told:
    """What is told of a table that was found."""

    board: SpottedBoard
    cards: list[CardRead]
    """Those that their markers and their art told."""
    more: list[CardRead]
    """Those that anything else told."""
    doubts: set[Cell]
    """Cells that hold something nobody can tell."""


class Effort(Enum):
    """How much is done for one picture."""

    HASTY = "only markers are asked, for something moves"
    LIVE = (
        "faces are asked, too, where a marker says that the deck lies there, for a better picture comes soon"
    )
    PATIENT = "faces are asked in any case, which may take seconds"


class Reader:
    """Reads pictures of one deck, each by itself. Not for two threads at once."""

    def __init__(self, deck: Deck) -> None:
        """`deck` has markers; `vision.unmarked` reads one without."""
        self.deck = deck
        self.beyond: frozenset[Cell] = frozenset()
        """Cells of the last picture's cards that more than their markers and art told."""
        self._eyes = Eyes(deck)
        self._locator = Locator(self._eyes)

    def read(
        self, image: Picture, pointed: Pointed | None = None, effort: Effort = Effort.PATIENT
    ) -> Reading:
        """Every card that surely lies on the table in a picture (height, width, 3), BGR."""
        return read_sized(image, pointed, lambda sized, there: self._read(sized, there, effort))

    def _read(self, image: Picture, pointed: Pointed | None, effort: Effort) -> Reading:
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        size = grey.shape[1], grey.shape[0]
        survey = Survey(self._eyes, grey)
        self.beyond = frozenset()
        found = self._find(image, survey, pointed, effort)
        if isinstance(found, Problem):
            why = (found, *troubles.light(grey), *troubles.sharpness(grey))
            return Reading((), why, size, 0.0)
        told = (
            self._beside_faces(survey, found)
            if isinstance(found, Faced)
            else self._by_markers(image, survey, found, effort)
        )
        board = told.board
        self.beyond = frozenset(card.cell for card in told.more)
        cards = sorted(told.cards + told.more, key=lambda card: card.cell)
        scale = board.plane.px_per_mm(board.layout.to_plane(board.grid.middle((GOAL_COLUMN // 2, 0))))
        hidden, cut_off = self._unseen(survey, board, told.doubts, {card.cell for card in cards})
        problems = self._problems(survey, board, cards, scale, cut_off)
        return Reading(tuple(cards), tuple(problems), size, 0.0, scale, tuple(hidden))

    @cached_property
    def _by_faces(self) -> ByFaces:
        """The same deck by its faces: made when it is first needed."""
        return ByFaces(self._eyes)

    def _find(
        self, image: Picture, survey: Survey, pointed: Pointed | None, effort: Effort
    ) -> SpottedBoard | Faced | Problem:
        """Where the board lies: by markers, by faces, by markers that have no outline, by all together.

        In a film those come before the faces while no marker says that the deck lies there at all.
        """
        board = self._locator.find(survey, Pointing(pointed, self.deck.card_mm) if pointed else None)
        if isinstance(board, SpottedBoard) or effort is Effort.HASTY:
            return board
        problems = [board]
        unmarked = effort is Effort.LIVE and not len(survey.first) + len(survey.tags)
        if unmarked:
            board = self._locator.find_faint(survey)
            if isinstance(board, SpottedBoard) or not len(survey.faint[0]):
                return board
            problems.append(board)
        faced = self._by_faces.alone(image, survey.grey, pointed)
        if isinstance(faced, Faced):
            return faced
        problems.append(faced.problem)
        if not unmarked:
            board = self._locator.find_faint(survey)
            if isinstance(board, SpottedBoard):
                return board
            problems.append(board)
        board = self._locator.find_seen(survey, faced.cards)
        if isinstance(board, SpottedBoard):
            return board
        return min([*problems, board], key=lambda problem: KNOWN_MORE.index(problem.code))

    def _by_markers(self, image: Picture, survey: Survey, board: SpottedBoard, effort: Effort) -> Told:
        board = self._locator.fill(survey, board)
        cards = self._judge(survey, board)
        return Told(board, cards, *self._more(image, survey, board, cards, effort))

    def _beside_faces(self, survey: Survey, faced: Faced) -> Told:
        """What markers tell on a table that was found by its faces, and those."""
        board = self._locator.with_cards(survey, faced.plane, faced.layout, faced.cards)
        board = self._locator.fill(survey, board)
        cards = list(besides(self._judge(survey, board), faced.cards))
        more, doubts = self._in_place(survey, board, [*cards, *faced.cards])
        return Told(board, cards, more + faced.cards, doubts | faced.doubts)

    def _more(
        self, image: Picture, survey: Survey, board: SpottedBoard, cards: list[CardRead], effort: Effort
    ) -> tuple[list[CardRead], set[Cell]]:
        """The cards beside those that markers and art told, and the cells that hold what nobody can tell.

        By markers in place, and then by faces, where anything speaks of a card that was not told.
        """
        # What two markers say and the picture gainsays is nobody's to tell.
        doubts = {cell for cell, spot in board.spots.items() if spot.both} - {card.cell for card in cards}
        suspects = self._suspects(survey, board, cards)
        # With patience markers are sought in any case: half a card beside an arm is like none.
        if effort is Effort.HASTY or not (suspects or effort is Effort.PATIENT):
            return [], doubts | suspects
        more, gainsaid = self._in_place(survey, board, cards)
        doubts |= gainsaid
        if self._suspects(survey, board, cards + more):
            faced = self._by_faces.beside(image, survey, board.plane, board.layout, cards + more)
            if faced is not None:
                more += [card for card in faced.cards if card.cell not in doubts]
                doubts |= faced.doubts
        return more, doubts

    def _suspects(self, survey: Survey, board: SpottedBoard, cards: list[CardRead]) -> set[Cell]:
        """Cells that may hold a card not told: like one, burnt white, or a goal's within the picture."""
        read = {card.cell for card in cards}
        around = sorted(beside(read) - read)
        suspects = set(board.spots) | self._card_like(survey, board, COVERED)
        suspects |= self._card_like(survey, board, PERHAPS) & set(around)
        special = sorted({START_CELL, *GOAL_CELLS} - read)
        suspects |= {
            cell for cell, seen in zip(special, self._inside(survey, board, special), strict=True) if seen
        }
        bright = self._brightness(survey, board, around)
        suspects |= {around[row] for row in np.flatnonzero(bright >= BURNT)}
        return suspects - read

    def _brightness(self, survey: Survey, board: SpottedBoard, cells: list[Cell]) -> Reals:
        return survey.brightness(board.layout.to_plane(board.grid.middles(cells)))

    def _in_place(
        self, survey: Survey, board: SpottedBoard, cards: list[CardRead]
    ) -> tuple[list[CardRead], set[Cell]]:
        """Cards that a marker tells where one should be, though nothing there looks like a card.

        The picture may say nothing of it, but must not say another; the cells where it does come beside.
        """
        read = {card.cell for card in cards}
        alone = {cell for cell, spot in board.spots.items() if not spot.both}
        cells = sorted((beside(read) | {START_CELL, *GOAL_CELLS} | alone) - read)
        faces = {card.face for card in cards if card.face}
        plane, layout, judge = board.plane, board.layout, self._eyes.judge
        placed = self._eyes.in_place.read(survey.grey, plane, layout, board.grid, cells, faces)
        if not placed:
            return [], set()
        ways = [self._eyes.faces.way_of[one.face, one.turned] for one in placed]
        poses = [Pose(one.centre, layout.angle) for one in placed]
        heard = judge.hear(survey.grey, plane, judge.settle(survey.grey, plane, poses, ways, NEAR), ways)
        outlines = judge.corners(plane, poses)
        told, doubts = [], set()
        for one, way, witness, outline in zip(placed, ways, heard, outlines, strict=True):
            if sure_with_markers(witness):
                told.append(self._card(one.cell, way, outline, one.likeness))
            else:
                doubts.add(one.cell)
        return told, doubts

    # What lies there

    def _judge(self, survey: Survey, board: SpottedBoard) -> list[CardRead]:
        judge = self._eyes.judge
        told: list[tuple[Cell, Spot, Witness, bool]] = []
        heard = self._hear(survey, board, list(board.spots.values()))
        for (cell, spot), one in zip(board.spots.items(), heard, strict=True):
            sure = _sure(spot, one)
            borne_out = not sure and self._borne_out(survey, board, spot, one)
            if sure or borne_out:
                told.append((cell, spot, one, borne_out or spot.outline is None))
        # Every card exists once: of two that claim to be the same, the better told stays, and one told by its
        # art alone may be another with the same tunnels.
        told.sort(key=lambda one: (not one[1].both, not one[3], -one[2].total))
        seen: set[str] = set()
        cards = []
        outlines = judge.corners(board.plane, [one.pose for _, _, one, _ in told])
        for (cell, spot, one, named), outline in zip(told, outlines, strict=True):
            way = one.way if named else self._eyes.faces.untaken(one.way, seen)
            face = self._eyes.faces.ways[way].face
            if face is None or face not in seen:
                cards.append(self._card(cell, way, outline, _confidence(spot, one)))
                seen |= {face} if face else set()
        return cards

    def _borne_out(self, survey: Survey, board: SpottedBoard, spot: Spot, one: Witness) -> bool:
        """Whether a marker, too faint to be told alone, says of a spot read by its art what the art says."""
        if spot.outline is None or not nearly_by_art(one):
            return False
        squares = self._eyes.anatomy.lying(board.plane, spot.centre[None], np.array([spot.angle]))
        return self._eyes.in_place.bears_out(survey.grey, squares, spot.face)

    def _hear(self, survey: Survey, board: SpottedBoard, spots: list[Spot]) -> list[Witness]:
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
        tunnels = face.tunnels if face else ()
        return CardRead.lying(
            cell, way.face, tunnels, way.kind, way.turned, face is not None, confidence, outline
        )

    # What could not be read, and why

    def _unseen(
        self, survey: Survey, board: SpottedBoard, doubts: set[Cell], read: set[Cell]
    ) -> tuple[list[Cell], list[Cell]]:
        """Cells with signs of a card nobody could tell, or outside the picture; and the latter alone."""
        hidden = (doubts | set(board.spots) | self._card_like(survey, board, COVERED)) - read
        open_cells = self._locator.open_cells(survey, board)
        cells = sorted({START_CELL, *GOAL_CELLS, *hidden, *open_cells} - read)
        inside = self._inside(survey, board, cells)
        outside = [cell for cell, whole in zip(cells, inside, strict=True) if not whole]
        return sorted(hidden | set(outside)), outside

    def _inside(self, survey: Survey, board: SpottedBoard, cells: list[Cell]) -> list[bool]:
        """Whether each of some cells lies within the picture, but for a few mm."""
        if not cells:
            return []
        half = np.array(self.deck.card_mm) / 2 - 5
        box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + board.grid.middles(cells)[:, None]
        px = board.plane.to_px(board.layout.to_plane(box))
        within = np.all((px >= 0) & (px < np.array(survey.size)), axis=(1, 2))
        return [bool(one) for one in within]

    def _card_like(self, survey: Survey, board: SpottedBoard, least: float) -> set[Cell]:
        """Cells that look as if they held a card."""
        cells = set()
        for look in survey.looks:
            if least <= look.likeness < 1:
                cell, off = board.grid.cell_of(board.layout.to_board(board.plane.to_mm(look.found)))
                if off < 0.3:
                    cells.add(cell)
        return cells

    def _problems(
        self, survey: Survey, board: SpottedBoard, cards: list[CardRead], scale: float, outside: list[Cell]
    ) -> list[Problem]:
        read = {card.cell for card in cards}
        problems = troubles.unplayable(read, outside)
        problems += troubles.view(board.plane, scale, self.deck.card_mm[0])
        if survey.poor or not {START_CELL, *GOAL_CELLS} <= read:
            problems += troubles.light(survey.grey) + troubles.sharpness(survey.grey)
        return problems


def besides(cards: Iterable[CardRead], told: Collection[CardRead]) -> Iterator[CardRead]:
    """Those cards whose cells and faces are not among the ones told already."""
    cells, faces = {card.cell for card in told}, {card.face for card in told if card.face}
    return (card for card in cards if card.cell not in cells and card.face not in faces)


def _sure(spot: Spot, one: Witness) -> bool:
    """Whether a spot surely holds its card, by what markers and picture say."""
    if spot.both:
        return sure_with_markers(one)
    return sure_by_art(one) if spot.outline is not None else sure_with_marker(one, spot.likeness, spot.lead)


def _confidence(spot: Spot, one: Witness) -> float:
    """0..1, from the reader's own thresholds up: how clearly everything speaks for the card."""
    if spot.both:
        return float(np.clip(0.85 + 0.1 * one.total, 0.85, 1))
    return float(np.clip(0.45 + 0.25 * one.total + 0.4 * one.lead, 0.5, 0.98))
