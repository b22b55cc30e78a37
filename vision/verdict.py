"""Which card lies in a cell, or none that can be told: markers and art bear witness, and check each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.faces import COMMON, Faces, Likeness, patch_of
from vision.plane import Plane, Reals
from vision.squares import Floats, Grey

FAR = (4.0, 2.5)
"""Blurs in mm of the steps that bring a pose from 3 mm and 3 degrees off to about 1 mm."""
NEAR = (2.5, 1.0)
"""Blurs in mm of the steps that bring it from there to a third of a mm."""
FARTHEST_MM, FARTHEST_RAD = 6.0, 0.15
"""A step farther than this has lost its way."""
PLAIN_MARKER = 0.14
"""Lead that no false marker had in 675 squares that were none."""
PLAIN_LIKE = 0.85
"""Likeness of a marker of which nothing is covered and little burnt."""
AGREEING_MARKER = 0.12
"""Lead that is enough where the art by itself is likest to the very card that the marker names."""
TRIED = 2
"""Ways tried out to the end for a place that no marker told of."""
PROMISING = 0.75
"""Likeness in all, at half the scale, from which on that pays.

In 82 rendered pictures 43 of 45 places told surely had 0.83 and more; of 1000 that were not told one in
eleven had 0.75.
"""


@dataclass(frozen=True, eq=False)
class Pose:
    """A place that may hold a card: its middle (2,) in mm and its angle in radians, upright on the board."""

    centre: Reals
    angle: float


@dataclass(frozen=True, eq=False)
class Witness:
    """How like a place is to one way of one card, and to all others."""

    way: int
    pose: Pose
    art: float
    """Likeness of the art, without the markers, -1..1."""
    art_lead: float
    """How much less alike the art of any card is that means something else for play."""
    total: float
    """Art and both marker corners together, -2..2."""
    lead: float
    """How much less alike in all is any card that means something else for play."""
    kind_lead: float
    """How much less alike in all is any card of another kind (the start card looks much like a crossing)."""
    corners: tuple[float, float]
    """Likeness of the two marker corners."""


def sure_by_art(one: Witness) -> bool:
    """Whether a place without a readable marker surely holds this card.

    On 46 rendered pictures (14 of them easy) wrong guesses reached a total of 0.81 and a lead of 0.15.
    """
    plain = (one.total >= 0.9 and one.lead >= 0.18) or (one.total >= 0.75 and one.lead >= 0.23)
    return plain and one.art >= 0.3 and one.kind_lead >= 0.1


def nearly_by_art(one: Witness) -> bool:
    """Whether a card is likeliest at a place by its art, so that a word of its own marker is enough.

    The art alone may be wrong as far as that (see sure_by_art); that its own marker, of all, is likeliest
    where a wrong card's should be happens once in some thousand places (see in_place.BORNE_OUT).
    """
    return one.art >= 0.3 and one.total >= 0.65 and one.lead >= 0.05 and one.kind_lead >= 0.05


def sure_with_marker(one: Witness, marker_like: float, marker_lead: float) -> bool:
    """Whether the picture bears out what one marker said.

    Of faint art it is enough that it is plainly likest to the very card that the marker names, the less so
    the more plainly the marker was read. `marker_like`: likeness to it; `marker_lead`: by how much the next
    likely marker is less alike.
    """
    plain = one.art >= 0.22 and one.total >= 0.65 and one.lead >= 0.03
    faint = one.art >= 0.3 and one.total >= 0.5 and one.lead >= 0.1
    burnt = one.art >= 0.2 and one.total >= 0.45 and one.lead >= 0.08 and marker_lead >= PLAIN_MARKER
    # Marker and art name the same card, each by itself: the corners from afar need not say it once more.
    agreed = one.art >= 0.5 and one.art_lead >= 0.06 and one.total >= 0.65 and marker_lead >= AGREEING_MARKER
    # Glare takes the art away and leaves a marker that could not be read more plainly, where it should lie.
    bare = (
        marker_like >= PLAIN_LIKE
        and marker_lead >= PLAIN_MARKER
        and one.art >= 0.15
        and one.art_lead >= -0.05
        and max(one.corners) >= 0.5
    )
    return plain or faint or burnt or agreed or bare


def sure_with_markers(one: Witness) -> bool:
    """Whether the picture does not speak against what both markers said.

    It does when another card's art lies there plainly. Art that is like none (another printing, glare, a
    thumb) says nothing against two markers a hand's width apart that agree.
    """
    return one.art_lead >= -0.1 or one.art - one.art_lead < 0.45


class Judge:
    """Compares places with all cards of a deck."""

    def __init__(self, faces: Faces, outline: Reals) -> None:
        """`outline` (4, 2): a card's corners in mm from its middle."""
        self._faces = faces
        self._outline = outline

    def corners(self, plane: Plane, poses: Sequence[Pose]) -> Reals:
        """Each card's corners (n, 4, 2) in px, the one that lies top-left on the board first."""
        angles = np.array([pose.angle for pose in poses], np.float64)
        c, s = np.cos(angles), np.sin(angles)
        turned = self._outline @ np.array([(c, s), (-s, c)]).transpose(2, 0, 1)
        return plane.to_px(turned + np.array([pose.centre for pose in poses]).reshape(-1, 1, 2))

    def hear(
        self,
        grey: Grey,
        plane: Plane,
        poses: Sequence[Pose],
        ways: Sequence[int],
        shrunk: float = 1.0,
    ) -> list[Witness]:
        """What pictures at known poses say about the ways that lie there.

        `shrunk` (0..1]: how much smaller `grey` is than the picture that the plane was fitted to.
        """
        if not poses:
            return []
        like = self._faces.compare(self._patches(grey, plane, poses, shrunk))
        rows, told = np.arange(len(poses)), np.array(ways)
        total = _total(like)
        same, same_kind = self._faces.same[told], self._faces.same_kind[told]
        columns = (
            like.art[rows, told],
            like.art[rows, told] - _highest(like.art, ~same),
            total[rows, told],
            total[rows, told] - _highest(total, ~same),
            total[rows, told] - _highest(total, ~same_kind),
            like.first[rows, told],
            like.second[rows, told],
        )
        return [
            Witness(way, pose, art, art_lead, in_all, lead, kind_lead, (first, second))
            for way, pose, (art, art_lead, in_all, lead, kind_lead, first, second) in zip(
                ways, poses, np.stack(columns, 1).tolist(), strict=True
            )
        ]

    def promising(self, grey: Grey, plane: Plane, poses: Sequence[Pose], shrunk: float) -> dict[int, Pose]:
        """Of places of which nothing but a card-like look is known, those whose art is like some card's.

        By row among `poses`; where each lies more exactly.
        """
        if not poses:
            return {}
        poses = self.settle(grey, plane, poses, [COMMON] * len(poses), FAR, shrunk)
        total = _total(self._faces.compare(self._patches(grey, plane, poses, shrunk)))
        return {row: poses[row] for row in np.flatnonzero(total.max(1) >= PROMISING).tolist()}

    def guess(self, grey: Grey, plane: Plane, poses: Sequence[Pose]) -> list[Witness]:
        """The likeliest way at each place that may hold a card."""
        if not poses:
            return []
        poses = self.settle(grey, plane, poses, [COMMON] * len(poses), NEAR[:1])
        total = _total(self._faces.compare(self._patches(grey, plane, poses)))
        ways = np.argsort(-total, axis=1)[:, :TRIED].ravel().tolist()
        settled = self.settle(grey, plane, [pose for pose in poses for _ in range(TRIED)], ways, NEAR)
        heard = self.hear(grey, plane, settled, ways)
        return [
            max(heard[row : row + TRIED], key=lambda one: one.total) for row in range(0, len(heard), TRIED)
        ]

    def settle(
        self,
        grey: Grey,
        plane: Plane,
        poses: Sequence[Pose],
        ways: Sequence[int],
        blurs: Sequence[float],
        shrunk: float = 1.0,
    ) -> list[Pose]:
        """Poses known roughly, moved to where the picture fits their ways' art best: a step a blur (mm)."""
        settled = list(poses)
        moving = list(range(len(poses)))
        for blur in blurs:
            if not moving:
                break
            patches = self._patches(grey, plane, [settled[row] for row in moving], shrunk)
            steps = self._faces.shifts(patches, [ways[row] for row in moving], blur)
            fine = (np.abs(steps[:, :2]) < FARTHEST_MM).all(1) & (np.abs(steps[:, 2]) < FARTHEST_RAD)
            # One that would run away is left where it is.
            moving = [row for row, well in zip(moving, fine.tolist(), strict=True) if well]
            for row, (right, down, turn) in zip(moving, steps[fine].tolist(), strict=True):
                pose = settled[row]
                c, s = np.cos(pose.angle), np.sin(pose.angle)
                move = np.array([c * right - s * down, s * right + c * down])
                settled[row] = Pose(pose.centre + move, pose.angle + turn)
        return settled

    def _patches(
        self, grey: Grey, plane: Plane, poses: Sequence[Pose], shrunk: float = 1.0
    ) -> NDArray[np.uint8]:
        corners = ((self.corners(plane, poses) + 0.5) * shrunk - 0.5).astype(np.float32)
        return np.array([patch_of(grey, one, self._faces.size) for one in corners])


def _highest(likeness: Floats, among: NDArray[np.bool_]) -> Floats:
    return np.asarray(np.where(among, likeness, -np.inf).max(1), np.float32)


def _total(like: Likeness) -> Floats:
    return np.asarray(like.art + 0.5 * (like.first + like.second), np.float32)
