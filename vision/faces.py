"""What each card of a deck looks like from above: the art's say in which card lies somewhere."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import Kind
from vision.alike import alike
from vision.deckbook import Deck, Picture
from vision.markers import MARKER_INSET_MM, MARKER_MM
from vision.squares import Floats, Grey

Patches = NDArray[np.uint8]

SCALE = 1.0
"""px per mm of the patches compared: what a whole table leaves a card at 1280 x 720."""
NEAR_MM = 7.0
"""Neighbourhood whose mean and contrast are taken out, so that shade and glare count for nothing."""
FLOOR = 6.0
"""Contrast in grey levels below which a neighbourhood is plain, not texture."""
SOFT = 0.8
"""Blur of the known pictures in px, as a camera sees them."""
COMMON = -1
"""Stands for what all faces share, where a way is asked for."""
BORDER_MM = 2.5
"""Edge of the card that is not compared: neighbours overlap it, and corners are rounded."""


@dataclass(frozen=True)
class Way:
    """One card one way up: `face` is None for the goals' back."""

    face: str | None
    turned: bool
    meaning: tuple[frozenset[int], str | None]
    """What it means for play: its tunnels as they lie and what is drawn with them; None for a back."""
    kind: Kind


@dataclass(frozen=True, eq=False)
class Likeness:
    """How like n patches are to every way of every card (n, ways), each -1..1."""

    art: Floats
    """All but the two marker corners."""
    first: Floats
    """The marker corner lying top-left."""
    second: Floats
    """The marker corner lying bottom-right."""


class Faces:
    """The pictures of a deck's faces and goal back, both ways up, ready to be compared."""

    def __init__(self, deck: Deck, scale: float = SCALE) -> None:
        """`scale`: px per mm of the patches compared."""
        self.card_mm = deck.card_mm
        self._scale = scale
        self.size = round(deck.card_mm[0] * scale), round(deck.card_mm[1] * scale)
        self.ways: list[Way] = []
        rows: list[Floats] = []
        for face in deck.faces.values():
            for turned in (False, True):
                tunnels = frozenset(_turn(group) if turned else group for group in face.tunnels)
                self.ways.append(Way(face.id, turned, (tunnels, _marks(face.id)), face.kind))
                rows.append(self._known(face.picture, turned))
        for turned in (False, True):
            self.ways.append(Way(None, turned, (frozenset(), None), Kind.GOAL))
            rows.append(self._known(deck.goal_back, turned))
        patterns = np.array(rows)
        self.way_of = {(way.face, way.turned): index for index, way in enumerate(self.ways)}
        self.patterns = patterns
        self._parts = self._masks()
        self._inside = np.concatenate(self._parts)
        self._known_parts = [_unit(patterns.reshape(len(rows), -1)[:, part]) for part in self._parts]
        self.common = patterns[:-2].mean(0).astype(np.float32)
        """What all faces share both ways up: two marker corners and rock between ways. For finding cards."""
        self.back = patterns[-2].astype(np.float32)
        self._solvers: dict[tuple[int, float], tuple[Floats, Floats]] = {}
        meanings = [way.meaning for way in self.ways]
        self.same = np.array([[one == other for other in meanings] for one in meanings])
        """(ways, ways): whether two ways mean the same for play."""
        kinds = [way.kind for way in self.ways]
        self.same_kind = np.array([[one == other for other in kinds] for one in kinds])
        """(ways, ways): whether both are path cards, or both start cards, or both goals."""

    def untaken(self, way: int, taken: Collection[str]) -> int:
        """A way told by its art alone; or, if its face is taken, one of its kind that means the same for
        play.

        The same one where there is none.
        """
        same = np.flatnonzero(self.same[way] & self.same_kind[way]).tolist()
        # The same way up first: of a straight tunnel both mean the same.
        same.sort(key=lambda one: (one != way, self.ways[one].turned is not self.ways[way].turned))
        return next((one for one in same if self.ways[one].face not in taken), way)

    def compare(self, patches: Patches) -> Likeness:
        """Patches (n, height, width) in grey, each of one card's place, upright in the board's frame."""
        flat = even_all(patches, NEAR_MM * self._scale).reshape(len(patches), -1)
        art, first, second = (
            alike(_unit(flat[:, part]), known)
            for part, known in zip(self._parts, self._known_parts, strict=True)
        )
        return Likeness(art, first, second)

    def shifts(self, patches: Patches, ways: Sequence[int], blur: float) -> Floats:
        """By how much each patch has to move to lie as its way does: mm right, mm down, radians.

        (n, 3). One step of inverse compositional alignment. `blur` in mm: the more, the farther it sees, the
        less exactly.
        """
        sigma = blur * self._scale
        soft = np.empty((len(patches), len(self._inside)), np.float32)
        for row, patch in enumerate(even_all(patches, NEAR_MM * self._scale)):
            soft[row] = cv2.GaussianBlur(patch, (0, 0), sigma).ravel()[self._inside]
        soft = _unit(soft)
        steps = np.empty((len(patches), 3), np.float32)
        for row, way in enumerate(ways):
            solver, pattern = self._solver(way, blur)
            # Of this length `@` would wake threads: see alike.
            steps[row] = np.einsum("ij,j->i", solver, pattern - soft[row])
        steps[:, :2] /= self._scale
        return steps

    def prepare(self, blurs: Sequence[float]) -> None:
        """Makes what `shifts` needs for every card now, not when one is first seen (100 kB each at SCALE)."""
        for blur in blurs:
            for way in range(len(self.ways)):
                self._solver(way, blur)

    def _solver(self, way: int, blur: float) -> tuple[Floats, Floats]:
        if (way, blur) not in self._solvers:
            known = self.common if way == COMMON else self.patterns[way]
            self._solvers[way, blur] = self._solved(known, blur * self._scale)
        return self._solvers[way, blur]

    def _solved(self, known: Floats, blur: float) -> tuple[Floats, Floats]:
        known = np.asarray(cv2.GaussianBlur(known, (0, 0), blur), np.float32)
        down, across = np.gradient(known)
        height, width = known.shape
        x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
        slopes = np.stack([across, down, down * x - across * y], -1).reshape(-1, 3)[self._inside]
        flat = known.ravel()[self._inside]
        slopes = (slopes - slopes.mean(0)) / (np.linalg.norm(flat - flat.mean()) + 1e-6)
        solver = np.linalg.solve(slopes.T @ slopes, slopes.T)
        return np.asarray(solver, np.float32), _unit(flat[None])[0]

    def _known(self, picture: Picture, turned: bool) -> Floats:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        if turned:
            grey = cv2.rotate(grey, cv2.ROTATE_180)
        small = cv2.resize(grey, self.size, interpolation=cv2.INTER_AREA)
        return even(np.asarray(cv2.GaussianBlur(small, (0, 0), SOFT), np.uint8), NEAR_MM * self._scale)

    def _masks(self) -> list[NDArray[np.int64]]:
        """Flat indices of the art, the top-left corner and the bottom-right corner."""
        width, height = self.size
        x, y = np.meshgrid((np.arange(width) + 0.5) / self._scale, (np.arange(height) + 0.5) / self._scale)
        reach = MARKER_INSET_MM + MARKER_MM + 1.0
        inside = (np.minimum(x, self.card_mm[0] - x) > BORDER_MM) & (
            np.minimum(y, self.card_mm[1] - y) > BORDER_MM
        )
        first = (x < reach) & (y < reach)
        second = (x > self.card_mm[0] - reach) & (y > self.card_mm[1] - reach)
        near_first = (x < reach + 2) & (y < reach + 2)
        near_second = (x > self.card_mm[0] - reach - 2) & (y > self.card_mm[1] - reach - 2)
        art = inside & ~near_first & ~near_second
        return [np.flatnonzero(mask) for mask in (art, first & (np.minimum(x, y) > 1), second & inside)]


