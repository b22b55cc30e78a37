"""The web fonts: complete, small, from this server, and only for the languages that need them."""

import re
from pathlib import Path

import pytest

import web
from companion.language import LANGUAGES
from tests.server.house import House

STATIC = Path(web.__file__).parent / "static"
SHEET = (STATIC / "fonts.css").read_text(encoding="utf-8")
NAMES = (STATIC / "base.css").read_text(encoding="utf-8")
"""The sheet of every page: it has the letters of the languages' own names."""
MOST_BYTES_OF_NAMES = 4_000
MOST_BYTES = 3_000_000


@pytest.mark.parametrize("code", LANGUAGES)
def test_only_hindi_and_korean_pages_link_the_fonts(house: House, code: str) -> None:
    page = house.stranger().get(f"/?lang={code}").text
    assert f'lang="{code}"' in page
    links = [line for line in page.splitlines() if "<link" in line and "fonts.css" in line]
    assert bool(links) == (code in ("hi", "ko"))


def test_the_sheet_names_the_files_that_are_there_and_no_other() -> None:
    named = re.findall(r'url\("(?:/static/)?([^"]+)"\)', NAMES + SHEET)
    files = sorted((STATIC / "fonts").glob("*.woff2"))
    assert sorted(named) == [f"fonts/{path.name}" for path in files]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    assert {path.read_bytes()[:4] for path in files} == {b"wOF2"}


def test_the_names_of_the_languages_have_letters_on_every_page() -> None:
    files = [STATIC / path for path in re.findall(r'url\("/static/([^"]+)"\)', NAMES)]
    assert [path.stem for path in files] == ["language-name-hi", "language-name-ko"]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES_OF_NAMES


@pytest.mark.parametrize("weight", [400, 700])
def test_every_korean_syllable_and_all_of_devanagari_have_letters(weight: int) -> None:
    letters: set[int] = set()
    for face in re.findall(r"@font-face \{(.*?)\n\}", SHEET, re.DOTALL):
        if f"font-weight: {weight};" in face:
            for first, last in re.findall(r"U\+([0-9A-Fa-f]+)(?:-([0-9A-Fa-f]+))?", face):
                letters.update(range(int(first, 16), int(last or first, 16) + 1))
    assert letters >= {*range(0xAC00, 0xD7A4), *range(0x0900, 0x0980)}
    assert not letters & set(range(0x20, 0x250)), "Latin letters are the device's own"
