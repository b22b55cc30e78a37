"""Reading a table by tunnels alone: no face of the deck is known, only how big a card is."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from companion.game.cards import CARD_MM, EDGES, GOAL_CELLS, OPPOSITE, START_CELL, Cell, Kind, neighbour
from vision import troubles
from vision.enrolment.found import mark
from vision.enrolment.outlines import like_a_card, settled, slopes
from vision.grid import GOAL_COLUMN
from vision.pictures import Image
from vision.plane import Reals
from vision.pointed import Pointed
from vision.reading import CardRead, Problem, Reading
from vision.squares import Floats
from vision.tunnels.patch import cut
from vision.tunnels.read import LOUDEST, SURE, TunnelsRead, judged, testimony
from vision.tunnels.shapes import GOAL_SHAPES, START_SHAPES, Tunnels, hypotheses, open_edges
from vision.tunnels.stuff import Stuff
from vision.tunnels.table import Lying, Table, find_table
from vision.unmarked.board import TagFinder

LEAST_SIDE = 64
COARSE, FINE = 9.0, 4.5
"""mm about a cell's expected middle at which a card is looked for, and then about the best of these places:
the network knows a card some 5 mm off its place."""
START_STEP, START_REACH = 7.0, (49.0, 35.0)
"""How far the start card is looked for about its place, across and down: eight columns drift."""
CARD_LIKE, CARD_SURE = 0.0, 6.0
ALIKE = 0.9
COUNTS = ((7.0, ALIKE), (10.0, 1.3), (18.0, np.inf))
"""Log-odds from which on a card counts, by how strange it may be: bare wood reaches 12."""
CARD_TRUSTED = 10.0
"""Log-odds from which on a card that is made like others shows what cards are made of."""
NEAR_CARD = -9.0
"""Log-odds from which on a card may lie near by."""
LIKELY_CARD = -2.5
"""Log-odds of a card from which on a cell cannot be called empty."""
ROUNDS = 40
"""Longer than any maze: each round goes one cell further."""
AGAIN_MM = 3.0
"""A cell is looked into again when its expected middle has moved so far."""
BACK_LIKE = 0.7
"""Likeness to a back seen elsewhere in the picture from which on a goal lies here face down."""
FAR_MM = 15.0
"""So many mm off count as much against a start card as one of the log-odds."""
MOVED_MM = 8.0
"""How far a corner may be drawn to the outline seen."""
NEIGHBOUR = 1.2
"""Log-odds that a neighbour's edge lends to ours: a prior, since wrong cards must be read as they lie."""


@dataclass(frozen=True, eq=False)
class _Seen:
    corners: Reals
    told: Floats
    card: float


