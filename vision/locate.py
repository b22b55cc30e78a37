"""Where the board lies in a picture of a marked deck, and which of the cards found lies in which cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from companion.game.cards import GOAL_CELLS, START_CELL, Cell, Kind
from vision.board import Board
from vision.eyes import Eyes
from vision.first import FEW_MARKS
from vision.grid import (
    GOAL_COLUMN,
    GOAL_OFF_MM,
    Grid,
    Layout,
    beyond_goals,
    find_layout,
    gap_between,
    kind_in,
    layout_by_tags,
)
from vision.plane import Plane, Reals
from vision.pointing import Pointing
from vision.reading import CardRead, Problem
from vision.spots import Marks, Spot
from vision.survey import THOROUGH_MM, USUAL_MM, Survey
from vision.verdict import Pose

START_OFF_MM = 20.0
"""How far from where the layout has it the start card may lie (it is what the layout begins at)."""
WIDE_MM = 40.0
"""How far round its expected place a goal is looked for, while only the start card is known."""
ROUNDS = 8
"""How often the maze is followed one card further from what is known."""
CLOSER = 6
"""How often cells are looked at closer once they are counted."""
ROWS = range(-2, 3)
MEASURED = 2
"""Goals with both markers read that, with any other such card, measure a table at both ends so well that the
columns of a bare part between them can be counted: each tells the scale there to a hundredth or two."""
OFF_GAP = 0.33
"""How many columns or rows cards beyond such a part may lie off their cells: half of one would be another."""
SEVERAL = 3
"""Cards that tell the plane better than a person's finger does."""


@dataclass(eq=False)
class SpottedBoard(Board):
    """The board with the cards found on it, each in its cell."""

    spots: dict[Cell, Spot] = field(default_factory=dict)


