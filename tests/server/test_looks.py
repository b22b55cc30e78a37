"""Style sheets as one request a page, kept for good under an address of their own; the deck to print."""

import re
from pathlib import Path

import pytest

import web
from companion.network import WIFI_KINDS, wifi_text
from companion.server.looks import LOOKS, current_version
from tests.server.house import House

TEMPLATES = Path(web.__file__).parent / "templates"


def test_every_page_names_a_look_that_there_is() -> None:
    named = {
        found
        for template in TEMPLATES.glob("*.html")
        for found in re.findall(r"\{% block look %\}(\w+)\{%", template.read_text(encoding="utf-8"))
    }
    assert named == set(LOOKS)


@pytest.mark.parametrize("name", LOOKS)
def test_a_look_is_one_sheet_that_is_kept(house: House, name: str) -> None:
    sheet = house.stranger().get(f"/look/{current_version()}/{name}.css")
    assert (sheet.status_code, sheet.mimetype) == (200, "text/css")
    assert "max-age=31536000" in sheet.headers["Cache-Control"]
    assert "--lamp:" in sheet.text and "prefers-reduced-motion" in sheet.text
    assert house.stranger().get("/look/older/page.css").headers["Cache-Control"] == "no-store"


def test_what_a_page_names_is_kept_and_its_fonts_are_there(house: House) -> None:
    page = house.stranger().get("/").text
    sheet = re.search(r'href="(/look/[^"]+)"', page)
    assert sheet is not None
    fonts = re.findall(r'url\("(/static/[^"]+)"\)', house.stranger().get(sheet[1]).text)
    named = [*re.findall(r'(?:src|href)="(/static/[^"]+)"', page), *fonts]
    assert len(named) >= 4
    for address in named:
        answer = house.stranger().get(address)
        assert answer.status_code == 200, address
        assert "max-age=31536000" in answer.headers["Cache-Control"], address
        answer.close()


def test_the_deck_is_there_to_download(house: House) -> None:
    answer = house.stranger().get("/deck.pdf?paper=A4")
    assert answer.data.startswith(b"%PDF-")
    assert "pithead-deck-A4.pdf" in answer.headers["Content-Disposition"]
    assert house.stranger().get("/deck.pdf?paper=napkin").status_code == 404


@pytest.mark.parametrize("kind", WIFI_KINDS)
def test_the_hosts_wifi_becomes_a_code_and_is_not_kept(house: House, kind: str) -> None:
    body = {"name": "Hut", "password": "lamplight", "kind": kind, "hidden": False}
    answer = house.host().post(f"/t/{house.code}/wifi", body)
    assert answer.json["qr"].startswith("data:image/svg+xml;base64,")
    assert answer.headers["Cache-Control"] == "no-store"
    kept = b"".join(path.read_bytes() for path in house.folder.path.rglob("*") if path.is_file())
    assert b"lamplight" not in kept


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "x" * 33}, {"password": 7}, {"kind": "WPA4"}, {"hidden": "no"}]
)
def test_a_wifi_that_is_none_is_refused(house: House, wrong: dict[str, object]) -> None:
    body = {"name": "Hut", "password": "", "kind": "nopass", "hidden": True, **wrong}
    answer = house.host().post(f"/t/{house.code}/wifi", body)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_field")


def test_special_letters_of_a_wifi_are_escaped() -> None:
    assert wifi_text('a\\b;c,d"e:f', "", "nopass", True) == 'WIFI:T:nopass;S:a\\\\b\\;c\\,d\\"e\\:f;H:true;;'
    assert wifi_text("Käsnakivi", "p;w", "WPA") == "WIFI:T:WPA;S:Käsnakivi;P:p\\;w;;"