class TunnelsReader:
    """Reads pictures of any deck, each by itself, without its faces. Not for two threads at once."""

    def __init__(self) -> None:
        self._tags = TagFinder()

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        """Every card that surely lies on the table in a picture (height, width, 3), BGR.

        Cards carry their tunnels and no face; each is given out as not turned, its tunnels as they lie.
        """
        began = time.perf_counter()
        size = image.shape[1], image.shape[0]
        grey = np.asarray(image.mean(2), np.uint8)
        table = find_table(image, self._tags, pointed) if min(size) >= LEAST_SIDE else None
        if table is None:
            problems = (Problem("no_table"), *troubles.light(grey), *troubles.sharpness(grey))
            return Reading((), problems, size, (time.perf_counter() - began) * 1000)
        board = _Board(image, table)
        board.anchor()
        board.grow()
        cards, hidden = board.cards()
        read = {card.cell for card in cards}
        found = [Problem("no_start_card")] if START_CELL not in read else []
        found += [Problem("no_goals")] if not read & set(GOAL_CELLS) else []
        scale = table.plane.px_per_mm(table.layout.to_plane(table.grid.middle((GOAL_COLUMN // 2, 0))))
        found += troubles.view(table.plane, scale, CARD_MM[0])
        if not {START_CELL, *GOAL_CELLS} <= read:
            found += troubles.light(grey) + troubles.sharpness(grey)
        ms = (time.perf_counter() - began) * 1000
        return Reading(tuple(cards), tuple(found), size, ms, scale, tuple(hidden))


class _Board:
    """The cards of one picture, found from what lies apart outwards."""

    def __init__(self, image: Image, table: Table) -> None:
        self.image = image
        self.table = table
        self.slope, self.shrink = slopes(image)
        self.seen: dict[Cell, _Seen] = {}
        self.backs: dict[Cell, Reals] = {}
        self.doubtful: set[Cell] = set()
        self.looked: dict[Cell, Reals] = {}
        self.stuff = Stuff()
        outlines = [one.corners for one in table.lying]
        for one in table.lying:
            if one.read.card > CARD_SURE:
                self.stuff.add_card(cut(image, one.corners))
            elif one.read.card < 0:
                # Backs lie apart from the maze: what is around them is table.
                self.stuff.add_table(image, one.corners, outlines)

    def anchor(self) -> None:
        """Goals and the start card, and then every other card that lies apart."""
        waiting = list(self.table.lying)
        for cell in GOAL_CELLS:
            one = self._nearest(cell, waiting, 30.0)
            if one is not None:
                waiting.remove(one)
                self._put(cell, one.corners)
        start = self._nearest(START_CELL, [one for one in waiting if one.read.card > 0], 20.0)
        if start is not None:
            self._put(START_CELL, start.corners)
        else:
            self._look_for_start()
        for one in waiting:
            cell, off = self.table.grid.cell_of(self.table.place(one.corners))
            if one.read.card > 0 and off < 0.3 and cell not in self.seen and cell not in GOAL_CELLS:
                self._put(cell, one.corners)

    def grow(self) -> None:
        """Looks into every cell next to a known card, until nothing new is found."""
        again = True
        for _ in range(ROUNDS):
            near = {
                (c + x, r + y) for c, r in (*self.seen, *self.backs) for x in (-1, 0, 1) for y in (-1, 0, 1)
            }
            cells = sorted((near | set(GOAL_CELLS)) - set(self.seen) - set(self.backs))
            waiting = [cell for cell in cells if self._worth_a_look(cell)]
            if not waiting and again:
                # What cards here are made of is known better than at the first look.
                self.looked, again = {}, False
                continue
            if not waiting:
                return
            self.looked |= {cell: self.table.grid.middle(cell) for cell in waiting}
            for cell in waiting:
                self._look(cell)

    def _worth_a_look(self, cell: Cell) -> bool:
        """Whether a cell was not looked into yet, or is now known to lie elsewhere."""
        before = self.looked.get(cell)
        return before is None or bool(np.abs(before - self.table.grid.middle(cell)).max() > AGAIN_MM)

    def _nearest(self, cell: Cell, lying: list[Lying], within: float) -> Lying | None:
        middle = self.table.grid.middle(cell)
        away = [float(np.abs(self.table.place(one.corners) - middle).max()) for one in lying]
        best = int(np.argmin(away)) if away else -1
        return lying[best] if best >= 0 and away[best] < within else None

    def _look(self, cell: Cell) -> bool:
        """Looks for a card about a cell; True when there is one."""
        middle = self.table.grid.middle(cell)
        place, card = self._likeliest(middle, COARSE)
        if card > NEAR_CARD:
            place, card = self._likeliest(place, FINE)
        corners = self.table.corners(place)
        if not self._inside(self.table.corners(middle)):
            self.doubtful.add(cell)
            return False
        if card < LIKELY_CARD:
            about = [self.table.corners(middle + np.array(shift)) for shift in _shifts(COARSE / 2)]
            return self._back(cell, about)
        return self._put(cell, self._better(corners))

    def _better(self, corners: Reals) -> Reals:
        """The corners as they are or drawn to the outline seen, whichever looks more like a card."""
        both = [self._settled(corners), corners]
        told = testimony([cut(self.image, one) for one in both])
        return both[int(np.argmax([card for _, card in told]))]

    def _likeliest(self, middle: Reals, step: float) -> tuple[Reals, float]:
        """Where within a step about a place a card lies most likely, and the log-odds that one does."""
        places = [middle + np.array(shift) for shift in _shifts(step)]
        told = testimony([cut(self.image, self.table.corners(place)) for place in places])
        best = int(np.argmax([card for _, card in told]))
        return places[best], told[best][1]

    def _look_for_start(self) -> None:
        """The start card is the cross among the cards about its place, and of several the nearest."""
        middle = self.table.grid.middle(START_CELL)
        across, down = (np.arange(-reach, reach + 1, START_STEP) for reach in START_REACH)
        shifts = [np.array([x, y]) for y in down for x in across]
        told = testimony([cut(self.image, self.table.corners(middle + shift)) for shift in shifts])
        known = hypotheses()
        cross = known.shapes.index(START_SHAPES[0])
        scores = []
        for shift, (one, card) in zip(shifts, told, strict=True):
            score = known.signs @ np.clip(one, -LOUDEST, LOUDEST)
            lead = float(score[cross] - np.delete(score, cross).max())
            scores.append(min(card, CARD_SURE) + np.clip(lead, -6, 6) - float(np.hypot(*shift)) / FAR_MM)
        best = int(np.argmax(scores))
        if told[best][1] > CARD_LIKE:
            place, _ = self._likeliest(middle + shifts[best], FINE)
            self._put(START_CELL, self._better(self.table.corners(place)))

    def _back(self, cell: Cell, places: list[Reals]) -> bool:
        """Whether a goal lies at one of some places face down, like others that lie apart."""
        if cell not in GOAL_CELLS or not self.backs:
            return False
        known = [self._mark(np.roll(one, turn, 0)) for one in self.backs.values() for turn in (0, 2)]
        settled = [self._settled(place) for place in places]
        alike = [max(float(self._mark(one) @ other) for other in known) for one in settled]
        best = int(np.argmax(alike))
        if alike[best] < BACK_LIKE:
            return False
        self.backs[cell] = settled[best]
        self.table.grid.add(cell, self.table.place(settled[best]))
        return True

    def _mark(self, corners: Reals) -> Floats:
        return mark(cut(self.image, corners, (112, 176)))

    def _inside(self, corners: Reals) -> bool:
        high, wide = self.image.shape[:2]
        low, far = corners.min(0), corners.max(0)
        slack = 0.08 * float(np.linalg.norm(corners[0] - corners[2]))
        return bool(
            np.isfinite(corners).all()
            and (low > -slack).all()
            and far[0] < wide + slack
            and far[1] < high + slack
        )

    def _settled(self, corners: Reals) -> Reals:
        """The corners drawn to the outline seen, if that is near."""
        moved, _ = settled(self.slope, (corners + 0.5) * self.shrink - 0.5)
        moved = (moved + 0.5) / self.shrink - 0.5
        mm = float(np.linalg.norm(corners[1] - corners[0])) / CARD_MM[0]
        near = float(np.abs(moved - corners).max()) < MOVED_MM * mm
        return moved if near and like_a_card(moved) else corners

    def _put(self, cell: Cell, corners: Reals) -> bool:
        patch = cut(self.image, corners)
        told, card = testimony([patch])[0]
        if cell not in (START_CELL, *GOAL_CELLS):
            strange = self.stuff.strangeness(patch)
            if all(card < least or strange > most for least, most in COUNTS):
                return False
            if strange < ALIKE and card > CARD_TRUSTED:
                self.stuff.add_card(patch)
        if card < CARD_LIKE:
            if cell in GOAL_CELLS and card < LIKELY_CARD:
                self.backs[cell] = corners
                self.table.grid.add(cell, self.table.place(corners))
                return True
            self.doubtful.add(cell)
            return False
        self.seen[cell] = _Seen(corners, told, card)
        if cell == START_CELL:
            self.stuff.add_card(patch)
        self.doubtful.discard(cell)
        self.table.grid.add(cell, self.table.place(corners))
        return True

    def cards(self) -> tuple[list[CardRead], list[Cell]]:
        """What may be given out, and the cells that hold something nobody can tell."""
        alone = {cell: self._judged(cell, one.told) for cell, one in self.seen.items()}
        cards = [self._card(cell, Kind.GOAL, (), False, 0.9, corners) for cell, corners in self.backs.items()]
        hidden = self.doubtful - set(self.seen) - set(self.backs)
        for cell, one in self.seen.items():
            read = self._judged(cell, one.told + self._neighbours(cell, alone))
            if read.confidence < SURE:
                hidden.add(cell)
                continue
            kind = Kind.GOAL if cell in GOAL_CELLS else Kind.START if cell == START_CELL else Kind.PATH
            cards.append(self._card(cell, kind, read.tunnels, True, read.confidence, one.corners))
        return sorted(cards, key=lambda card: card.cell), sorted(hidden)

    def _judged(self, cell: Cell, told: Floats) -> TunnelsRead:
        among: tuple[Tunnels, ...] | None = None
        if cell in GOAL_CELLS:
            among = GOAL_SHAPES
        elif cell == START_CELL:
            among = START_SHAPES
        return judged(told, self.seen[cell].card, hypotheses(among))

    def _neighbours(self, cell: Cell, alone: dict[Cell, TunnelsRead]) -> Floats:
        lent = np.zeros(10, np.float32)
        for index, edge in enumerate(EDGES):
            other = alone.get(neighbour(cell, edge))
            if other is not None and other.confidence > SURE:
                there = open_edges(other.tunnels) & OPPOSITE[edge]
                lent[index] = NEIGHBOUR if there else -NEIGHBOUR
        return lent

    def _card(
        self, cell: Cell, kind: Kind, tunnels: Tunnels, face_up: bool, confidence: float, corners: Reals
    ) -> CardRead:
        a, b, c, d = ((float(x), float(y)) for x, y in corners)
        return CardRead(cell, None, tunnels, kind, False, face_up, min(confidence, 0.99), (a, b, c, d))


def _shifts(step: float) -> list[tuple[float, float]]:
    return [(x, y) for y in (0.0, -step, step) for x in (0.0, -step, step)]
