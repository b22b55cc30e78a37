"""The one palette: every colour of the printed deck and of the card pictures on the screens."""

from __future__ import annotations

ROCK_COLD = "#191b21"
ROCK_WARM = "#624934"
CRACK = "#0a0909"
VEIN = "#8a7151"
ORE = "#c99a45"
SHADOW = "#000"

SAND_RIM = "#b98d57"
SAND = "#e5c48d"
SAND_LIGHT = "#f5e1b8"
FOOTPRINT = "#9c7443"

TIMBER = "#80532c"
TIMBER_DARK = "#3a2312"
TIMBER_LIGHT = "#b58148"
PLANK = "#d3a56c"
STEEL = "#635b54"
STEEL_LIGHT = "#aeb4b8"
BOULDERS = ("#6b6560", "#7f7871", "#8f877e")
BOULDER_LIGHT = "#b3aa9f"
BOULDER_DARK = "#2c2725"

GOLD = "#f0b02c"
GOLD_LIGHT = "#ffe596"
GOLD_DARK = "#8f5a10"
COAL = "#1d1e24"
COAL_LIGHT = "#565c6b"
LAMP = "#ffd670"
FLAME = "#fff3c4"

GREEN = "#2e8b4d"
GREEN_LIGHT = "#8ed29a"
BLUE = "#2b68bd"
BLUE_LIGHT = "#9cc6f2"
CRYSTAL = "#58c3dc"
CRYSTAL_LIGHT = "#c8f3fa"
CRYSTAL_DARK = "#1f6f8d"

PAPER = "#fff"
INK = "#000"
PARCHMENT = "#ead9b2"
PARCHMENT_DARK = "#c3a873"

SLATE = "#22262e"
SLATE_LIGHT = "#343a45"
RUST = "#b23a26"
RUST_DARK = "#6d2117"
MOSS = "#5f8f3f"
MOSS_DARK = "#35561f"
BACK = "#16353c"
BACK_LINE = "#3f7a80"
BACK_LIGHT = "#d9c48f"
GOAL_BACK = "#5a2415"
GOAL_BACK_LINE = "#8f4a26"
GOAL_BACK_LIGHT = "#f0bd5a"


def mix(first: str, second: str, share: float) -> str:
    """The colour a `share` 0..1 of the way from `first` to `second` (both "#rrggbb").

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    channels = ((int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in channels)
