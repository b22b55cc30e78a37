"""The rock of a card: facets lit by the ways that run past them, cracks, veins and specks of ore."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from printables import palette
from printables.pen import Point, between, chance, circle, distance, draw, group, pair, polyline, rect
from printables.ways import HEIGHT, WAY_MM, WIDTH


@dataclass(frozen=True)
class Grain:
    """How fine rock is: size of a facet in mm, tones of warmth and of light, decimals written."""

    facet: float
    warmths: int
    shades: int
    digits: int


FINE = Grain(4.6, 6, 4, 1)
COARSE = Grain(12.5, 4, 3, 0)


def rock(seed: str, lights: Sequence[Point], grain: Grain) -> str:
    """The card's rock as SVG, warm near `lights`, which are points on the ways in mm."""
    random = chance("rock", seed)
    ground = rect(0, 0, WIDTH, HEIGHT, fill=palette.mix(palette.ROCK_COLD, palette.ROCK_WARM, 0.25))
    return ground + _facets(random, lights, grain)


def _facets(random: Random, lights: Sequence[Point], grain: Grain) -> str:
    columns, rows = math.ceil(WIDTH / grain.facet), math.ceil(HEIGHT / grain.facet)
    dx, dy = WIDTH / columns, HEIGHT / rows
    corners: dict[tuple[int, int], Point] = {}
    for row in range(-1, rows + 2):
        for column in range(-1, columns + 2):
            shift = (row % 2) * 0.5
            corners[column, row] = (
                (column + shift + between(random, -0.34, 0.34)) * dx,
                (row + between(random, -0.34, 0.34)) * dy,
            )
    by_tone: dict[tuple[int, int], list[str]] = defaultdict(list)
    for row in range(-1, rows + 1):
        for column in range(-1, columns + 1):
            a, b = corners[column, row], corners[column + 1, row]
            c, d = corners[column, row + 1], corners[column + 1, row + 1]
            halves = ((a, b, c), (b, d, c)) if row % 2 == 0 else ((a, b, d), (a, d, c))
            for triangle in halves:
                tone = _tone(triangle, lights, random.random(), grain)
                if _on_card(triangle):
                    by_tone[tone].append(_triangle(triangle, grain.digits))
    shapes = []
    for (warmth, shade), triangles in sorted(by_tone.items()):
        colour = palette.mix(palette.ROCK_COLD, palette.ROCK_WARM, warmth / (grain.warmths - 1))
        colour = palette.mix(palette.mix("#000000", colour, 0.62), colour, shade / (grain.shades - 1))
        # A hair of outline in the same colour closes the seams that renderers leave between facets.
        shapes.append(draw("".join(triangles), fill=colour, stroke=colour))
    return group("".join(shapes), stroke_width=0.15)


def _tone(triangle: Sequence[Point], lights: Sequence[Point], luck: float, grain: Grain) -> tuple[int, int]:
    middle = (sum(p[0] for p in triangle) / 3, sum(p[1] for p in triangle) / 3)
    warmth = math.exp(-max(0.0, distance(middle, lights) - WAY_MM / 2) / 10)
    return round(warmth * (grain.warmths - 1)), round(luck * (grain.shades - 1))


def _on_card(triangle: Sequence[Point]) -> bool:
    xs, ys = [p[0] for p in triangle], [p[1] for p in triangle]
    return max(xs) > 0 and min(xs) < WIDTH and max(ys) > 0 and min(ys) < HEIGHT


def _triangle(triangle: Sequence[Point], digits: int) -> str:
    (ax, ay), (bx, by), (cx, cy) = ((round(x, digits), round(y, digits)) for x, y in triangle)
    return f"M{pair((ax, ay))}l{pair((bx - ax, by - ay))} {pair((cx - bx, cy - by))}z"


def relief(seed: str, lights: Sequence[Point]) -> str:
    """Cracks, a vein and specks of ore, only for the printed cards: a screen picture has no room for them."""
    random = chance("relief", seed)
    cracks = "".join(polyline(_wander(random, between(random, 8, 20))) for _ in range(7))
    vein = _wander(random, between(random, 40, 70))
    shapes = draw(polyline(vein), stroke=palette.VEIN, stroke_width=0.9, stroke_opacity=0.16)
    shapes += draw(polyline(vein), stroke=palette.VEIN, stroke_width=0.3, stroke_opacity=0.5)
    shapes += draw(cracks, stroke=palette.CRACK, stroke_width=0.35, stroke_opacity=0.75)
    for _ in range(14):
        point = (between(random, 1, WIDTH - 1), between(random, 1, HEIGHT - 1))
        radius = between(random, 0.2, 0.45)
        if distance(point, lights) > WAY_MM / 2 + 1.5:
            shapes += circle(point, radius, fill=palette.ORE, fill_opacity=0.7)
    return shapes


def _wander(random: Random, length: float) -> list[Point]:
    point = (between(random, 0, WIDTH), between(random, 0, HEIGHT))
    angle = between(random, 0, 2 * math.pi)
    points = [point]
    gone = 0.0
    while gone < length:
        step = between(random, 1.5, 4)
        angle += between(random, -0.7, 0.7)
        point = (point[0] + step * math.cos(angle), point[1] + step * math.sin(angle))
        points.append(point)
        gone += step
    return points
