"""Reads one picture of a table with the marked deck: markers, plane, grid, then the art as a witness."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.game.cards import GOAL_CELLS, START_CELL, Cell, Kind
from vision import troubles
from vision.deckbook import Deck, Picture
from vision.eyes import Eyes
from vision.grid import GOAL_COLUMN, GOAL_OFF_MM, Grid, Layout, find_layout, layout_by_tags
from vision.plane import Plane, Reals
from vision.pointed import Pointed
from vision.pointing import Pointing
from vision.reading import CardRead, Problem, Reading
from vision.sized import read_sized
from vision.spots import Spot
from vision.survey import COVERED, FEW_MARKS, THOROUGH_MM, USUAL_MM, Survey
from vision.unmarked.reader import UnmarkedReader
from vision.verdict import NEAR, Pose, Witness, sure_by_art, sure_with_marker, sure_with_markers

START_OFF_MM = 20.0
"""How far from where the layout has it the start card may lie (it is what the layout begins at)."""
WIDE_MM = 40.0
"""How far round its expected place a goal is looked for, while only the start card is known."""
ROUNDS = 8
"""How often the maze is followed one card further from what is known."""
CLOSER = 6
"""How often cells are looked at closer once they are counted."""
ROWS = range(-2, 3)
SEVERAL = 3
"""Cards that tell the plane better than a person's finger does."""


@dataclass(eq=False)
class _Board:
    """The cards of one picture, each in its cell."""

    plane: Plane
    layout: Layout
    grid: Grid
    spots: dict[Cell, Spot] = field(default_factory=dict)


