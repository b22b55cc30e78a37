"""Every symbol of both games by its name, as a picture of its own for the screens."""

from __future__ import annotations

from printables.expansion_icons import EXPANSION_ICONS
from printables.icons import ICONS, SIZE
from printables.pen import document
from printables.role_icons import ROLE_ICONS

SYMBOLS = {**ICONS, **EXPANSION_ICONS, **ROLE_ICONS}


def symbol_svg(name: str) -> str:
    """A symbol as a picture of 24 x 24. Raises KeyError for a name that is not in `SYMBOLS`."""
    return document(SYMBOLS[name](), SIZE, SIZE)
