"""Symbols drawn in a square of 24: tools whole and broken, rockfall, map, nugget, the two roles."""

from __future__ import annotations

from collections.abc import Callable

from printables import palette
from printables.pen import chance, circle, draw, group, polyline, rect
from printables.tunnel import boulder

SIZE = 24.0


def pickaxe() -> str:
    """A pickaxe, its head up."""
    return _handle() + _head()


def _handle() -> str:
    return draw(
        "M10.7 5.5H13.3L13.7 22.4H10.3Z", fill=palette.TIMBER, stroke=palette.TIMBER_DARK, stroke_width=0.8
    )


def _head() -> str:
    return draw(
        "M.8 9.6C4.4 4.4 8.4 2.6 12 2.6S19.6 4.4 23.2 9.6C19.6 7.5 16 6.8 12 6.8S4.4 7.5.8 9.6Z",
        fill=palette.STEEL_LIGHT,
        stroke=palette.INK,
        stroke_width=0.8,
        stroke_linejoin="round",
    ) + rect(9.7, 2, 4.6, 5.6, rx=0.8, fill=palette.STEEL, stroke=palette.INK, stroke_width=0.8)


def pickaxe_broken() -> str:
    """The same with its handle snapped and its halves apart."""
    lower = draw(
        "M10.4 14.8L11.6 13.6L12.4 15L13.6 13.4L13.7 22.6H10.3Z",
        fill=palette.TIMBER,
        stroke=palette.TIMBER_DARK,
        stroke_width=0.8,
    )
    upper = draw(
        "M10.7 5.5H13.3L13.6 12L12.5 10.8L11.6 12.4L10.5 11.2Z",
        fill=palette.TIMBER,
        stroke=palette.TIMBER_DARK,
        stroke_width=0.8,
    )
    return _about(lower, 34, 9, 16) + _about(upper + _head(), -16, 12, 8) + _sparks(17.6, 13.6)


def lantern() -> str:
    """A lit lantern."""
    glow = "".join(circle((12, 14), r, fill=palette.LAMP, fill_opacity=0.22) for r in (11.4, 8.6))
    return (
        glow
        + _lantern_body(palette.LAMP)
        + draw(
            "M12 10.4C14.6 13.4 14.2 17 12 17.4C9.8 17 9.4 13.4 12 10.4Z",
            fill=palette.FLAME,
            stroke="#e8862a",
            stroke_width=0.7,
        )
    )


def _lantern_body(glass: str) -> str:
    return (
        draw("M8.2 6.4A4 4 0 0 1 15.8 6.4", stroke=palette.INK, stroke_width=2.4)
        + draw("M8.2 6.4A4 4 0 0 1 15.8 6.4", stroke=palette.STEEL_LIGHT, stroke_width=1.1)
        + rect(7.6, 8.6, 8.8, 10, rx=1.4, fill=glass, stroke=palette.INK, stroke_width=0.9)
        + draw(
            "M9 5.4H15L17.4 8.8H6.6ZM6.6 18.4H17.4V22H6.6Z",
            fill=palette.STEEL,
            stroke=palette.INK,
            stroke_width=0.8,
            stroke_linejoin="round",
        )
    )


def lantern_broken() -> str:
    """The same gone out, its glass cracked."""
    cracks = polyline([(7.6, 11.2), (10.6, 12.2), (10, 14.6), (13.2, 15.4), (12.8, 18.6)])
    cracks += polyline([(16.4, 9.8), (13.4, 11.8), (13.2, 15.4), (16.4, 16.6)])
    hole = draw("M10.6 12.2L13.4 11.8L13.2 15.4L10 14.6Z", fill=palette.INK)
    body = (
        _lantern_body("#7d858d")
        + hole
        + draw(cracks, stroke=palette.PAPER, stroke_width=0.8, stroke_linejoin="round")
    )
    return _about(body, 12, 12, 12) + _sparks(18.6, 6.2)


