"""Markers where a card should lie, though nothing there looks like one: under a hand, or burnt out white.

The grid says where a marker would be and which way up, and which are on the table already: so few are left
that a marker too faint or too much covered to be told anywhere else is plain.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from companion.game.cards import Cell, Kind
from vision.deckbook import Deck
from vision.decode import InSight, Patterns
from vision.grid import Grid, Layout, kind_in
from vision.plane import Plane, Reals, rotation
from vision.spots import Anatomy
from vision.squares import Floats, Grey

STRIDE_MM, STRIDES = 2.0, 4
"""How far apart a marker is looked for about its place, and how many such steps to every side."""
TURNS = (0.0, -0.07, 0.07)
"""How far askew it is looked for, in radians."""
LIKE, LEAD, CLEAR, GROWN = 0.72, 0.11, 0.12, 0.1
"""Likeness of a marker that is told by itself, by how much any other that may lie there is less alike, by how
much any at all is, and size.

Half a marker is like another one: with the cards of both games, of the cards of 320 hard rendered pictures,
half covered and whole, 867 looked most like another card's, with a likeness of 0.82, a lead of 0.21 or any
size, but of those with 0.68 and more none was clearer than 0.10. 10,850 were told rightly. 17,700 corners of
bare cells had 0.71 at the most, and 0.69 with a lead of 0.1.
"""
BOTH_LIKE, TOGETHER_MM = 0.54, 4.0
"""The same of either marker where both name one card and lie as on one: bare cells had 0.50 at the most."""
BORNE_OUT = 0.45, 0.03
"""Likeness and lead of a marker that is the likeliest of all, the right way up, where its card's should be,
whose face speaks for it: of 3,053 markers of cards in 120 hard rendered pictures 3,039 had both. Of 4,025
times that another was told there, or with the card taken upside down, 318 had, each with one of the deck's
180."""


@dataclass(frozen=True, eq=False)
class Placed:
    """A card that a marker tells in its cell."""

    cell: Cell
    face: str | None
    turned: bool
    centre: Reals
    """(2,) mm in the plane."""
    likeness: float


@dataclass(frozen=True)
class _Told:
    """A marker that is believed: its row among those found, and its face and whether that is turned."""

    row: int
    way: tuple[str | None, bool]


class InPlace:
    """Looks for the markers of one deck where its cards should lie."""

    def __init__(self, deck: Deck, anatomy: Anatomy, patterns: Patterns) -> None:
        self._anatomy, self._patterns = anatomy, patterns
        column = {int(one): index for index, one in enumerate(patterns.ids)}
        count = len(patterns.ids)
        faces: list[tuple[str | None, Kind, Sequence[int]]] = [
            (face.id, face.kind, face.markers or ()) for face in deck.faces.values()
        ]
        faces.append((None, Kind.GOAL, deck.goal_back_markers or ()))
        # Of a card upside down the second marker lies where the first was, turned by half a circle.
        self._ways: list[dict[int, tuple[str | None, bool, Kind]]] = [{}, {}]
        for name, kind, markers in faces:
            for corner, one in enumerate(markers):
                self._ways[corner][column[one]] = name, False, kind
                self._ways[1 - corner][column[one] + 2 * count] = name, True, kind
        steps = np.arange(-STRIDES, STRIDES + 1) * STRIDE_MM
        shifts = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 1, 2)
        middles = anatomy.squares.mean(1)[:, None]
        turned = [(anatomy.squares - middles) @ rotation(turn).T + middles for turn in TURNS]
        self._squares = np.concatenate([one[:, None] + shifts for one in turned], 1)
        """(corners, tries, 4, 2) in mm from a card's middle."""

    def read(
        self,
        grey: Grey,
        plane: Plane,
        layout: Layout,
        grid: Grid,
        cells: Sequence[Cell],
        told: Collection[str | None],
        only: Kind | None = None,
    ) -> list[Placed]:
        """The cards that markers tell in some cells; the faces `told` lie elsewhere.

        `only`: the kind that is looked for, where it is not known which cell is which.
        """
        middles = grid.middles(cells)
        # (corners, cells, tries, 4, 2) in mm on the board
        squares = self._squares[:, None] + middles[:, None, None]
        px = plane.to_px(layout.to_plane(squares))
        seen = np.isfinite(px) & (px >= 0) & (px < np.array(grey.shape[::-1]))
        within = np.asarray(seen.all((2, 3, 4)))
        rows = np.flatnonzero(within.any(0))
        cells, px, within = [cells[row] for row in rows.tolist()], px[:, rows], within[:, rows]
        if not cells:
            return []
        allowed = np.zeros((2, len(cells), len(self._patterns.patterns)), bool)
        for row, cell in enumerate(cells):
            for corner, ways in enumerate(self._ways):
                chosen = [
                    at
                    for at, (face, _, kind) in ways.items()
                    if face not in told and kind is (only or kind_in(cell))
                ]
                # Of a card that lies half over the picture's edge one marker may be in sight.
                allowed[corner, row, chosen] = within[corner, row]
        tries = np.nan_to_num(px).reshape(-1, self._squares.shape[1], 4, 2).astype(np.float32)
        found = self._patterns.decode_about(grey, tries, allowed.reshape(len(tries), -1))
        corners = np.repeat(self._anatomy.squares.mean(1), len(cells), 0)
        centres = layout.to_board(plane.to_mm(found.middles.astype(np.float64))) - corners
        heard = [self._told(found, centres, row, len(cells)) for row in range(len(cells))]
        placed = [
            Placed(cell, *one.way, layout.to_plane(centres[one.row]), float(found.likeness[one.row]))
            for cell, one in zip(cells, heard, strict=True)
            if one is not None
        ]
        # Every card exists once; the goals' back alone lies in several places.
        faces = [one.face for one in placed]
        return [one for one in placed if one.face is None or faces.count(one.face) == 1]

    def bears_out(self, grey: Grey, squares: Floats, face: str | None) -> bool:
        """Whether at either corner of what may be a card its own marker is the likeliest of all.

        `squares` (2, 4, 2): where its markers lie in px, as printed; up to a module off.
        """
        decoded = self._patterns.decode_astray(grey, squares)
        least, lead = BORNE_OUT
        for corner, square in enumerate(squares):
            owner = self._anatomy.owner.get(int(decoded.ids[corner]))
            away = np.linalg.norm(square - decoded.corners[corner][0], axis=1)
            told = decoded.likeness[corner] >= least and decoded.lead[corner] >= lead
            if owner == (face, corner) and told and int(away.argmin()) == 0:
                return True
        return False

    def _told(self, found: InSight, centres: Reals, row: int, count: int) -> _Told | None:
        """What the two corners of a cell say, which are so many rows apart; None when they tell nothing."""
        first, second = row, row + count
        ways = [self._ways[corner].get(int(found.patterns[at])) for corner, at in enumerate((first, second))]
        if ways[0] is not None and ways[0] == ways[1]:
            likeness = float(min(found.likeness[first], found.likeness[second]))
            apart = float(np.abs(centres[first] - centres[second]).max())
            if likeness >= BOTH_LIKE and apart <= TOGETHER_MM:
                return _Told(first, ways[0][:2])
        sure = [
            _Told(at, way[:2])
            for at, way in zip((first, second), ways, strict=True)
            if way is not None
            and found.likeness[at] >= LIKE
            and found.lead[at] >= LEAD
            and found.likeness[at] - found.rival[at] >= CLEAR
            and abs(found.grown[at] - 1) <= GROWN
        ]
        # Two that name different cards are no word at all.
        return sure[0] if len(sure) == 1 or (sure and sure[0].way == sure[1].way) else None
