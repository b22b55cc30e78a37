"""Cards found by their markers or their art: which one, and where on the table's plane it lies."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.deckbook import Deck
from vision.decode import Decoded
from vision.markers import MARKER_INSET_MM, MARKER_MM, TAG_MM
from vision.plane import Plane, Reals, Rigid, poses
from vision.squares import Floats

FAINT = 0.25
"""How much a marker counts in the common plane that was not read plainly."""
PLAIN_LEAD = 0.12
BY_ART = 0.25
"""The same for a card read by its art: its corners are known to a px, a marker's to half of that and less."""
UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
TOGETHER_MM = 7.0
"""How far apart the places may be that a card's two markers give for it."""
TOGETHER_RAD = 0.17


@dataclass(frozen=True, eq=False)
class Marks:
    """Markers or tags of one picture that were read surely enough to build on."""

    ids: NDArray[np.int64]
    corners: Reals
    """(n, 4, 2) px."""
    likeness: NDArray[np.float32]
    lead: NDArray[np.float32]

    @staticmethod
    def among(decoded: Decoded, likeness: float, lead: float) -> Marks:
        """Those that are alike enough and unlike enough to any other marker."""
        keep = (decoded.ids >= 0) & (decoded.likeness >= likeness) & (decoded.lead >= lead)
        return Marks(
            decoded.ids[keep],
            decoded.corners[keep].astype(np.float64),
            decoded.likeness[keep],
            decoded.lead[keep],
        )

    def only(self, keep: NDArray[np.bool_]) -> Marks:
        """The chosen ones."""
        return Marks(self.ids[keep], self.corners[keep], self.likeness[keep], self.lead[keep])

    def apart(self, px: float) -> Marks:
        """Of those nearer to each other than so many px only the one read best."""
        middles = self.corners.mean(1)
        near = np.abs(middles[:, None] - middles).max(2) < px
        keep = np.ones(len(self), bool)
        if np.count_nonzero(near) > len(self):
            for index in np.argsort(-self.lead).tolist():
                if keep[index]:
                    keep &= ~near[index]
                    keep[index] = True
        return self.only(keep)

    def once(self, often: Collection[int]) -> Marks:
        """Of several with one id only the one read best; those of `often` may lie there more than once."""
        best: dict[int, int] = {}
        for row in np.argsort(-(self.likeness + self.lead)).tolist():
            best.setdefault(int(self.ids[row]), row)
        keep = np.isin(self.ids, list(often))
        keep[list(best.values())] = True
        return self.only(keep)

    def joined(self, other: Marks) -> Marks:
        """These and the others."""
        return Marks(
            np.concatenate([self.ids, other.ids]),
            np.concatenate([self.corners, other.corners]),
            np.concatenate([self.likeness, other.likeness]),
            np.concatenate([self.lead, other.lead]),
        )

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Spot:
    """One card somewhere on the table: `face` None for a goal's back."""

    face: str | None
    centre: Reals
    """(2,) mm in the plane."""
    angle: float
    """Of the card's own x axis in the plane, in radians."""
    marks: tuple[int | None, int | None]
    """Rows of its top-left and bottom-right marker among the Marks it was made from."""
    likeness: float
    lead: float
    outline: Reals | None = None
    """(4, 2) px, the card's corners as printed, when its art alone was read."""

    @staticmethod
    def seen(face: str | None, corners: Reals) -> Spot:
        """A card told by its art, its corners (4, 2) in px as printed: `replaced` says where in a plane."""
        return Spot(face, np.zeros(2), 0.0, (None, None), 0.0, 0.0, corners)

    @property
    def both(self) -> bool:
        """Whether both markers were read."""
        return None not in self.marks


class Anatomy:
    """Where a deck's markers sit on its cards, in mm from the card's centre."""

    def __init__(self, deck: Deck) -> None:
        width, height = deck.card_mm
        first = UNIT * MARKER_MM + MARKER_INSET_MM
        centre = np.array([width / 2, height / 2])
        self.squares = np.array([first - centre, centre - first[[2, 3, 0, 1]]])
        """(2, 4, 2): corners of the top-left and the bottom-right marker's black square."""
        self.outline = (UNIT - 0.5) * (width, height)
        """(4, 2): the card's corners."""
        self.owner: dict[int, tuple[str | None, int]] = {}
        for face in deck.faces.values():
            for corner, one in enumerate(face.markers or ()):
                self.owner[one] = (face.id, corner)
        for corner, one in enumerate(deck.goal_back_markers or ()):
            self.owner[one] = (None, corner)
        self.ids = sorted(self.owner)
        self.often = deck.goal_back_markers or ()
        """Ids that more than one card bears."""

    def lying(self, plane: Plane, centres: Reals, angles: Reals) -> Floats:
        """Where the markers of cards lie (2 n, 4, 2) in px, two a card, by middles (n, 2) and angles (n,)."""
        c, s = np.cos(angles), np.sin(angles)
        turn = np.array([(c, s), (-s, c)]).transpose(2, 0, 1)[:, None]
        squares = plane.to_px(self.squares @ turn + centres[:, None, None])
        return squares.reshape(-1, 4, 2).astype(np.float32)

    def things(self, marks: Marks, tags: Marks, by_art: Sequence[Spot] = ()) -> Rigid:
        """Every marker and tag, and every card told by its art, as a thing of known size.

        A marker's frame is its card's.
        """
        known = [self.squares[self.owner[int(one)][1]] for one in marks.ids] + [UNIT * TAG_MM] * len(tags)
        known += [self.outline] * len(by_art)
        outlines = np.array([spot.outline for spot in by_art]).reshape(-1, 4, 2)
        found = np.concatenate([marks.corners, tags.corners, outlines])
        weight = np.ones(found.shape[:2])
        weight[len(found) - len(by_art) :] = BY_ART
        return Rigid(found, np.array(known).reshape(-1, 4, 2), weight)

    def whole(self, marks: Marks, spots: list[Spot], tags: Marks) -> Rigid:
        """Every card as one thing, with the corners of those of its markers that were read; and the tags."""
        rows = len(spots) + len(tags)
        found, known, weight = np.zeros((rows, 8, 2)), np.zeros((rows, 8, 2)), np.zeros((rows, 8))
        for row, spot in enumerate(spots):
            at = 0
            for corner, index in enumerate(spot.marks):
                if index is not None:
                    found[row, at : at + 4] = marks.corners[index]
                    known[row, at : at + 4] = self.squares[corner]
                    weight[row, at : at + 4] = 1 if marks.lead[index] >= PLAIN_LEAD else FAINT
                    at += 4
            if spot.outline is not None:
                found[row, :4], known[row, :4], weight[row, :4] = spot.outline, self.outline, BY_ART
                at = 4
            if at == 4:
                found[row, 4:] = found[row, :4]
        for row, corners in enumerate(tags.corners, len(spots)):
            found[row, :4], known[row, :4], weight[row, :4] = corners, UNIT * TAG_MM, 1
            found[row, 4:] = corners
        return Rigid(found, known, weight)


