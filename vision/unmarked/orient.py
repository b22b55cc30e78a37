"""Which way the board runs, when cards were found anywhere in a picture: from any card to start and goals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from companion.game.cards import GOAL_CELLS, START_CELL, Cell, Kind
from vision.grid import GAP_MM, GOAL_OFF_MM, Grid, Layout, board_angle, find_layout, off_angle
from vision.plane import Plane, Reals, poses
from vision.steady import FITS_PX, steady_plane
from vision.tags import Tags
from vision.unmarked.growing import ROUGH_WORTH, Settled, settle, sweep
from vision.unmarked.judging import Witness, hear
from vision.unmarked.known import KnownFaces
from vision.unmarked.maze import Found, Maze, Reach
from vision.unmarked.sighting import Sighting
from vision.unmarked.view import Place, View

LIKELY = 3
"""Start and goals that must lie where they belong if the start card may be a crossing."""
ASKEW_RAD = 0.3
"""A card further off the board's direction lies in somebody's hand, or on a pile."""
ANCHOR = Reach(55.0, True, 2)
"""How start and goals are looked for at the board's other end."""
PLAIN, PIVOTS, AGREES_PX = 1.2, 3, 1.5
"""Strength of a sighting that is hardly wrong, how many of them are believed one at a time, and the residual
in px up to which two cards lie in one plane."""
FURTHEST_MM, SWEPT, SWEPT_LIKE = 1100.0, 12, 0.3
"""How far about, at how many places and how like start and goals are looked at on the whole table."""
TRIED = 4
"""Ways the board may run that are looked at."""


def supposed(view: View, sightings: Sequence[Sighting]) -> Iterator[list[Sighting]]:
    """Which of some sightings may be right, likeliest first: all, those that are plain, what agrees with one.

    A card seen from low down may be taken for another a quarter turn round, and a plane by it is a wrong one.
    """
    told: list[set[int]] = []
    for group in _groups(view, sightings):
        if group and set(group) not in told:
            told.append(set(group))
            yield [sightings[index] for index in sorted(group)]


def _groups(view: View, sightings: Sequence[Sighting]) -> Iterator[list[int]]:
    yield list(range(len(sightings)))
    by_strength = np.argsort([-one.witness.strength for one in sightings]).tolist()
    yield [index for index in by_strength if sightings[index].witness.strength >= PLAIN]
    for pivot in by_strength[:PIVOTS]:
        yield _agreeing(view, sightings, pivot)


def _agreeing(view: View, sightings: Sequence[Sighting], pivot: int) -> list[int]:
    """One sighting, and all that have their size and about its direction in a plane with it."""
    kept = [pivot]
    for index, one in enumerate(sightings):
        if index == pivot:
            continue
        both = view.things([sightings[pivot].settled.corners, one.settled.corners])
        fitted = steady_plane(view.size, both)
        if fitted is None or fitted[1].max() > AGREES_PX:
            continue
        first, second = poses(fitted[0], both)[1].tolist()
        if abs(off_angle(second, first)) < ASKEW_RAD:
            kept.append(index)
    return kept


def rough_maze(known: KnownFaces, view: View, tags: Tags, sightings: Sequence[Sighting]) -> Maze | None:
    """A maze grown from cards found anywhere, its cells counted from any one of them."""
    cards = [Found(START_CELL, one.settled, one.witness) for one in sightings]
    fitted = steady_plane(
        view.size, view.things([one.settled.corners for one in cards]).joined(tags.things())
    )
    if fitted is None:
        return None
    plane, residual = fitted
    cards = [one for one, off in zip(cards, residual[: len(cards)], strict=True) if off < FITS_PX] or cards[
        :1
    ]
    _, angles = poses(plane, view.things([one.settled.corners for one in cards]))
    angle = board_angle(angles.tolist(), [one.witness.strength for one in cards])
    cards = [
        one for one, its in zip(cards, angles, strict=True) if abs(off_angle(float(its), angle)) < ASKEW_RAD
    ]
    if not cards:
        return None
    middles, _ = poses(plane, view.things([one.settled.corners for one in cards]))
    layout = Layout(angle, middles[0], False)
    grid = Grid(known.card_mm)
    grid.add(START_CELL, np.zeros(2))
    given = grid.spread(layout.to_board(middles[1:]), lambda index, cell: True)
    maze = Maze(known, view, plane, layout, tags, anchored=False)
    cells = {0: START_CELL} | {index + 1: cell for index, cell in given.items()}
    maze.put(
        [
            _lying(known, replace(cards[index], cell=cell), plane, layout, view)
            for index, cell in cells.items()
        ]
    )
    maze.grow()
    _named(maze, [one for index, one in enumerate(cards) if index not in cells])
    return maze


