"""What is known of one picture, growing: markers, the plane they lie in, the cards they make."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import GOAL_CELLS, Cell
from vision.eyes import Eyes
from vision.first import LEAD, SAME_PLACE_PX, first_marks, with_faint
from vision.grid import GOAL_COLUMN, Grid, Layout, board_angle, off_angle
from vision.noted import Known, Look
from vision.plane import Plane, Reals, fit_plane
from vision.reading import CardRead
from vision.search import View
from vision.spots import Marks, Spot, find_spots, replaced
from vision.squares import Grey, smaller
from vision.verdict import Pose, sure_by_art

WIDE = 1400
"""Longest side in px above which a picture is halved to look for squares and cards in it."""
SEEN_LIKE, SEEN_LEAD = 0.55, 0.09
"""A marker read where the grid says that one should be."""
ASTRAY = 0.6, 0.1
"""The same of one that is looked for about there, too, for that is tried in more places: at 9,698 corners of
bare cells 23 had as much, as many as have the other in its one place."""
FITS_PX = 3.0
"""Residual in the common plane above which a marker is none, or lies in a hand."""
ASKEW_RAD = 0.30
"""A card further off the board's direction lies in somebody's hand, or beside the maze."""
GLIMPSE, GUESS = 0.20, 0.27
"""Likeness to a card from which on a place's markers are looked at, and its art when they cannot be read."""
THOROUGH = 0.18
"""The same for both in a thorough search (1002 cards in 50 rendered pictures had 0.20 and more)."""
BARE = 0.16
"""Likeness in a usual look below which no thorough one follows (cards that it missed had 0.164 and more)."""
POOR = 0.2
"""Share of cards without both markers read from which on a picture is poor."""
LIKELY = 0.45
"""Likeness from which on a place holds a card, even if it cannot be told which (bare table: below 0.32)."""
COVERED = 0.3
"""Likeness from which on a place may hold a card that is mostly covered.

In 82 rendered pictures 7 of 37 cards that nobody could read had that much, and 3 of 3893 empty cells.
"""
WITHIN_MM = np.array([(x, y) for x in (-16.0, 0.0, 16.0) for y in (-24.0, 0.0, 24.0)])
"""Where in a card its brightness is looked at."""
SAME_CARD_MM = 28.0
SINGLE_MM, USUAL_MM, THOROUGH_MM = 0.0, 16.0, 20.0
"""How far about a place cards are looked for: not at all where one is known, usually, thoroughly."""
FURTHEST, ASIDE = GOAL_COLUMN + 2, 2 * GOAL_CELLS[-1][1]
"""Columns and rows beyond the known cards where start card and goals may lie: from the other goals' row on,
or from beyond the goals, where the maze seldom grows more than two cards."""
RING = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