def find_spots(plane: Plane, anatomy: Anatomy, marks: Marks) -> list[Spot]:
    """The cards that the markers tell of; two markers make one card where they lie as on one card."""
    if not len(marks):
        return []
    none = marks.only(np.zeros(len(marks), bool))
    places, angles = poses(plane, anatomy.things(marks, none))
    by_face: dict[str | None, tuple[list[int], list[int]]] = {}
    for index, one in enumerate(marks.ids.tolist()):
        face, corner = anatomy.owner[one]
        by_face.setdefault(face, ([], []))[corner].append(index)
    rows: list[tuple[str | None, int | None, int | None]] = []
    for face, (firsts, seconds) in by_face.items():
        used: set[int] = set()
        for first, second in _pairs(places, angles, firsts, seconds):
            if not {first, second} & used:
                used |= {first, second}
                rows.append((face, first, second))
        rows += [(face, one, None) for one in firsts if one not in used]
        rows += [(face, None, one) for one in seconds if one not in used]
    joined = np.array([(a, b) for _, a, b in rows if a is not None and b is not None], int).reshape(-1, 2)
    middles, directions = _joined(anatomy, places, angles, joined)
    both = iter(zip(middles, directions.tolist(), strict=True))
    spots = []
    for face, a, b in rows:
        if a is not None and b is not None:
            centre, angle = next(both)
            likeness = min(float(marks.likeness[a]), float(marks.likeness[b]))
            lead = min(float(marks.lead[a]), float(marks.lead[b]))
        else:
            (single,) = (row for row in (a, b) if row is not None)
            centre, angle = places[single], float(angles[single])
            likeness, lead = float(marks.likeness[single]), float(marks.lead[single])
        spots.append(Spot(face, centre, angle, (a, b), likeness, lead))
    return spots


def _pairs(places: Reals, angles: Reals, firsts: list[int], seconds: list[int]) -> list[tuple[int, int]]:
    """Markers that lie as on one card, the best fit first."""
    found = []
    for a in firsts:
        for b in seconds:
            x, y = (places[a] - places[b]).tolist()
            gap = math.hypot(x, y)
            if gap < TOGETHER_MM and abs(_around(float(angles[a] - angles[b]))) < TOGETHER_RAD:
                found.append((gap, a, b))
    return [(a, b) for _, a, b in sorted(found)]


def replaced(plane: Plane, anatomy: Anatomy, spots: list[Spot]) -> list[Spot]:
    """Cards read by their art, where they lie in another plane."""
    if not spots:
        return []
    found = np.array([spot.outline for spot in spots])
    known = np.repeat(anatomy.outline[None], len(spots), 0)
    places, angles = poses(plane, Rigid(found, known, np.ones(found.shape[:2])))
    return [
        replace(spot, centre=place, angle=float(angle))
        for spot, place, angle in zip(spots, places, angles, strict=True)
    ]


def _joined(anatomy: Anatomy, places: Reals, angles: Reals, pairs: NDArray[np.int64]) -> tuple[Reals, Reals]:
    """Middles (n, 2) and angles (n,) of cards by rows of their first and second markers (n, 2)."""
    # The line between the two markers tells the angle far better than either's own sides do.
    middles = anatomy.squares.mean(1)
    spread = middles[1] - middles[0]
    c, s = np.cos(angles[pairs])[..., None], np.sin(angles[pairs])[..., None]
    across, down = middles[:, :1], middles[:, 1:]
    turned = places[pairs] + np.concatenate([c * across - s * down, s * across + c * down], -1)
    line = turned[:, 1] - turned[:, 0]
    return turned.mean(1), np.arctan2(line[:, 1], line[:, 0]) - np.arctan2(spread[1], spread[0])


def _around(angle: float) -> float:
    return float((angle + np.pi) % (2 * np.pi) - np.pi)
