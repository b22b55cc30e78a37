"""The cards of one picture, found cell by cell from the start card and the goals outwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import GOAL_CELLS, START_CELL, Cell, Kind
from vision.board import Board
from vision.grid import GAP_MM, GOAL_COLUMN, Grid, Layout, beyond_goals
from vision.plane import Plane, Reals, poses
from vision.steady import steady_plane
from vision.tags import Tags
from vision.unmarked.growing import Glimpse, Settled, glimpses, settle
from vision.unmarked.judging import Witness, hear
from vision.unmarked.known import KnownFaces
from vision.unmarked.second import WEAK, confirmed, contrast
from vision.unmarked.view import Overview, Place, View

GLIMPSED = 0.30
"""Coarse likeness below which a place is not looked at closer, if the start card or a goal must be near."""
PLAIN = 0.36
"""The same in any other cell (of 655 cards the least had 0.36, and bare places mostly have less than 0.4)."""
ASKEW = 0.39
"""The same in a thorough look: with three times as many tries more is alike by chance."""
RIVAL = 0.42
"""The same of a way that is not the likeliest (of 655 cards of 48 pictures one was not, and it had 0.48)."""
HOPEFUL = 0.24
"""Coarse likeness in a usual look below which no thorough one follows (cards that it missed had 0.26)."""
SURE, EXPECTED = 1.0, 0.55
"""Strength of a witness from which on a card is built upon, and of a goal's back where one is expected: under
a hand or burnt out by a lamp they had 0.6 and more, and what was none had less than 0.3."""
FAINT, PLAINLY, FEW = 0.4, 1.25, 4
"""Contrast, as a share of the plainest cards', below which a card must be plain to see, and what plain is; so
many are the plainest, and with fewer nothing is known of theirs. Of 1,100 cards the least had 0.48, and 16
places of wood grain that were like a card had 0.13 to 0.41."""
ROUNDS = 8
MOST_OVER, WEAKLY_OVER = 0.22, 0.12
"""Share of a card that lies over another at most, and the same of one that is not plain to see: of 1,075
neighbours on careless tables the most was 0.19, and one in twenty had more than 0.1."""
MOVED_MM = 6.0
"""A cell is looked at again when its expected middle has moved so far."""
ROWS = range(-2, 3)


@dataclass(frozen=True)
class Reach:
    """How closely a cell is looked at."""

    mm: float
    """How far off its middle a card may lie."""
    askew: bool
    """Whether it may lie far askew."""
    tried: int
    """How many ways are settled there."""


ANCHOR = Reach(48.0, True, 2)
"""Start and goals about where tags or pointed corners put them."""
NEXT, USUAL, THOROUGH = Reach(10.0, False, 2), Reach(14.0, False, 2), Reach(18.0, True, 3)
"""Next to known cards, beyond, and where nothing was found by these."""


@dataclass(frozen=True, eq=False)
class Found:
    """A card that may lie in a cell."""

    cell: Cell
    settled: Settled
    witness: Witness


class Maze:
    """One picture's cards, growing."""

    def __init__(
        self, known: KnownFaces, view: View, plane: Plane, layout: Layout, tags: Tags, anchored: bool = True
    ) -> None:
        """`anchored`: whether cell (0, 0) is the start card's, and not just that of any card."""
        self.known = known
        self.anchored = anchored
        self.pointed = False
        """Whether a person has pointed out where the board lies."""
        self.view = view
        self.board = Board(plane, layout, Grid(known.card_mm))
        self.tags = tags
        self.found: dict[Cell, Found] = {}
        self._looked: tuple[dict[Cell, Reals], dict[Cell, Reals]] = ({}, {})
        self._likely: dict[Cell, float] = {}
        self._drawn: Overview | None = None
        self.doubtful: dict[Cell, Found] = {}
        self._kept: frozenset[Cell] = frozenset()

    def take_over(self, before: Maze, same: Callable[[Reals], NDArray[np.bool_]]) -> None:
        """Keeps of another maze, in the same plane, what is the same within four corners (n, 4, 2) in px."""
        self.board.grid = before.board.grid
        for kept, known in ((self.found, before.found), (self.doubtful, before.doubtful)):
            cells = list(known)
            corners = np.array([known[cell].settled.corners for cell in cells]).reshape(-1, 4, 2)
            kept |= {cell: known[cell] for cell, still in zip(cells, same(corners), strict=True) if still}
        self._kept = frozenset(self.found)
        gone = set(before.found) - set(self.found)
        for looked, known_looks in zip(self._looked, before._looked, strict=True):
            cells = [cell for cell in known_looks if cell not in gone]
            board = self.board
            middles = np.array([known_looks[cell] for cell in cells]).reshape(-1, 1, 2)
            boxes = board.plane.to_px(board.layout.to_plane(middles + self.view.outline))
            looked |= {
                cell: known_looks[cell] for cell, still in zip(cells, same(boxes), strict=True) if still
            }
        self._likely = {cell: before._likely[cell] for cell in self._looked[0] if cell in before._likely}

    def anchor(self, reach: Reach) -> None:
        """Looks for the start card and the goals about where the layout has them."""
        cells = [cell for cell in (START_CELL, *GOAL_CELLS) if cell not in self.found]
        if cells:
            middles = self.board.grid.middles(cells)
            self._take(self._look(cells, middles, [reach] * len(cells), placed=False))

    def likely(self, cell: Cell) -> bool:
        """Whether the start card or a goal lies in its cell, unless a path card does that looks like it."""
        one = self.doubtful.get(cell)
        if one is None or cell in self.found:
            return False
        return hear(self.known, one.settled, self._ways(cell), parts=False).strength >= SURE

    @property
    def counted(self) -> bool:
        """Whether it is known which cell is which: by start card, tags or a person, or counted from goals."""
        told = START_CELL in self.found or len(self.tags.ids) > 1 or self.pointed
        return told or not beyond_goals(self.found)

    def fill(self) -> None:
        """Every card that surely lies on the table, from the few that are known."""
        self.grow()
        self._drop_unlikely()

    def grow(self) -> None:
        """Looks for cards in all cells that may hold one, again as the plane gets better known."""
        self._spread_out()
        if self._look_again():
            self._spread_out()

    def _look_again(self) -> bool:
        """Looks once more for cards that are not plain, by where all others lie; True if any is another now.

        What was found before the plane was known may lie crooked, and so be like another card.
        """
        weak = {
            cell: one
            for cell, one in self.found.items()
            if one.witness.strength < PLAINLY and cell not in self._kept
        }
        if not weak or len(self.found) - len(weak) < FEW:
            return False
        for cell in weak:
            del self.found[cell]
        self._refit()
        cells = sorted(weak)
        again = self._look(cells, self.board.grid.middles(cells), [THOROUGH] * len(cells))
        stronger = {one.cell: one for one in again if one.witness.strength > weak[one.cell].witness.strength}
        self._take(list((weak | stronger).values()))
        self._refit()
        return bool(stronger)

    def _spread_out(self) -> None:
        thorough = False
        for number in range(ROUNDS):
            if number or not self._kept:
                self._refit()
            cells = self._waiting(thorough)
            middles = self.board.grid.middles(cells)
            reach = [THOROUGH if thorough else NEXT if self._next_to_known(cell) else USUAL for cell in cells]
            found = self._look(cells, middles, reach) if cells else []
            self._looked[thorough].update(zip(cells, middles, strict=True))
            if self._take(found):
                thorough = False
            elif thorough:
                return
            else:
                thorough = True

    def _drop_unlikely(self) -> None:
        """Lets go of what is neither plain to see nor like the other cards: alone, or of far less contrast.

        A finger or the grain of a table may be like a way.
        """
        cells = [cell for cell, one in self.found.items() if self.kind(one) is Kind.PATH]
        if len(cells) < FEW:
            return
        usual = self._usual_contrast()
        around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
        for cell in cells:
            one = self.found[cell]
            if one.witness.strength >= PLAINLY:
                continue
            alone = not any((cell[0] + x, cell[1] + y) in self.found for x, y in around)
            if alone or (usual is not None and self._contrast(one) < FAINT * usual):
                self.doubtful[cell] = self.found.pop(cell)

    def _contrast(self, one: Found) -> float:
        return contrast(self.known, self.view, one.settled, one.witness)

    def _usual_contrast(self) -> float | None:
        """That of the plainest cards; None while few are known."""
        cards = sorted(self.found.values(), key=lambda one: -one.witness.strength)
        paths = [one for one in cards if self.known.ways[one.witness.way].face is not None][:FEW]
        return float(np.median([self._contrast(one) for one in paths])) if len(paths) == FEW else None

    def _waiting(self, thorough: bool) -> list[Cell]:
        """Cells without a card that may hold one, and were not looked at where they are now or so closely."""
        known = set(self.found)
        cells = {(c + x, r + y) for c, r in known for x in (-1, 0, 1) for y in (-1, 0, 1)}
        if self.anchored:
            cells |= {(c, r) for c in range(-1, GOAL_COLUMN + 2) for r in ROWS}
            cells |= {START_CELL, *GOAL_CELLS}
        else:
            goals = {cell for cell, one in self.found.items() if self.kind(one) is Kind.GOAL}
            cells |= {(c, r + y) for c, r in goals for y in (-2, 2)}
        waiting = sorted(cells - known)
        looked = self._looked[thorough]
        middles = self.board.grid.middles(waiting)
        return [
            cell
            for cell, middle in zip(waiting, middles, strict=True)
            if (cell not in looked or np.abs(looked[cell] - middle).max() > MOVED_MM)
            and (not thorough or self._worth(cell))
        ]

    def _worth(self, cell: Cell) -> bool:
        """Whether a cell is worth a thorough look: something lies there, and a card belongs there."""
        special = cell == START_CELL or cell in GOAL_CELLS
        return self._likely.get(cell, 1.0) >= HOPEFUL and (special or self._next_to_known(cell))

    def kind(self, one: Found) -> Kind:
        """The kind of a card found."""
        return self.known.ways[one.witness.way].kind

    def _next_to_known(self, cell: Cell) -> bool:
        return any((cell[0] + x, cell[1] + y) in self.found for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)))

    def _ways(self, cell: Cell) -> NDArray[np.int64]:
        of_kind = self.known.of_kind
        if not self.anchored:
            return np.arange(len(self.known.ways))
        if cell == START_CELL:
            return np.flatnonzero(of_kind[Kind.START])
        return np.flatnonzero(of_kind[Kind.GOAL] if cell in GOAL_CELLS else of_kind[Kind.PATH])

    def _look(
        self, cells: Sequence[Cell], middles: Reals, reach: Sequence[Reach], placed: bool = True
    ) -> list[Found]:
        """The likeliest card about each of the middles (n, 2) in mm on the board, where there is any."""
        overview, middles = self._overview(middles, max(one.mm for one in reach))
        waiting: dict[Cell, list[Glimpse]] = {}
        for cell, middle, far in zip(cells, middles, reach, strict=True):
            if far.mm < ANCHOR.mm and overview.plain(middle, self.known.card_mm):
                self._likely.setdefault(cell, 0.0)
                continue
            ways = self._ways(cell)
            seen = glimpses(self.known, overview, middle, far.mm, ways, far.tried, far.askew)
            self._likely[cell] = max(seen[0].like, self._likely.get(cell, 0.0)) if seen else 0.0
            least = GLIMPSED if far.mm >= ANCHOR.mm else ASKEW if far.askew else PLAIN
            waiting[cell] = [one for rank, one in enumerate(seen) if one.like >= (RIVAL if rank else least)]
        best: dict[Cell, Found] = {}
        # The second likeliest way is tried only where the likeliest was not it.
        while any(waiting.values()):
            tried = [(cell, seen.pop(0)) for cell, seen in waiting.items() if seen]
            for one in self._settled(tried, overview, placed and self.anchored):
                if one.cell not in best or one.witness.strength > best[one.cell].witness.strength:
                    best[one.cell] = one
                if one.witness.strength >= SURE:
                    waiting[one.cell] = []
        return list(best.values())

    def _overview(self, middles: Reals, reach_mm: float) -> tuple[Overview, Reals]:
        """The table from above about middles (n, 2) in mm on the board, and where these are on its own."""
        board, outline = self.board, self.view.outline
        box = outline + np.sign(outline) * reach_mm
        places = board.plane.to_px(board.layout.to_plane(middles[:, None] + box))
        there = self._drawn.middles(places, box) if self._drawn else None
        if self._drawn is None or there is None:
            margin = outline[2] + max(reach_mm, THOROUGH.mm) + 5
            whole = (
                board.grid.middles([(-1, -2), (GOAL_COLUMN + 1, 2)])
                if self.anchored and not self._kept
                else middles[:0]
            )
            about = np.concatenate([middles, whole])
            low, high = about.min(0) - margin, about.max(0) + margin
            self._drawn = self.view.overview(board.plane, board.layout, low, high)
            there = middles
        return self._drawn, there

    def _settled(
        self, tried: Sequence[tuple[Cell, Glimpse]], overview: Overview, placed: bool
    ) -> list[Found]:
        """Glimpses of cards in some cells, each settled and heard."""
        layout = overview.layout
        places = [Place(layout.to_plane(one.place), layout.angle + one.turn) for _, one in tried]
        corners = self.view.corners(overview.plane, places)
        settled = settle(self.known, self.view, corners, [one.way for _, one in tried])
        return [
            Found(cell, one, hear(self.known, one, self._ways(cell), placed))
            for (cell, _), one in zip(tried, settled, strict=True)
            if self._in_sight(one.corners)
        ]

    def _in_sight(self, corners: Reals) -> bool:
        """Whether four corners (4, 2) in px lie within the picture, and not over a tag."""
        if (
            not np.isfinite(corners).all()
            or (corners < -2).any()
            or (corners > np.array(self.view.size) + 1).any()
        ):
            return False
        outline = corners.astype(np.float32)
        return not any(
            cv2.pointPolygonTest(outline, (float(x), float(y)), False) > 0
            for x, y in self.tags.corners.mean(1)
        )

    def _take(self, found: Sequence[Found]) -> bool:
        """Keeps what is sure; True when anything is new."""
        new = False
        for one in sorted(found, key=lambda one: -one.witness.strength):
            sure = one.witness.strength >= (EXPECTED if self._expected(one) else SURE)
            if sure and one.witness.strength < WEAK:
                usual = self._usual_contrast()
                sure = confirmed(self.known, self.view, one.settled, one.witness, usual)
            if sure and self._has_room(one):
                self.found[one.cell] = one
                new = True
            else:
                self.doubtful[one.cell] = one
        return new

    def _expected(self, one: Found) -> bool:
        """Whether it is a goal's back where one must lie by the start card and another goal."""
        goals = [cell for cell in GOAL_CELLS if cell in self.found]
        lies = one.cell in GOAL_CELLS and self.known.ways[one.witness.way].face is None
        return lies and self.anchored and START_CELL in self.found and bool(goals)

    def _has_room(self, one: Found) -> bool:
        """Whether a card lies beside all others, over none by more than a careless hand lays it.

        A straight way may be like another a quarter of a card away along itself. Of two such the weaker goes.
        """
        outline = one.settled.corners.astype(np.float32)
        most = MOST_OVER if one.witness.strength >= PLAINLY else WEAKLY_OVER
        least = most * cv2.contourArea(outline)
        reach = float(np.hypot(*(outline[0] - outline[2])))
        below = [
            cell
            for cell, other in self.found.items()
            if np.abs(other.settled.corners.mean(0) - outline.mean(0)).max() < reach
            and cv2.intersectConvexConvex(outline, other.settled.corners.astype(np.float32))[0] > least
        ]
        if any(self.found[cell].witness.strength >= one.witness.strength for cell in below):
            return False
        for cell in below:
            self.doubtful[cell] = self.found.pop(cell)
            self._looked[0].pop(cell, None)
            self._looked[1].pop(cell, None)
        return True

    def put(self, found: Sequence[Found]) -> None:
        """Takes cards over that are known to lie in some cells."""
        for one in sorted(found, key=lambda one: -one.witness.strength):
            if self._has_room(one):
                self.found[one.cell] = one
        self._refit()

    def _refit(self) -> None:
        """The plane once more with every card as one rigid thing, and the grid from where they lie in it."""
        board, cells = self.board, list(self.found)
        if not cells:
            return
        cards = self.view.things([self.found[cell].settled.corners for cell in cells])
        fitted = steady_plane(self.view.size, cards.joined(self.tags.things()), board.plane)
        if fitted is not None:
            board.plane = fitted[0]
        middles, angles = poses(board.plane, cards)
        # The plane's own x may have turned a little: the board's direction is that of its cards.
        angle = float(np.angle(np.exp(1j * angles).sum()))
        first = cells.index(START_CELL) if START_CELL in self.found else 0
        pitch = np.array(self.known.card_mm) + GAP_MM
        there = Layout(angle, middles[first], True)
        board.layout = Layout(angle, there.to_plane(-np.array(cells[first]) * pitch), True)
        board.grid = Grid(self.known.card_mm)
        for cell, place in zip(cells, board.layout.to_board(middles), strict=True):
            board.grid.add(cell, place)
