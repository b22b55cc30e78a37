"""What stands in the mine: ladders, lanterns, the treasure, coal, doors, crystals, timber, footprints."""

from __future__ import annotations

import math
from random import Random

from companion.game.cards import Door, E, Face, Kind
from printables import palette
from printables.pen import Point, between, circle, draw, middle, moved, num, polyline, rect, walk
from printables.tunnel import boulder, boulders
from printables.ways import CENTRE, WAY_MM, Way

BOOT = "M-1.3-.38H-.7V.38H-1.3A.38.38 0 0 1-1.3-.38ZM-.5-.42C.2-.62 1.3-.6 1.3 0S.2.62-.5.42Z"
"""A boot print along +x: heel and sole."""


def ladder() -> str:
    """A ladder leaning over a shaft, about the origin; the same either way up."""
    rungs = "".join(polyline([(-3.4, y), (3.4, y)]) for y in (-10, -6, -2, 2, 6, 10))
    stiles = polyline([(-3.4, -12.5), (-3.4, 12.5)]) + polyline([(3.4, -12.5), (3.4, 12.5)])
    return (
        rect(-5.4, -9.4, 10.8, 18.8, rx=3, fill=palette.TIMBER_DARK)
        + rect(-4.6, -8.6, 9.2, 17.2, rx=2.4, fill="#17100b")
        + draw(rungs, stroke=palette.TIMBER_LIGHT, stroke_width=1.5, stroke_linecap="round")
        + draw(stiles, stroke=palette.TIMBER_DARK, stroke_width=2.6, stroke_linecap="round")
        + draw(stiles, stroke=palette.TIMBER_LIGHT, stroke_width=1.5, stroke_linecap="round")
    )


def glow(radius: float) -> str:
    """Lamplight falling off in rings, about the origin."""
    return "".join(
        circle((0, 0), radius * share, fill=palette.LAMP, fill_opacity=0.13) for share in (1, 0.72, 0.48, 0.3)
    )


def lantern() -> str:
    """A miner's lantern with its glow, about the origin, 8 mm high."""
    return (
        glow(8)
        + draw("M-1.5-2.6A1.9 1.9 0 0 1 1.5-2.6", stroke=palette.TIMBER_DARK, stroke_width=0.6)
        + draw("M-1.7-2.4H1.7L2.3-1.3H-2.3ZM-2.3 2.5H2.3L1.9 3.7H-1.9Z", fill=palette.TIMBER_DARK)
        + rect(-1.8, -1.3, 3.6, 3.8, fill=palette.LAMP)
        + draw("M0-.8C1.3.6 1 1.9 0 2.1C-1 1.9-1.3.6 0-.8Z", fill=palette.FLAME)
        + draw("M-1.9-1.3V2.5M1.9-1.3V2.5", stroke=palette.TIMBER_DARK, stroke_width=0.5)
    )


def treasure(random: Random, fine: bool) -> str:
    """A heap of nuggets in lamplight, about the origin, 20 mm across; much the same either way up."""
    shapes = glow(17)
    gold = (palette.GOLD, palette.GOLD_LIGHT, palette.GOLD_DARK)
    if fine:
        for spot in _rings(((7.6, 9), (4.3, 6), (0.0, 1))):
            shapes += boulder(spot, between(random, 2.4, 3.0), random, gold)
    else:
        shapes += boulders(_rings(((6.2, 6), (0.0, 1))), 3.2, random, gold, fine=False)
    for x, y in ((-5.4, -3.2), (5.6, 2.8), (1.2, -0.8)):
        shapes += moved(_sparkle(), x, y)
    return shapes


def _rings(rings: tuple[tuple[float, int], ...]) -> list[Point]:
    """Spots on circles about the origin, given by radius and count."""
    angles = [(radius, 2 * math.pi * n / count + radius) for radius, count in rings for n in range(count)]
    return [(math.cos(angle) * radius, math.sin(angle) * radius) for radius, angle in angles]


def _sparkle() -> str:
    return draw("M0-2.6Q.3-.3 2.6 0Q.3.3 0 2.6Q-.3.3-2.6 0Q-.3-.3 0-2.6Z", fill="#ffffff")


def coal(random: Random) -> str:
    """A heap of coal, about the origin, 14 mm across."""
    shapes = draw("M-7 0A7 6.6 0 1 1 7 0A7 6.6 0 1 1-7 0Z", fill=palette.CRACK, fill_opacity=0.35)
    for x, y, radius in ((-3.2, 1.6, 3.1), (3.2, 1.9, 3.0), (0.3, -2.7, 3.4), (0.2, 2.6, 2.6), (0, 0, 2.6)):
        shapes += boulder((x, y), radius, random, (palette.COAL, palette.COAL_LIGHT, palette.CRACK))
    return shapes


def door(colour: Door) -> str:
    """A door across a way along y, about the origin: green ones bear a ring, blue ones a lozenge."""
    body, light = (
        (palette.GREEN, palette.GREEN_LIGHT) if colour is Door.GREEN else (palette.BLUE, palette.BLUE_LIGHT)
    )
    sign = (
        circle((0, 0), 1.9, fill="none", stroke=light, stroke_width=1.1)
        if colour is Door.GREEN
        else draw("M0-2.6L2.6 0L0 2.6L-2.6 0Z", fill=light)
    )
    corner = 3.6 if colour is Door.GREEN else 0.0
    return (
        rect(-8.6, -4.3, 17.2, 8.6, rx=1, fill=palette.SHADOW, fill_opacity=0.4)
        + rect(-8, -3.7, 16, 7.4, rx=corner, fill=body, stroke=palette.TIMBER_DARK, stroke_width=1)
        + draw("M-4.4-3.2V3.2M4.4-3.2V3.2", stroke=palette.TIMBER_DARK, stroke_width=0.5)
        + sign
    )


