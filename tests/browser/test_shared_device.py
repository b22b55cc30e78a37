"""A tablet that two players share; settings, rules, another name, and the host's powers on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import TABLE, Opener, Server
from tests.browser.people import Phone

TABLET = (768, 1024)


@pytest.fixture(scope="module")
def host(server: Server, open_page: Opener) -> Page:
    return open_page(server.host_url, TABLE)


@pytest.fixture(scope="module")
def cem(server: Server, open_page: Opener, host: Page) -> Phone:
    """A player with a phone, the first in the round."""
    phone = Phone(open_page(f"{server.url}/j/{server.code}"), "Cem")
    phone.join()
    return phone


@pytest.fixture(scope="module")
def tablet(server: Server, open_page: Opener, cem: Phone) -> Page:
    """A locked tablet at which Ada (1234) and Ben (4321) sit."""
    page = open_page(f"{server.url}/j/{server.code}", TABLET)
    page.get_by_text("Several players share this device").tap()
    sit_down(page, "Ada", "1234")
    page.get_by_role("button", name="Lock and hand over").tap()
    page.get_by_role("link", name="Somebody else sits down here too").tap()
    sit_down(page, "Ben", "4321")
    page.get_by_role("button", name="Lock and hand over").tap()
    expect(page.get_by_role("heading", name="Who takes this device?")).to_be_visible()
    return page


def sit_down(page: Page, name: str, pin: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Your PIN").fill(pin)
    page.get_by_role("button", name="Sit down at the table").tap()
    expect(page.locator("#name")).to_have_text(name)


def take(page: Page, name: str, pin: str) -> None:
    page.get_by_role("link", name=name).tap()
    page.get_by_label("Your PIN").fill(pin)
    page.get_by_role("button", name="Open my seat").tap()


def test_each_player_of_a_tablet_gets_at_the_own_role_only(host: Page, cem: Phone, tablet: Page) -> None:
    host.get_by_role("button", name="Start the round").click()
    cem.discard()
    expect(tablet.get_by_role("link", name="▶ Ada")).to_be_visible()

    take(tablet, "Ada", "4321")
    expect(tablet.get_by_role("alert")).to_contain_text("That is not the right PIN. Tries left: 4.")
    tablet.get_by_label("Your PIN").fill("1234")
    tablet.get_by_role("button", name="Open my seat").tap()
    ada = Phone(tablet, "Ada")
    with ada.holding("#role-hold", "#role-place") as place:
        assert place.locator(".secret-word").inner_text().strip() in ("Miner", "Saboteur")
    ada.discard()
    tablet.get_by_role("button", name="Lock and hand over").tap()
    expect(tablet.get_by_role("link", name="▶ Ben")).to_be_visible()


@pytest.mark.parametrize("event", ["blur", "pagehide"])
def test_a_tablet_locks_itself_when_it_is_not_looked_at(tablet: Page, event: str) -> None:
    take(tablet, "Ben", "4321")
    expect(tablet.locator("#name")).to_have_text("Ben")
    tablet.evaluate(f"window.dispatchEvent(new Event('{event}'))")
    expect(tablet.get_by_role("heading", name="Who takes this device?")).to_be_visible()
    tablet.go_back()
    expect(tablet.get_by_label("Your PIN")).to_have_value("")
    tablet.go_back()


def test_a_tablet_that_nobody_touches_locks_itself(tablet: Page) -> None:
    tablet.clock.install()
    take(tablet, "Ben", "4321")
    expect(tablet.locator("#name")).to_have_text("Ben")
    tablet.clock.fast_forward(61_000)
    expect(tablet.get_by_role("heading", name="Who takes this device?")).to_be_visible()


def test_a_tablet_is_locked_soon_after_a_turn_for_the_next_player(cem: Phone, tablet: Page) -> None:
    tablet.clock.install()
    take(tablet, "Ben", "4321")
    Phone(tablet, "Ben").discard()
    tablet.clock.fast_forward(14_000)
    tablet.locator("#name").tap()  # somebody is still there
    tablet.clock.fast_forward(14_000)
    expect(tablet.locator("#name")).to_have_text("Ben")
    tablet.clock.fast_forward(2_000)
    expect(tablet.get_by_role("heading", name="Who takes this device?")).to_be_visible()
    cem.discard()
    take(tablet, "Ada", "1234")
    Phone(tablet, "Ada").discard()
    tablet.clock.fast_forward(16_000)
    expect(tablet.get_by_role("link", name="▶ Ben")).to_be_visible()


def test_a_phone_buzzes_when_its_turn_comes_unless_its_player_dislikes_it(cem: Phone, tablet: Page) -> None:
    page = cem.page
    page.evaluate("navigator.vibrate = (pattern) => (document.body.dataset.buzzed = pattern)")
    take(tablet, "Ben", "4321")
    Phone(tablet, "Ben").discard()
    expect(page.locator("body")).to_have_attribute("data-buzzed", "120,80,120")

    page.get_by_text("Settings of this phone").click()
    buzz = page.get_by_label("Buzz")
    expect(buzz).to_be_checked()
    page.get_by_label("Play a sound").check()
    buzz.uncheck()
    page.reload()
    page.get_by_text("Settings of this phone").click()
    expect(page.get_by_label("Buzz")).not_to_be_checked()
    expect(page.get_by_label("Play a sound")).to_be_checked()


def test_a_language_is_chosen_on_the_phone_and_kept(cem: Phone) -> None:
    page = cem.page
    page.get_by_role("link", name="Eesti").click()
    expect(page.locator("html")).to_have_attribute("lang", "et")
    expect(page.locator("#role-hold")).to_contain_text("Hoia")
    page.goto(page.url.partition("?")[0])
    expect(page.locator("html")).to_have_attribute("lang", "et")
    page.get_by_role("link", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_rules_are_one_tap_away_and_lead_back(cem: Phone) -> None:
    page = cem.page
    page.get_by_role("link", name="How to play").click()
    expect(page.locator("tr.here")).to_contain_text("this table")
    page.get_by_role("link", name="Back to my seat").first.click()
    expect(page.locator("#name")).to_have_text("Cem")


def test_another_name_and_the_hosts_powers(host: Page, cem: Phone) -> None:
    host.get_by_role("button", name="Players").click()
    host.get_by_role("button", name="Cem").click()
    host.get_by_role("button", name="Let Cem be the host").click()
    host.get_by_role("button", name="Ask Cem").click()
    cem.page.get_by_role("button", name="Yes, I am the host now").click()
    expect(host.get_by_role("button", name="Undo")).to_be_hidden()

    page = cem.page
    page.get_by_role("link", name="Table screen with the host's buttons").click()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="End the round").click()
    page.locator("dialog").get_by_role("button", name="End the round").click()
    page.get_by_role("link", name="Back to my seat").click()
    expect(page.locator("#seat")).to_have_attribute("data-phase", "between")
    page.get_by_text("Settings of this phone").click()
    page.get_by_role("button", name="Change my name").click()
    page.get_by_label("New name").fill("ada")
    page.get_by_role("button", name="Use this name").click()
    expect(page.locator("#name")).to_have_text("ada (2)")
