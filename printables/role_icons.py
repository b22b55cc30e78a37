"""Symbols of the expansion's roles in a square of 24, told apart by a sign on the helmet, not by colour."""

from __future__ import annotations

from printables import palette
from printables.icons import dwarf
from printables.pen import circle, draw


def _face(colour: str, beard: str, sign: str) -> str:
    eyes = circle((9.4, 12.8), 0.8, fill=palette.INK) + circle((14.6, 12.8), 0.8, fill=palette.INK)
    smile = draw(
        "M9.8 17.4C11 18.9 13 18.9 14.2 17.4", stroke=palette.INK, stroke_width=0.9, stroke_linecap="round"
    )
    return dwarf(colour, beard) + eyes + smile + sign


def _sign(d: str, colour: str) -> str:
    return draw(d, fill=colour, stroke=palette.INK, stroke_width=0.9, stroke_linejoin="round")


def green_miner() -> str:
    """A miner of the green team: a triangle on the helmet."""
    return _face(palette.GREEN, palette.TIMBER_LIGHT, _sign("M12 2.2L15.6 8.4H8.4Z", palette.GREEN_LIGHT))


def blue_miner() -> str:
    """A miner of the blue team: a square on the helmet."""
    return _face(palette.BLUE, palette.TIMBER_LIGHT, _sign("M9 2.8H15V8.6H9Z", palette.BLUE_LIGHT))


def boss() -> str:
    """The boss: a crown over the helmet."""
    crown = _sign("M5.6 9V2.6L9 5.4L12 1.6L15 5.4L18.4 2.6V9Z", palette.GOLD)
    return _face(palette.GOLD_DARK, palette.STEEL_LIGHT, crown)


def profiteer() -> str:
    """The profiteer: a coin on the helmet."""
    coin = circle((12, 5.8), 3.6, fill=palette.GOLD, stroke=palette.INK, stroke_width=0.9)
    return _face(
        palette.STEEL, palette.TIMBER_DARK, coin + draw("M12 3.8V7.8", stroke=palette.INK, stroke_width=1.1)
    )


def geologist() -> str:
    """A geologist: a crystal on the helmet."""
    crystal = _sign("M12 1.4L15.4 4.6L12 9L8.6 4.6Z", palette.CRYSTAL_LIGHT) + draw(
        "M8.6 4.6H15.4", stroke=palette.CRYSTAL_DARK, stroke_width=0.7
    )
    return _face(palette.CRYSTAL_DARK, palette.PARCHMENT, crystal)


ROLE_ICONS = {
    "green_miner": green_miner,
    "blue_miner": blue_miner,
    "boss": boss,
    "profiteer": profiteer,
    "geologist": geologist,
}
"""Every symbol by the name of its role."""