def crystal() -> str:
    """A cluster of crystals, about the origin, 13 mm across."""
    shapes = circle((0, 0), 7.4, fill=palette.CRYSTAL, fill_opacity=0.16)
    for turn, length, half in ((-62, 7, 1.4), (62, 7, 1.4), (-32, 9, 1.6), (34, 9.4, 1.7), (0, 11.4, 2.1)):
        shoulder = num(-length + 2.6)
        outline = f"M{-half:g} 0V{shoulder}L0 {-length:g}L{half:g} {shoulder}V0Z"
        lit = draw(outline, fill=palette.CRYSTAL_LIGHT, stroke=palette.CRYSTAL_DARK, stroke_width=0.5)
        shade = draw(f"M0 0V{-length:g}L{half:g} {shoulder}V0Z", fill=palette.CRYSTAL)
        shapes += moved(lit + shade, 0, 5, turn=turn)
    return shapes + draw("M-4.4 6.2L-3 3.6L0 4.4L3 3.4L4.6 6.2Z", fill=palette.BOULDER_DARK)


def prop_set(random: Random, way: Way) -> str:
    """A timber frame over a way, seen from above: two posts and the beam between them, off the middle."""
    track = way.floor[int(random.random() * len(way.floor))]
    stations = [(p, t) for p, t in walk(track.points, 1) if 6 < p[0] < 50 and 8 < p[1] < 79]
    ends = [(p, t) for p, t in stations if math.dist(p, CENTRE) > 14]
    if not ends:
        return ""
    (x, y), (ax, ay) = ends[int(random.random() * len(ends))]
    half = WAY_MM / 2
    beam = polyline([(x - ay * half, y + ax * half), (x + ay * half, y - ax * half)])
    posts = "".join(
        circle(
            (x + ay * half * side, y - ax * half * side),
            1.5,
            fill=palette.TIMBER,
            stroke=palette.TIMBER_DARK,
            stroke_width=0.6,
        )
        for side in (1, -1)
    )
    return (
        draw(beam, stroke=palette.TIMBER, stroke_width=1.5, stroke_opacity=0.55)
        + draw(beam, stroke=palette.TIMBER_LIGHT, stroke_width=0.5, stroke_opacity=0.7)
        + posts
    )


def footprints(random: Random, way: Way) -> str:
    """Footprints that follow a way beside the rails."""
    track = way.floor[int(random.random() * len(way.floor))]
    start = 3 + int(random.random() * 8)
    shapes = ""
    for number, ((x, y), (ax, ay)) in enumerate(walk(track.points, 2.9)[start : start + 9]):
        side = 5.2 + (0.62 if number % 2 else -0.62)
        turn = math.degrees(math.atan2(ay, ax))
        shapes += moved(draw(BOOT, fill=palette.FOOTPRINT), x - ay * side, y + ax * side, turn=turn)
    return shapes


def furniture(face: Face, ways: tuple[Way, ...], random: Random, fine: bool) -> str:
    """What the face's meaning puts on the card: ladder, treasure, coal, door, crystal."""
    shapes = ""
    if face.kind is Kind.START:
        shapes += moved(ladder(), *CENTRE) + moved(lantern(), CENTRE[0] + 11, CENTRE[1] - 10, scale=1.5)
    elif face.ladder:
        bend = ways[0].floor[0] if ways[0].edges.bit_count() == 2 else None
        shapes += moved(ladder(), *(middle(bend.points)[0] if bend else CENTRE))
    if face.is_gold:
        shapes += moved(treasure(random, fine), *CENTRE)
    elif face.kind is Kind.GOAL:
        shapes += moved(coal(random), *coal_spot(face), scale=0.85)
    if face.door:
        way = next(way for way in ways if way.edges == face.tunnels[0])
        (x, y), (ax, ay) = middle(way.floor[0].points)
        shapes += moved(door(face.door), x, y, turn=math.degrees(math.atan2(ay, ax)) - 90)
    if face.crystal:
        shapes += moved(crystal(), 46, 14.5)
    return shapes


def coal_spot(face: Face) -> Point:
    """Where a stone goal's coal lies: in a bay on the outer side of its curve."""
    side = -1 if face.open & E else 1
    return CENTRE[0] + side * 3, CENTRE[1] + 3.5


def bay(face: Face) -> str:
    """The widening of a stone goal's way in which the coal lies."""
    spot = coal_spot(face)
    return (
        circle(spot, 12, fill=palette.SHADOW, fill_opacity=0.3)
        + circle(spot, 10.6, fill=palette.SHADOW, fill_opacity=0.6)
        + circle(spot, 9.4, fill=palette.SAND_RIM)
    )


def bay_floor(face: Face) -> str:
    """The sand of that bay, drawn over the way so that both are one."""
    return circle(coal_spot(face), 8.3, fill=palette.SAND)
