"""Symbols of the expansion's actions, drawn in a square of 24."""

from __future__ import annotations

from printables import palette
from printables.icons import helmet, nugget
from printables.pen import circle, draw, group, moved, rect


def hand() -> str:
    """A grasping hand from below."""
    return draw(
        "M7 23.4V15.6C5.6 14.4 3.6 12 3.6 10.6C3.6 9.2 5.2 8.8 6.2 10L8.2 12.2V4.6"
        "C8.2 2.8 10.8 2.8 10.8 4.6V3C10.8 1.2 13.4 1.2 13.4 3V4.4"
        "C13.4 2.8 16 2.8 16 4.6V6.4C16 5 18.4 5 18.4 6.6V14.4"
        "C18.4 16.6 17.4 18 17 19V23.4Z",
        fill="#e2ad7d",
        stroke=palette.INK,
        stroke_width=0.9,
        stroke_linejoin="round",
    ) + draw(
        "M10.8 4.6V10.6M13.4 4.4V10.6M16 6.4V11", stroke=palette.INK, stroke_width=0.8, stroke_linecap="round"
    )


def theft() -> str:
    """A hand that holds another one's nugget."""
    return moved(hand(), 0, 1.4) + moved(nugget(), 5.4, 8.4, 0.55)


def hands_off() -> str:
    """A hand that is forbidden."""
    return (
        hand()
        + circle((12, 12), 10.6, fill="none", stroke=palette.RUST, stroke_width=2.2)
        + draw("M4.5 4.5L19.5 19.5", stroke=palette.RUST, stroke_width=2.2)
    )


def swap_hands() -> str:
    """Two hands of cards that change places."""

    def fan(back: str) -> str:
        cards = (-22, 0, 22)
        return "".join(
            group(
                rect(-2.4, -8, 4.8, 7.4, rx=0.7, fill=back, stroke=palette.INK, stroke_width=0.7),
                transform=f"rotate({turn})",
            )
            for turn in cards
        )

    return moved(fan(palette.BLUE_LIGHT), 6.4, 12.4) + moved(fan(palette.GOLD), 17.6, 12.4) + _exchange(18)


def swap_hats() -> str:
    """Two helmets that change places."""
    return (
        moved(helmet(palette.GOLD), 0.2, 2.2, 0.47)
        + moved(helmet(palette.SLATE_LIGHT), 12.4, 2.2, 0.47)
        + _exchange(15.6)
    )


def _exchange(y: float) -> str:
    arrows = f"M4 {y:g}H18.6L16.2 {y - 2.2:g}M20 {y + 4:g}H5.4L7.8 {y + 6.2:g}"
    return draw(
        arrows, stroke=palette.INK, stroke_width=3.2, stroke_linecap="round", stroke_linejoin="round"
    ) + draw(arrows, stroke=palette.LAMP, stroke_width=1.7, stroke_linecap="round", stroke_linejoin="round")


def inspection() -> str:
    """A looking glass over a helmet."""
    return (
        draw("M15.4 15.4L21.6 21.6", stroke=palette.INK, stroke_width=4, stroke_linecap="round")
        + draw("M15.4 15.4L21.6 21.6", stroke=palette.TIMBER, stroke_width=2.6, stroke_linecap="round")
        + circle((9.8, 9.8), 8.2, fill=palette.CRYSTAL_LIGHT, stroke=palette.INK, stroke_width=1)
        + moved(helmet(palette.GOLD), 4, 5.6, 0.48)
        + circle((9.8, 9.8), 7.6, fill="none", stroke=palette.STEEL, stroke_width=1.6)
    )


def trapped() -> str:
    """A helmet behind bars."""
    bars = "M4.6 3V21M9.6 3V21M14.4 3V21M19.4 3V21"
    return (
        rect(2.4, 2.6, 19.2, 18.8, fill=palette.ROCK_COLD)
        + moved(helmet(palette.GOLD), 4.2, 6.4, 0.65)
        + draw(bars, stroke=palette.INK, stroke_width=2.4)
        + draw(bars, stroke=palette.STEEL_LIGHT, stroke_width=1.3)
        + rect(1.6, 1.4, 20.8, 2.6, rx=0.8, fill=palette.STEEL, stroke=palette.INK, stroke_width=0.8)
        + rect(1.6, 20, 20.8, 2.6, rx=0.8, fill=palette.STEEL, stroke=palette.INK, stroke_width=0.8)
    )


def free() -> str:
    """An open lock."""
    shackle = "M6.4 11.6V7A4.4 4.4 0 0 1 15 5.6"
    return (
        draw(shackle, stroke=palette.INK, stroke_width=3.8, stroke_linecap="round")
        + draw(shackle, stroke=palette.STEEL_LIGHT, stroke_width=2.2, stroke_linecap="round")
        + rect(3.6, 11, 16.8, 11.4, rx=1.6, fill=palette.GOLD, stroke=palette.INK, stroke_width=0.9)
        + draw("M12 14.2A1.7 1.7 0 0 1 13 17.3L13.5 20H10.5L11 17.3A1.7 1.7 0 0 1 12 14.2Z", fill=palette.INK)
        + draw("M18 3.4L20 1.4M19 6.2L22 5.6", stroke=palette.MOSS, stroke_width=1.3, stroke_linecap="round")
    )


EXPANSION_ICONS = {
    "theft": theft,
    "hands_off": hands_off,
    "swap_hands": swap_hands,
    "swap_hats": swap_hats,
    "inspection": inspection,
    "trapped": trapped,
    "free": free,
}
"""Every symbol by the name of its action."""
