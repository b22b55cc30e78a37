"""The backs: one for path and action cards, one for goals; different in colour, pattern and symbol."""

from __future__ import annotations

import math
from functools import cache

from printables import palette
from printables.art import marker_pair
from printables.icons import pickaxe
from printables.pen import circle, document, draw, moved, polygon, polyline, rect
from printables.ways import CENTRE, HEIGHT, WIDTH
from vision.markers import GOAL_BACK_MARKERS


@cache
def back_svg() -> str:
    """The back of path and action cards: a lattice of timber with crossed pickaxes. No markers."""
    lattice = ""
    for step in range(-16, 17):
        x = CENTRE[0] + step * 7
        lattice += polyline([(x - 43.5, 0), (x + 43.5, 87)]) + polyline([(x + 43.5, 0), (x - 43.5, 87)])
    shapes = rect(0, 0, WIDTH, HEIGHT, fill=palette.BACK)
    shapes += draw(lattice, stroke=palette.BACK_LINE, stroke_width=1.1, stroke_opacity=0.55)
    shapes += draw(lattice, stroke=palette.BACK, stroke_width=0.35)
    dots = ""
    for row in range(-7, 8):
        for column in range(-5, 6):
            if (row + column) % 2 == 0:
                spot = (CENTRE[0] + column * 7, CENTRE[1] + row * 7)
                dots += polygon(
                    [(spot[0] + x, spot[1] + y) for x, y in ((0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0))]
                )
    shapes += draw(dots, fill=palette.BACK_LIGHT, fill_opacity=0.5)
    shapes += _frame(palette.BACK, palette.BACK_LIGHT)
    shapes += circle(CENTRE, 20, fill=palette.BACK, stroke=palette.BACK_LIGHT, stroke_width=0.9)
    shapes += circle(CENTRE, 17.8, fill="none", stroke=palette.BACK_LINE, stroke_width=0.6)
    for turn in (-45, 45, 135, 225):
        shapes += moved(draw("M0-19L1.1-17.8L0-16.6L-1.1-17.8Z", fill=palette.BACK_LIGHT), *CENTRE, turn=turn)
    # A pair and its half turn: neither way up can be told from the other.
    for turn in (0, 180):
        shapes += moved(moved(moved(pickaxe(), -12, -12), -4.2, 0, 0.95, turn=-28), *CENTRE, turn=turn)
    return document(shapes, WIDTH, HEIGHT)


@cache
def goal_back_svg(marked: bool = True) -> str:
    """The back of all goals and place holders: strata round a nugget, one pair of markers for all."""
    shapes = rect(0, 0, WIDTH, HEIGHT, fill=palette.GOAL_BACK)
    for ring in range(22, 2, -1):
        radius = ring * 2.6
        colour = palette.mix(palette.GOAL_BACK, palette.GOAL_BACK_LINE, 0.85 if ring % 2 else 0.15)
        points = []
        for step in range(48):
            angle = 2 * math.pi * step / 48
            wobble = 1 + 0.05 * math.sin(2 * angle + ring * 0.6) + 0.03 * math.sin(6 * angle - ring)
            points.append(
                (CENTRE[0] + radius * wobble * math.cos(angle), CENTRE[1] + radius * wobble * math.sin(angle))
            )
        shapes += draw(polygon(points), fill=colour)
    shapes += _frame(palette.GOAL_BACK, palette.GOAL_BACK_LIGHT)
    shapes += circle(CENTRE, 15, fill=palette.GOAL_BACK, stroke=palette.GOAL_BACK_LIGHT, stroke_width=0.9)
    for step in range(16):
        long = 12.6 if step % 2 == 0 else 10.6
        ray = draw(f"M-.7-8.6L0-{long}L.7-8.6Z", fill=palette.GOAL_BACK_LIGHT, fill_opacity=0.85)
        shapes += moved(ray, *CENTRE, turn=22.5 * step)
    shapes += moved(_gem(), *CENTRE)
    return document(shapes + (marker_pair(GOAL_BACK_MARKERS) if marked else ""), WIDTH, HEIGHT)


def _gem() -> str:
    """A faceted nugget that looks the same after half a turn."""
    rim = [(7 * math.cos(math.pi * n / 4 + 0.39), 7 * math.sin(math.pi * n / 4 + 0.39)) for n in range(8)]
    table = [(x * 0.52, y * 0.52) for x, y in rim]
    shapes = draw(polygon(rim), fill=palette.GOLD, stroke=palette.GOLD_DARK, stroke_width=0.5)
    for n in range(8):
        colour = (palette.GOLD_LIGHT, palette.GOLD, palette.GOLD_DARK, palette.GOLD)[n % 4]
        sides = [rim[n], rim[(n + 1) % 8], table[(n + 1) % 8], table[n]]
        shapes += draw(polygon(sides, 2), fill=colour, fill_opacity=0.75)
    return shapes + draw(polygon(table, 2), fill=palette.GOLD_LIGHT)


def _frame(dark: str, light: str) -> str:
    return rect(1.5, 1.5, WIDTH - 3, HEIGHT - 3, rx=2.5, fill="none", stroke=dark, stroke_width=3) + rect(
        2.9, 2.9, WIDTH - 5.8, HEIGHT - 5.8, rx=1.6, fill="none", stroke=light, stroke_width=0.5
    )
