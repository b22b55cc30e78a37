"""The pen: points, outlines and shapes written down as SVG, in millimetres of the card."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from random import Random

Point = tuple[float, float]
Line = tuple[Point, ...]


def num(value: float) -> str:
    """A length as SVG text, rounded to 0.001.

    >>> num(3.0), num(-0.5), num(2.3474)
    ('3', '-.5', '2.347')
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    if text in ("-0", "0"):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def pair(point: Point, digits: int = 1) -> str:
    """A point as SVG text, as short as it gets at `digits` decimals."""
    x, y = num(round(point[0], digits)), num(round(point[1], digits))
    return x + ("" if y.startswith("-") else " ") + y


def polyline(points: Sequence[Point], digits: int = 1) -> str:
    """Path data of an open line."""
    return "M" + "L".join(pair(point, digits) for point in points)


def polygon(points: Sequence[Point], digits: int = 1) -> str:
    """Path data of a closed outline with corners."""
    return polyline(points, digits) + "Z"


def blob(points: Sequence[Point]) -> str:
    """Path data of a closed outline rounded at every point."""
    middles = [midpoint(a, b) for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    turns = "".join(f"Q{pair(p, 2)} {pair(m, 2)}" for p, m in zip(points, middles, strict=True))
    return f"M{pair(middles[-1], 2)}{turns}Z"


def midpoint(a: Point, b: Point) -> Point:
    """The point half-way between two."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def draw(d: str, **attributes: str | float) -> str:
    """A path element; `stroke_width=2` becomes stroke-width="2". Strokes are not filled."""
    if "stroke" in attributes and "fill" not in attributes:
        attributes["fill"] = "none"
    return f'<path d="{d}"{_attributes(attributes)}/>'


def rect(x: float, y: float, width: float, height: float, **attributes: str | float) -> str:
    """A rectangle element."""
    place = f'x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}"'
    return f"<rect {place}{_attributes(attributes)}/>"


def circle(centre: Point, radius: float, **attributes: str | float) -> str:
    """A circle element."""
    place = f'cx="{num(centre[0])}" cy="{num(centre[1])}" r="{num(radius)}"'
    return f"<circle {place}{_attributes(attributes)}/>"


def group(content: str, **attributes: str | float) -> str:
    """A group element."""
    return f"<g{_attributes(attributes)}>{content}</g>"


def moved(content: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """The content scaled, turned by `turn` degrees clockwise and moved so that its origin lies at (x, y)."""
    steps = [f"translate({num(x)} {num(y)})"]
    if turn:
        steps.append(f"rotate({num(turn)})")
    if scale != 1:
        steps.append(f"scale({num(scale)})")
    return group(content, transform=" ".join(steps))


def document(content: str, width: float, height: float) -> str:
    """A whole SVG of that size in mm."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(width)} {num(height)}">{content}</svg>'


def _attributes(attributes: dict[str, str | float]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{value if isinstance(value, str) else num(value)}"'
        for name, value in attributes.items()
    )


def chance(*seed: int | str) -> Random:
    """Numbers that are the same on every machine for the same seed: one card always looks the same.

    Only `random()` of it may be used: it alone is promised to stay the same in every Python.
    """
    return Random("/".join(map(str, seed)))


def between(random: Random, low: float, high: float) -> float:
    """A number drawn evenly from low..high."""
    return low + (high - low) * random.random()


def arc(centre: Point, radius: float, start: float, end: float, steps: int = 8) -> Line:
    """Points on a circle from one angle to another (degrees, 0 = east, clockwise as y grows downwards)."""
    angles = (math.radians(start + (end - start) * step / steps) for step in range(steps + 1))
    return tuple((centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles)


def walk(line: Line, step: float) -> list[tuple[Point, Point]]:
    """Points every `step` mm or less along a line, each with the unit direction of the line there."""
    lengths = [math.dist(a, b) for a, b in itertools.pairwise(line)]
    total = sum(lengths)
    count = max(1, math.ceil(total / step))
    found: list[tuple[Point, Point]] = []
    index, before = 0, 0.0
    for number in range(count + 1):
        along = total * number / count
        while index < len(lengths) - 1 and before + lengths[index] < along:
            before += lengths[index]
            index += 1
        (ax, ay), (bx, by) = line[index], line[index + 1]
        length = lengths[index]
        way = ((bx - ax) / length, (by - ay) / length)
        found.append(((ax + way[0] * (along - before), ay + way[1] * (along - before)), way))
    return found


def beside(line: Line, offset: float) -> Line:
    """The line shifted sideways: to its right as seen walking along it, for positive offsets (mm)."""
    shifted = []
    for index, point in enumerate(line):
        a, b = line[max(0, index - 1)], line[min(len(line) - 1, index + 1)]
        length = math.dist(a, b)
        shifted.append(
            (point[0] - (b[1] - a[1]) / length * offset, point[1] + (b[0] - a[0]) / length * offset)
        )
    return tuple(shifted)


def middle(line: Line) -> tuple[Point, Point]:
    """The point half-way along a line and the unit direction there."""
    stations = walk(line, 0.5)
    return stations[len(stations) // 2]


def distance(point: Point, stations: Iterable[Point]) -> float:
    """From a point to the nearest of some others, in mm (infinite when there are none)."""
    return min((math.dist(point, other) for other in stations), default=math.inf)
