"""The printed deck as a PDF: cards at exact millimetres, fronts and mirrored backs, corner tags."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from fpdf import FPDF, ViewerPreferences
from fpdf.fonts import TTFFont

from companion.game.cards import CARD_MM
from printables.actions import action_svg
from printables.art import face_svg, marker
from printables.backs import back_svg, goal_back_svg
from printables.cards import ACTIONS, DECK, EXPANSION, MORE_ACTIONS, PLACE_HOLDERS, PhysicalCard
from printables.pen import document
from printables.sheet_fonts import needs_shaping
from vision.markers import TAG_DICTIONARY, TAG_IDS, TAG_MM, TAG_SHEET_MM

Paper = Literal["A4", "letter"]
PAPER_MM: dict[Paper, tuple[float, float]] = {"A4": (210.0, 297.0), "letter": (215.9, 279.4)}
COLUMNS = ROWS = 3
CARD_W, CARD_H = CARD_MM
MARK_MM = 4.0
"""Length of a crop mark."""
MARK_GAP_MM = 1.5
CROSS_MM = 1.0
"""Arms of the hair crosses where four cards meet: they stay clear of the markers."""
RULER_MM = 100.0
MADE = datetime(2020, 1, 1, tzinfo=UTC)
"""Written into every PDF as its date: the same deck gives the same bytes."""


class SheetError(Exception):
    """Sheets that cannot be written: a code with parameters, for `sentences` to put into words."""

    def __init__(self, code: str, **params: str) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


@dataclass(frozen=True)
class Sides:
    """What stands on the two sides of one paper card, as SVG."""

    front: str
    back: str


def deck_sides(expansion: bool = False) -> list[Sides]:
    """All cards of the printed deck in the order they are printed in; the three place holders come last."""
    paths = [Sides(face_svg(card), _back_of(card)) for card in DECK + (EXPANSION if expansion else ())]
    actions = [Sides(action_svg(card), back_svg()) for card in ACTIONS + (MORE_ACTIONS if expansion else ())]
    return [*paths, *actions, *[Sides(goal_back_svg(), goal_back_svg())] * PLACE_HOLDERS]


def _back_of(card: PhysicalCard) -> str:
    return goal_back_svg() if card.face.kind == "goal" else back_svg()


def write_deck(
    path: Path,
    paper: Paper = "A4",
    say: Callable[[str], str] = str,
    font: Path | None = None,
    expansion: bool = False,
) -> None:
    """Writes the whole deck as a PDF for two-sided printing, turned over the long edge, then the corner tags.

    `say` translates the few sentences; where a translation needs letters beyond Latin-1, `font` names a
    TrueType file that has them. Raises SheetError("text_needs_font") or ("sheets_unwritable").
    """
    pdf = _new(PAPER_MM[paper], font)
    title, foot = words(say)
    if font is not None and needs_shaping(foot):
        pdf.set_text_shaping(True)
    pdf.set_title(_sentence(pdf, title))
    sides = deck_sides(expansion)
    per_page = COLUMNS * ROWS
    for first in range(0, len(sides), per_page):
        page = sides[first : first + per_page]
        _card_page(pdf, paper, [card.front for card in page], mirrored=False)
        _footer(pdf, paper, foot)
        _card_page(pdf, paper, [card.back for card in page], mirrored=True)
        _footer(pdf, paper, foot)
    _tag_page(pdf, paper)
    _footer(pdf, paper, foot)
    try:
        path.write_bytes(bytes(pdf.output()))
    except OSError as error:
        raise SheetError("sheets_unwritable", path=str(path), why=error.strerror or str(error)) from error


def words(say: Callable[[str], str]) -> tuple[str, str]:
    """The sheets' title, and the line at the foot of every page with its {page} still to be filled."""
    return (
        say("Pithead printed deck"),
        say("Pithead printed deck, page {page}. Print at 100 %, two-sided, turned over the long edge."),
    )


def cards_pdf(svgs: Sequence[str]) -> bytes:
    """A PDF with one card a page, each page exactly a card's size."""
    pdf = _new(CARD_MM, None)
    for svg in svgs:
        pdf.add_page()
        place(pdf, svg, 0, 0)
    return bytes(pdf.output())


def place(pdf: FPDF, svg: str, x: float, y: float, size: tuple[float, float] = CARD_MM) -> None:
    """Draws a picture with its top left corner at (x, y), `size` mm wide and high, nothing beyond."""
    with pdf.rect_clip(x, y, *size):
        pdf.image(io.BytesIO(svg.encode()), x=x, y=y, w=size[0], h=size[1])


def grid_origin(paper: Paper) -> tuple[float, float]:
    """Top left corner of a page's 3 x 3 cards, in mm: they stand in the middle, so that backs meet fronts."""
    width, height = PAPER_MM[paper]
    return (width - COLUMNS * CARD_W) / 2, (height - ROWS * CARD_H) / 2