def _named(rough: Maze, cards: Sequence[Found]) -> None:
    """Takes cards over whose cells are not known, as goals far away, each by the name of the nearest."""
    if not cards:
        return
    middles, _ = poses(rough.board.plane, rough.view.things([one.settled.corners for one in cards]))
    for one, middle in zip(cards, middles, strict=True):
        cell, _ = rough.board.grid.cell_of(rough.board.layout.to_board(middle))
        rough.found.setdefault(cell, replace(one, cell=cell))


def anchored_maze(rough: Maze) -> Maze | None:
    """The same maze with its start card at (0, 0); None when neither start nor goals tell where that is."""
    kinds = {rough.kind(one) for one in rough.found.values()}
    if not {Kind.START, Kind.GOAL} <= kinds:
        _sweep(rough)
    plane, cards = rough.board.plane, list(rough.found.values())
    middles, _ = poses(plane, rough.view.things([one.settled.corners for one in cards]))
    by_kind = {
        kind: np.array([at for at, one in zip(middles, cards, strict=True) if rough.kind(one) is kind])
        for kind in Kind
    }
    starts, goals, paths = (by_kind[kind].reshape(-1, 2) for kind in (Kind.START, Kind.GOAL, Kind.PATH))
    tags = dict(zip(rough.tags.ids, plane.to_mm(rough.tags.corners.mean(1)), strict=True))
    angle = rough.board.layout.angle
    layouts: list[Layout] = []
    # What was taken for a tag may be none, and must not outweigh a start card and goals that say otherwise.
    for told in (tags, {}) if tags else ({},):
        some = find_layout(angle, starts, goals, paths, told, rough.known.card_mm)
        if some and some[0].whole:
            return _laid_out(rough, some[0])
        layouts += some[:TRIED]
    if not len(starts):
        layouts += _from_goals(angle, goals, rough.known.card_mm)
    tried = []
    for layout in layouts:
        maze = _laid_out(rough, layout)
        if maze is not None:
            maze.anchor(ANCHOR)
            if maze.counted:
                tried.append((_anchors(maze, layout.sure), maze))
    best = max(tried, key=lambda one: one[0], default=(0.0, None))
    return best[1] if best[0] >= 1 else None


def _sweep(rough: Maze) -> None:
    """Looks for start card and goals on the whole table."""
    board, view, known = rough.board, rough.view, rough.known
    width, height = view.size
    edge = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    edge = np.clip(board.layout.to_board(board.plane.to_mm(edge)), -FURTHEST_MM, FURTHEST_MM)
    overview = view.overview(board.plane, board.layout, edge.min(0), edge.max(0))
    ways = np.flatnonzero(known.of_kind[Kind.START] | known.of_kind[Kind.GOAL])
    seen = sweep(known, overview, ways, SWEPT, SWEPT_LIKE)
    if not seen:
        return
    places = [Place(board.layout.to_plane(one.place), board.layout.angle + one.turn) for one in seen]
    settled = settle(known, view, view.corners(board.plane, places), [one.way for one in seen], ROUGH_WORTH)
    found = [(one, hear(known, one, np.arange(len(known.ways)), placed=False)) for one in settled]
    fresh = []
    for one, witness in sorted(found, key=lambda one: -one[1].strength):
        if witness.strength >= 1 and known.ways[witness.way].kind is not Kind.PATH:
            fresh.append(Found(START_CELL, one, witness))
    _named(rough, fresh)


