"""Which cell each card on a table lies in, when no face of the deck is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.game.cards import CARD_MM, GOAL_CELLS, START_CELL, Cell
from vision.grid import Grid, Layout
from vision.pictures import Image
from vision.plane import Reals
from vision.squares import Floats
from vision.tunnels.backs import find_back
from vision.tunnels.finder import CORNERS
from vision.tunnels.patch import cut
from vision.tunnels.read import LOUDEST, testimony
from vision.tunnels.shapes import START_SHAPES, hypotheses
from vision.tunnels.stuff import Stuff
from vision.tunnels.table import PITCH, Lying, Table, far_from, placed

WITNESS = 0.5
"""How much the witness counts beside the finder: it knows single cards, and was taught little of tables."""
MOST = 12.0
"""Log-odds beyond which the witness says no more."""
BACK = -4.0
"""Log-odds of a face, by both, below which a card lies face down: faces had -2 at least, backs -8 at most."""
CARD_LIKE, SHARE, CARD_LEAST, CARD_SURE = 4.0, 0.5, 3.5, 6.0
"""From which share on of what is usual among the likely cards of this picture (log-odds by both, from the
first on) a card counts, but never below the third nor only above the fourth: checked cloth is everywhere a
little like cards, and burnt-out cards are little like themselves."""
GOAL_MM = 48.0
"""How far off its cell's middle a goal may lie while the board is known by tags only."""
FACE_MM = 20.0
"""So much farther a back may lie than a face to be taken for the goal."""
FACE_UP = 0.45
"""What a face counts beside a back where a goal may lie: few goals lie open."""
GOAL_SURE = 3.0
"""Log-odds of the finder from which on a card that shows its face may be a goal."""
START_MM = 40.0
"""How far off the start card may lie: two thirds of a column."""
CROSS = 0.0
"""By how much the cross must lead all other tunnels (log-likelihood) in what may be the start card."""
PLAINLY = 10.0
"""Log-odds by both from which on a card tells what the cards here look like."""
BOARD, FREE = tuple((column, row) for column in range(-2, 12) for row in range(-4, 5)), 0.95
"""Cells that tell what the table looks like, if nothing like a card lies within so much of a pitch."""
STRANGE, COLOURS, COLOURED = -0.45, 8.0, (-5.0, 4.0)
"""From which strangeness on colours speak against a card, how much (log-odds), and at most how much either
way: of 569 cards 3 were stranger, of 147 places without one 2 less strange."""
LAYOUT_SURE, RIVAL, PLACED = 0.8, 0.85, 0.01
"""How well goals must fit a start card found anywhere, up to which share of that another may fit, and what
each card counts beside that has a cell."""
SPECIAL = (START_CELL, *GOAL_CELLS)


@dataclass(frozen=True, eq=False)
class Seen:
    """A card of the table with what the witness says about it."""

    lying: Lying
    told: Floats
    """(10,) log-odds for edges and pairs of edges; see `vision.tunnels.read.testimony`."""
    card: float
    """Log-odds that a card lies here face up."""

    @property
    def face_up(self) -> bool:
        """Whether a face is seen: to the finder burnt-out faces are like backs, to the witness never."""
        return self.lying.face_up + self.card > BACK

    @property
    def sure(self) -> float:
        """Log-odds that a card lies here face up, by both."""
        return self.lying.card + WITNESS * min(self.card, MOST)


