"""Cells from where cards lie: an endless grid, drifting as a real maze does, anchored at start and goals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.game.cards import GOAL_CELLS, START_CELL, Cell, Kind
from vision.plane import Reals, rotation

GAP_MM = 2.3
"""Usual gap between neighbouring cards."""
PITCH_SPREAD_MM = 1.5
"""Standard deviation of how far apart columns or rows lie, and of how far they lean, per cell."""
CARD_SPREAD_MM = 4.5
"""Standard deviation of a card's own place about the grid."""
OFF_COLUMN = 0.36
"""How far off its cell's middle a card may lie, in pitches, seen from its nearest neighbour."""
BETWEEN = 0.75
"""How far off the middles of two cells a card lies at most that lies between them."""
WIDEST_GAP = 2
"""Cells from one card to the next between which no other card lies, and that can still be counted."""
MOSTLY = 0.6
"""Share of the path cards that must lie on the start's side of the goals to tell which side that is."""
FAR_COLUMNS = 3
"""How many columns from the goals a path card tells that side by itself."""
GOAL_COLUMN = GOAL_CELLS[0][0]
GOAL_OFF_MM = 48.0
"""How far off a goal may lie from where an unknown pitch, seen from the start card, puts it."""
TAG_CELLS = ((-1.17, -2.95), (9.17, -2.95), (9.17, 2.95), (-1.17, 2.95))
"""About where the corner tags lie, in cells; people lay them by eye."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Which way the board runs: a rotation of the plane, and where the start card's middle should be."""

    angle: float
    """Direction of growing columns in the plane, in radians."""
    origin: Reals
    """(2,) mm in the plane: the middle of cell (0, 0)."""
    sure: bool
    """Whether something (goals or tags) tells the direction, or it was only tried."""
    whole: bool = False
    """Whether the start card and all goals were found."""

    def to_board(self, points: Reals) -> Reals:
        """Points (..., 2) in the plane -> (..., 2) mm along columns and rows from the start card."""
        return np.asarray((points - self.origin) @ rotation(self.angle), np.float64)

    def to_plane(self, points: Reals) -> Reals:
        """The other way."""
        return np.asarray(points @ rotation(self.angle).T + self.origin, np.float64)


