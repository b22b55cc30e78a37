"""What the cards of an unmarked deck look like: every face both ways up, learned from its folder alone."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import Edges, Kind, turn
from vision.alike import alike
from vision.deckbook import Deck, Picture
from vision.squares import Floats, Grey
from vision.unmarked.evening import Moments, even, halved, length, unit

COARSE = 3
"""mm a px of the patches that are compared when it is not yet known where in a cell a card lies."""
NEAR_MM = 7.0
"""Neighbourhood whose mean and contrast are taken out, so that lamp, shade and glare count for nothing."""
AROUND_MM = 56.0
"""Neighbourhood that stands for a whole card where it is not known yet where one lies."""
SOFT = 0.8
"""Blur of the known pictures in px, as a camera sees them (1 px a mm)."""
BORDER_MM = 2
"""Edge of a card that is not compared: corners are rounded, and neighbours lie over it."""
TURNS = (0.0, -0.15, 0.15)
"""Angles in radians that cards are looked for at: an alignment bridges 5 degrees, and some cards of a
careless table lie further askew than that, but hardly any beyond 13."""
ROUGH_MM = 3.0
"""Blur of patches whose outline is some 4 mm off."""
BLOCKS = (4, 6)
"""A card is also judged in so many parts across and down: a hand covers some and leaves the others."""
HELD = 0.02
"""How much of a step in shape is held back."""


@dataclass(frozen=True)
class Way:
    """One card one way up: `face` is None for the goals' back."""

    face: str | None
    turned: bool
    tunnels: frozenset[Edges]
    """As they lie; empty for a back."""
    kind: Kind


