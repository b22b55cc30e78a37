"""The pages of enrolment: the host's alone, a phone only adds photographs, and nothing is lost on the way."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import own_decks
from companion.commands.deck_option import folder_of
from companion.own_decks import (
    Draft,
    OwnCard,
    Part,
    draft_of,
    keep_draft,
    kept_decks,
    named_folder,
)
from companion.server import enrol
from companion.server.access import sign
from companion.trouble import Trouble
from tests.server.house import House

JPEG = {"content_type": "image/jpeg"}


def card(id: str, *tunnels: int, part: Part = Part.PATH) -> OwnCard:
    return OwnCard(id, f"{id}.jpg", part, tunnels, 0.8)


@pytest.fixture
def draft(house: House) -> Path:
    """A deck of five cards, read and not looked over yet."""
    folder = named_folder(house.services.data, "Ours")
    cards = (card("c01", 15), card("c02", 15), card("c03", 3), card("c04", 5), card("c05", part=Part.NONE))
    keep_draft(folder, Draft(cards))
    picture = cv2.imencode(".jpg", np.full((87, 56, 3), 128, np.uint8))[1].tobytes()
    for one in cards:
        (folder / one.file).write_bytes(picture)
    return folder


def test_a_family_says_what_is_what_and_keeps_the_deck(house: House, draft: Path) -> None:
    host = house.host()
    assert "Say which card is the start card" in host.get("/decks/of/Ours").text
    assert host.browser.post("/decks/of/Ours/write").status_code == 415  # a form says what it is

    def say(id: str, **said: str) -> int:
        return host.browser.post(f"/decks/of/Ours/card/{id}", data=said).status_code

    form = {"content_type": "application/x-www-form-urlencoded"}
    assert host.browser.post("/decks/of/Ours/write", **form).status_code == 409
    assert not (draft / "deck.json").exists()
    for id, part in (("c01", "start"), ("c02", "goal"), ("c03", "goal"), ("c05", "goal_back")):
        assert say(id, part=part) == 303
    assert say("c04", shape="N.S") == 303
    assert host.browser.post("/decks/of/Ours/write", **form).status_code == 303
    assert kept_decks(house.services.data) == ["Ours"]
    assert folder_of(house.services.data, Path("Ours")) == draft
    kept = {one.id: one for one in draft_of(draft).cards}
    assert (kept["c04"].tunnels, kept["c04"].sure) == ((1, 4), 1.0)
    assert "The deck is ready" in host.get("/decks/of/Ours").text


def test_there_is_one_start_card_and_one_back_of_the_goals(house: House, draft: Path) -> None:
    both = draft_of(draft).change("c01", Part.START).change("c02", Part.START)
    assert [one.id for one in both.of(Part.START)] == ["c02"]
    backs = both.change("c05", Part.GOAL_BACK).change("c04", Part.GOAL_BACK)
    assert [one.id for one in backs.of(Part.GOAL_BACK)] == ["c04"]


def test_the_list_stands_beside_the_box(house: House, draft: Path) -> None:
    there = {row[0]: row[1:] for row in draft_of(draft).composition()}
    assert there[(15,)] == (2, 5)
    assert there[(5,)] == (1, 4)
    assert there[(1, 2, 4, 8)] == (0, 1)
    page = house.host().get("/decks/of/Ours").text
    assert len(re.findall(r"missing: [1-5]</b>", page)) == 16


def test_a_photograph_without_cards_says_so_and_changes_nothing(house: House, draft: Path) -> None:
    before = draft_of(draft)
    bare = cv2.imencode(".jpg", np.full((300, 400, 3), 90, np.uint8))[1].tobytes()
    ticket = _ticket(house)
    answer = house.stranger().browser.post(f"/decks/add/{ticket}", data=bare, **JPEG)
    assert answer.status_code == 200
    assert answer.json["cards"] == 0
    assert "No card was found" in answer.json["problems"][0]
    assert draft_of(draft) == before


def test_a_phone_sees_nothing_but_its_own_page(house: House, draft: Path) -> None:
    phone = house.stranger()
    page = phone.get(f"/decks/add/{_ticket(house)}")
    assert page.status_code == 200 and "c01" not in page.text
    for path in ("/decks/", "/decks/of/Ours", "/decks/of/Ours/c01.jpg", "/decks/of/Ours/qr.svg"):
        assert phone.get(path).status_code == 403
    assert phone.get("/decks/add/forged").status_code == 404
    assert phone.browser.post("/decks/add/forged", data=b"x", **JPEG).status_code == 404


def test_a_picture_too_large_is_refused_before_it_is_read(house: House, draft: Path) -> None:
    answer = house.host().browser.post("/decks/of/Ours/picture", data=b"x" * 4_000_001, **JPEG)
    assert answer.status_code == 413


def test_a_code_for_phones_is_good_for_two_hours(
    house: House, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enrol, "TICKET_S", -1)
    phone = house.stranger()
    page = phone.get(f"/decks/add/{_ticket(house)}")
    assert page.status_code == 410
    assert "This code is too old" in page.text
    assert phone.browser.post(f"/decks/add/{_ticket(house)}", data=b"x", **JPEG).status_code == 410


def test_a_draft_takes_no_photographs_without_end_and_loses_none(
    house: House, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_decks, "MOST_CARDS", 5)
    answer = house.host().browser.post("/decks/of/Ours/picture", data=b"x", **JPEG)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "enrol_full")
    many = Draft(tuple(card(f"c{number}", 15) for number in range(1, 500)))
    keep_draft(draft, many)
    assert draft_of(draft) == many


def test_photographs_in_a_row_take_no_threads_from_the_game(house: House, draft: Path) -> None:
    for _ in range(enrol.MOST_WAITING):
        assert enrol._waiting_room.acquire(blocking=False)
    try:
        answer = house.host().browser.post("/decks/of/Ours/picture", data=b"x", **JPEG)
    finally:
        enrol._waiting_room.release(enrol.MOST_WAITING)
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "enrol_failed")


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", ".hidden", "x" * 41, "CON\0"])
def test_a_name_is_no_way_out_of_the_data_folder(house: House, name: str) -> None:
    with pytest.raises(Trouble, match="enrol_bad_name"):
        named_folder(house.services.data, name)
    answer = house.host().browser.post("/decks/", data={"name": name})
    assert answer.status_code == 422


def test_only_pictures_of_the_deck_are_given_out(house: House, draft: Path) -> None:
    host = house.host()
    (draft / "other.jpg").write_bytes(b"secret")
    assert host.get("/decks/of/Ours/c01.jpg").status_code == 200
    assert host.get("/decks/of/Ours/other.jpg").status_code == 404


def _ticket(house: House) -> str:
    with house.app.test_request_context():
        return sign("enrol", "Ours")
