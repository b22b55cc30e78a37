"""Seats: a reload, another phone, and somebody who only looks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import TABLE, Opener, Server
from tests.browser.people import Phone, Table


@pytest.fixture(scope="module")
def table(server: Server, open_page: Opener) -> Table:
    """Three players in a round."""
    table = Table(server, open_page)
    table.start()
    return table


def test_a_reload_keeps_the_seat(table: Table) -> None:
    page = table.phones[1].page
    page.reload()
    expect(page.locator("#name")).to_have_text("Ben")
    expect(page.locator("#turn")).to_contain_text("Ada has the turn.")


def test_another_phone_takes_the_seat_by_the_personal_code(
    table: Table, server: Server, open_page: Opener
) -> None:
    other = open_page(server.url + table.phones[2].personal_path())
    expect(other.locator("#name")).to_have_text("Cem")


def test_the_older_of_two_devices_of_a_seat_asks_gently_until_it_is_looked_at_again(
    table: Table, server: Server, open_page: Opener
) -> None:
    older = table.phones[1]
    path = older.personal_path()
    older.asked.clear()
    newer = Phone(open_page("about:blank"), "Ben")
    newer.page.goto(server.url + path)
    expect(newer.page.locator("#name")).to_have_text("Ben")
    with older.page.expect_request("**/view"):
        pass
    assert not older.streams_asked()
    assert newer.streams_asked() == 1

    with older.page.expect_request("**/events/*"):
        older.page.evaluate("window.dispatchEvent(new Event('focus'))")
    with newer.page.expect_request("**/view"):
        pass
    assert newer.streams_asked() == 1


def test_a_secret_goes_when_the_page_loses_the_focus(table: Table) -> None:
    phone = table.phones[1]
    with phone.holding("#role-hold", "#role-place") as place:
        phone.page.evaluate("window.dispatchEvent(new Event('blur'))")
        expect(place).to_be_empty()


def test_one_tap_shows_and_the_next_one_hides_for_who_cannot_hold(table: Table) -> None:
    page = table.phones[1].page
    page.get_by_label("I cannot hold").check()
    button, place = page.locator("#role-hold"), page.locator("#role-place")
    expect(button).to_have_text("Tap to see your role")
    button.tap()
    expect(place.locator(".secret-word")).to_be_visible()
    button.tap()
    expect(place).to_be_empty()
    page.get_by_label("I cannot hold").uncheck()


def test_a_key_held_shows_the_role(table: Table) -> None:
    page = table.phones[1].page
    page.locator("#role-hold").focus()
    page.keyboard.down("Enter")
    expect(page.locator("#role-place .secret-word")).to_be_visible()
    page.keyboard.up("Enter")
    expect(page.locator("#role-place")).to_be_empty()


def test_who_only_looks_has_no_controls(table: Table, server: Server, open_page: Opener) -> None:
    guest = open_page(f"{server.url}/t/{server.code}", TABLE)
    expect(guest.locator("#turn")).to_have_text("Ada has the turn.")
    expect(guest.locator("[data-host-only]:visible")).to_have_count(0)
    expect(guest.locator(".spot")).to_have_count(0)
