"""The expansion's turns on phones: what lies before whom, what may be done, and looks at roles."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener, Server
from tests.browser.nights import Night
from tests.browser.pages import Stop, enter
from tests.browser.people import Phone, Table

ROLES = {"Green miner", "Blue miner", "Boss", "Profiteer", "Geologist", "Saboteur"}


@pytest.fixture(scope="module")
def table(server: Server, open_page: Opener) -> Table:
    """Three players in a round of the expansion, chosen by the host in the lobby."""
    table = Table(server, open_page)
    screen = table.screen
    screen.locator("[data-key=rules]").click()
    screen.get_by_label("The base game with the expansion").check()
    screen.get_by_role("button", name="Use these rules").click()
    expect(screen.locator("dialog")).to_have_count(0)
    table.start()
    return table


def play(phone: Phone, action: str, whom: str = "") -> None:
    """Plays one of the expansion's cards, against somebody where that has to be chosen."""
    sheet = phone.act(action)
    if whom:
        sheet.get_by_role("button", name=whom, exact=True).click()
    done(phone)


def done(phone: Phone) -> None:
    """Confirms, and waits until the turn has passed on."""
    phone.page.locator("dialog").get_by_role("button", name="Yes, done").click()
    expect(phone.page.locator(".turn.mine")).to_have_count(0)


def test_who_is_trapped_lays_nothing_and_plans_no_theft_until_set_free(table: Table) -> None:
    play(table.mover(), "trap", "Ben")
    ben = table.mover()
    expect(ben.page.locator("#before")).to_contain_text("Trapped")
    expect(ben.page.locator("#why-path")).to_contain_text("Whoever is trapped lays no path cards.")
    ben.page.locator("[data-key=action]").click()
    expect(ben.page.locator("#why-theft")).to_contain_text("Whoever is trapped steals nothing.")
    ben.page.locator("dialog").get_by_role("button", name="Close").click()

    ben.page.locator("[data-key=discard]").click()
    ben.page.locator("dialog").get_by_role("button", name="Cards: 3").click()
    done(ben)
    cem = table.mover()
    expect(cem.page.locator("#news")).to_contain_text("Ben laid cards aside: 3.")
    play(cem, "free", "Ben")
    expect(ben.page.locator("#before")).to_be_empty()


def test_a_theft_lies_there_until_hands_are_off(table: Table) -> None:
    ada = table.mover()
    play(ada, "theft")
    expect(ada.page.locator("#before img[src='/cards/icon/theft.svg']")).to_be_visible()
    play(table.mover(), "hands_off", "Ada")
    expect(ada.page.locator("#before")).to_be_empty()


def test_a_role_is_inspected_on_the_own_phone_only_and_may_be_looked_at_again(table: Table) -> None:
    cem = table.mover()
    play(cem, "inspect", "Ada")
    expect(cem.page.locator("dialog h2")).to_have_text("Look at the role")
    with cem.holding("dialog .hold", "dialog .secret-place") as place:
        expect(place).to_contain_text("Ada:")
        assert place.locator(".secret-word").inner_text() in ROLES
    cem.page.locator("dialog").get_by_role("button", name="Close").click()
    with cem.holding("#inspection-hold", "#inspection-place") as place:
        expect(place).to_contain_text("Ada:")
    expect(table.phones[1].page.locator("#inspection-box")).to_be_hidden()


def test_hats_and_hands_change_places_and_a_broken_tool_is_cleared_away(table: Table) -> None:
    play(table.mover(), "swap_hats", "Ben")
    ben = table.mover()
    with ben.holding("#role-hold", "#role-place") as place:
        assert place.locator(".secret-word").inner_text().strip() in ROLES
    play(ben, "swap_hands", "Cem")
    cem = table.mover()
    cem.act("break").locator("section", has_text="Ada").get_by_role("button", name="Mine cart").click()
    done(cem)

    ada = table.mover()
    expect(ada.page.locator("#before")).to_contain_text("Mine cart")
    play(ada, "discard_to_clear", "Broken mine cart")
    expect(ada.page.locator("#before")).to_be_empty()
    assert table.mover() is ben


def test_thieves_steal_one_after_the_other_from_who_has_gold(night: Night, open_page: Opener) -> None:
    table = night.stealing()
    seats = [seat["seat"] for seat in table.view["seats"]]
    page, stolen = open_page("about:blank"), 0
    while (view := table.view)["phase"] == "stealing":
        thief = seats.index(view["stealing"])
        enter(page, night, Stop("thief", f"/p/{table.code}", who=table.phones[thief]))
        page.goto(f"{night.url}/p/{table.code}")
        expect(page.locator("#turn")).to_have_text("From whom do you steal?")
        gold = [phone.get(f"/p/{table.code}/secret/gold").json["total"] for phone in table.phones]
        poor = [seat for seat in range(5) if seat != thief and not gold[seat]]
        rich = next(seat for seat in range(5) if seat != thief and gold[seat])
        if poor:
            steal_from(page, view["seats"][poor[0]]["name"])
            expect(page.locator("dialog")).to_contain_text("has no gold")
            page.locator("dialog").get_by_role("button", name="Cancel").click()
        steal_from(page, view["seats"][rich]["name"])
        expect(page.locator("#asking button")).to_have_count(0)
        stolen += 1
        after = [phone.get(f"/p/{table.code}/secret/gold").json["total"] for phone in table.phones]
        assert (after[thief], after[rich]) == (gold[thief] + 1, gold[rich] - 1)
        expect(page.locator("#news")).to_contain_text("stole a piece of gold from")
    assert stolen == 2


def steal_from(page: Page, name: str) -> None:
    page.locator("#asking").get_by_role("button", name=name, exact=True).click()
    page.locator("dialog").get_by_role("button", name="Yes, done").click()