class Board:
    """The cards of one picture by cells."""

    def __init__(self, image: Image, table: Table, layout: Layout, seen: Sequence[Seen]) -> None:
        """`seen`: all that may be cards, with their corners as the layout has them."""
        self.image = image
        self.table = table
        self.layout = layout
        self.grid = Grid(CARD_MM)
        self.seen: dict[Cell, Seen] = {}
        self._assign(list(seen))

    @classmethod
    def of(cls, image: Image, table: Table) -> Board | None:
        """The board on a table in a picture; None when nothing tells where it lies."""
        seen = _witnessed(image, table.cards)
        layout = table.layout if table.layout.sure else _found_layout(table, seen)
        if layout is None:
            return None
        turned = placed(table, layout)
        if turned is not table.cards:
            seen = _witnessed(image, turned)
        return cls(image, table, layout, seen)

    def _places(self, seen: Sequence[Seen]) -> Reals:
        corners = np.array([one.lying.corners for one in seen]).reshape(-1, 4, 2)
        return np.asarray(self.layout.to_board(self.table.plane.to_mm(corners)).mean(1), np.float64)

    def _assign(self, seen: list[Seen]) -> None:
        """Goals first, then the start card beside them, then all others from card to card."""
        places = self._places(seen)
        taken: set[int] = set()
        for cell in GOAL_CELLS:
            row = _goal(seen, places, np.array(cell) * PITCH, taken)
            if row is not None:
                taken.add(row)
                self.seen[cell] = seen[row]
        likely = [one.sure for one in seen if one.face_up and one.sure > CARD_LIKE]
        least = float(np.clip(SHARE * np.median(likely or [0.0]), CARD_LEAST, CARD_SURE))
        stuff = self._stuff(seen, places)
        rows = [
            row
            for row, one in enumerate(seen)
            if row not in taken and one.face_up and one.sure + self._colours(stuff, one) > least
        ]
        goals = {cell: self._places([one])[0] for cell, one in self.seen.items()}
        start = _start(seen, places, rows, goals)
        self.grid = Grid(CARD_MM)
        if start is not None:
            self.seen[START_CELL] = seen[start]
            rows.remove(start)
            self.grid.add(START_CELL, places[start])
        for cell, place in goals.items():
            self.grid.add(cell, place)
        if not self.grid.cells:
            self.grid.add(START_CELL, np.zeros(2))
        given = self.grid.spread(places[rows], _path_cell)
        self.seen |= {cell: seen[rows[index]] for index, cell in given.items()}
        self._look_for_goals()

    def _look_for_goals(self) -> None:
        """Goals that were not found are looked for by the backs of those that were."""
        found = [cell for cell in GOAL_CELLS if cell in self.seen]
        known = [self.seen[cell].lying.corners for cell in found if not self.seen[cell].face_up]
        for cell in GOAL_CELLS:
            if cell not in self.seen and known:
                corners = find_back(self.image, self._corners, self.grid.middle(cell), known)
                if corners is not None:
                    self.seen[cell] = Seen(Lying(corners, 0.0, BACK), np.zeros(10, np.float32), BACK)
                    self.grid.add(cell, self._places([self.seen[cell]])[0])

    def _corners(self, middle: Reals) -> Reals:
        return self.table.plane.to_px(self.layout.to_plane(CORNERS + middle))

    def _stuff(self, seen: Sequence[Seen], places: Reals) -> Stuff:
        """What the cards that surely lie there look like, and the cells where none does."""
        cards = [cut(self.image, one.lying.corners) for one in seen if one.face_up and one.sure > PLAINLY]
        there = places[[row for row, one in enumerate(seen) if one.lying.card > 0]]
        size = np.array(self.image.shape[1::-1])
        table = []
        for cell in BOARD:
            middle = np.array(cell) * PITCH
            corners = self._corners(middle)
            free = not (np.abs(there - middle) < FREE * PITCH).all(1).any()
            if free and (corners > 0).all() and (corners < size).all():
                table.append(cut(self.image, corners))
        return Stuff(cards, table)

    def _colours(self, stuff: Stuff, one: Seen) -> float:
        """What its colours add to the log-odds of a card."""
        if not stuff.known or one.sure + COLOURED[1] < CARD_LEAST:
            return 0.0
        strange = stuff.strangeness(cut(self.image, one.lying.corners))
        return float(np.clip(COLOURS * (STRANGE - strange), *COLOURED))


def _witnessed(image: Image, cards: Sequence[Lying]) -> list[Seen]:
    told = testimony([cut(image, one.corners) for one in cards])
    return [Seen(one, heard, card) for one, (heard, card) in zip(cards, told, strict=True)]


