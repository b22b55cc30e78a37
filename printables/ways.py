"""Where the ways of a face run on its card: the lines that art is drawn along, in mm."""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.game.cards import CARD_MM, EDGES, OPPOSITE, E, Edges, Face, Kind, N, S, W
from printables.pen import Line, Point, arc, beside, distance, num, pair, polyline, walk

WIDTH, HEIGHT = CARD_MM
WAY_MM = 14.0
"""Width of a tunnel."""
CENTRE: Point = (WIDTH / 2, HEIGHT / 2)
GATE: dict[Edges, Point] = {
    N: (WIDTH / 2, 0.0),
    E: (WIDTH, HEIGHT / 2),
    S: (WIDTH / 2, HEIGHT),
    W: (0.0, HEIGHT / 2),
}
"""Where a tunnel meets the card's edge."""
OUT: dict[Edges, Point] = {N: (0, -1), E: (1, 0), S: (0, 1), W: (-1, 0)}
BEYOND = 8.0
"""How far lines run on beyond the card, so that their ends never show."""
HUB_MM = 6.6
"""Radius of the turntable where three or four ways join."""
WALL_MM = 6.0
"""Least rock between a dead end and another way: 6 px where a card is 60 px wide."""


@dataclass(frozen=True)
class Track:
    """A line that floor or rails follow: its points, and for a curve its radius."""

    points: Line
    radius: float = 0.0

    def data(self, offset: float = 0.0) -> str:
        """The line shifted to its right by `offset` mm, as short path data."""
        if not self.radius:
            return polyline(beside(self.points, offset))
        start, enter, *_, leave, end = self.points
        first, last = beside((start, enter), offset), beside((leave, end), offset)
        right = (enter[0] - start[0]) * (end[1] - leave[1]) > (enter[1] - start[1]) * (end[0] - leave[0])
        r = num(self.radius + (-offset if right else offset))
        return f"{polyline(first)}A{r} {r} 0 0 {int(right)} {pair(last[0])}L{pair(last[1])}"


@dataclass(frozen=True)
class Way:
    """One tunnel of a face: the lines its floor follows, and the lines its rails follow.

    `dead` ways have one line, from outside the card to the middle of their rounded end; `tip` is the
    farthest point of the floor.
    """

    edges: Edges
    floor: tuple[Track, ...]
    rails: tuple[Track, ...]
    dead: bool = False
    hub: bool = False
    tip: Point | None = None


def at(edge: Edges, inwards: float) -> Point:
    """The point on an edge's axis that lies `inwards` mm inside the card (outside when negative)."""
    x, y = GATE[edge]
    return x - OUT[edge][0] * inwards, y - OUT[edge][1] * inwards


def reach(edge: Edges) -> float:
    """From the edge's middle to the card's centre, in mm."""
    return math.dist(GATE[edge], CENTRE)


def straight(first: Edges, bow: float = 0.0) -> Track:
    """A line from one edge to the opposite one, bowed by `bow` mm in the middle (towards positive x or y)."""
    second = OPPOSITE[first]
    if not bow:
        return Track((at(first, -BEYOND), at(second, -BEYOND)))
    start, end = at(first, 14), at(second, 14)
    shift = (1.0, 0.0) if first in (N, S) else (0.0, 1.0)
    inner = []
    for step in range(13):
        share = step / 12
        off = bow * (1 - math.cos(2 * math.pi * share)) / 2
        inner.append(
            (
                start[0] + (end[0] - start[0]) * share + shift[0] * off,
                start[1] + (end[1] - start[1]) * share + shift[1] * off,
            )
        )
    return Track((at(first, -BEYOND), *inner, at(second, -BEYOND)))


def curve(first: Edges, second: Edges, radius: float) -> Track:
    """A line from one edge to a neighbouring one, round a quarter of a circle."""
    upright, across = (first, second) if first in (N, S) else (second, first)
    ox, oy = OUT[across][0], OUT[upright][1]
    centre = (CENTRE[0] + ox * radius, CENTRE[1] + oy * radius)
    start = math.degrees(math.atan2(0, -ox))
    end = math.degrees(math.atan2(-oy, 0))
    if abs(end - start) > 180:
        start -= math.copysign(360, start - end)
    return Track((at(upright, -BEYOND), *arc(centre, radius, start, end), at(across, -BEYOND)), radius)


def ways_of(face: Face) -> tuple[Way, ...]:
    """The ways of a face in the order they are drawn: a bridge comes after what it crosses."""
    through = [group for group in face.tunnels if group.bit_count() > 1]
    dead = [group for group in face.tunnels if group.bit_count() == 1]
    crowded = len(through) > 1
    ways = [_through(group, crowded, dead) for group in through]
    # A bridge carries the upright way over the level one, so the level one is drawn first.
    ways.sort(key=lambda way: way.edges == N | S)
    stations = [point for way in ways for line in way.floor for point, _ in walk(line.points, 1)]
    for edge in dead:
        if face.ladder or face.kind is not Kind.PATH:
            outside = at(edge, -BEYOND)
            rails = Track((outside, at(edge, reach(edge) - HUB_MM)))
            ways.append(Way(edge, (Track((outside, CENTRE)),), (rails,)))
        else:
            ways.append(_dead_end(edge, stations, alone=len(face.tunnels) == 1))
    return tuple(ways)


def _through(group: Edges, crowded: bool, dead: list[Edges]) -> Way:
    edges = [edge for edge in EDGES if group & edge]
    radius = 24.0 if crowded else 20.0 if dead else 16.0
    lines = []
    for index, first in enumerate(edges):
        for second in edges[index + 1 :]:
            if second == OPPOSITE[first]:
                lines.append(straight(first, _bow(group, dead)))
            else:
                lines.append(curve(first, second, radius))
    if len(edges) == 2:
        return Way(group, tuple(lines), tuple(lines))
    spokes = tuple(Track((at(edge, -BEYOND), at(edge, reach(edge) - HUB_MM))) for edge in edges)
    return Way(group, tuple(lines), spokes, hub=True)


def _bow(group: Edges, dead: list[Edges]) -> float:
    """An upright straight bends away from a dead end on one of its sides: the card is narrow there."""
    if group != N | S or (E in dead) == (W in dead):
        return 0.0
    return -3.0 if E in dead else 3.0


def _dead_end(edge: Edges, others: list[Point], alone: bool) -> Way:
    free = reach(edge) - (1.0 if alone else 8.0)
    while distance(at(edge, free), others) < WAY_MM / 2 + WALL_MM:
        free -= 0.5
    line = Track((at(edge, -BEYOND), at(edge, free - WAY_MM / 2)))
    return Way(edge, (line,), (line,), dead=True, tip=at(edge, free))
