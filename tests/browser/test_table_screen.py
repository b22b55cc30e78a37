"""The table screen at moments of a night: codes to come in by, what is to settle, the ceremony, the menu."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import TABLE, Opener
from tests.browser.nights import Night, Table


@pytest.fixture(scope="module")
def host(night: Night, open_page: Opener) -> Page:
    """The host's browser, at whichever table is opened in it."""
    return open_page(night.host_url, TABLE)


def look_at(screen: Page, night: Night, table: Table, language: str = "en") -> None:
    screen.goto(f"{night.url}/t/{table.code}?lang={language}")


def test_the_wifi_code_stands_on_the_hosts_screen_and_nowhere_else(
    night: Night, host: Page, open_page: Opener
) -> None:
    table = night.table(1)
    look_at(host, night, table)
    host.get_by_role("button", name="Add a Wi-Fi code").click()
    host.get_by_label("Name of the Wi-Fi").fill('Hut; "east"')
    host.get_by_label("Password", exact=True).fill("lamp\\light")
    assert host.get_by_label("Password", exact=True).get_attribute("type") == "password"
    host.get_by_role("button", name="Show the code").click()
    code = host.get_by_role("img", name='QR code that brings a phone into the Wi-Fi Hut; "east"')
    expect(code).to_be_visible()
    host.reload()
    expect(code).to_be_visible()

    guest = open_page(f"{night.url}/t/{table.code}", TABLE)
    expect(guest.get_by_role("img", name="QR code of the address")).to_be_visible()
    assert "Hut" not in guest.content()
    assert "Hut" not in str(table.view) + str(table.phones[0].view())

    host.get_by_role("button", name="Change the Wi-Fi code").click()
    host.get_by_role("button", name="Forget this Wi-Fi").click()
    expect(code).to_be_hidden()
    host.reload()
    expect(host.locator(".joined-row").first).to_be_visible()
    expect(code).to_be_hidden()


def test_the_numbers_in_the_list_stand_on_the_board_as_well(night: Night, host: Page) -> None:
    look_at(host, night, night.settling())
    listed = host.locator("#disagreements .number")
    expect(listed.first).to_be_visible()
    marks = host.locator("#board .wrong text")
    assert listed.all_inner_texts() == marks.all_text_contents() == ["1", "2"]
    host.locator("#disagreements li").nth(0).get_by_role("button", name="The camera is right").click()
    expect(listed).to_have_count(1)


def test_the_camera_picture_and_the_board_change_places(night: Night, host: Page) -> None:
    night_table = night.verdict()
    look_at(host, night, night_table)
    corner, board = host.locator("#corner"), host.locator("#board")
    expect(corner.locator("img")).to_be_visible()
    for picture_is_large in (False, True, False):
        seen, drawn = corner.bounding_box(), board.bounding_box()
        assert seen is not None and drawn is not None
        assert (seen["width"] > drawn["width"]) == picture_is_large
        corner.click(position={"x": 5, "y": 5})


def test_the_game_ends_with_the_roles_and_then_the_gold_of_every_round(night: Night, host: Page) -> None:
    table = night.over()
    look_at(host, night, table)
    expect(host.locator("#end .role-card")).to_have_count(6)
    host.get_by_role("button", name="The gold of the whole game").click()
    rows = host.locator("#end .gold-row")
    expect(rows).to_have_count(5)
    seats = {seat["name"]: seat for seat in table.view["seats"]}
    winners = {seat["name"] for seat in table.view["seats"] if seat["seat"] in table.view["winners"]}
    totals = []
    for row in rows.all():
        name = next(name for name in seats if row.get_by_role("rowheader").inner_text().startswith(name))
        cells = [int(text) for text in row.locator("td:not([aria-hidden])").all_inner_texts()]
        assert cells == [*seats[name]["gold_by_round"], seats[name]["gold"]]
        assert sum(cells[:3]) == cells[3]
        assert ("Winner" in row.inner_text()) == (name in winners)
        totals.append(cells[3])
    assert totals == sorted(totals, reverse=True)
    assert totals[0] > 0


def test_the_gold_follows_by_itself_when_nobody_taps(night: Night, browser: Browser) -> None:
    page = browser.new_page()
    page.clock.install()
    page.goto(f"{night.url}/t/{night.over().code}")
    expect(page.locator("#end .role-card").first).to_be_visible()
    page.clock.run_for(6 * 700 + 6100)
    expect(page.locator("#end .gold-row").first).to_be_visible()
    expect(page.locator("#end .role-card")).to_have_count(0)
    page.close()


def test_the_menu_opens_and_closes_by_keyboard_and_changes_the_language(night: Night, host: Page) -> None:
    look_at(host, night, night.round())
    expect(host.locator("#turn")).to_have_text("Emre has the turn.")
    opener = host.get_by_role("button", name="Menu")
    opener.focus()
    host.keyboard.press("Enter")
    expect(host.get_by_role("button", name="End the round")).to_be_visible()
    host.keyboard.press("Escape")
    expect(host.get_by_role("button", name="End the round")).to_be_hidden()
    host.keyboard.press("Enter")
    host.get_by_role("link", name="Eesti").click()
    expect(host.locator("html")).to_have_attribute("lang", "et")
    host.goto(host.url.partition("?")[0])
    expect(host.locator("html")).to_have_attribute("lang", "et")


def test_help_names_what_keeps_phones_away(night: Night, host: Page) -> None:
    look_at(host, night, night.table(0))
    host.get_by_role("button", name="A phone cannot connect?").click()
    for reason in ("same Wi-Fi", "guest network", "https://", "VPN", "firewall", "hotspot"):
        expect(host.get_by_role("dialog")).to_contain_text(reason)


def test_letters_twice_as_large_cut_nothing_off(night: Night, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    for table, there in ((night.table(4), ".joined-row"), (night.round(), "#board .card")):
        page.goto(f"{night.url}/t/{table.code}")
        expect(page.locator(there).first).to_be_visible()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for name in (".bar h1", ".bar-tools .button >> nth=0"):
            box = page.locator(name).bounding_box()
            assert box is not None and box["x"] + box["width"] <= 1280
    context.close()
