"""The camera page in a real browser: what is measured, corners dragged by hand, photos sent by a phone."""

from __future__ import annotations

import json
import shutil
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest
from playwright.sync_api import Page, expect

from companion import printed_deck
from companion.data_folder import DataFolder
from companion.game.cards import GOAL_CELLS
from tests.browser.conftest import TABLE, Opener, Server
from tests.browser.nights import Night
from tests.browser.pages import Stop, enter
from tests.server.house import sight
from vision.deckbook import Deck
from vision.simulate import SimulatedTable

WELL = {"code": "view_size", "well": True, "params": {"px": 70, "needed": 38}}
POOR = {"code": "view_tilt", "well": False, "params": {"degrees": 61, "most": 55}}
READ_MS = 40_000
"""A process has to start and to read a photo, on a machine that does other things too."""


@pytest.fixture(scope="module")
def photo(deck: Deck) -> bytes:
    """The opening layout and one card, as a phone would photograph it."""
    table = SimulatedTable(deck, 2)
    table.lay("start", (0, 0))
    for card, cell in zip(("gold", "stone-NE", "stone-NW"), GOAL_CELLS, strict=True):
        table.lay(card, cell, face_up=False)
    table.lay("EW-1", (1, 0))
    return cv2.imencode(".jpg", table.frame())[1].tobytes()


class Watch:
    """What a watch started by hand would post."""

    def __init__(self, server: Server) -> None:
        self._base = f"{server.url}/camera/{server.code}"
        self._token = DataFolder(server.data).link_key("camera_token")

    def posts(self, what: str, body: bytes, kind: str = "application/json") -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": kind}
        request = urllib.request.Request(f"{self._base}/{what}", body, headers, method="POST")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=8) as answer:
            told = answer.read()
        return json.loads(told) if told else None

    def sees(self, *view: dict[str, Any]) -> Any:
        """A sight with so much measured; what the server says to it."""
        return self.posts("sight", json.dumps(sight() | {"view": list(view)}).encode())


@pytest.fixture(scope="module")
def watch(server: Server) -> Watch:
    """A watch over the server's table."""
    return Watch(server)


@pytest.fixture(scope="module")
def page(server: Server, open_page: Opener, watch: Watch, photo: bytes) -> Page:
    """The host's camera page, with a picture."""
    page = open_page(server.host_url, TABLE)
    watch.sees(WELL)
    watch.posts("picture", photo, "image/jpeg")
    page.goto(f"{server.url}/t/{server.code}/camera")
    expect(page.locator("#picture")).to_be_visible()
    return page


def test_the_page_says_in_words_and_signs_how_well_the_table_is_seen(page: Page, watch: Watch) -> None:
    expect(page.locator("#state")).to_have_text("✓The table is well seen.")
    expect(page.locator("#live.well")).to_be_visible()
    watch.sees(WELL, POOR)
    expect(page.locator("#state")).to_contain_text("!The table is not well seen yet.")
    expect(page.locator("#live.not-yet")).to_be_visible()
    poor = page.locator(".measure.poor")
    expect(poor).to_have_count(1)
    expect(poor).to_contain_text("!The camera looks from the side by 61 degrees.")
    expect(poor.locator(".better")).to_have_text("Raise the camera, so that it looks more from above.")
    assert watch.sees(WELL)["closely"] is True


def middle(page: Page, handle: str) -> tuple[float, float]:
    box = page.get_by_role("button", name=handle).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_corners_are_dragged_over_the_picture_and_reach_the_watch(page: Page, watch: Watch) -> None:
    page.get_by_role("button", name="Show the corners").click()
    expect(page.get_by_role("button", name="Corner 1")).to_be_focused()
    screen = page.locator(".screen").bounding_box()
    assert screen is not None
    x, y = middle(page, "Corner 2")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(screen["x"] + 0.5 * screen["width"], screen["y"] + 0.25 * screen["height"], steps=5)
    page.mouse.up()
    third = page.get_by_role("button", name="Corner 3")
    third.focus()
    before = middle(page, "Corner 3")
    for key in ("ArrowLeft", "Shift+ArrowUp"):
        third.press(key)
    after = middle(page, "Corner 3")
    assert after[0] == pytest.approx(before[0] - 0.005 * screen["width"], abs=1)
    assert after[1] == pytest.approx(before[1] - 0.03 * screen["height"], abs=1)
    page.get_by_role("button", name="Use these corners").click()
    expect(page.locator("#pointed")).to_be_visible()
    pointed = watch.sees(WELL)["pointed"]
    assert len(pointed) == 4 and pointed[1] == pytest.approx([0.5, 0.25], abs=0.01)
    page.get_by_role("button", name="Take the corners back").click()
    expect(page.locator("#pointed")).to_be_hidden()
    assert watch.sees(WELL)["pointed"] is None


