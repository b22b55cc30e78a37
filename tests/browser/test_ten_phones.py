"""A round with ten phones in six languages: two of one name, one asleep, one late, the host gone."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from companion.language import LANGUAGES
from tests.browser.conftest import PHONE, SMALL_PHONE, TABLE, Opener, Server
from tests.browser.people import AGREE_S, Cell

NAMES = ("Ada", "Ben", "ada", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jon")
WAYS: tuple[tuple[str, Cell, bool], ...] = (
    *(("EW", (column, 0), False) for column in range(1, 4)),
    *(("NEW", (column, 0), False) for column in range(4, 7)),
    ("NESW", (7, 0), False),
    ("NS", (7, -1), False),
    ("NW", (7, -2), True),
    ("NS", (7, 1), False),
    ("NE", (7, 2), False),
)
"""A way to the middle goal, then to the upper and the lower one: the gold lies at one of them."""

LARGE_TABLE = (1920, 1080)

WAKES = 6
"""The turn at which the sleeping phone is taken up again. Seat 1 began, so seat 7 has that turn."""

HIDE = """() => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SHOW = """() => {
  delete document.hidden;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


class TapPhone:
    """A phone of 320 x 568 or 390 x 844, worked without English: by what things are, not by their words."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name

    def sit_down(self) -> None:
        self.page.locator("#name").fill(self.name)
        self.page.locator("form button[type=submit]").tap()
        expect(self.page.locator("#seat")).to_be_visible()

    def lay(self, face: str, cell: Cell, turned: bool) -> None:
        self.page.locator("[data-key=path]").tap()
        sheet = self.page.locator("dialog")
        sheet.locator(f"[data-face='{face}']").tap()
        sheet.locator(f"[data-cell='{cell[0]},{cell[1]}'].spot").tap()
        if turned:
            sheet.locator(".sheet-foot .button").nth(1).tap()
        sheet.locator(".sheet-foot .button.main").tap()
        expect(sheet).to_have_count(0)

    def pick_gold(self) -> None:
        self.page.locator("#fan .fan-card[aria-pressed]").first.tap()
        self.page.locator("#fan .button.main").tap()
        expect(self.page.locator("#fan")).to_be_hidden()

    def phase(self) -> str | None:
        return self.page.locator("#seat").get_attribute("data-phase")

    def shown_name(self) -> str:
        return self.page.locator("#name").inner_text()

    def falls_asleep(self) -> None:
        """The phone is put away: its page is hidden and has no network."""
        self.page.evaluate(HIDE)
        self.page.context.set_offline(True)

    def is_looked_at(self) -> None:
        """The phone is taken up again."""
        self.page.context.set_offline(False)
        self.page.evaluate(SHOW)

    def sees_the_turn_of(self, seat: int) -> None:
        expect(self.page.locator("#players .moving")).to_have_attribute("data-seat", str(seat))


def the_one(phones: list[TapPhone], what: str) -> TapPhone:
    """The one phone that shows something."""
    deadline = time.monotonic() + AGREE_S
    while time.monotonic() < deadline:
        showing = [phone for phone in phones if phone.page.locator(what).is_visible()]
        if len(showing) == 1:
            return showing[0]
        phones[0].page.wait_for_timeout(50)
    raise AssertionError(f"{what} is shown by {[phone.name for phone in showing]}")


def test_a_round_with_ten_phones_in_six_languages(server: Server, open_page: Opener) -> None:
    languages = [list(LANGUAGES)[place % len(LANGUAGES)] for place in range(len(NAMES))]
    join = f"{server.url}/j/{server.code}"
    phones = [
        TapPhone(open_page(join, (SMALL_PHONE, PHONE)[place % 2], lang), name)
        for place, (name, lang) in enumerate(zip(NAMES, languages, strict=True))
    ]
    late = phones.pop()
    for phone in phones:
        phone.sit_down()
    assert [phone.shown_name() for phone in phones[:3]] == ["Ada", "Ben", "ada (2)"]
    for phone, lang in zip(phones, languages, strict=False):
        expect(phone.page.locator("html")).to_have_attribute("lang", lang)

    host = open_page(server.host_url, LARGE_TABLE)
    host.locator("[data-key=start]").click()
    expect(phones[0].page.locator(".turn.mine")).to_be_visible()
    host.close()
    who_comes_late_waits_for_the_end_of_the_round(late)

    sleeper = phones[-1]
    sleeper.falls_asleep()
    for turn, (face, cell, turned) in enumerate(WAYS):
        if turn == WAKES:
            sleeper.sees_the_turn_of(1)  # it heard nothing while it slept
            sleeper.is_looked_at()
            sleeper.sees_the_turn_of(turn + 1)
        awake = phones if turn >= WAKES else phones[:-1]
        mover = the_one(awake, "[data-key=path]")
        nothing_is_cut_off(mover.page)
        mover.lay(face, cell, turned)
        if mover.phase() != "round":
            break

    for _ in phones:
        the_one(phones, "#fan").pick_gold()
    late_and_all_the_others_play_the_next_round(late, phones, server, open_page)


def who_comes_late_waits_for_the_end_of_the_round(late: TapPhone) -> None:
    late.page.reload()
    expect(late.page.get_by_role("alert")).to_be_visible()
    late.page.locator("#name").fill(late.name)
    late.page.locator("form button[type=submit]").tap()
    expect(late.page.get_by_role("alert")).to_be_visible()
    expect(late.page.locator("#name")).to_have_value(late.name)


def nothing_is_cut_off(page: Page) -> None:
    """Nothing is wider than the screen, and whatever is tapped is as large as a finger (44 px)."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    small = page.evaluate(
        """() => [...document.querySelectorAll("main button, main summary, main a.button")]
            .filter((node) => node.offsetParent && node.getBoundingClientRect().height < 44)
            .map((node) => node.id || node.textContent)"""
    )
    assert small == []


def late_and_all_the_others_play_the_next_round(
    late: TapPhone, phones: list[TapPhone], server: Server, open_page: Opener
) -> None:
    expect(phones[0].page.locator("#seat")).to_have_attribute("data-phase", "between")
    late.page.locator("form button[type=submit]").tap()
    expect(late.page.locator("#seat")).to_be_visible()
    open_page(server.host_url, TABLE).locator("#next-round").click()
    for phone in (*phones, late):
        expect(phone.page.locator("#seat")).to_have_attribute("data-phase", "round")
        expect(phone.page.locator("#players .seat")).to_have_count(10)
