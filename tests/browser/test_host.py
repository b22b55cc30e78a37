"""The host at the table screen: lays for the mover, undoes steps by name, settles what the camera sees."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.data_folder import DataFolder
from tests.browser.conftest import TABLE, Opener, Server
from tests.browser.people import Cell, Table, lies_at

GOALS = ((8, -2), (8, 0), (8, 2))


@pytest.fixture(scope="module")
def table(server: Server, open_page: Opener) -> Table:
    """Three players in a round."""
    table = Table(server, open_page)
    table.start()
    return table


@pytest.fixture
def see(server: Server, table: Table) -> Callable[..., None]:
    """A camera started by hand: posts that it sees these cards (drawn ones), start card and goals."""
    token = DataFolder(server.data).link_key("camera_token")

    def seen(*cards: tuple[Cell, str]) -> None:
        laid = [_card(cell, "path", face) for cell, face in cards]
        goals = [_card(cell, "goal", None) for cell in GOALS]
        sight = {"revision": 1, "steady": True, "at": 2.0, "simulated": True, "size": [1280, 720]}
        sight |= {"cards": [_card((0, 0), "start", "NESW"), *goals, *laid], "hidden": [], "problems": []}
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        address = f"{server.url}/camera/{server.code}/sight"
        urlopen(Request(address, json.dumps(sight).encode(), headers), timeout=5).close()

    return seen


def _card(cell: Cell, kind: str, face: str | None) -> dict[str, Any]:
    return {
        "cell": list(cell),
        "face": face,
        "kind": kind,
        "tunnels": [list(group) for group in face.split(".")] if face else [],
        "turned": False,
        "face_up": face is not None,
        "confidence": 0.99,
        "since": 1.0,
        "corners": [[0, 0], [1, 0], [1, 1], [0, 1]],
    }


def tap(screen: Page, cell: Cell, face: str) -> Locator:
    """The host taps a place on the big board, then a card; gives the sheet that asks which way up."""
    screen.locator(f"#board [data-cell='{cell[0]},{cell[1]}'].spot").click()
    return choose(screen, face)


def choose(screen: Page, face: str) -> Locator:
    """Taps a card in the sheet that is open."""
    sheet = screen.locator("dialog")
    expect(sheet.get_by_role("heading", name="Which card is laid there?")).to_be_visible()
    sheet.locator(f"[data-face='{face}']").click()
    return sheet


def test_the_lobby_says_that_no_camera_watches(server: Server, open_page: Opener) -> None:
    host, guest = open_page(server.host_url, TABLE), open_page(f"{server.url}/t/{server.code}", TABLE)
    for screen in (host, guest):
        expect(screen.locator("#lobby-camera")).to_contain_text("No camera. The cards are tapped in.")
    expect(guest.get_by_role("button", name="Choose a camera")).to_be_hidden()
    host.get_by_role("button", name="Choose a camera").click()
    expect(host.locator("dialog")).to_contain_text("Address of a phone camera")
    expect(host.locator("dialog").get_by_role("button", name="A drawn table")).to_be_visible()


def test_the_host_lays_a_card_for_the_mover_by_tapping(table: Table) -> None:
    sheet = tap(table.screen, (1, 0), "NESW")
    sheet.get_by_role("button", name="Ada lays this card").click()
    expect(sheet).to_have_count(0)
    expect(lies_at(table.screen, (1, 0), "NESW")).to_have_count(1)
    assert table.mover().name == "Ben"


def test_a_card_that_does_not_fit_is_refused_to_the_host_as_well(table: Table) -> None:
    sheet = tap(table.screen, (2, 0), "NS")
    sheet.get_by_role("button", name="Ben lays this card").click()
    expect(sheet.get_by_role("alert")).to_contain_text("side is rock, but the card there has a tunnel")
    sheet.get_by_role("button", name="Close").click()


def test_a_turn_that_passed_on_meanwhile_is_not_laid_for_the_next_player(table: Table) -> None:
    sheet = tap(table.screen, (1, 1), "NS")
    table.mover().lay("EW", (2, 0))
    assert table.mover().name == "Cem"
    sheet.get_by_role("button", name="Ben lays this card").click()
    expect(sheet.get_by_role("alert")).to_contain_text("The table has moved on meanwhile")
    sheet.get_by_role("button", name="Close").click()
    assert table.mover().name == "Cem"


def test_an_undo_names_the_step_that_it_takes_back(table: Table) -> None:
    table.mover().discard()
    assert table.mover().name == "Ada"
    for step in ("Cem laid a card aside", "Ben laid a path card"):
        table.screen.get_by_role("button", name="Undo").click()
        expect(table.screen.locator("dialog .word-note")).to_contain_text(step)
        table.screen.get_by_role("button", name="Take it back").click()
        expect(table.screen.locator("dialog")).to_have_count(0)
    expect(lies_at(table.screen, (2, 0), "EW")).to_have_count(0)
    assert table.mover().name == "Ben"


def test_a_drawn_table_is_marked_as_a_simulation_on_every_screen(
    table: Table, see: Callable[..., None], server: Server, open_page: Opener
) -> None:
    guest = open_page(f"{server.url}/t/{server.code}", TABLE)
    screens = [table.screen, guest, *(phone.page for phone in table.phones)]
    for screen in screens:
        expect(screen.get_by_text("SIMULATION").locator("visible=true")).to_have_count(0)
    see(((1, 0), "NESW"))
    for screen in screens:
        expect(screen.get_by_text("SIMULATION").locator("visible=true")).to_have_count(1)


def test_a_card_that_the_camera_misread_is_laid_as_another_one(
    table: Table, see: Callable[..., None]
) -> None:
    see(((1, 0), "NESW"), ((2, 0), "NS"))
    expect(table.phones[1].page.locator("#verdict")).to_contain_text("Your card cannot lie there.")
    expect(table.phones[0].page.locator("#verdict")).to_be_hidden()
    table.screen.locator("#verdict").get_by_role("button", name="It is another card").click()
    sheet = choose(table.screen, "EW")
    sheet.get_by_role("button", name="Ben lays this card").click()
    expect(sheet).to_have_count(0)
    expect(lies_at(table.screen, (2, 0), "EW")).to_have_count(1)
    assert table.mover().name == "Cem"


def test_a_missing_card_may_have_been_taken_by_a_rockfall(table: Table, see: Callable[..., None]) -> None:
    see(((1, 0), "NESW"))
    table.screen.locator("#disagreements").get_by_role("button", name="It was a rockfall of Cem").click()
    expect(lies_at(table.screen, (2, 0), "EW")).to_have_count(0)
    expect(table.screen.locator("#disagreements")).to_be_hidden()
    assert table.mover().name == "Ada"


def test_the_whole_board_is_in_sight_when_the_round_is_over(
    table: Table, keep_picture: Callable[[Page, str], None]
) -> None:
    screen = table.screen
    screen.get_by_role("button", name="Menu").click()
    screen.get_by_role("button", name="End the round").click()
    screen.locator("dialog").get_by_role("button", name="End the round").click()
    expect(screen.locator("#end")).to_be_visible()
    for size in (TABLE, (1280, 620), (1920, 1080)):
        screen.set_viewport_size({"width": size[0], "height": size[1]})
        for name in ("#board .board", "#next-round"):
            box = screen.locator(name).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size[1]
        assert screen.evaluate("document.documentElement.scrollHeight") <= size[1]
        keep_picture(screen, f"table-ended-{size[0]}x{size[1]}")