class Survey:
    """One picture. `plane` is None when nothing tells where the table is."""

    def __init__(self, eyes: Eyes, grey: Grey) -> None:
        self.eyes = eyes
        self.grey = grey
        self.size = grey.shape[1], grey.shape[0]
        # Cards by what they have in common are looked for in as few pixels as tell them.
        halved = smaller(grey, 0.5) if max(self.size) > WIDE else None
        self.soft = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0.8), np.uint8) if halved is None else halved
        self.softer = smaller(self.soft, 0.5)
        self.shrunk = self.soft.shape[1] / self.size[0]
        self.looks: list[Look] = []
        self.by_art: list[Spot] = []
        self.plane: Plane | None = None
        self.spots: list[Spot] = []
        self.angle = 0.0
        self.first, self._first_tags = first_marks(eyes, grey, halved)
        self.marks, self.tags = self.first, self._first_tags
        self._fit_first()

    @cached_property
    def faint(self) -> tuple[Marks, Marks]:
        """The markers first read with those without an outline, and with fainter ones; slow, so they wait."""
        return with_faint(self.eyes, self.grey, self.first)

    def _fit_first(self) -> None:
        fitted = fit_plane(self.size, self.eyes.anatomy.things(self.marks, self.tags, self.by_art))
        if fitted is None:
            return
        self.plane, residual = fitted
        marks, tags, by_art = np.split(residual < FITS_PX, np.cumsum((len(self.marks), len(self.tags))))
        self.marks, self.tags = self.marks.only(marks), self.tags.only(tags)
        self.by_art = [spot for spot, fits in zip(self.by_art, by_art, strict=True) if fits]
        self._gather(self.plane)
        self.refit()

    def restart(self, marks: Marks, seen: Sequence[Spot] = ()) -> None:
        """Forgets what was found, and begins with some markers, cards `seen` by their art, and the tags."""
        self.plane, self.spots, self.looks, self.angle = None, [], [], 0.0
        self.marks, self.tags, self.by_art = marks, self._first_tags, [*seen]
        self._fit_first()

    def known(self) -> Known:
        """What is known of the table by now, to go back to."""
        return Known(self.plane, self.marks, self.tags, tuple(self.spots), tuple(self.by_art), self.angle)

    def back_to(self, known: Known) -> None:
        """Forgets what was found since, but for where it was looked for."""
        self.plane, self.marks, self.tags, self.angle = known.plane, known.marks, known.tags, known.angle
        self.spots, self.by_art = [*known.spots], [*known.by_art]

    def begin(self, plane: Plane | None, cards: Sequence[CardRead] = ()) -> None:
        """Another plane to go by, and nothing known in it yet but some cards and the markers first read."""
        self.plane, self.marks, self.by_art, self.looks = plane, self.first, [], []
        self.tags = self._first_tags
        if plane is None:
            return
        self.by_art += [Spot.seen(card.face, np.array(card.corners)) for card in cards]
        self._gather(plane)

    def refit(self) -> None:
        """The plane once more, with every card as one rigid thing."""
        if self.plane is None or not self.spots:
            return
        fitted = fit_plane(self.size, self.eyes.anatomy.whole(self.marks, self.spots, self.tags), self.plane)
        if fitted is not None:
            self.plane = fitted[0]
            self._drop(fitted[1])
        self._gather(self.plane)

    def _drop(self, residual: Reals) -> None:
        """Forgets markers read faintly that fit into no common plane."""
        gone = [
            row
            for spot, off in zip(self.spots, residual, strict=False)
            if off > FITS_PX and not spot.both
            for row in spot.marks
            if row is not None and self.marks.lead[row] < LEAD
        ]
        if gone:
            self.marks = self.marks.only(~np.isin(np.arange(len(self.marks)), gone))

    @property
    def poor(self) -> bool:
        """Whether the picture is so bad, or so much is covered, that it pays to look everywhere and twice."""
        return sum(not spot.both for spot in self.spots) > POOR * len(self.spots)

    def _gather(self, plane: Plane) -> None:
        spots = find_spots(plane, self.eyes.anatomy, self.marks)
        by_art = replaced(plane, self.eyes.anatomy, self.by_art)
        if spots or by_art:
            everything = spots + by_art
            weights = [2.0 if spot.both else 1.0 for spot in everything]
            self.angle = board_angle([spot.angle for spot in everything], weights)
        spots = [spot for spot in spots if abs(off_angle(spot.angle, self.angle)) < ASKEW_RAD]
        spots.sort(key=lambda spot: (not spot.both, -spot.likeness - spot.lead))
        spots += by_art
        # Where two claim one place, the better read stays: cards do not lie on one another.
        places = np.array([spot.centre for spot in spots]).reshape(-1, 2)
        near = np.abs(places[:, None] - places).max(2) < SAME_CARD_MM
        if np.count_nonzero(near) > len(spots):
            kept: list[int] = []
            for row in range(len(spots)):
                if not near[row, kept].any():
                    kept.append(row)
            spots = [spots[row] for row in kept]
        self.spots = spots

    def look(self, layout: Layout, places: Reals, backs: Sequence[bool], margin: float = USUAL_MM) -> bool:
        """Looks for cards about places (n, 2) in mm on the board; True when one was found that was not known.

        `backs`: whether a goal's back may lie there. `margin`: how far round a place is searched, in mm.
        """
        if self.plane is None or not len(places):
            return False
        at = self.plane.to_px(layout.to_plane(places))
        thorough = margin > USUAL_MM
        open_ = np.isfinite(at).all(1) & ~self._seen(at, margin)
        if thorough:
            open_ &= ~self._bare(at)
        asked = np.flatnonzero(open_).tolist()
        view = View(self.soft, self.shrunk, self.softer, self.plane, layout)
        glimpses = self.eyes.searcher.glimpses(
            view, places[asked], [backs[row] for row in asked], margin, thorough
        )
        least = THOROUGH if thorough else GLIMPSE
        fresh: list[Look] = []
        places_px = self.plane.to_px(
            np.array([one.centre for found in glimpses for one in found]).reshape(-1, 2)
        )
        for row, found in zip(asked, glimpses, strict=True):
            px = places_px[: len(found)]
            places_px = places_px[len(found) :]
            # A place behind the camera is nowhere; the cell's own middle is in sight.
            px = np.where(np.isfinite(px), px, at[row])
            looks = [
                Look(at[row], margin, place, one.angle, one.likeness)
                for one, place in zip(found, px, strict=True)
            ]
            self.looks.append(looks[0])
            fresh += [look for look in looks if look.likeness >= least]
            if least <= looks[0].likeness < LIKELY:
                # A shadow's edge may have led astray: the grid's own word counts as well.
                fresh.append(Look(at[row], margin, at[row], layout.angle, looks[0].likeness))
        return self._read_at(fresh, True)

    def _seen(self, at: Reals, margin: float) -> NDArray[np.bool_]:
        """Which of some places (n, 2) in px have been looked at, so far round or farther."""
        if not self.looks:
            return np.zeros(len(at), bool)
        enough = np.array([look.margin >= margin for look in self.looks])
        return np.asarray((self._near_looks(at) & enough).any(1), np.bool_)

    def _bare(self, at: Reals) -> NDArray[np.bool_]:
        """Which of some places (n, 2) in px a usual look has shown to be nothing like a card."""
        if not self.looks:
            return np.zeros(len(at), bool)
        likeness = np.array([look.likeness for look in self.looks])
        likeliest = np.where(self._near_looks(at), likeness, -1.0).max(1)
        return np.asarray((likeliest > -1) & (likeliest < BARE), np.bool_)

    def _near_looks(self, at: Reals) -> NDArray[np.bool_]:
        places = np.array([look.at for look in self.looks])
        return np.asarray(np.abs(at[:, None] - places).max(2) < SAME_PLACE_PX, np.bool_)

    def brightness(self, places: Reals) -> Reals:
        """Mean grey about some places (n, 2) in mm, as of cards there; NaN where they leave the picture."""
        assert self.plane is not None
        about = places.reshape(-1, 1, 2) + WITHIN_MM
        px = (self.plane.to_px(about) + 0.5) * self.shrunk / 2 - 0.5
        seen = (np.isfinite(px) & (px >= 0) & (px < self.softer.shape[::-1])).all((1, 2))
        x, y = np.moveaxis(np.where(seen[:, None, None], px, 0).astype(int), 2, 0)
        return np.where(seen, self.softer[y, x].mean(1), np.nan)

    def read_singles(self) -> bool:
        """Reads the other marker of cards with one known; True when one was found."""
        if self.plane is None:
            return False
        singles = [spot for spot in self.spots if not spot.both]
        if not singles:
            return False
        at = self.plane.to_px(np.array([spot.centre for spot in singles]))
        fresh = [
            Look(px, SINGLE_MM, px, spot.angle, 1.0)
            for spot, px, seen in zip(singles, at, self._seen(at, SINGLE_MM), strict=True)
            if not seen
        ]
        self.looks += fresh
        return self._read_at(fresh, False)

    def _read_at(self, looks: list[Look], guess: bool) -> bool:
        """Reads both markers of cards that may lie at some places, or their art; True when one is new."""
        if self.plane is None or not looks:
            return False
        places = self.plane.to_mm(np.array([look.found for look in looks]))
        squares = self.eyes.anatomy.lying(self.plane, places, np.array([look.angle for look in looks]))
        squares = squares[np.isfinite(squares).all((1, 2))]
        decoded = self.eyes.cards.decode(self.grey, squares)
        unread = (decoded.likeness < SEEN_LIKE) | (decoded.lead < SEEN_LEAD)
        astray = self.eyes.cards.decode_astray(self.grey, squares[unread])
        marks = Marks.among(decoded, SEEN_LIKE, SEEN_LEAD).joined(Marks.among(astray, *ASTRAY))
        found = self._take(marks)
        return (guess and self._guess(looks)) or found

    def _guess(self, looks: list[Look]) -> bool:
        """Reads cards by their art where a place looks like one and no marker could be read."""
        assert self.plane is not None
        places = self.plane.to_mm(np.array([look.found for look in looks]))
        known = np.array([spot.centre for spot in self.spots]).reshape(-1, 2)
        poses = [
            Pose(place, look.angle)
            for look, place in zip(looks, places, strict=True)
            if look.likeness >= (THOROUGH if look.margin > USUAL_MM else GUESS) and not _near(known, place)
        ]
        new: list[tuple[str | None, Pose]] = []
        promising = self.eyes.cursory.promising(self.soft, self.plane, poses, self.shrunk)
        told = self.eyes.judge.guess(self.grey, self.plane, list(promising.values()))
        for row, one in zip(promising, told, strict=True):
            if not sure_by_art(one) or _near(known, poses[row].centre):
                continue
            way = self.eyes.faces.ways[one.way]
            known = np.concatenate([known, one.pose.centre[None]])
            new.append((way.face, Pose(one.pose.centre, one.pose.angle + (np.pi if way.turned else 0))))
        if new:
            self.place(new)
        return bool(new)

    def place(self, cards: Sequence[tuple[str | None, Pose]]) -> None:
        """Takes over cards that something else told: each one's face, and its pose as printed."""
        assert self.plane is not None
        outlines = self.eyes.judge.corners(self.plane, [pose for _, pose in cards])
        self.by_art += [Spot.seen(face, outline) for (face, _), outline in zip(cards, outlines, strict=True)]
        self._gather(self.plane)

    def _take(self, marks: Marks) -> bool:
        if not len(marks) or self.plane is None:
            return False
        upright = {
            index
            for spot in find_spots(self.plane, self.eyes.anatomy, marks)
            if abs(off_angle(spot.angle, self.angle)) < ASKEW_RAD
            for index in spot.marks
            if index is not None
        }
        middles = self.marks.corners.mean(1)
        keep = np.zeros(len(marks), bool)
        for index in sorted(upright, key=lambda one: -marks.lead[one]):
            middle = marks.corners[index].mean(0)
            if not (np.abs(middles - middle).max(1) < SAME_PLACE_PX).any():
                keep[index] = True
                middles = np.concatenate([middles, middle[None]])
        if not keep.any():
            return False
        self.marks = self.marks.joined(marks.only(keep)).once(self.eyes.anatomy.often)
        self._gather(self.plane)
        return True

    def grow(self, rounds: int) -> None:
        """Looks for cards next to the known ones, again and again, wherever the board may begin."""
        for _ in range(rounds):
            if self.plane is None or not self.spots:
                return
            found = self.read_singles()
            layout, grid = self.rough_grid()
            known = set(grid.cells) | self._likely(layout, grid)
            around = {(c + x, r + y) for c, r in known for x, y in RING} - set(grid.cells)
            goals = {
                grid.cell_of(layout.to_board(spot.centre))[0]
                for spot in self.spots
                if self.eyes.is_goal(spot.face)
            }
            along = {(c, r + y) for c, r in goals for y in (-4, -2, 2, 4)} - set(grid.cells)
            cells = sorted(around | along)
            if not self.look(layout, grid.middles(cells), [cell in along for cell in cells]) and not found:
                return
            self.refit()

    def sweep(self) -> bool:
        """Looks for start card and goals wherever they may lie about known cards; True when any card is."""
        if self.plane is None or not self.spots:
            return False
        layout, grid = self.rough_grid()
        columns, rows = zip(*grid.cells, strict=True)
        cells = [
            (c, r)
            for c in range(min(columns) - FURTHEST, max(columns) + FURTHEST + 1)
            for r in range(min(rows) - ASIDE, max(rows) + ASIDE + 1)
        ]
        cells = sorted(set(cells) - set(grid.cells))
        if not self.look(layout, grid.middles(cells), [True] * len(cells)):
            return False
        self.refit()
        return True

    def _likely(self, layout: Layout, grid: Grid) -> set[Cell]:
        """Cells that look like holding a card, though it could not be told which."""
        assert self.plane is not None
        looks = [look for look in self.looks if LIKELY <= look.likeness < 1.0]
        return {grid.cell_of(layout.to_board(self.plane.to_mm(look.found)))[0] for look in looks}

    def rough_grid(self) -> tuple[Layout, Grid]:
        """A grid through the cards known so far, its cells counted from any one of them."""
        first = max(self.spots, key=lambda spot: (spot.both, spot.lead))
        layout = Layout(self.angle, first.centre, False)
        grid = Grid(self.eyes.deck.card_mm)
        grid.add((0, 0), np.zeros(2))
        others = [layout.to_board(spot.centre) for spot in self.spots if spot is not first]
        grid.spread(np.array(others).reshape(-1, 2), lambda _, cell: True)
        return layout, grid


def _near(known: Reals, place: Reals) -> bool:
    return bool((np.abs(known - place).max(1) < SAME_CARD_MM).any())
