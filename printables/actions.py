"""Pictures of the action cards: symbols without words, since the deck is the same in every language."""

from __future__ import annotations

import math

from companion.game.decks import Action, Tool
from printables import palette
from printables.cards import PrintedAction
from printables.expansion_icons import EXPANSION_ICONS
from printables.icons import ICONS, SIZE
from printables.pen import Point, circle, document, draw, moved, polygon, rect
from printables.rock import FINE, rock
from printables.ways import CENTRE, HEIGHT, WIDTH

TINTS: dict[Action, tuple[str, str]] = {
    Action.BREAK: (palette.RUST_DARK, palette.RUST),
    Action.REPAIR: (palette.MOSS_DARK, palette.MOSS),
    Action.ROCKFALL: (palette.SLATE, palette.BOULDERS[2]),
    Action.MAP: ("#1d4152", "#4f8ba3"),
    Action.THEFT: (palette.RUST_DARK, palette.RUST),
    Action.HANDS_OFF: (palette.MOSS_DARK, palette.MOSS),
    Action.SWAP_HANDS: ("#43305c", "#8b6bb5"),
    Action.SWAP_HATS: ("#43305c", "#8b6bb5"),
    Action.INSPECTION: ("#1d4152", "#4f8ba3"),
    Action.TRAPPED: (palette.RUST_DARK, palette.RUST),
    Action.FREE: (palette.MOSS_DARK, palette.MOSS),
}
"""Ground and ring of each action's cards."""


def action_svg(card: PrintedAction) -> str:
    """The face of an action card, 56 x 87 mm: what it does in a medallion, small again in two corners."""
    ground, ring = TINTS[card.action]
    icons = icons_of(card.action, card.tools)
    shapes = rock(card.id, [], FINE) + rect(0, 0, WIDTH, HEIGHT, fill=ground, fill_opacity=0.6)
    shapes += rect(3, 3, WIDTH - 6, HEIGHT - 6, rx=3, fill="none", stroke=ring, stroke_width=0.8)
    harm = card.action in (Action.BREAK, Action.THEFT, Action.TRAPPED)
    if len(icons) == 1:
        shapes += _medallion(CENTRE, 19.5, ring, harm) + _centred(icons[0], CENTRE, 27)
    else:
        upper, lower = (CENTRE[0], 28.5), (CENTRE[0], HEIGHT - 28.5)
        shapes += _medallion(upper, 13.2, ring, harm) + _centred(icons[0], upper, 18.5)
        shapes += _medallion(lower, 13.2, ring, harm) + _centred(icons[1], lower, 18.5)
        # A slanted stroke between the two: one or the other, never both.
        slash = f"M{CENTRE[0] - 5:g} {CENTRE[1] + 2.4:g}L{CENTRE[0] + 5:g} {CENTRE[1] - 2.4:g}"
        shapes += draw(slash, stroke=palette.SAND_LIGHT, stroke_width=1.3, stroke_linecap="round")
    corner = "".join(
        circle((9, 9 + place * 9.4), 4.4, fill=palette.SAND_LIGHT, stroke=ring, stroke_width=0.9)
        + _centred(name, (9, 9 + place * 9.4), 6.2)
        for place, name in enumerate(icons)
    )
    return document(shapes + corner + moved(corner, WIDTH, HEIGHT, turn=180), WIDTH, HEIGHT)


def icons_of(action: Action, tools: tuple[Tool, ...]) -> tuple[str, ...]:
    """Names of the symbols that tell what an action card does."""
    if action is Action.BREAK:
        return tuple(f"{tool.value}-broken" for tool in tools)
    return tuple(tool.value for tool in tools) or (action.value,)


def _centred(name: str, spot: Point, size: float) -> str:
    drawing = ICONS[name]() if name in ICONS else EXPANSION_ICONS[name]()
    return moved(drawing, spot[0] - size / 2, spot[1] - size / 2, size / SIZE)


def _medallion(spot: Point, radius: float, ring: str, harm: bool) -> str:
    """A lamplit round; splintered round its rim where the card does harm, smooth where it helps."""
    if harm:
        count = 22
        points = [
            (
                spot[0] + (radius + (2.4 if n % 2 else -0.6)) * math.cos(math.pi * n / count),
                spot[1] + (radius + (2.4 if n % 2 else -0.6)) * math.sin(math.pi * n / count),
            )
            for n in range(2 * count)
        ]
        rim = draw(polygon(points), fill=ring, stroke=palette.INK, stroke_width=0.5)
    else:
        rim = circle(spot, radius + 1.3, fill=ring, stroke=palette.INK, stroke_width=0.5)
    floor = "".join(
        circle(spot, radius * share, fill=colour)
        for share, colour in ((0.93, palette.SAND_RIM), (0.88, palette.SAND), (0.66, palette.SAND_LIGHT))
    )
    return rim + floor
