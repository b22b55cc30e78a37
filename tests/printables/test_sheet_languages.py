"""The sheets' words in every language: a font that comes with the program has all their letters."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from flask import Flask
from flask_babel import gettext

from companion import language
from companion.commands.printing import run_print
from printables.sheet_fonts import DEVANAGARI, KOREAN, LATIN, font_for
from printables.sheets import SheetError, words, write_deck

SAMPLES = {
    "tr": ("Yazdırılmış kâğıt, sayfa {page}. Üç ğ, İ ve ı.", LATIN),  # noqa: RUF001
    "et": ("Prinditud pakk, lehekülg {page}. Õige pööramine.", None),
    "lt": ("Spausdinta malka, {page} puslapis. Ąžuolų šėšėlių įžūlūs ūkčiai.", LATIN),
    "hi": ("छपी हुई गड्डी, पृष्ठ {page}। दोनों ओर, किनारे से पलटकर छापिए।", DEVANAGARI),
    "ko": ("Pithead 인쇄용 카드, {page}쪽. 양면으로 인쇄하세요.", KOREAN),
}


@pytest.fixture(params=language.LANGUAGES)
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    """Sentences within are in this language, as in `pithead print`."""
    app = Flask("pithead-words", static_folder=None)
    language.register(app, request.param)
    with app.app_context():
        yield request.param


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a PDF goes that has no cards: only the page of corner tags, with its line of words."""
    monkeypatch.setattr("printables.sheets.deck_sides", lambda expansion: [])
    return tmp_path / "sheet.pdf"


def text_of(path: Path) -> str:
    """The words on the first page, without spaces."""
    document: Any = pypdfium2.PdfDocument(path)
    try:
        return "".join(document[0].get_textpage().get_text_range().split())
    finally:
        document.close()


def test_the_sheets_speak_every_language(
    spoken: str, sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_print(Namespace(out=sheet, paper="A4", font=None, expansion=False)) == 0
    assert capsys.readouterr().err == ""
    assert "Pithead" in text_of(sheet)
    if spoken != "hi":  # shaped letters come out of a PDF in another order
        _, foot = words(gettext)
        assert "".join(foot.format(page=1).split()) in text_of(sheet)


@pytest.mark.parametrize("code", SAMPLES)
def test_the_right_font_is_found_by_the_letters(code: str, sheet: Path) -> None:
    sentence, font = SAMPLES[code]
    assert font_for(sentence) == font
    write_deck(sheet, say=lambda english: sentence, font=font)
    assert (b"/FontFile" in sheet.read_bytes()) == (font is not None)


def test_a_letter_that_the_font_lacks_is_told_and_not_printed_as_a_box(sheet: Path) -> None:
    with pytest.raises(SheetError) as caught:
        write_deck(sheet, say=lambda english: "뷁, {page}", font=KOREAN)
    assert caught.value.code == "text_needs_font"
    assert not sheet.exists()