def _goal(seen: Sequence[Seen], places: Reals, middle: Reals, taken: set[int]) -> int | None:
    """The card that is most likely a goal about a place: a back rather than a face, and the nearest."""
    away = {
        row: float(far) + (0.0 if not seen[row].face_up else FACE_MM)
        for row, far in enumerate(far_from(places, middle))
        if far < GOAL_MM
        and row not in taken
        and (not seen[row].face_up or (seen[row].sure > CARD_LEAST and seen[row].lying.card > GOAL_SURE))
    }
    return min(away, key=lambda row: away[row]) if away else None


def _start(seen: Sequence[Seen], places: Reals, rows: Sequence[int], goals: dict[Cell, Reals]) -> int | None:
    """The start card is the cross from which goals lie where they should, counted in this table's own steps.

    Without goals it is the one nearest to where the tags put it.
    """
    best: tuple[float, int] | None = None
    for row in rows:
        if _lead(seen[row]) < CROSS or np.abs(places[row]).max() > 2 * START_MM:
            continue
        off = float(np.abs(places[row]).max())
        if goals:
            grid = Grid(CARD_MM)
            grid.add(START_CELL, places[row])
            grid.spread(places[[one for one in rows if one != row]], _path_cell)
            steps = grid.steps()
            meant = np.array([steps[0] + np.array(cell) @ steps[1:] for cell in goals])
            off = float(np.abs((np.array(list(goals.values())) - meant).mean(0)).max())
        if off < START_MM and (best is None or off < best[0]):
            best = (off, row)
    return best[1] if best else None


def _path_cell(_: int, cell: Cell) -> bool:
    return cell not in SPECIAL


def _lead(one: Seen) -> float:
    """By how much a crossing of all four ways leads all other tunnels in a card."""
    known = hypotheses()
    cross = known.shapes.index(START_SHAPES[0])
    score = known.signs @ np.clip(one.told, -LOUDEST, LOUDEST)
    return float(score[cross] - np.delete(score, cross).max())


def _found_layout(table: Table, seen: Sequence[Seen]) -> Layout | None:
    """Where the board lies by its goals and its start card, where neither tags nor corners tell.

    Of every cross, and both ways that the board may run, the one from which most goals lie where they should.
    """
    middles = table.plane.to_mm(np.array([one.lying.corners for one in seen]).reshape(-1, 4, 2)).mean(1)
    faces = [row for row, one in enumerate(seen) if one.face_up and one.sure > CARD_LEAST]
    crosses = [row for row in faces if _lead(seen[row]) > CROSS]
    found: list[tuple[float, Layout]] = []
    for start in crosses:
        for angle in (table.layout.angle, table.layout.angle + np.pi):
            layout = Layout(angle, middles[start], True)
            places = layout.to_board(middles)
            grid = Grid(CARD_MM)
            grid.add(START_CELL, np.zeros(2))
            given = grid.spread(places[[row for row in faces if row != start]], _path_cell)
            found.append((_goals_fit(grid, seen, places) + PLACED * len(given), layout))
    found.sort(key=lambda one: -one[0])
    if not found or found[0][0] < LAYOUT_SURE or (len(found) > 1 and found[1][0] > RIVAL * found[0][0]):
        return None
    return found[0][1]


def _goals_fit(grid: Grid, seen: Sequence[Seen], places: Reals) -> float:
    """How many goals lie where a grid has them, a back counting more than a face, and how well."""
    steps = grid.steps()
    fit = 0.0
    for cell in GOAL_CELLS:
        away = far_from(places, steps[0] + np.array(cell) @ steps[1:])
        near = [
            (FACE_UP if one.face_up else 1.0) * (1 - float(off) / GOAL_MM)
            for one, off in zip(seen, away, strict=True)
            if off < GOAL_MM and one.lying.card > 0
        ]
        fit += max(near, default=0.0)
    return fit