def cart() -> str:
    """A mine cart with ore in it."""
    ore = "".join(
        circle(spot, r, fill=palette.GOLD, stroke=palette.GOLD_DARK, stroke_width=0.7)
        for spot, r in (((7.6, 6.6), 2.5), ((16.4, 6.6), 2.5), ((12, 5.4), 3.1))
    )
    return ore + _tub() + _wheel(7.6, 20) + _wheel(16.4, 20)


def _tub() -> str:
    return (
        draw(
            "M2 7.4H22L19.4 17.6H4.6Z",
            fill=palette.STEEL_LIGHT,
            stroke=palette.INK,
            stroke_width=0.9,
            stroke_linejoin="round",
        )
        + draw("M8 8V17.2M16 8V17.2", stroke=palette.STEEL, stroke_width=1)
        + rect(1.2, 6.4, 21.6, 2.5, rx=1, fill=palette.STEEL, stroke=palette.INK, stroke_width=0.8)
    )


def _wheel(x: float, y: float) -> str:
    return circle((x, y), 2.9, fill=palette.TIMBER, stroke=palette.INK, stroke_width=0.9) + circle(
        (x, y), 0.9, fill=palette.STEEL_LIGHT
    )


def cart_broken() -> str:
    """The same tipped over, a wheel off and the tub torn."""
    tear = draw("M13.6 6.2L12 10L14.2 11.6L11.6 17.8L16.4 11L14.2 9.4L16 6.2Z", fill=palette.INK)
    return _about(_tub() + tear + _wheel(7.6, 20), 14, 12, 13) + _wheel(20.4, 20.6) + _sparks(18.8, 5.6)


def _sparks(x: float, y: float) -> str:
    """Three strokes in red: something broke here."""
    return draw(
        f"M{x:g} {y - 1.4:g}v-2.6M{x + 1.4:g} {y - 0.6:g}l2-1.8M{x + 1.6:g} {y + 1.2:g}h2.4",
        stroke=palette.RUST,
        stroke_width=1.3,
        stroke_linecap="round",
    )


def rockfall() -> str:
    """Falling rocks."""
    random = chance("rockfall")
    stone = (palette.BOULDERS[1], palette.BOULDER_LIGHT, palette.BOULDER_DARK)
    fall = draw(
        "M6 1V4.4M12 .6V3M18 1V4.4", stroke=palette.STEEL_LIGHT, stroke_width=1.3, stroke_linecap="round"
    )
    shapes = ""
    for x, y, radius in (
        (6.2, 9.4, 3.6),
        (17.6, 8.6, 3.2),
        (12, 6.8, 2.5),
        (4.8, 18.8, 3.8),
        (19, 18.6, 3.9),
        (12, 16.4, 4.8),
    ):
        shapes += boulder((x, y), radius, random, stone)
    return fall + shapes


def treasure_map() -> str:
    """A folded map with a way to a cross."""
    return (
        draw(
            "M2 5L8.7 2.6L15.3 5L22 2.6V19L15.3 21.4L8.7 19L2 21.4Z",
            fill=palette.PARCHMENT,
            stroke=palette.INK,
            stroke_width=0.9,
            stroke_linejoin="round",
        )
        + draw("M8.7 2.6L15.3 5V21.4L8.7 19Z", fill=palette.PARCHMENT_DARK, fill_opacity=0.7)
        + draw(
            "M4.4 16.6C7 12 9 17 11.4 13.6S13.6 9.4 15.6 9.2",
            stroke=palette.TIMBER_DARK,
            stroke_width=1.3,
            stroke_dasharray="2 1.3",
        )
        + draw(
            "M16.6 6.8L20.2 10.4M20.2 6.8L16.6 10.4",
            stroke=palette.RUST,
            stroke_width=1.7,
            stroke_linecap="round",
        )
    )


