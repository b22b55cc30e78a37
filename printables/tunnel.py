"""Tunnels drawn along the ways of a face: hewn floors, rails, turntables, bridges, rubble at dead ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from companion.game.cards import E, N, S, W
from printables import palette
from printables.pen import (
    Line,
    Point,
    between,
    blob,
    circle,
    draw,
    group,
    moved,
    polygon,
    polyline,
    rect,
    walk,
)
from printables.ways import CENTRE, HEIGHT, HUB_MM, WAY_MM, WIDTH, Way

GAUGE = 2.5
"""Half the distance between the two rails, in mm."""


def floor(ways: Sequence[Way], random: Random | None) -> str:
    """Shadowed walls and sandy floors of ways on one level; hewn unevenly by a `random`."""
    tracks = [track for way in ways for track in way.floor]
    lines = "".join(track.data() for track in tracks)
    walls = draw(lines, stroke_width=WAY_MM + 5, stroke_opacity=0.3)
    walls += draw(lines, stroke_width=WAY_MM + 2.4, stroke_opacity=0.6)
    shapes = group(walls, stroke=palette.SHADOW)
    shapes += draw(lines, stroke=palette.SAND_RIM, stroke_width=WAY_MM)
    if random:
        hewn = "".join(blob(_hewn(track.points, random)) for track in tracks)
        shapes += draw(hewn, fill=palette.SAND_RIM, stroke="none")
    shapes += draw(lines, stroke=palette.SAND, stroke_width=WAY_MM - 2.2)
    shapes += draw(lines, stroke=palette.SAND_LIGHT, stroke_width=WAY_MM - 6.5)
    return group(shapes, fill="none", stroke_linecap="round", stroke_linejoin="round")


def _hewn(line: Line, random: Random) -> list[Point]:
    """The outline of a floor with bumps up to 0.9 mm, but none where it meets the next card."""
    stations = walk(line, 2.0)
    sides: tuple[list[Point], list[Point]] = ([], [])
    for (x, y), (ax, ay) in stations:
        to_edge = min(x, WIDTH - x, y, HEIGHT - y)
        for side, points in zip((1, -1), sides, strict=True):
            half = WAY_MM / 2 + (0.0 if to_edge < 4 else between(random, -0.2, 0.9))
            points.append((x - ay * half * side, y + ax * half * side))
    return sides[0] + sides[1][::-1]


def rails(ways: Sequence[Way]) -> str:
    """Sleepers and rails of ways on one level."""
    tracks = [track for way in ways for track in way.rails]
    lines = "".join(track.data() for track in tracks)
    steel = "".join(track.data(GAUGE) + track.data(-GAUGE) for track in tracks)
    return draw(
        lines,
        stroke=palette.TIMBER_LIGHT,
        stroke_width=7.8,
        stroke_dasharray="1.3 2.3",
        stroke_dashoffset=1.65,
    ) + draw(steel, stroke=palette.STEEL, stroke_width=0.65)


def turntable() -> str:
    """A round of planks with a piece of track: here the ways join."""
    x, y = CENTRE
    planks = "".join(
        polyline([(x - half, y + off), (x + half, y + off)])
        for off in (-4.4, -2.2, 0, 2.2, 4.4)
        for half in (math.sqrt((HUB_MM - 0.5) ** 2 - off**2),)
    )
    track = polyline([(x - GAUGE, y - 6), (x - GAUGE, y + 6)]) + polyline(
        [(x + GAUGE, y - 6), (x + GAUGE, y + 6)]
    )
    return (
        circle(CENTRE, HUB_MM, fill=palette.PLANK, stroke=palette.TIMBER, stroke_width=0.9)
        + draw(planks, stroke=palette.TIMBER, stroke_width=0.35)
        + draw(track, stroke=palette.STEEL, stroke_width=0.7)
    )


def bridge() -> str:
    """A plank bridge in the middle of an upright way, with parapets: what passes below does not join."""
    x, y = CENTRE
    half, length = WAY_MM / 2 + 0.4, 13.0
    shapes = rect(
        x - half - 3.2, y - length + 3, 2 * half + 6.4, 2 * length - 6, fill=palette.SHADOW, opacity=0.6
    )
    shapes += rect(x - half, y - length, 2 * half, 2 * length, fill=palette.SAND)
    planks = "".join(
        polyline([(x - half, y + step), (x + half, y + step)]) for step in (2.17 * n for n in range(-6, 7))
    )
    shapes += draw(planks, stroke=palette.TIMBER_LIGHT, stroke_width=0.5)
    rails_ = "".join(polyline([(x + off, y - length), (x + off, y + length)]) for off in (-GAUGE, GAUGE))
    shapes += draw(rails_, stroke=palette.STEEL, stroke_width=0.65)
    for off in (-half, half):
        shapes += draw(
            polyline([(x + off, y - length), (x + off, y + length)]),
            stroke=palette.TIMBER_DARK,
            stroke_width=2.6,
            stroke_linecap="round",
        )
        shapes += draw(
            polyline([(x + off, y - length), (x + off, y + length)]), stroke=palette.TIMBER, stroke_width=1.3
        )
    return shapes


def levels(ways: tuple[Way, ...]) -> tuple[tuple[Way, ...], ...]:
    """The ways by what is drawn together: all on one level, but a bridge above what it crosses."""
    above = tuple(way for way in ways if way.edges == N | S)
    if above and any(way.edges == E | W for way in ways):
        return tuple(way for way in ways if way not in above), above
    return (ways,)


def boulder(
    centre: Point, radius: float, random: Random, colours: tuple[str, str, str], fine: bool = True
) -> str:
    """One stone, turned any way: body, lit face and outline in the three colours, a dark face if `fine`."""
    return boulders([centre], radius, random, colours, fine)


def boulders(
    spots: Sequence[Point], radius: float, random: Random, colours: tuple[str, str, str], fine: bool
) -> str:
    """Several stones alike, none of them overlapping."""
    body, light, dark = colours
    outlines = lit = shaded = ""
    for spot in spots:
        points, inner = _stone(spot, radius, random, 7 if fine else 6)
        outlines += polygon(points)
        lit += polygon([inner, *points[:3]])
        shaded += polygon([inner, *points[4:6]])
    shapes = draw(outlines, fill=body, stroke=dark, stroke_width=0.5)
    shapes += draw(lit, fill=light, fill_opacity=0.55)
    return shapes + (draw(shaded, fill=dark, fill_opacity=0.35) if fine else "")


def _stone(centre: Point, radius: float, random: Random, corners: int) -> tuple[list[Point], Point]:
    """Corners of a stone, and a point inside it where its faces meet."""
    start = between(random, 0, 1)
    points = []
    for corner in range(corners):
        angle = 2 * math.pi * (corner + start + between(random, -0.25, 0.25)) / corners
        size = radius * between(random, 0.82, 1.12)
        points.append((centre[0] + size * math.cos(angle), centre[1] + size * math.sin(angle)))
    inner = (centre[0] + between(random, -0.2, 0.2) * radius, centre[1] + between(random, -0.2, 0.2) * radius)
    return points, inner


def rubble(way: Way, random: Random, fine: bool) -> str:
    """The end of a dead end: fallen rock behind a timber barrier."""
    assert way.tip is not None
    (x, y), tip = way.floor[0].points[1], way.tip
    angle = math.degrees(math.atan2(tip[1] - y, tip[0] - x))
    # Drawn along +x with the barrier at x = 0 and the tip at x = 7, then turned into place.
    shapes = draw("M1.5-7.2C5-7.4 8.6-4.4 8.6 0S5 7.4 1.5 7.2Z", fill=palette.BOULDER_DARK)
    if fine:
        for spot in FINE_STONES:
            place = (spot[0] + between(random, -0.35, 0.35), spot[1] + between(random, -0.35, 0.35))
            grey = palette.BOULDERS[int(random.random() * 3)]
            colours = (grey, palette.BOULDER_LIGHT, palette.BOULDER_DARK)
            shapes += boulder(place, between(random, 1.5, 2.2), random, colours)
    else:
        colours = (palette.BOULDERS[1], palette.BOULDER_LIGHT, palette.BOULDER_DARK)
        shapes += boulders(COARSE_STONES, 2.5, random, colours, fine=False)
    planks = "M-2.6-6.4L.6 6.4M.6-6.4L-2.6 6.4"
    timber = draw(planks, stroke=palette.TIMBER_DARK, stroke_width=2.5)
    timber += draw(planks, stroke=palette.TIMBER, stroke_width=1.6)
    return moved(shapes + group(timber, stroke_linecap="round"), x, y, turn=angle)


FINE_STONES: tuple[Point, ...] = tuple(
    (2.1 + row * 2.2, (place - (count - 1) / 2) * 2.9)
    for row, count in enumerate((5, 4, 3))
    for place in range(count)
)
COARSE_STONES: tuple[Point, ...] = ((2.6, -4.2), (5.6, 0.1), (2.6, 4.3))
"""Where the stones of a dead end lie, along and across its way, in mm from the barrier."""