def slot(paper: Paper, index: int, mirrored: bool) -> tuple[float, float]:
    """Top left corner of the card `index` 0..8 of a page, in mm; backs run from right to left."""
    left, top = grid_origin(paper)
    row, column = divmod(index, COLUMNS)
    return left + (COLUMNS - 1 - column if mirrored else column) * CARD_W, top + row * CARD_H


def _new(size: tuple[float, float], font: Path | None) -> FPDF:
    pdf = FPDF(unit="mm", format=size)
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.set_creation_date(MADE)
    pdf.set_creator("Pithead")
    pdf.set_producer("Pithead")
    # Printers' dialogs that obey it do not shrink the page to fit: the cards must come out at 56 x 87 mm.
    pdf.viewer_preferences = ViewerPreferences(print_scaling="None", duplex="DuplexFlipLongEdge")
    if font is not None:
        pdf.add_font("sheet", fname=str(font))
        pdf.set_font("sheet", size=7)
    else:
        pdf.set_font("helvetica", size=7)
    return pdf


def _card_page(pdf: FPDF, paper: Paper, svgs: Sequence[str], mirrored: bool) -> None:
    pdf.add_page()
    for index, svg in enumerate(svgs):
        place(pdf, svg, *slot(paper, index, mirrored))
    _crop_marks(pdf, paper)


def _crop_marks(pdf: FPDF, paper: Paper) -> None:
    left, top = grid_origin(paper)
    right, bottom = left + COLUMNS * CARD_W, top + ROWS * CARD_H
    pdf.set_draw_color(0)
    pdf.set_line_width(0.1)
    for column in range(COLUMNS + 1):
        x = left + column * CARD_W
        pdf.line(x, top - MARK_GAP_MM - MARK_MM, x, top - MARK_GAP_MM)
        pdf.line(x, bottom + MARK_GAP_MM, x, bottom + MARK_GAP_MM + MARK_MM)
    for row in range(ROWS + 1):
        y = top + row * CARD_H
        pdf.line(left - MARK_GAP_MM - MARK_MM, y, left - MARK_GAP_MM, y)
        pdf.line(right + MARK_GAP_MM, y, right + MARK_GAP_MM + MARK_MM, y)
    pdf.set_draw_color(128)
    for column in range(1, COLUMNS):
        for row in range(1, ROWS):
            x, y = left + column * CARD_W, top + row * CARD_H
            pdf.line(x - CROSS_MM, y, x + CROSS_MM, y)
            pdf.line(x, y - CROSS_MM, x, y + CROSS_MM)


def _footer(pdf: FPDF, paper: Paper, foot: str) -> None:
    """A ruler to check the scale by, and one line of words."""
    width, height = PAPER_MM[paper]
    left, y = (width - RULER_MM) / 2, 2.9
    pdf.set_draw_color(0)
    pdf.set_line_width(0.2)
    pdf.line(left, y, left + RULER_MM, y)
    for step in range(11):
        tall = 1.6 if step % 5 == 0 else 0.9
        pdf.line(left + step * 10, y - tall / 2, left + step * 10, y + tall / 2)
    pdf.text(left + RULER_MM + 2, y + 0.9, "100 mm")
    # Of a cell without height the base line lies 0.3 of the letters' size below its place.
    pdf.set_xy(0, height - 1.8 - 0.3 * pdf.font_size)
    pdf.cell(width, 0, _sentence(pdf, foot.format(page=pdf.page_no())), align="C")


def _sentence(pdf: FPDF, text: str) -> str:
    """The text, if the font in force can write it."""
    font = pdf.current_font
    has = set(font.cmap) if isinstance(font, TTFFont) else range(0x100)
    if any(ord(letter) not in has for letter in text):
        raise SheetError("text_needs_font", text=text)
    return text


def _tag_page(pdf: FPDF, paper: Paper) -> None:
    """The four corner tags, each 45 mm on a white square of 60 mm with a cut line, placed as on the table."""
    pdf.add_page()
    width, height = PAPER_MM[paper]
    gap = 20.0
    left, top = (width - 2 * TAG_SHEET_MM - gap) / 2, (height - 2 * TAG_SHEET_MM - gap) / 2
    step = TAG_SHEET_MM + gap
    border = (TAG_SHEET_MM - TAG_MM) / 2
    corners = ((0, 0), (1, 0), (1, 1), (0, 1))
    pdf.set_draw_color(150)
    pdf.set_line_width(0.1)
    for number, (column, row) in zip(TAG_IDS, corners, strict=True):
        x, y = left + column * step, top + row * step
        pdf.rect(x, y, TAG_SHEET_MM, TAG_SHEET_MM)
        tag = document(marker(number, (0, 0), TAG_MM, TAG_DICTIONARY), TAG_MM, TAG_MM)
        place(pdf, tag, x + border, y + border, (TAG_MM, TAG_MM))