def _anchors(maze: Maze, sure: bool) -> float:
    """How surely start and goals lie where they should: a goal alone or a start alone tells no direction.

    A start card that may be a crossing, and goals face up that may be path cards, are such when two of them
    and a goal that is none but a goal lie where they belong.
    """
    goals = sum(cell in maze.found for cell in GOAL_CELLS)
    start = START_CELL in maze.found
    likely = sum(maze.likely(cell) for cell in (START_CELL, *GOAL_CELLS))
    if start and goals:
        whole = 2.0 + goals
    elif goals and maze.likely(START_CELL) and goals + likely >= LIKELY:
        whole = 1.0
    else:
        whole = 1.0 if sure else 0.0
    return whole + 0.01 * len(maze.found)


def _from_goals(angle: float, goals: Reals, card_mm: tuple[float, float]) -> list[Layout]:
    """Every way the board may run by the goals alone."""
    pitch = np.array(card_mm) + GAP_MM
    found: list[Layout] = []
    for direction in (angle, angle + np.pi):
        along = np.array([np.cos(direction), np.sin(direction)])
        down = np.array([-along[1], along[0]])
        for goal in goals:
            for column, row in GOAL_CELLS:
                origin = goal - along * column * pitch[0] - down * row * pitch[1]
                if not any(
                    np.hypot(*(origin - one.origin)) < GOAL_OFF_MM and np.cos(direction - one.angle) > 0
                    for one in found
                ):
                    found.append(Layout(direction, origin, False))
    return found


def _laid_out(rough: Maze, layout: Layout) -> Maze | None:
    """The cards of a rough maze, each in its cell by one layout."""
    plane, view, known = rough.board.plane, rough.view, rough.known
    cards = list(rough.found.values())
    places = layout.to_board(poses(plane, view.things([one.settled.corners for one in cards]))[0])
    grid = Grid(known.card_mm)
    given: dict[int, Cell] = {}
    for cell in (START_CELL, *GOAL_CELLS):
        middle = grid.middle(cell)
        near = [
            (float(np.abs(place - middle).max()), index)
            for index, (place, one) in enumerate(zip(places, cards, strict=True))
            if index not in given and rough.kind(one) is (Kind.START if cell == START_CELL else Kind.GOAL)
        ]
        if near and min(near)[0] < GOAL_OFF_MM:
            given[min(near)[1]] = cell
            grid.add(cell, places[min(near)[1]])
    if not given:
        grid.add(START_CELL, np.zeros(2))
    waiting = [
        index for index, one in enumerate(cards) if index not in given and rough.kind(one) is Kind.PATH
    ]
    special = {START_CELL, *GOAL_CELLS}
    spread = grid.spread(places[waiting], lambda _, cell: cell not in special)
    given |= {waiting[index]: cell for index, cell in spread.items()}
    maze = Maze(known, view, plane, layout, rough.tags)
    if not given:
        return None
    maze.put(
        [
            _lying(known, replace(cards[index], cell=cell), plane, layout, view)
            for index, cell in given.items()
        ]
    )
    return maze


def _lying(known: KnownFaces, one: Found, plane: Plane, layout: Layout, view: View) -> Found:
    """A card as it lies on the board by a layout: its corners from the top left, its way turned or not."""
    angle = poses(plane, view.things([one.settled.corners]))[1][0]
    if np.cos(angle - layout.angle) > 0:
        return one
    way = known.turned(one.witness.way)
    settled = one.settled
    other = Settled(
        known.turned(settled.way),
        np.roll(settled.corners, 2, 0),
        settled.patch[::-1, ::-1],
        settled.like[known.swap],
    )
    witness = Witness(way, one.witness.like, one.witness.clear, one.witness.apart)
    return Found(one.cell, other, witness)