@dataclass
class Grid:
    """Middles of cells in mm on the board, fitted to the cards assigned so far, by Bayes' least squares."""

    card_mm: tuple[float, float]
    cells: list[Cell] = field(default_factory=list)
    places: list[Reals] = field(default_factory=list)

    def __post_init__(self) -> None:
        pitch = np.array(self.card_mm) + GAP_MM
        held = 1 / PITCH_SPREAD_MM**2
        # Unknowns: place of (0, 0), step per column, step per row; the same for x and y.
        self._normal = np.diag([1e-6, held, held])
        self._steps: Reals | None = None
        self._right = np.array([(0.0, 0.0), (pitch[0] * held, 0.0), (0.0, pitch[1] * held)])

    def add(self, cell: Cell, place: Reals) -> None:
        """Note that a card lies in a cell with its middle at (2,) mm."""
        x, y = float(cell[0]), float(cell[1])
        row = np.array((1.0, x, y)) / CARD_SPREAD_MM
        self._normal += row[:, None] * row
        self._right += row[:, None] * (place / CARD_SPREAD_MM)
        self.cells.append(cell)
        self.places.append(place)
        self._steps = None

    def steps(self) -> Reals:
        """(3, 2): the middle of (0, 0), the step per column, the step per row, in mm."""
        if self._steps is None:
            self._steps = np.asarray(np.linalg.solve(self._normal, self._right), np.float64)
        return self._steps

    def middles(self, cells: Sequence[Cell]) -> Reals:
        """Where cards in these cells should have their middles (n, 2): the grid, drawn to cards near by."""
        steps = self.steps()
        asked = np.array(cells, np.float64).reshape(-1, 2)
        expected = steps[0] + asked @ steps[1:]
        if not self.cells:
            return np.asarray(expected, np.float64)
        known = np.array(self.cells, np.float64)
        off = np.array(self.places) - steps[0] - known @ steps[1:]
        weight = np.exp(-((asked[:, None] - known) ** 2).sum(2) / 2)
        return np.asarray(expected + weight @ off / (weight.sum(1, keepdims=True) + 0.5), np.float64)

    def middle(self, cell: Cell) -> Reals:
        """The same for one cell (2,)."""
        return np.asarray(self.middles([cell])[0], np.float64)

    def cell_of(self, place: Reals) -> tuple[Cell, float]:
        """The cell of a card at (2,) mm, and how far off its middle it lies, as a share of a pitch."""
        cells, off, _ = self._cells_of(np.asarray(place)[None])
        return (int(cells[0, 0]), int(cells[0, 1])), float(off[0])

    def _cells_of(self, places: Reals) -> tuple[Reals, Reals, Reals]:
        """For places (n, 2): the cell counted from the nearest card, how far off, that card's distance."""
        known, cells = np.array(self.places), np.array(self.cells, np.float64)
        between = places[:, None] - known
        away = np.hypot(between[..., 0], between[..., 1])
        nearest = away.argmin(1)
        rows = np.arange(len(places))
        (a, b), (c, d) = self.steps()[1:]
        x, y = between[rows, nearest].T
        moved = np.stack([x * d - y * c, y * a - x * b], -1) / (a * d - b * c)
        whole = np.round(moved)
        return cells[nearest] + whole, np.abs(moved - whole).max(1), away[rows, nearest]

    def spread(self, places: Reals, fits: Callable[[int, Cell], bool]) -> dict[int, Cell]:
        """Gives cards at (n, 2) mm their cells, the nearest to known ones first, and adds them to the grid.

        `fits` says whether card number so may lie in a cell. What lies between cells, or where a card lies
        already, gets none.
        """
        waiting = list(range(len(places)))
        given: dict[int, Cell] = {}
        taken = set(self.cells)
        while waiting and self.cells:
            cells, off, away = self._cells_of(places[waiting])
            # All that lie next to known cards can be settled at once: one pitch cannot be miscounted.
            near = np.flatnonzero(away < 1.2 * self.card_mm[1])
            for row in near if len(near) else [int(away.argmin())]:
                index, cell = waiting[row], (int(cells[row, 0]), int(cells[row, 1]))
                if off[row] < OFF_COLUMN and cell not in taken and fits(index, cell):
                    given[index] = cell
                    taken.add(cell)
                    self.add(cell, places[index])
            done = set(near.tolist()) if len(near) else {int(away.argmin())}
            waiting = [index for row, index in enumerate(waiting) if row not in done]
        return given

    def between(self, place: Reals, taken: Collection[Cell], fits: Callable[[Cell], bool]) -> Cell | None:
        """The cell of a card at (2,) mm that lies between two, when but one of them is free.

        Cards do not lie on one another: where a card lies already (`taken`), no other does.
        """
        (near,), (off,), _ = self._cells_of(place[None])
        cells = [(int(near[0]) + x, int(near[1]) + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        pitch = np.array(self.card_mm) + GAP_MM
        away = (np.abs(self.middles(cells) - place) / pitch).max(1)
        about = [cell for cell, far in zip(cells, away, strict=True) if far < BETWEEN]
        free = [cell for cell in about if cell not in taken and fits(cell)]
        return free[0] if off >= OFF_COLUMN and len(about) == 2 and len(free) == 1 else None


def kind_in(cell: Cell) -> Kind:
    """The kind of card that may lie in a cell."""
    if cell == START_CELL:
        return Kind.START
    return Kind.GOAL if cell in GOAL_CELLS else Kind.PATH


def beside(cells: Collection[Cell]) -> set[Cell]:
    """The cells that have a side in common with any of some cells."""
    return {(c + x, r + y) for c, r in cells for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))}


