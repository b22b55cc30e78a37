"""The printed deck to download: drawn when it is first asked for, one sheet set at a time, and kept."""

from __future__ import annotations

import io
import threading
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Blueprint, Response, request, send_file
from flask_babel import get_locale, gettext

from companion.language import LANGUAGES
from companion.server.access import Audience, Says, open_to
from companion.server.problems import ServerProblem

PAPERS = ("A4", "letter")
KEPT_SETS = 2 * len(PAPERS) * len(LANGUAGES)
"""All there are, so that nobody makes this machine draw one twice: with and without the expansion, by paper
and language, about a megabyte each."""

blueprint = Blueprint("sheets", __name__)
_drawing = threading.Lock()
"""Drawing takes seconds of one processor: whoever else asks waits, and then often gets the same set."""


@blueprint.get("/deck.pdf")
@open_to(Audience.ANYONE, says=Says.PAGE)
def deck() -> Response:
    """The deck as a PDF for a paper: `?paper=A4|letter`, and `&expansion=yes`."""
    paper, expansion = request.args.get("paper", "A4"), request.args.get("expansion") == "yes"
    if paper not in PAPERS:
        raise ServerProblem(404, "not_found")
    with _drawing:
        pdf = drawn(paper, expansion, str(get_locale() or "en"))
    name = f"pithead-deck-{'expansion-' if expansion else ''}{paper}.pdf"
    return send_file(io.BytesIO(pdf), mimetype="application/pdf", as_attachment=True, download_name=name)


@lru_cache(maxsize=KEPT_SETS)
def drawn(paper: str, expansion: bool, language: str) -> bytes:
    """The PDF for a paper, with its foot lines in the request's language, where there is a font for it."""
    # Imported with the first set that is wanted: what draws brings OpenCV along.
    from printables.sheet_fonts import font_for
    from printables.sheets import PAPER_MM, words, write_deck

    size = next(known for known in PAPER_MM if known == paper)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "deck.pdf"
        write_deck(path, size, gettext, font_for("".join(words(gettext))), expansion)
        return path.read_bytes()
