"""`pithead print` and `pithead deck`: the printed deck as sheets, and as a folder for the camera's reader."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from flask_babel import gettext

from printables.deck_folder import export
from printables.sheet_fonts import font_for
from printables.sheets import SheetError, words, write_deck


def run_print(options: Any) -> int:
    """Writes the sheets as a PDF. Raises SheetError."""
    say: Callable[[str], str] = gettext
    font = options.font or font_for("".join(words(say)))
    try:
        write_deck(options.out, options.paper, say, font, options.expansion)
    except SheetError as error:
        if error.code != "text_needs_font" or options.font is not None:
            raise
        print(
            gettext("The sheets are in English: name a font for this language with --font FILE."),
            file=sys.stderr,
        )
        write_deck(options.out, options.paper, str, None, options.expansion)
    print(
        gettext(
            "%(file)s is written. Print it at 100 %%, on both sides, turned over the long edge.",
            file=options.out,
        )
    )
    return 0


def run_deck(options: Any) -> int:
    """Writes the deck folder. Raises DeckFolderError."""
    book = export(options.folder, options.expansion)
    print(gettext("%(file)s is written.", file=book))
    return 0