def gap_between(
    card_mm: tuple[float, float], goals: Mapping[Cell, Reals], beyond: Mapping[Cell, Reals]
) -> Reals:
    """By how many columns and rows (2,) cards beyond a bare gap lie off the cells that they were given.

    Both by cell, with their places (2,) in mm on the board. The step from cell to cell is that within either
    group and the usual one; how far the groups are from each other is left to where they lie.
    """
    cells = np.array([*goals, *beyond], np.float64)
    places = np.array([*goals.values(), *beyond.values()])
    size = np.array(card_mm)
    group = np.arange(len(cells)) >= len(goals)
    rows = np.column_stack([~group, group, cells]) / CARD_SPREAD_MM
    usual = np.column_stack([np.zeros((2, 2)), np.eye(2)]) / PITCH_SPREAD_MM

    def solved(gaps: Reals) -> Reals:
        """(4, 2): where cell (0, 0) lies by either group, and the steps; `gaps` (2,) are the usual, in mm."""
        known = np.concatenate([places / CARD_SPREAD_MM, np.diag(size + gaps) / PITCH_SPREAD_MM])
        return np.asarray(np.linalg.lstsq(np.concatenate([rows, usual]), known, rcond=None)[0], np.float64)

    # Who lays rows apart lays columns apart as well: what either shows is half of what the other should be.
    seen = np.diag(solved(np.full(2, GAP_MM))[2:]) - size
    by_goals, by_others = solved((GAP_MM + seen[::-1]) / 2)[:2]
    return np.asarray((by_others - by_goals) / (size + GAP_MM), np.float64)


def beyond_goals(cells: Collection[Cell]) -> set[Cell]:
    """Of some cells those that cannot be counted from the goals among them over gaps of one column or row.

    Without the start card nothing else says how many columns lie in a wide gap, and a plane that is known
    badly is soon wrong by one.
    """
    left = set(cells) - set(GOAL_CELLS)
    reached = list(set(cells) & set(GOAL_CELLS))
    while reached and left:
        column, row = reached.pop()
        near = {cell for cell in left if max(abs(cell[0] - column), abs(cell[1] - row)) <= WIDEST_GAP}
        left -= near
        reached += near
    return left


def board_angle(angles: Sequence[float], weights: Sequence[float]) -> float:
    """The direction along which cards lie, either way up, in radians 0..pi."""
    doubled = np.exp(2j * np.array(angles))
    weight = np.array(weights, np.float64)
    for _ in range(4):
        mean = np.angle((weight * doubled).sum())
        off = np.angle(doubled * np.exp(-1j * mean))
        weight = np.array(weights) / (1 + (off / 0.2) ** 2)
    return float(mean / 2)


def off_angle(angle: float, board: float) -> float:
    """How far a card's angle is from the board's, either way up, in radians -pi/2..pi/2."""
    return float((angle - board + np.pi / 2) % np.pi - np.pi / 2)


def find_layout(
    angle: float,
    starts: Reals,
    goals: Reals,
    others: Reals,
    tags: dict[int, Reals],
    card_mm: tuple[float, float],
    lone: bool = False,
) -> list[Layout]:
    """The ways the board may run, likeliest first; none when nothing anchors it.

    `starts`, `goals`, `others`: middles (n, 2) of start cards, goals (backs and faces) and path cards in mm
    in the plane; `tags` the middles of corner tags by id. `lone`: whether one path card, far from the goals,
    tells on which side of them the start card lies; where it may be none, it takes two.
    """
    pitch = np.array(card_mm) + GAP_MM
    tried: list[tuple[float, Layout]] = []
    for direction in (angle, angle + np.pi):
        tag_says = _tags_agree(direction, tags, pitch)
        if tag_says < 0:
            continue
        origins = [(np.asarray(start), 2.0) for start in starts]
        if not origins:
            along = np.array([np.cos(direction), np.sin(direction)])
            down = np.array([-along[1], along[0]])
            origins = [
                (goal - along * GOAL_COLUMN * pitch[0] - down * row * pitch[1], 0.0)
                for goal in goals
                for _, row in GOAL_CELLS
            ]
        for origin, found in origins:
            layout = Layout(direction, origin, True)
            hit, off = _goals_hit(layout, goals, pitch)
            near = _tags_near(layout, tags, pitch)
            before = _before_goals(layout.to_board(others)[:, 0] / pitch[0], lone)
            known = hit > 0 or tag_says > 0
            if not found and not _anchored(hit, near, tag_says > 0 or before > MOSTLY):
                continue
            score = 3.0 * hit - off / 60 + found + 2.0 * tag_says + near + before
            tried.append((score, Layout(direction, origin, known, hit == 3 and found > 0)))
    tried.sort(key=lambda one: -one[0])
    return [layout for _, layout in tried]


