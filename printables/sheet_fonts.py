"""The fonts that come with the program for the words on the sheets, where Latin-1 is not enough."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
LATIN = FOLDER / "sheet-latin.ttf"
DEVANAGARI = FOLDER / "sheet-devanagari.ttf"
KOREAN = FOLDER / "sheet-korean.ttf"


def font_for(text: str) -> Path | None:
    """The font that comes with the program for a text; None where none is needed.

    >>> font_for("Print at 100 %") is None, font_for("lapų").name, font_for("인쇄하세요").name
    (True, 'sheet-latin.ttf', 'sheet-korean.ttf')
    """
    if needs_shaping(text):
        return DEVANAGARI
    if any("\uac00" <= letter <= "\ud7a3" for letter in text):
        return KOREAN
    return None if all(ord(letter) < 0x100 for letter in text) else LATIN


def needs_shaping(text: str) -> bool:
    """Whether letters of the text change shape or place beside each other, as Devanagari's do."""
    return any("\u0900" <= letter <= "\u097f" for letter in text)
