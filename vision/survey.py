"""What is known of one picture, growing: markers, the plane they lie in, the cards they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import Cell
from vision.eyes import Eyes
from vision.grid import Grid, Layout, board_angle, off_angle
from vision.plane import Plane, Reals, fit_plane
from vision.reading import CardRead
from vision.search import View
from vision.spots import Marks, Spot, find_spots, replaced
from vision.squares import Floats, Grey, find_squares, sharpened, smaller
from vision.verdict import Pose, sure_by_art

WIDE = 1400
"""Width in px from which on squares are looked for in a picture of half the size,"""
HALVED_WINDOW, HALVED_CONTRAST = 9, 7
"""with this neighbourhood to judge dark by, and so much darker: half the noise is gone there.

With 5 instead a quarter more specks were labelled, and 506 markers read in 19 rendered pictures, not 501;
"""
SQUARES_SIDE = 1280
"""or of this size when that showed few; what they are is read at full size."""
LIKE, LEAD = 0.70, 0.14
"""A marker read on its own: false ones stayed below a lead of 0.14 in 675 squares that were none."""
FEW_MARKS = 4
"""Markers below which they are looked for again in a sharpened picture: start card and goals have eight."""
TAG_LIKE, TAG_LEAD = 0.85, 0.15
TAG_LEAST_PX = 16
SEEN_LIKE, SEEN_LEAD = 0.55, 0.09
"""A marker read where the grid says that one should be."""
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
SAME_PLACE_PX = 5.0
SAME_CARD_MM = 28.0
SINGLE_MM, USUAL_MM, THOROUGH_MM = 0.0, 16.0, 20.0
"""How far about a place cards are looked for: not at all where one is known, usually, thoroughly."""
RING = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


@dataclass(eq=False)
class Look:
    """One place that was looked at more closely."""

    at: Reals
    """(2,) px of the place's middle."""
    margin: float
    """How far round it, in mm."""
    found: Reals
    """(2,) px of the most card-like place there."""
    angle: float
    """Of a card there, either way up, in radians."""
    likeness: float
    """To what all cards have in common, -1..1."""


class Survey:
    """One picture. `plane` is None when nothing tells where the table is."""

    def __init__(self, eyes: Eyes, grey: Grey) -> None:
        self.eyes = eyes
        self.grey = grey
        self.size = grey.shape[1], grey.shape[0]
        # Squares, and cards by what they have in common, are looked for in as few pixels as tell them.
        self._halved = max(self.size) > WIDE
        if self._halved:
            self.soft = smaller(grey, 0.5)
        else:
            self.soft = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0.8), np.uint8)
        self.softer = smaller(self.soft, 0.5)
        self.shrunk = self.soft.shape[1] / self.size[0]
        self.looks: list[Look] = []
        self.by_art: list[Spot] = []
        self.plane: Plane | None = None
        self.spots: list[Spot] = []
        self.angle = 0.0
        self.first, self.tags = self._first_marks()
        self.marks = self.first
        self._fit_first()

    def _first_marks(self) -> tuple[Marks, Marks]:
        if self._halved:
            cards, tags = self._decode(find_squares(self.soft, HALVED_WINDOW, contrast=HALVED_CONTRAST), 0.5)
            if len(cards) >= FEW_MARKS:
                return cards, tags
        shrink = min(1.0, SQUARES_SIDE / max(self.size))
        small = smaller(self.grey, shrink)
        squares = find_squares(small)
        cards, tags = self._decode(squares, shrink)
        if len(cards) < FEW_MARKS:
            squares = np.concatenate([squares, find_squares(sharpened(small))])
            cards, tags = self._decode(squares, shrink, outlined=False)
        return cards, tags

    def _decode(self, squares: Floats, shrink: float, outlined: bool = True) -> tuple[Marks, Marks]:
        squares = ((squares + 0.5) / shrink - 0.5).astype(np.float32)
        decoded = self.eyes.cards.decode(self.grey, squares, outlined)
        cards = Marks.among(decoded, LIKE, LEAD)
        sides = np.linalg.norm(squares - np.roll(squares, 1, 1), axis=2).max(1)
        unread = (decoded.likeness < LIKE) | (decoded.lead < LEAD)
        tags = self.eyes.tags.decode(self.grey, squares[unread & (sides > TAG_LEAST_PX)], outlined)
        cards = cards.apart(SAME_PLACE_PX).once(self.eyes.anatomy.often)
        return cards, Marks.among(tags, TAG_LIKE, TAG_LEAD).apart(SAME_PLACE_PX).once(())

    def _fit_first(self) -> None:
        fitted = fit_plane(self.size, self.eyes.anatomy.things(self.marks, self.tags))
        if fitted is None:
            return
        self.plane, residual = fitted
        count = len(self.marks)
        self.marks, self.tags = (
            self.marks.only(residual[:count] < FITS_PX),
            self.tags.only(residual[count:] < FITS_PX),
        )
        self._gather(self.plane)
        self.refit()

    def restart(self, marks: Marks) -> None:
        """Forgets what was found, and begins with some markers and the tags alone."""
        self.marks, self.plane, self.spots, self.looks, self.by_art = marks, None, [], [], []
        self._fit_first()

    def begin(self, plane: Plane | None, cards: Sequence[CardRead] = ()) -> None:
        """Another plane to go by, and nothing known in it yet but some cards and the markers first read."""
        self.plane, self.marks, self.by_art, self.looks = plane, self.first, [], []
        if plane is None:
            return
        self.by_art += [Spot.of(card, plane) for card in cards]
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
        if spots:
            self.angle = board_angle(
                [spot.angle for spot in spots], [2.0 if spot.both else 1.0 for spot in spots]
            )
        spots = [spot for spot in spots if abs(off_angle(spot.angle, self.angle)) < ASKEW_RAD]
        spots.sort(key=lambda spot: (not spot.both, -spot.likeness - spot.lead))
        spots += replaced(plane, self.eyes.anatomy, self.by_art)
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
        squares = self._squares(self.plane, looks).astype(np.float32)
        squares = squares[np.isfinite(squares).all((1, 2))]
        decoded = self.eyes.cards.decode(self.grey, squares)
        found = self._take(Marks.among(decoded, SEEN_LIKE, SEEN_LEAD))
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
        for (face, pose), outline in zip(cards, outlines, strict=True):
            self.by_art.append(Spot(face, pose.centre, pose.angle, (None, None), 0.0, 0.0, outline))
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

    def _squares(self, plane: Plane, looks: Sequence[Look]) -> Reals:
        """Where the markers of cards lying there would be, two a look (2n, 4, 2), in px."""
        angles = np.array([look.angle for look in looks])
        c, s = np.cos(angles), np.sin(angles)
        turn = np.array([(c, s), (-s, c)]).transpose(2, 0, 1)[:, None]
        places = plane.to_mm(np.array([look.found for look in looks]))
        squares = plane.to_px(self.eyes.anatomy.squares @ turn + places[:, None, None])
        return squares.reshape(-1, 4, 2)

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
