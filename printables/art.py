"""Pictures of the path-type cards: the printed ones with markers, and small ones for the screens."""

from __future__ import annotations

from functools import cache

import cv2

from companion.game.cards import Face, Kind
from printables import palette
from printables.cards import PhysicalCard
from printables.pen import Point, chance, document, draw, polygon, walk
from printables.props import bay, bay_floor, footprints, furniture, prop_set
from printables.rock import COARSE, FINE, relief, rock
from printables.tunnel import bridge, floor, levels, rails, rubble, turntable
from printables.ways import HEIGHT, WIDTH, ways_of
from vision.markers import DICTIONARY, MARKER_INSET_MM, MARKER_MM

QUIET_MM = 2.5
"""White between a marker and the art: one module of it."""


def face_svg(card: PhysicalCard) -> str:
    """The face of a printed card, 56 x 87 mm, with its markers. Every card's rock is its own."""
    return document(_face(card.face, seed=card.id) + marker_pair(card.markers), WIDTH, HEIGHT)


@cache
def shape_svg(face: Face) -> str:
    """The picture of a face for the screens: no markers, below 6 kB, usable as a file or as a symbol."""
    return document(_face(face, seed=None), WIDTH, HEIGHT)


def _face(face: Face, seed: str | None) -> str:
    """All layers of a face; with a seed in all detail, without one as small as it gets."""
    ways = ways_of(face)
    lights = [point for way in ways for track in way.floor for point, _ in walk(track.points, 2)]
    fine = seed is not None
    random = chance("ways", seed or str(face))
    layers = [rock(seed or str(face), lights, FINE if fine else COARSE)]
    if fine:
        layers.append(relief(seed or "", lights))
    stone = face.kind is Kind.GOAL and not face.is_gold
    for index, level in enumerate(levels(ways)):
        layers += [bay(face)] if stone else []
        layers.append(floor(level, random if fine else None))
        layers += [bay_floor(face)] if stone else []
        if fine and face.kind is Kind.PATH:
            layers += [footprints(random, way) for way in level if not way.dead]
        layers.append(rails(level))
        layers += [bridge()] if index else []
        if fine and face.kind is Kind.PATH and not face.door:
            layers += [prop_set(random, way) for way in level]
    if face.kind is Kind.PATH:
        layers += [turntable() for way in ways if way.hub]
    layers += [rubble(way, random, fine) for way in ways if way.dead]
    layers.append(furniture(face, ways, random, fine))
    return "".join(layers)


def marker_pair(ids: tuple[int, int]) -> str:
    """Two markers on white, at the top left and the bottom right of a card, both upright."""
    far = (WIDTH - MARKER_INSET_MM - MARKER_MM, HEIGHT - MARKER_INSET_MM - MARKER_MM)
    near = (MARKER_INSET_MM, MARKER_INSET_MM)
    return _pad(top_left=True) + marker(ids[0], near) + _pad(top_left=False) + marker(ids[1], far)


def _pad(top_left: bool) -> str:
    """White from the card's corner to a module beyond the marker, rounded on the inner corner only."""
    size = MARKER_INSET_MM + MARKER_MM + QUIET_MM
    if top_left:
        return draw(
            f"M0 0H{size:g}V{size - 2:g}Q{size:g} {size:g} {size - 2:g} {size:g}H0Z", fill=palette.PAPER
        )
    x, y = WIDTH - size, HEIGHT - size
    return draw(
        f"M{WIDTH:g} {HEIGHT:g}H{x:g}V{y + 2:g}Q{x:g} {y:g} {x + 2:g} {y:g}H{WIDTH:g}Z", fill=palette.PAPER
    )


def marker(number: int, corner: Point, side: float = MARKER_MM, dictionary: int = DICTIONARY) -> str:
    """An ArUco marker: a black square with holes for white modules; `corner` is its top left (mm)."""
    modules = cv2.aruco.getPredefinedDictionary(dictionary).markerSize + 2
    bits = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(dictionary), number, modules, borderBits=1
    )
    module = side / modules
    x, y = corner
    outline = f"M{x:.5g} {y:.5g}h{side:.5g}v{side:.5g}h{-side:.5g}z"
    for loop in _outlines({(c, r) for r in range(modules) for c in range(modules) if bits[r, c]}):
        outline += polygon([(x + column * module, y + row * module) for column, row in loop], 3)
    return draw(outline, fill=palette.INK)


def _outlines(white: set[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """The outlines round groups of white modules, run against the clock so that they are holes.

    Whole groups and not single modules: renderers leave dark seams where two holes touch.
    """
    steps: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    for c, r in sorted(white):
        ring = [(c, r), (c, r + 1), (c + 1, r + 1), (c + 1, r)]
        for start, end in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (end, start) in steps:
                steps.remove((end, start))
            else:
                steps.add((start, end))
    loops = []
    while steps:
        start, end = min(steps)
        steps.remove((start, end))
        loop = [start]
        while end != start:
            loop.append(end)
            end = min(step for step in steps if step[0] == end)[1]
            steps.remove((loop[-1], end))
        loops.append(loop)
    return loops