class Locator:
    """Finds the board in surveys of one deck's pictures."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._card_mm = eyes.deck.card_mm

    def find(self, survey: Survey, pointing: Pointing | None) -> SpottedBoard | Problem:
        """The start card and the goals, with what else was read on the way; a problem says why not.

        By what was found anywhere, by one marker alone, or where a person has pointed it out.
        """
        board = self._find_board(survey)
        if isinstance(board, Problem):
            board = self._from_one_marker(survey, survey.first) or board
        if isinstance(board, Problem) and pointing:
            board = self._as_pointed(survey, pointing) or board
        return board

    def find_faint(self, survey: Survey) -> SpottedBoard | Problem:
        """The board by markers that have no outline, too."""
        faint, _ = survey.faint
        if len(faint) == len(survey.first):
            return Problem("no_table")
        survey.restart(faint)
        board = self._find_board(survey)
        if isinstance(board, Problem):
            board = self._from_one_marker(survey, faint) or board
        return board

    def find_seen(self, survey: Survey, seen: Sequence[Spot]) -> SpottedBoard | Problem:
        """The board by every marker together with cards whose art was told anywhere."""
        board: SpottedBoard | Problem = Problem("no_table")
        for marks in survey.faint if seen else ():
            survey.restart(marks, seen)
            board = self._find_board(survey)
            if isinstance(board, SpottedBoard):
                break
        return board

    def _find_board(self, survey: Survey) -> SpottedBoard | Problem:
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
        if not layouts and survey.sweep():
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
        board = self._assign(survey, survey.plane, layouts[0])
        if not self._counted(survey, board):
            if not self._seek_start(survey, board):
                self.fill(survey, board)
            layouts = [one for one in self._layouts(survey, survey.plane) if one.sure]
            board = self._assign(survey, survey.plane, layouts[0]) if layouts else board
        return board if self._counted(survey, board) else Problem("no_start_card")

    def _seek_start(self, survey: Survey, board: SpottedBoard) -> bool:
        """Looks for a marker of the start card about where it may be, which is not known to a column."""
        around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        cells = [cell for cell in around if cell not in board.spots]
        placed = self._eyes.in_place.read(
            survey.grey, board.plane, board.layout, board.grid, cells, (), Kind.START
        )
        for one in sorted(placed, key=lambda one: -one.likeness)[:1]:
            pose = Pose(one.centre, board.layout.angle + (np.pi if one.turned else 0))
            survey.place([(one.face, pose)])
        return bool(placed)

    def _counted(self, survey: Survey, board: SpottedBoard) -> bool:
        """Whether it is known which cell is which: by the start card, two tags, or counted from the goals.

        A wide gap is counted across where the plane is known well on both its sides.
        """
        if START_CELL in board.spots or len(survey.tags) > 1:
            return True
        both = {cell: spot.centre for cell, spot in board.spots.items() if spot.both}
        beyond = beyond_goals(board.spots)
        if not beyond:
            return True
        goals, others = (
            {cell: board.layout.to_board(place) for cell, place in both.items() if cell in some}
            for some in (GOAL_CELLS, beyond)
        )
        if len(goals) < MEASURED or not others:
            return False
        return bool(np.abs(gap_between(self._card_mm, goals, others)).max() < OFF_GAP)

    def _from_one_marker(self, survey: Survey, marks: Marks) -> SpottedBoard | None:
        """The board found from one of few markers: in a bad picture a false one leads the plane astray."""
        for row in range(len(marks) if 1 < len(marks) < FEW_MARKS else 0):
            survey.restart(marks.only(np.arange(len(marks)) == row))
            board = self._find_board(survey)
            if not isinstance(board, Problem):
                return board
        return None

    def _as_pointed(self, survey: Survey, pointing: Pointing) -> SpottedBoard | None:
        """The board where a person has pointed it out, if the start card or a goal bears it out."""
        if survey.plane is None or len(survey.spots) < SEVERAL:
            survey.begin(pointing.plane(survey.size))
        if survey.plane is None:
            return None
        layout = pointing.layout(survey.plane)
        survey.angle = layout.angle
        cells = (START_CELL, *GOAL_CELLS)
        backs = [cell in GOAL_CELLS for cell in cells]
        if survey.look(layout, Grid(self._card_mm).middles(cells), backs, WIDE_MM):
            survey.refit()
        found = [one for one in self._layouts(survey, survey.plane) if one.sure]
        board = self._assign(survey, survey.plane, found[0] if found else pointing.layout(survey.plane))
        return board if set(cells) & set(board.spots) else None

    def with_cards(
        self, survey: Survey, plane: Plane, layout: Layout, cards: Sequence[CardRead]
    ) -> SpottedBoard:
        """The board where some cards lie that something else told, with those markers that fit in there."""
        survey.begin(plane, cards)
        survey.angle = layout.angle
        return self._assign(survey, plane, layout)

    def _tags(self, survey: Survey, plane: Plane) -> dict[int, Reals]:
        middles = plane.to_mm(survey.tags.corners.mean(1))
        return {int(one): place for one, place in zip(survey.tags.ids, middles, strict=True)}

    def _look_between_tags(self, survey: Survey, plane: Plane) -> None:
        """Looks for start card and goals where the corner tags put them: no card's marker could be read."""
        layout = layout_by_tags(self._tags(survey, plane), self._card_mm)
        if layout is not None:
            survey.angle = layout.angle
            cells = (START_CELL, *GOAL_CELLS)
            middles = Grid(self._card_mm).middles(cells)
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
            self._card_mm,
            lone=True,
        )

    def _assign(self, survey: Survey, plane: Plane, layout: Layout) -> SpottedBoard:
        """Gives every card its cell, from the start card and the goals outwards."""
        board = SpottedBoard(plane, layout, Grid(self._card_mm))
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
        for index, (spot, place) in enumerate(waiting):
            if index not in given and spot.both and board.spots:
                free = board.grid.between(place, board.spots, partial(self._fits, spot.face))
                if free is not None:
                    # So far off it tells nothing of where others lie.
                    board.spots[free] = spot
        return board

    def _fits(self, face: str | None, cell: Cell) -> bool:
        return self._eyes.kind(face) is kind_in(cell)

    def fill(self, survey: Survey, board: SpottedBoard) -> SpottedBoard:
        """Looks for cards in the cells that are left, until nothing more turns up."""
        margin = USUAL_MM
        for _ in range(CLOSER):
            cells = self.open_cells(survey, board)
            found = survey.read_singles()
            backs = [cell in GOAL_CELLS for cell in cells]
            before, known = board, survey.known()
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
            if self._counted(survey, before) and not self._counted(survey, board):
                # What was found last would lead the others astray.
                survey.back_to(known)
                return before
        return board

    def open_cells(self, survey: Survey, board: SpottedBoard) -> list[Cell]:
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


def _points(places: list[Reals]) -> Reals:
    return np.array(places, np.float64).reshape(-1, 2)