def test_the_deck_on_the_table_is_chosen_and_stays_chosen(page: Page) -> None:
    decks = page.locator("#decks")
    expect(decks.locator("[aria-pressed=true]")).to_have_text("The deck that this program prints")
    decks.get_by_role("button", name="Any other deck").click()
    expect(decks.locator("[aria-pressed=true]")).to_contain_text("Any other deck")
    page.reload()
    expect(decks.locator("[aria-pressed=true]")).to_contain_text("Any other deck")
    decks.get_by_role("button", name="The deck that this program prints").click()
    expect(decks.locator("[aria-pressed=true]")).to_have_text("The deck that this program prints")


def test_whose_turn_it_is_takes_the_photo(night: Night, open_page: Opener) -> None:
    table = night.round(3)
    night.house.table.camera_chosen("photo", "w1")
    seats = [seat["seat"] for seat in table.view["seats"]]
    phone = table.phones[seats.index(table.view["to_move"])]
    page = open_page("about:blank")
    enter(page, night, Stop("mover", f"/p/{table.code}", who=phone))
    page.goto(f"{night.url}/p/{table.code}")
    page.get_by_role("link", name="Take a photo").click()
    expect(page.locator("#turn")).to_have_text("It is your turn!")
    expect(page.locator(".take")).to_be_visible()


def test_a_photo_from_a_phone_is_read(
    page: Page,
    server: Server,
    open_page: Opener,
    photo: bytes,
    deck_folder: Path,
    keep_picture: Callable[[Page, str], None],
) -> None:
    # Drawn already for other tests: drawing it again would take most of this one's time.
    kept = server.data / f"{printed_deck.KEPT}{printed_deck.drawing_key()}"
    if not printed_deck.is_kept(server.data):
        shutil.copytree(deck_folder, kept)
    phone = open_page(f"{server.url}/j/{server.code}")
    phone.get_by_label("Your name").fill("Ada")
    phone.get_by_role("button", name="Sit down at the table").click()
    phone.goto(f"{server.url}/p/{server.code}/camera")
    expect(phone.locator("#turn")).to_have_text("Another camera watches the table: no photos are needed now.")
    expect(phone.locator(".take")).to_be_hidden()

    page.get_by_role("button", name="Photos from phones").click()
    expect(page.locator("#photo-url")).to_have_text(f"{server.url}/p/{server.code}/camera")
    expect(phone.locator(".take")).to_be_visible()
    phone.locator(".take-file").set_input_files(
        {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": photo}
    )
    expect(phone.locator(".take-told")).to_have_text("The photo has been read.", timeout=READ_MS)
    expect(phone.locator("#picture")).to_be_visible()
    expect(page.locator("#measures")).to_contain_text("Start card: 1 of 1. Goals: 3 of 3.")
    keep_picture(phone, "photo-of-the-table")
    keep_picture(page, "camera-page")

    # Something that is no picture, from a gallery: said in words, and the button stays.
    phone.locator(".take-file").set_input_files(
        {"name": "x.jpg", "mimeType": "image/jpeg", "buffer": b"hello"}
    )
    expect(phone.locator(".take-refused")).to_contain_text("That is no photo that can be read.")


def test_the_table_screen_leads_the_host_to_the_camera_page(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/t/{server.code}")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Camera", exact=True).click()
    page.get_by_role("link", name="Set the camera up, with its picture").click()
    expect(page.get_by_role("heading", name="How well the table is seen")).to_be_visible()