class Reader:
    """Reads pictures of one deck, each by itself. Not for two threads at once."""

    def __init__(self, deck: Deck) -> None:
        """`deck` has markers; `vision.unmarked` reads one without."""
        self.deck = deck
        self._eyes = Eyes(deck)
        self._by_faces: UnmarkedReader | None = None

    def read(self, image: Picture, pointed: Pointed | None = None) -> Reading:
        """Every card that surely lies on the table in a picture (height, width, 3), BGR."""
        return read_sized(image, pointed, self._read)

    def _read(self, image: Picture, pointed: Pointed | None) -> Reading:
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        size = grey.shape[1], grey.shape[0]
        pointing = Pointing(pointed, self.deck.card_mm) if pointed else None
        survey = Survey(self._eyes, grey)
        marked = len(survey.first) + len(survey.tags) > 0
        board = self._find_board(survey)
        if isinstance(board, Problem):
            board = self._from_one_marker(survey) or board
        if isinstance(board, Problem) and pointing:
            board = self._as_pointed(survey, pointing) or board
        if isinstance(board, Problem):
            why = (board, *troubles.light(grey), *troubles.sharpness(grey))
            # One marker is a sign of the deck: burnt out or blurred, its art may be plainer than they are.
            told = self._read_by_faces(image, pointed) if marked else None
            return told or Reading((), why, size, 0.0)
        board = self._fill(survey, board)
        cards = self._judge(survey, board)
        scale = board.plane.px_per_mm(board.layout.to_plane(board.grid.middle((GOAL_COLUMN // 2, 0))))
        hidden, cut_off = self._unseen(survey, board, {card.cell for card in cards})
        problems = self._problems(survey, board, cards, scale, cut_off)
        return Reading(tuple(cards), tuple(problems), size, 0.0, scale, tuple(hidden))

    def _read_by_faces(self, image: Picture, pointed: Pointed | None) -> Reading | None:
        """What the faces tell by themselves, as on a deck without markers; None when that is nothing."""
        self._by_faces = self._by_faces or UnmarkedReader(self.deck)
        reading = self._by_faces.read(image, pointed)
        return reading if reading.cards else None

    # Where the board lies

    def _find_board(self, survey: Survey) -> _Board | Problem:
        if survey.plane is None:
            return Problem("no_table")
        if not survey.spots:
            self._look_between_tags(survey, survey.plane)
        if not survey.spots:
            return Problem("no_table")
        if not survey.poor:
            survey.read_singles()
        layouts = self._layouts(survey, survey.plane)
        if not layouts or not layouts[0].whole:
            survey.grow(ROUNDS)
            layouts = self._layouts(survey, survey.plane)
        if not layouts:
            # One marker may be a chance likeness; a card with both of its own is none.
            return Problem("no_start_card" if any(spot.both for spot in survey.spots) else "no_table")
        if not layouts[0].sure:
            # Only the start card is known: goals that no marker told of may lie to either side.
            for layout in layouts:
                middles = self._assign(survey, survey.plane, layout).grid.middles(GOAL_CELLS)
                survey.look(layout, middles, [True] * len(middles), WIDE_MM)
            survey.refit()
            layouts = self._layouts(survey, survey.plane)
        if not layouts or not layouts[0].sure:
            return Problem("no_goals")
        return self._assign(survey, survey.plane, layouts[0])

    def _from_one_marker(self, survey: Survey) -> _Board | None:
        """The board found from one of few markers: in a bad picture a false one leads the plane astray."""
        first = survey.first
        for row in range(len(first) if 1 < len(first) < FEW_MARKS else 0):
            alone = np.arange(len(first)) == row
            survey.restart(first.only(alone))
            board = self._find_board(survey)
            if not isinstance(board, Problem):
                return board
        return None

    def _as_pointed(self, survey: Survey, pointing: Pointing) -> _Board | None:
        """The board where a person has pointed it out, if the start card or a goal bears it out."""
        if survey.plane is None or len(survey.spots) < SEVERAL:
            survey.begin(pointing.plane(survey.size))
        if survey.plane is None:
            return None
        layout = pointing.layout(survey.plane)
        survey.angle = layout.angle
        cells = (START_CELL, *GOAL_CELLS)
        backs = [cell in GOAL_CELLS for cell in cells]
        if survey.look(layout, Grid(self.deck.card_mm).middles(cells), backs, WIDE_MM):
            survey.refit()
        found = [one for one in self._layouts(survey, survey.plane) if one.sure]
        board = self._assign(survey, survey.plane, found[0] if found else pointing.layout(survey.plane))
        return board if set(cells) & set(board.spots) else None

    def _tags(self, survey: Survey, plane: Plane) -> dict[int, Reals]:
        middles = plane.to_mm(survey.tags.corners.mean(1))
        return {int(one): place for one, place in zip(survey.tags.ids, middles, strict=True)}

    def _look_between_tags(self, survey: Survey, plane: Plane) -> None:
        """Looks for start card and goals where the corner tags put them: no card's marker could be read."""
        layout = layout_by_tags(self._tags(survey, plane), self.deck.card_mm)
        if layout is not None:
            survey.angle = layout.angle
            cells = (START_CELL, *GOAL_CELLS)
            middles = Grid(self.deck.card_mm).middles(cells)
            survey.look(layout, middles, [cell in GOAL_CELLS for cell in cells], WIDE_MM)

    def _layouts(self, survey: Survey, plane: Plane) -> list[Layout]:
        by_kind: dict[Kind, list[Reals]] = {kind: [] for kind in Kind}
        for spot in survey.spots:
            by_kind[self._eyes.kind(spot.face)].append(spot.centre)
        return find_layout(
            survey.angle,
            _points(by_kind[Kind.START]),
            _points(by_kind[Kind.GOAL]),
            _points(by_kind[Kind.PATH]),
            self._tags(survey, plane),
            self.deck.card_mm,
        )

    def _assign(self, survey: Survey, plane: Plane, layout: Layout) -> _Board:
        """Gives every card its cell, from the start card and the goals outwards."""
        board = _Board(plane, layout, Grid(self.deck.card_mm))
        waiting = [(spot, layout.to_board(spot.centre)) for spot in survey.spots]
        for cell in (START_CELL, *GOAL_CELLS):
            middle = np.zeros(2) if cell == START_CELL else board.grid.middle(cell)
            near = [
                (float(np.abs(place - middle).max()), -spot.lead, index)
                for index, (spot, place) in enumerate(waiting)
                if self._fits(spot.face, cell)
            ]
            if near and min(near)[0] < (START_OFF_MM if cell == START_CELL else GOAL_OFF_MM):
                spot, place = waiting.pop(min(near)[2])
                board.grid.add(cell, place)
                board.spots[cell] = spot
        places = _points([place for _, place in waiting])
        given = board.grid.spread(places, lambda index, cell: self._fits(waiting[index][0].face, cell))
        board.spots |= {cell: waiting[index][0] for index, cell in given.items()}
        return board

    def _fits(self, face: str | None, cell: Cell) -> bool:
        kind = self._eyes.kind(face)
        if kind is Kind.START:
            return cell == START_CELL
        return (cell in GOAL_CELLS) == (kind is Kind.GOAL) and cell != START_CELL

    def _fill(self, survey: Survey, board: _Board) -> _Board:
        """Looks for cards in the cells that are left, until nothing more turns up."""
        margin = USUAL_MM
        for _ in range(CLOSER):
            cells = self._open(survey, board)
            found = survey.read_singles()
            backs = [cell in GOAL_CELLS for cell in cells]
            if survey.look(board.layout, board.grid.middles(cells), backs, margin):
                survey.refit()
                assert survey.plane is not None
                board = self._assign(survey, survey.plane, self._same(survey, survey.plane, board.layout))
            elif found:
                # The other marker of a card that is in the plane already tells the plane nothing new.
                board = self._assign(survey, board.plane, board.layout)
            elif margin == USUAL_MM and survey.poor:
                margin = THOROUGH_MM
            else:
                break
        return board

    def _open(self, survey: Survey, board: _Board) -> list[Cell]:
        """Cells without a card that may hold one."""
        known = {START_CELL, *GOAL_CELLS, *board.spots}
        cells = {(c + x, r + y) for c, r in known for x in (-1, 0, 1) for y in (-1, 0, 1)}
        if survey.poor:
            # In a picture this bad, cards may lie alone beyond others that nobody can read.
            cells |= {(c, r) for c in range(GOAL_COLUMN) for r in ROWS}
        return sorted(cells - set(board.spots))

    def _same(self, survey: Survey, plane: Plane, before: Layout) -> Layout:
        """The same layout in a plane that was fitted anew."""
        layouts = self._layouts(survey, plane)
        # The angle of cards is known up to half a turn; the one nearer to before is the same way round.
        half = np.pi if np.cos(survey.angle - before.angle) < 0 else 0.0
        same = [layout for layout in layouts if np.cos(layout.angle - survey.angle - half) > 0.9]
        return same[0] if same else before

    # What lies there

    def _judge(self, survey: Survey, board: _Board) -> list[CardRead]:
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
                cards.append(self._card(cell, one, outline, _confidence(spot, one)))
                seen |= {spot.face} if spot.face else set()
        return sorted(cards, key=lambda card: card.cell)

    def _hear(self, survey: Survey, board: _Board, spots: list[Spot]) -> list[Witness]:
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

    def _card(self, cell: Cell, witness: Witness, outline: Reals, confidence: float) -> CardRead:
        way = self._eyes.faces.ways[witness.way]
        face = self.deck.faces[way.face] if way.face else None
        a, b, c, d = ((float(x), float(y)) for x, y in (np.roll(outline, 2, 0) if way.turned else outline))
        tunnels = face.tunnels if face else ()
        return CardRead(
            cell, way.face, tunnels, way.kind, way.turned, face is not None, confidence, (a, b, c, d)
        )

    # What could not be read, and why

    def _unseen(self, survey: Survey, board: _Board, read: set[Cell]) -> tuple[list[Cell], list[Cell]]:
        """Cells with signs of a card nobody could tell, or outside the picture; and the latter alone."""
        hidden = set(board.spots) - read
        for look in survey.looks:
            if COVERED <= look.likeness < 1:
                cell, off = board.grid.cell_of(board.layout.to_board(board.plane.to_mm(look.found)))
                if off < 0.3 and cell not in read:
                    hidden.add(cell)
        cells = sorted(({START_CELL, *GOAL_CELLS} | hidden | set(self._open(survey, board))) - read)
        half = np.array(self.deck.card_mm) / 2 - 5
        box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + board.grid.middles(cells)[:, None]
        px = board.plane.to_px(board.layout.to_plane(box))
        inside = np.all((px >= 0) & (px < np.array(survey.size)), axis=(1, 2)).tolist()
        outside = [cell for cell, whole in zip(cells, inside, strict=True) if not whole]
        return sorted(hidden | set(outside)), outside

    def _problems(
        self, survey: Survey, board: _Board, cards: list[CardRead], scale: float, outside: list[Cell]
    ) -> list[Problem]:
        read = {card.cell for card in cards}
        problems = []
        if START_CELL not in read:
            problems.append(Problem("no_start_card"))
        if not read & set(GOAL_CELLS):
            problems.append(Problem("no_goals"))
        missing = [list(cell) for cell in outside if cell in (START_CELL, *GOAL_CELLS)]
        if missing:
            problems.append(Problem("cut_off", {"cells": missing}))
        problems += troubles.view(board.plane, scale, self.deck.card_mm[0])
        if survey.poor or not {START_CELL, *GOAL_CELLS} <= read:
            problems += troubles.light(survey.grey) + troubles.sharpness(survey.grey)
        return problems


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


def _points(places: list[Reals]) -> Reals:
    return np.array(places, np.float64).reshape(-1, 2)