def layout_by_tags(tags: dict[int, Reals], card_mm: tuple[float, float]) -> Layout | None:
    """About where the board lies by the corner tags alone: two are needed. `tags` as in find_layout."""
    if len(tags) < 2:
        return None
    meant = np.array([TAG_CELLS[one] for one in tags]) * (np.array(card_mm) + GAP_MM)
    seen = np.array(list(tags.values()))
    from_middle, seen_from_middle = (side - side.mean(0) for side in (meant, seen))
    turn = (seen_from_middle @ (1, 1j) * np.conj(from_middle @ (1, 1j))).sum()
    angle = float(np.angle(turn))
    lost = Layout(angle, np.zeros(2), True)
    return Layout(angle, np.asarray(seen.mean(0) - lost.to_plane(meant.mean(0))), True)


def _anchored(goals: int, tags: int, direction: bool) -> bool:
    """Whether goals and tags alone, without the start card, tell where the board lies.

    Three goals in a row look the same from both sides: the direction needs a witness of its own.
    """
    return direction and (goals == 3 or (goals == 2 and tags > 1) or (goals == 1 and tags > 2))


def _before_goals(columns: Reals, lone: bool) -> float:
    """Share of path cards in these columns (n,) that lie on the start's side of the goals; 0 of too few.

    One alone (`lone`) says so when it lies far from them: beyond them the maze seldom grows.
    """
    if len(columns) > 1 or (lone and len(columns) == 1 and columns[0] < GOAL_COLUMN - FAR_COLUMNS):
        return float((columns < GOAL_COLUMN).mean())
    return 0.0


def _goals_hit(layout: Layout, goals: Reals, pitch: Reals) -> tuple[int, float]:
    """How many goal cells hold a goal, and how far off they lie on average in mm."""
    hits, offs = set(), []
    for place in layout.to_board(goals):
        for _, row in GOAL_CELLS:
            off = place - np.array([GOAL_COLUMN, row]) * pitch
            if np.abs(off).max() < GOAL_OFF_MM:
                hits.add(row)
                offs.append(float(np.hypot(*off)))
    return len(hits), float(np.mean(offs)) if offs else 0.0


def _tags_agree(direction: float, tags: dict[int, Reals], pitch: Reals) -> float:
    """1 when the tags' order says that columns grow this way, -1 when against it, 0 when unknown."""
    c, s = np.cos(direction), np.sin(direction)
    total = 0.0
    ids = sorted(tags)
    for index, one in enumerate(ids):
        for other in ids[index + 1 :]:
            seen = np.array([(c, s), (-s, c)]) @ (tags[other] - tags[one])
            meant = (np.array(TAG_CELLS[other]) - TAG_CELLS[one]) * pitch
            total += float(np.sign(seen @ meant))
    return float(np.sign(total))


def _tags_near(layout: Layout, tags: dict[int, Reals], pitch: Reals) -> int:
    """How many tags lie about where they should."""
    return sum(
        bool(np.abs(layout.to_board(place) - np.array(TAG_CELLS[one]) * pitch).max() < pitch[1])
        for one, place in tags.items()
    )