def patch_of(grey: Grey, corners: Floats, size: tuple[int, int]) -> Grey:
    """What lies within four corners (4, 2) in px, top-left first, as a picture of (width, height)."""
    width, height = size
    target = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])
    onto = cv2.getPerspectiveTransform(target.astype(np.float32), corners.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(grey, onto, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def even(grey: Grey, near: float = NEAR_MM * SCALE) -> Floats:
    """Each pixel against the mean and contrast of its neighbourhood, `near` px to each side."""
    values = grey.astype(np.float32)
    side = 2 * round(near) + 1
    mean = cv2.blur(values, (side, side), borderType=cv2.BORDER_REFLECT)
    spread = cv2.blur(values * values, (side, side), borderType=cv2.BORDER_REFLECT) - mean * mean
    return np.asarray((values - mean) / np.sqrt(np.maximum(spread, 0) + FLOOR * FLOOR), np.float32)


def even_all(patches: Patches, near: float = NEAR_MM * SCALE) -> Floats:
    """The same for many pictures of one size (n, height, width), each by itself, at once."""
    count, height, width = patches.shape
    rim = round(near)
    # One above the other, each with its own border: the rows between them keep them apart.
    padded = np.pad(patches, ((0, 0), (rim, rim), (rim, rim)), mode="symmetric")
    tower = even(padded.reshape(-1, width + 2 * rim), near)
    return tower.reshape(count, height + 2 * rim, width + 2 * rim)[:, rim:-rim, rim:-rim]


def _unit(rows: Floats) -> Floats:
    centred = rows - rows.mean(1, keepdims=True)
    return np.asarray(centred / (np.linalg.norm(centred, axis=1, keepdims=True) + 1e-6), np.float32)


def _turn(edges: int) -> int:
    return (edges << 2 | edges >> 2) & 15


def _marks(card: str) -> str:
    """What is drawn beside a card's tunnels, by its name: "+green" of "EW+green-1", "" of "EW-1"."""
    return card.rpartition("-")[0][card.find("+") :] if "+" in card else ""
