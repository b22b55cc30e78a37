"""Drawn path cards of no deck: any rock, any way, any colours, and pictures of them in any light.

What they share with real decks is only what the rules say: ways leave at the middles of edges, lighter
than the rock, and what is joined is joined. Nothing of any published deck is in them. This is the tidied
form of what the network was taught with.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import EDGES, LETTERS, Edges, Face, lay

Floats = NDArray[np.float32]
Chance = np.random.Generator

PX = 2.0
"""px per mm of a drawn card."""
SIZE = WIDE, HIGH = 112, 174
MOUTHS = {"N": (28.0, 0.0), "E": (56.0, 43.5), "S": (28.0, 87.0), "W": (0.0, 43.5)}
INWARDS = {"N": (0.0, 1.0), "E": (-1.0, 0.0), "S": (0.0, -1.0), "W": (1.0, 0.0)}
COMMON = ("NS", "EW", "NW", "NE", "NES", "NEW", "NESW")
DEAD = ("N", "E", "N.S", "E.W", "N.W", "N.E", "N.S.E", "N.E.W", "N.E.S.W")
RARE = ("NS.E", "EW.S", "NE.S", "NW.ES", "EW.N.S", "NS.E.W", "NSW.E", "ESW.N")


@dataclass(frozen=True, eq=False)
class Drawn:
    """A card: its picture (0..1, BGR), which of it is way (0..1), and its tunnels as they lie."""

    picture: Floats
    way: Floats
    tunnels: tuple[Edges, ...]


def draw_card(chance: Chance, art: int | None = None) -> Drawn:
    """A card of art that no deck has; of one deck with others when `art` is the same number for all."""
    tunnels, mask, width = _ways(chance)
    inside = _away(mask > 127)
    outside = _away(mask <= 127)
    style = chance if art is None else np.random.default_rng(art)
    rock_light = style.uniform(0.05, 0.55)
    way_light = min(1.0, style.uniform(max(0.5, rock_light + 0.18), 1.05))
    picture = _rock(style, rock_light, way_light * style.uniform(0.72, 0.97))
    if art is not None:
        # The same rock, but not the same stones at the same places.
        picture = picture[:: int(chance.choice([-1, 1])), :: int(chance.choice([-1, 1]))]
        picture = np.roll(picture, chance.integers(0, (HIGH, WIDE)), (0, 1))
    picture = _bordered(style, picture, outside)
    share = (mask / 255).astype(np.float32)[..., None]
    picture = picture * (1 - share) + _floor(style, way_light, inside, width) * share
    picture = _littered(chance, picture, outside, width, tunnels)
    return Drawn(np.clip(picture, 0, 1).astype(np.float32), share[..., 0], tunnels)


# Where the ways run


def _ways(chance: Chance) -> tuple[tuple[Edges, ...], NDArray[np.uint8], float]:
    while True:
        weight = chance.random()
        kind = COMMON if weight < 0.42 else DEAD if weight < 0.92 else RARE
        tunnels = lay(Face.parse(str(chance.choice(kind))), bool(chance.random() < 0.5)).tunnels
        width = chance.uniform(8.5, 17)
        straight = chance.random() < 0.35
        drawn = [_tunnel(chance, group, width, straight) for group in tunnels]
        if _apart(drawn, tunnels, chance.uniform(3.5, 6)):
            return tunnels, np.max(drawn, 0), width


def _apart(drawn: list[NDArray[np.uint8]], tunnels: tuple[Edges, ...], gap_mm: float) -> bool:
    """Whether rock lies between all tunnels, and none comes near an edge it does not leave by."""
    size = int(gap_mm * PX) | 1
    grown = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    for index, (group, one) in enumerate(zip(tunnels, drawn, strict=True)):
        wide = cv2.dilate(one, grown) > 100
        if any((wide & (other > 100)).any() for other in drawn[index + 1 :]):
            return False
        strips = (one[:8], one[:, -8:], one[-8:], one[:, :8])
        if any((strip > 100).any() for edge, strip in zip(EDGES, strips, strict=True) if not edge & group):
            return False
    return True


def _tunnel(chance: Chance, group: Edges, width: float, straight: bool) -> NDArray[np.uint8]:
    mask = np.zeros((HIGH, WIDE), np.uint8)
    wiggle = 0.0 if straight else chance.uniform(0, 5)
    hub = np.array([28, 43.5]) + chance.normal(0, 1, 2) * (0.2 + wiggle)
    edges = [LETTERS[edge] for edge in EDGES if edge & group]
    if len(edges) == 1:
        _trodden(mask, _dead_end(chance, edges[0], width, straight), width, chance)
        return mask
    arms = []
    for edge in edges:
        out, start, _, along = _mouth(edge, 0 if straight else chance.normal(0, 1))
        middle = (start + hub) / 2 + along * chance.normal(0, 1) * wiggle
        arms.append([out, start, middle])
    if len(arms) == 2:
        _trodden(mask, [*arms[0], hub, *arms[1][::-1]], width, chance)
    else:
        for arm in arms:
            _trodden(mask, [*arm, hub], width * chance.uniform(0.9, 1.1), chance)
    return mask


def _dead_end(chance: Chance, edge: str, width: float, straight: bool) -> list[Floats]:
    """From an edge inwards: short or long, bent, or curled into a hook."""
    out, at, inwards, along = _mouth(edge, 0 if straight else chance.normal(0, 1))
    length = chance.uniform(2, 26 if edge in "NS" else 16)
    length = chance.uniform(10, 50) if chance.random() < 0.15 else length
    curl = 0.0 if straight else chance.normal(0, 0.12)
    curl = chance.choice([-1, 1]) * chance.uniform(0.2, 0.42) if chance.random() < 0.2 else curl
    line, angle, steps = [out, at], 0.0, max(2, int(length / 4))
    low = np.array([width / 2 + 3, width / 2 + 3])
    for _ in range(steps):
        angle += curl + (0.0 if straight else chance.normal(0, 0.12))
        at = at + (inwards * np.cos(angle) + along * np.sin(angle)) * length / steps
        at = np.clip(at, low, np.array([56, 87]) - low) if len(line) > 2 else at
        line.append(at)
    return line


def _mouth(edge: str, off: float) -> tuple[Floats, Floats, Floats, Floats]:
    inwards = np.array(INWARDS[edge], np.float32)
    along = np.array([-inwards[1], inwards[0]], np.float32)
    at = np.array(MOUTHS[edge], np.float32) + along * off
    return at - inwards * 4, at + inwards * 4, inwards, along


def _trodden(mask: NDArray[np.uint8], line: list[Floats], width: float, chance: Chance) -> None:
    points = np.array(line, np.float64)
    times = np.linspace(0, len(points) - 1, 60)
    smooth = np.stack([np.interp(times, np.arange(len(points)), side) for side in points.T], 1)
    for _ in range(3):
        smooth[3:-3] = (smooth[:-6] + smooth[3:-3] + smooth[6:]) / 3
    rough = chance.choice([0, 0.05, 0.1]) * np.interp(
        times, np.linspace(0, times[-1], 6), chance.normal(0, 1, 6)
    )
    for (x, y), bulge in zip(smooth, rough, strict=True):
        centre, radius = (int(x * PX * 8), int(y * PX * 8)), int(width / 2 * (1 + bulge) * PX * 8)
        cv2.circle(mask, centre, max(8, radius), 255, -1, cv2.LINE_AA, 3)


# What they are drawn with


def colour(chance: Chance, light: float, strength: float, hues: tuple[float, float] = (0, 360)) -> Floats:
    """A colour (3,) BGR of some lightness 0..1."""
    hue = chance.uniform(*hues)
    pure = cv2.cvtColor(np.array([[[hue, strength, 1]]], np.float32), cv2.COLOR_HSV2BGR)[0, 0]
    return np.clip(pure * light / (pure @ np.array([0.11, 0.59, 0.3])), 0, 1.2).astype(np.float32)


def clouds(chance: Chance, size: tuple[int, int], first: int, last: int) -> Floats:
    """Noise (height, width) of deviation 1 with features from 1 / 2**first to 1 / 2**last of the size."""
    total = np.zeros(size[::-1], np.float32)
    for octave in range(first, last + 1):
        few = chance.standard_normal((2**octave + 2, 2**octave + 1)).astype(np.float32)
        total += 0.65 ** (octave - first) * cv2.resize(few, size, interpolation=cv2.INTER_CUBIC)
    return np.asarray(total / (total.std() + 1e-6), np.float32)


def _rock(chance: Chance, light: float, most: float) -> Floats:
    rock = np.ones((HIGH, WIDE, 3), np.float32) * colour(chance, light, chance.uniform(0, 0.55))
    rough = clouds(chance, SIZE, int(chance.integers(1, 4)), 6) * chance.uniform(0.0, 0.22)
    lit = cv2.GaussianBlur(clouds(chance, SIZE, 1, 3), (0, 0), 4) * chance.choice(
        [0, chance.uniform(0.05, 0.35)]
    )
    rock *= np.exp(np.clip(rough + lit, -1, 0.7))[..., None]
    if chance.random() < 0.6:
        rock *= _facets(chance)[..., None]
    if chance.random() < 0.7:
        rock = _cracked(chance, rock, chance.uniform(0.1, 0.6), 45)
    if chance.random() < 0.4:
        rock = _cracked(chance, rock, chance.uniform(1.2, 2.2), 25)
    grey = rock @ np.array([0.11, 0.59, 0.3], np.float32)
    return np.asarray(rock * np.minimum(1, most / np.maximum(grey, 1e-3))[..., None], np.float32)


def _facets(chance: Chance) -> Floats:
    seeds = np.full((HIGH, WIDE), 255, np.uint8)
    count = int(chance.integers(15, 150))
    seeds[chance.integers(0, HIGH, count), chance.integers(0, WIDE, count)] = 0
    _, labels = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    tones = chance.normal(0, chance.uniform(0.03, 0.25), labels.max() + 1).clip(-0.6, 0.5)
    return np.exp(tones)[labels].astype(np.float32)


def _cracked(chance: Chance, picture: Floats, light: float, most: int) -> Floats:
    lines = np.zeros((HIGH, WIDE), np.uint8)
    for _ in range(int(chance.integers(3, most))):
        turns = np.cumsum(chance.normal(0, 0.6, 8)) + chance.uniform(0, 2 * np.pi)
        steps = np.stack([np.cos(turns), np.sin(turns)], 1) * chance.uniform(4, 12, (8, 1))
        points = np.array([chance.uniform(0, WIDE), chance.uniform(0, HIGH)]) + np.cumsum(steps, 0)
        thick = int(chance.integers(1, 4))
        cv2.polylines(
            lines, [np.int32(points[: chance.integers(3, 9)] * 8)], False, 255, thick, cv2.LINE_AA, 3
        )
    share = (lines / 255 * chance.uniform(0.4, 1)).astype(np.float32)[..., None]
    return np.asarray(picture * (1 - share) + picture.mean((0, 1)) * light * share, np.float32)


def _bordered(chance: Chance, rock: Floats, outside: Floats) -> Floats:
    """Shade along the ways, and walls or outlines, or none."""
    if chance.random() < 0.35:
        rock = rock * (1 - np.exp(-outside / chance.uniform(1, 5)) * chance.uniform(0.2, 0.95))[..., None]
    if chance.random() < 0.65:
        share = np.clip((chance.uniform(0.4, 3.4) - outside) * 2, 0, 1)
        stones = clouds(chance, SIZE, 4, 6) * chance.choice([0, 0.25])
        wall = rock.mean((0, 1)) * chance.uniform(0.1, 0.8) * np.exp(stones)[..., None]
        rock = rock * (1 - share[..., None]) + wall * share[..., None]
    return np.asarray(rock, np.float32)


def _floor(chance: Chance, light: float, inside: Floats, width: float) -> Floats:
    hues = (0.0, 75.0) if chance.random() < 0.75 else (0.0, 360.0)
    floor = np.ones((HIGH, WIDE, 3), np.float32) * colour(chance, light, chance.uniform(0, 0.45), hues)
    if chance.random() < 0.5:
        speckled = 1.0 if chance.random() < 0.5 else chance.random((HIGH, WIDE)) < 0.6
        rim = (np.exp(-inside / chance.uniform(1, 3)) * speckled * chance.uniform(0.4, 1))[..., None]
        darker = colour(chance, light * chance.uniform(0.6, 0.95), chance.uniform(0.1, 0.7), (0, 60))
        floor = floor * (1 - rim) + darker * rim
    floor *= np.exp(clouds(chance, SIZE, 3, 6) * chance.uniform(0, 0.08))[..., None]
    if chance.random() < 0.35:
        floor = _cracked(chance, floor, chance.uniform(0.4, 0.8), 25)
    if chance.random() < 0.2:
        rails = np.abs(inside - width / 2 * chance.uniform(0.3, 0.7)) < 0.5
        x, y = np.meshgrid(np.arange(WIDE) / PX, np.arange(HIGH) / PX)
        sleepers = ((x + y) % 3.4 < 1.2) & (inside > 1.5)
        floor = np.where((rails | sleepers)[..., None], floor * chance.uniform(0.4, 0.8), floor)
    return np.asarray(floor, np.float32)


def _littered(
    chance: Chance, picture: Floats, outside: Floats, width: float, tunnels: tuple[Edges, ...]
) -> Floats:
    """Stones on the rock, small things on ways, rubble at the tips of dead ends, a treasure on a crossing."""
    for _ in range(chance.poisson(1.2)):
        x, y = chance.uniform((4, 4), (52, 83))
        row, column = int(y * PX), int(x * PX)
        large = outside[row, column] > 4
        radius = chance.uniform(1.5, 8) if large else chance.uniform(1, min(4, width * 0.28))
        picture = _thing(chance, picture, x, y, radius)
    tips = np.argwhere((outside > 0) & (outside < 3))
    if any(group.bit_count() == 1 for group in tunnels) and len(tips) and chance.random() < 0.5:
        for _ in range(chance.integers(1, 5)):
            row, column = tips[chance.integers(len(tips))]
            if 20 < row < HIGH - 20 and 16 < column < WIDE - 16:
                picture = _thing(chance, picture, column / PX, row / PX, chance.uniform(1.5, 5))
    if all(group.bit_count() > 2 for group in tunnels) and chance.random() < 0.06:
        picture = _thing(chance, picture, 28, 43.5, chance.uniform(4, 8))
    return picture


def _thing(chance: Chance, picture: Floats, x: float, y: float, radius: float) -> Floats:
    angles = np.sort(chance.uniform(0, 2 * np.pi, int(chance.integers(5, 11))))
    reach = radius * chance.uniform(0.6, 1.15, len(angles))
    outline = np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], 1) * PX * 8
    mask = np.zeros((HIGH, WIDE), np.uint8)
    cv2.fillPoly(mask, [np.int32(outline)], 255, cv2.LINE_AA, 3)
    share = (mask / 255).astype(np.float32)[..., None]
    tone = colour(chance, chance.uniform(0.05, 0.8), chance.uniform(0, 0.9))
    body = tone * np.exp(clouds(chance, SIZE, 3, 5) * chance.uniform(0, 0.3))[..., None]
    return np.asarray(picture * (1 - share) + body * share, np.float32)


def _away(there: NDArray[np.bool_]) -> Floats:
    return np.asarray(cv2.distanceTransform(there.astype(np.uint8), cv2.DIST_L2, 5) / PX, np.float32)
