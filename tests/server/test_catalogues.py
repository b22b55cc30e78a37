"""The catalogues of six languages: whole, in step with the program, and with the same places to fill."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from companion.language import LANGUAGES, TRANSLATIONS

ROOT = Path(__file__).resolve().parents[2]
KEYWORDS = {"gettext": None, "_": None, "N_": None, "say": None, "lazy_gettext": None, "ngettext": (1, 2)}
PLACE = re.compile(r"%\(\w+\)s|\{\w*\}")
TRANSLATED = [code for code in LANGUAGES if code != "en"]


@pytest.fixture(scope="module")
def said() -> set[str]:
    """Every sentence that the program can show, as its source spells it."""
    with (ROOT / "web" / "babel.cfg").open(encoding="utf-8") as settings:
        mapping, options = parse_mapping_cfg(settings)
    found = extract_from_dir(str(ROOT), mapping, options, KEYWORDS)
    return {str(message) for _, _, message, *_ in found}


def catalogue(code: str) -> Catalog:
    with (TRANSLATIONS / code / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=code)


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_sentence_is_translated_and_none_is_left_over(code: str, said: set[str]) -> None:
    messages = {str(message.id): message for message in catalogue(code) if message.id}
    assert said - messages.keys() == set()
    assert messages.keys() - said == set()
    assert [text for text, message in messages.items() if not message.string or message.fuzzy] == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_translations_have_the_same_places_to_fill(code: str) -> None:
    for message in catalogue(code):
        if message.id:
            wanted, got = PLACE.findall(str(message.id)), PLACE.findall(str(message.string))
            assert set(got) == set(wanted), (message.id, message.string)


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_is_read_at_run_time_is_what_is_written(code: str) -> None:
    with (TRANSLATIONS / code / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        compiled = {str(message.id): message.string for message in read_mo(file) if message.id}
    written = {str(message.id): message.string for message in catalogue(code) if message.id}
    assert compiled == written, "run: pybabel compile -d web/translations"
