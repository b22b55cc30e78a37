"""Which card lies in a cell, or none that can be told: markers and art bear witness, and check each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.faces import COMMON, SCALE, Faces, Likeness, patch_of
from vision.plane import Plane, Reals
from vision.squares import Floats, Grey

FAR = (4.0, 2.5)
"""Blurs in px of the steps that bring a pose from 3 mm and 3 degrees off to about 1 mm."""
NEAR = (2.5, 1.0)
"""Blurs in px of the steps that bring it from there to a third of a mm."""
TRIED = 2
"""Ways tried out to the end for a place that no marker told of."""
PROMISING = 0.6
"""Likeness in all from which on that pays: places later told surely had 0.75 and more, others mostly 0.5."""


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


def sure_with_marker(one: Witness) -> bool:
    """Whether the picture bears out what one marker said."""
    return one.art >= 0.22 and one.total >= 0.65 and one.lead >= 0.03


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

    def corners(self, plane: Plane, pose: Pose) -> Reals:
        """The card's corners (4, 2) in px, the one that lies top-left on the board first."""
        c, s = np.cos(pose.angle), np.sin(pose.angle)
        return plane.to_px(self._outline @ np.array([(c, s), (-s, c)]) + pose.centre)

    def hear(self, grey: Grey, plane: Plane, poses: Sequence[Pose], ways: Sequence[int]) -> list[Witness]:
        """What pictures at known poses say about the ways that lie there."""
        if not poses:
            return []
        like = self._compare(grey, plane, poses)
        return [
            self._witness(like, row, way, pose)
            for row, (way, pose) in enumerate(zip(ways, poses, strict=True))
        ]

    def guess(self, grey: Grey, plane: Plane, pose: Pose) -> Witness | None:
        """The likeliest way at a place of which nothing but a card-like look is known; None when none is."""
        pose = self.settle(grey, plane, pose, COMMON, FAR)
        like = self._compare(grey, plane, [pose])
        total = _total(like)[0]
        if total.max() < PROMISING:
            return None
        ways = [int(way) for way in np.argsort(-total)[:TRIED]]
        poses = [self.settle(grey, plane, pose, way, NEAR) for way in ways]
        return max(self.hear(grey, plane, poses, ways), key=lambda one: one.total)

    def settle(self, grey: Grey, plane: Plane, pose: Pose, way: int, blurs: Sequence[float]) -> Pose:
        """A pose known roughly, moved to where the picture fits one way's art best: a step for every blur."""
        for blur in blurs:
            right, down, turn = self._faces.shift(self._patch(grey, plane, pose), way, blur)
            if not (abs(right) < 6 and abs(down) < 6 and abs(turn) < 0.15):
                return pose
            c, s = np.cos(pose.angle), np.sin(pose.angle)
            move = np.array([c * right - s * down, s * right + c * down]) / SCALE
            pose = Pose(pose.centre + move, pose.angle + turn)
        return pose

    def _patch(self, grey: Grey, plane: Plane, pose: Pose) -> Grey:
        return patch_of(grey, self.corners(plane, pose).astype(np.float32), self._faces.size)

    def _compare(self, grey: Grey, plane: Plane, poses: Sequence[Pose]) -> Likeness:
        return self._faces.compare(np.array([self._patch(grey, plane, pose) for pose in poses]))

    def _witness(self, like: Likeness, row: int, way: int, pose: Pose) -> Witness:
        other = ~self._faces.same[way]
        art, total = like.art[row], _total(like)[row]
        return Witness(
            way,
            pose,
            float(art[way]),
            float(art[way] - art[other].max()),
            float(total[way]),
            float(total[way] - total[other].max()),
            float(total[way] - total[~self._faces.same_kind[way]].max()),
            (float(like.first[row, way]), float(like.second[row, way])),
        )


def _total(like: Likeness) -> Floats:
    return np.asarray(like.art + 0.5 * (like.first + like.second), np.float32)