def nugget() -> str:
    """A gold nugget."""
    return (
        draw(
            "M3 14.6L6.4 7L12.6 4L19 6.6L21.6 13.4L18 19.4L9.6 20.6Z",
            fill=palette.GOLD,
            stroke=palette.GOLD_DARK,
            stroke_width=1.1,
            stroke_linejoin="round",
        )
        + draw("M6.4 7L12.6 4L13.4 9.8L8.6 12.6Z", fill=palette.GOLD_LIGHT)
        + draw("M13.4 9.8L21.6 13.4L18 19.4L12 16Z", fill=palette.GOLD_DARK, fill_opacity=0.4)
        + draw("M8.6 12.6L12 16L9.6 20.6L3 14.6Z", fill=palette.GOLD_DARK, fill_opacity=0.2)
    )


def dwarf(colour: str, beard: str) -> str:
    """A dwarf without eyes: helmet in a colour, beard in another."""
    return (
        draw(
            "M5.4 12.6C5 20 9 23.2 12 23.2S19 20 18.6 12.6Z", fill=beard, stroke=palette.INK, stroke_width=0.8
        )
        + draw(
            "M6.8 10.4H17.2V13.4C17.2 15 15.4 15.8 14 15.2L12 14.4L10 15.2C8.6 15.8 6.8 15 6.8 13.4Z",
            fill="#e2ad7d",
        )
        + circle((12, 14.2), 1.7, fill="#cf8c5c")
        + _shell(colour)
    )


def _shell(colour: str) -> str:
    return draw(
        "M4.2 10.6C4.2 4.8 7.6 2 12 2S19.8 4.8 19.8 10.6Z", fill=colour, stroke=palette.INK, stroke_width=0.9
    ) + rect(2.8, 9.4, 18.4, 2.2, rx=1.1, fill=colour, stroke=palette.INK, stroke_width=0.8)


def helmet(colour: str) -> str:
    """A helmet with its lamp, filling the square."""
    lamp = circle((12, 6.4), 2.2, fill=palette.LAMP, stroke=palette.INK, stroke_width=0.8)
    return group(_shell(colour) + lamp, transform="translate(-3.6 .6) scale(1.3 1.7)")


def miner() -> str:
    """A miner: bright helmet with a lit lamp, open face."""
    eyes = circle((9.4, 12.6), 0.8, fill=palette.INK) + circle((14.6, 12.6), 0.8, fill=palette.INK)
    lamp = circle((12, 6.4), 3.4, fill=palette.FLAME, fill_opacity=0.6) + circle(
        (12, 6.4), 2.2, fill=palette.LAMP, stroke=palette.INK, stroke_width=0.8
    )
    smile = draw(
        "M9.8 17.4C11 18.9 13 18.9 14.2 17.4", stroke=palette.INK, stroke_width=0.9, stroke_linecap="round"
    )
    return dwarf(palette.GOLD, palette.TIMBER_LIGHT) + eyes + lamp + smile


def saboteur() -> str:
    """A saboteur: dark hood-like helmet without a lamp, masked eyes, a red beard."""
    mask = rect(5.8, 11, 12.4, 3.2, rx=1.2, fill=palette.INK)
    eyes = draw("M7.6 12L10.8 13.3L8 13.6ZM16.4 12L13.2 13.3L16 13.6Z", fill=palette.PAPER)
    grin = draw("M9.4 18.6L14.6 17", stroke=palette.INK, stroke_width=1, stroke_linecap="round")
    dark_lamp = circle((12, 6.4), 2.2, fill=palette.COAL, stroke=palette.INK, stroke_width=0.8)
    slash = draw("M9.6 8.8L14.4 4", stroke=palette.RUST, stroke_width=1.3, stroke_linecap="round")
    return dwarf(palette.SLATE_LIGHT, palette.RUST) + mask + eyes + dark_lamp + slash + grin


def _about(content: str, turn: float, x: float, y: float) -> str:
    return group(content, transform=f"rotate({turn:g} {x:g} {y:g})")


ICONS: dict[str, Callable[[], str]] = {
    "pickaxe": pickaxe,
    "pickaxe-broken": pickaxe_broken,
    "lantern": lantern,
    "lantern-broken": lantern_broken,
    "cart": cart,
    "cart-broken": cart_broken,
    "rockfall": rockfall,
    "map": treasure_map,
    "nugget": nugget,
    "miner": miner,
    "saboteur": saboteur,
}
"""Every symbol by name."""