class KnownFaces:
    """The pictures of a deck's faces and of its goals' back, both ways up, ready to be compared."""

    def __init__(self, deck: Deck) -> None:
        self.card_mm = deck.card_mm
        self.size = round(deck.card_mm[0]), round(deck.card_mm[1])
        """Of a patch in px, at 1 px a mm."""
        self.ways: list[Way] = []
        pictures: list[Grey] = []
        for face in deck.faces.values():
            grey = _grey(face.picture)
            for turned in (False, True):
                tunnels = frozenset(turn(group) if turned else group for group in face.tunnels)
                self.ways.append(Way(face.id, turned, tunnels, face.kind))
                pictures.append(_turned(grey, turned))
        for turned in (False, True):
            self.ways.append(Way(None, turned, frozenset(), Kind.GOAL))
            pictures.append(_turned(_grey(deck.goal_back), turned))
        self.way_of = {(way.face, way.turned): index for index, way in enumerate(self.ways)}
        self.patterns = np.array([self._fine(picture) for picture in pictures])
        """(ways, height, width), evened, 1 px a mm."""
        self.coarse = [
            unit(np.array([self._coarse(picture, angle) for picture in pictures]).reshape(len(pictures), -1))
            for angle in TURNS
        ]
        """For each of TURNS (ways, pixels) of `coarse_size`, each centred and of length 1."""
        self.inside, self.starts = self._inside()
        """Pixels inside the border, block by block, and where among them every block starts."""
        self.raw = self.patterns.reshape(len(pictures), -1)[:, self.inside]
        """(ways, pixels inside the border), evened."""
        self.flat = unit(self.raw)
        """(ways, pixels inside the border), each centred and of length 1."""
        self._sums = Moments.of(self.raw, self.starts)
        self.contrast = np.array([float(picture.std()) for picture in pictures])
        """(ways,): contrast of every picture in grey levels (standard deviation)."""
        self.of_kind = {
            kind: np.array([way.kind is kind for way in self.ways])
            for kind in (Kind.START, Kind.GOAL, Kind.PATH)
        }
        self.same = np.array([[_same(one, other) for other in self.ways] for one in self.ways])
        """(ways, ways): whether two ways mean the same for play."""
        self.between = alike(self.flat, self.flat)
        """(ways, ways): likeness of their pictures."""
        self.same_kind = np.array([[one.kind is other.kind for other in self.ways] for one in self.ways])
        self.swap = np.arange(len(self.ways)) ^ 1
        """(ways,): of every way the same card the other way up."""
        self._rough: Floats | None = None
        self._chosen: dict[tuple[bytes, int], Floats] = {}
        self._solvers: dict[tuple[int, float, bool], tuple[Floats, Floats]] = {}

    def turned(self, way: int) -> int:
        """The same card the other way up."""
        return int(self.swap[way])

    def coarse_of(self, ways: NDArray[np.int64], turns: int) -> Floats:
        """`coarse` of some ways only (turns * ways, pixels), for the first of the turns.

        Kept, since a picture asks for the same few again and again.
        """
        key = ways.tobytes(), turns
        if key not in self._chosen:
            self._chosen[key] = np.concatenate([patterns[ways] for patterns in self.coarse[:turns]])
        return self._chosen[key]

    @property
    def coarse_size(self) -> tuple[int, int]:
        """(width, height) of a coarse patch: a card without its outermost pixels, at COARSE mm a px."""
        return self.size[0] // COARSE - 2, self.size[1] // COARSE - 2

    def like(self, patches: Floats) -> Floats:
        """Likeness (n, ways) of evened patches (n, height, width), -1..1."""
        rows = self.pixels(patches)
        return alike(rows, self.flat) / length(rows)[:, None]

    def like_roughly(self, patches: Floats) -> Floats:
        """Likeness (n, ways) of evened patches (n, height, width) some 4 mm off, -1..1: all of it blurred."""
        if self._rough is None:
            self._rough = unit(self.pixels(_blurred(self.patterns)))
        rows = self.pixels(_blurred(patches))
        return alike(unit(rows), self._rough)

    def like_way(self, patch: Floats, way: int) -> float:
        """Likeness of one evened patch to one way, -1..1."""
        row = self.pixels(patch[None])
        return float(row[0] @ self.flat[way] / length(row)[0])

    def pixels(self, patches: Floats) -> Floats:
        """Of evened patches (n, height, width) what lies inside the border, block by block: (n, pixels)."""
        return patches.reshape(len(patches), -1).take(self.inside, 1)

    def parts_like(self, patch: Floats, way: int) -> Floats:
        """Likeness (blocks,) of every block of an evened patch by itself to the same one of a way, -1..1."""
        row = self.pixels(patch[None])
        seen, own = Moments.of(row, self.starts), self._sums.only(way)
        cross = np.add.reduceat(row[0] * self.raw[way], self.starts)
        return np.asarray((cross - seen.first[0] * own.first[0] / seen.count) / (seen.length * own.length)[0])

    def like_in(self, blocks: NDArray[np.bool_], patch: Floats, way: int) -> tuple[Floats, Floats]:
        """Likeness to all ways (ways,) in some blocks alone: of an evened patch, and of a way's picture."""
        row = self.pixels(patch[None])
        both = np.concatenate([row, self.raw[way][None]])
        chosen = np.repeat(blocks, np.diff(self.starts, append=len(self.inside)))
        cross = alike(both * chosen, self.raw)
        seen, known = Moments.of(both, self.starts).joined(blocks), self._sums.joined(blocks)
        like = (cross - seen.first * known.first.T / seen.count) / (seen.length * known.length.T)
        return like[0], like[1]

    def step(self, patch: Floats, way: int, blur: float, shape: bool) -> Floats:
        """By how much an evened patch has to be taken elsewhere to lie as this way does (6,).

        mm right, mm down, radians of turning, then (with `shape`, else 0) three shares: larger, longer than
        wide, leaning. One step of inverse compositional alignment (Baker and Matthews 2004). `blur` in mm:
        the more, the farther it sees, the less exactly.
        """
        key = way, blur, shape
        if key not in self._solvers:  # made when first needed: rows of 4,000 for every way and blur
            self._solvers[key] = self._solver(self.patterns[way], blur, shape)
        solver, rest = self._solvers[key]
        flat = self.pixels(np.asarray(cv2.GaussianBlur(patch, (0, 0), blur), np.float32)[None])
        step = np.zeros(6, np.float32)
        step[: len(solver)] = rest - solver @ flat[0] / length(flat)
        return step

    def _solver(self, pattern: Floats, blur: float, shape: bool) -> tuple[Floats, Floats]:
        soft = np.asarray(cv2.GaussianBlur(pattern, (0, 0), blur), np.float32)
        down, across = np.gradient(soft)
        height, width = soft.shape
        x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
        moves = [across, down, down * x - across * y]
        if shape:
            moves += [across * x + down * y, down * y - across * x, across * y + down * x]
        slopes = np.stack(moves, -1).reshape(-1, len(moves))[self.inside]
        flat = soft.ravel()[self.inside]
        slopes = (slopes - slopes.mean(0)) / (np.linalg.norm(flat - flat.mean()) + 1e-6)
        normal = slopes.T @ slopes
        # Shape is held to what the plane says: a card alone tells little of it and must not run away.
        held = np.diag(normal) * np.array([1e-4, 1e-4, 1e-4, HELD, HELD, HELD])[: len(moves)]
        solver = np.linalg.solve(normal + np.diag(held), slopes.T)
        # Its rows' sums are 0, so that a picture's mean counts for nothing.
        return np.asarray(solver, np.float32), np.asarray(solver @ unit(flat[None])[0], np.float32)

    def _fine(self, picture: Grey) -> Floats:
        small = cv2.resize(picture, self.size, interpolation=cv2.INTER_AREA)
        return even(np.asarray(cv2.GaussianBlur(small, (0, 0), SOFT), np.uint8), NEAR_MM)

    def _coarse(self, picture: Grey, angle: float) -> Floats:
        small = cv2.resize(picture, self.size, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small, (0, 0), SOFT)
        width, height = 2 * (self.size[0] // COARSE), 2 * (self.size[1] // COARSE)
        step = COARSE / 2
        c, s = step * np.cos(angle), step * np.sin(angle)
        # Middles of pixels of both lie about the same middle of the card.
        turned = np.array([(c, s), (-s, c)])
        middle = (np.array(self.size) - 1) / 2 - turned @ ((width - 1) / 2, (height - 1) / 2)
        onto = np.concatenate([turned, middle[:, None]], 1)
        seen = cv2.warpAffine(
            soft,
            onto,
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return halved(even(np.asarray(seen, np.uint8), NEAR_MM / step))[1:-1, 1:-1]

    def _inside(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        width, height = self.size
        across, down = np.arange(width) * BLOCKS[0] // width, np.arange(height) * BLOCKS[1] // height
        block = down[:, None] * BLOCKS[0] + across
        block[:BORDER_MM] = block[height - BORDER_MM :] = -1
        block[:, :BORDER_MM] = block[:, width - BORDER_MM :] = -1
        order = np.argsort(block.ravel(), kind="stable")
        inside = order[np.count_nonzero(block < 0) :]
        return inside, np.searchsorted(block.ravel()[inside], np.arange(BLOCKS[0] * BLOCKS[1]))


def _blurred(patches: Floats) -> Floats:
    return np.array([cv2.GaussianBlur(patch, (0, 0), ROUGH_MM) for patch in patches], np.float32)


def _grey(picture: Picture) -> Grey:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _turned(grey: Grey, turned: bool) -> Grey:
    return np.asarray(cv2.rotate(grey, cv2.ROTATE_180), np.uint8) if turned else grey


def _same(one: Way, other: Way) -> bool:
    """Whether two ways mean the same in one and the same cell: the kind is told by where a card lies."""
    return (one.face is None) == (other.face is None) and one.tunnels == other.tunnels
