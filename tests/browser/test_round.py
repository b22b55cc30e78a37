"""A whole round in real browsers: one table screen, three phones, no camera."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener, Server
from tests.browser.people import Phone, Table, lies_at

WAY_TO_THE_MIDDLE = [
    ("EW", (2, 0)), ("EW", (3, 0)), ("EW", (4, 0)), ("NEW", (5, 0)), ("NEW", (6, 0)), ("NESW", (7, 0)),
]  # fmt: skip
WAY_UP = [("NS", (7, -1), False), ("NW", (7, -2), True)]
WAY_DOWN = [("NS", (7, 1), False), ("NE", (7, 2), False)]


def test_a_whole_round_without_a_camera(
    server: Server, open_page: Opener, keep_picture: Callable[[Page, str], None]
) -> None:
    table = Table(server, open_page)
    screen = table.screen
    expect(screen.locator("#lobby-side")).to_contain_text("Players at the table: 3")
    keep_picture(screen, "table-lobby")
    table.start()

    sizes: set[float] = set()
    roles = {phone.name: role_while_held(phone, sizes) for phone in table.phones}
    assert len(sizes) == 1, "how large the box is tells the role"
    keep_picture(table.phones[0].page, "phone-my-turn")

    an_illegal_card_says_why(table.mover(), keep_picture)
    table.lay("NESW", (1, 0))
    the_host_takes_the_last_step_back(table)
    table.lay("NESW", (1, 0))
    a_broken_tool_stops_laying_until_it_is_repaired(table)
    a_map_is_looked_at_on_the_phone_only(table)
    table.mover().discard()

    for face, cell in WAY_TO_THE_MIDDLE:
        table.lay(face, cell)
    keep_picture(screen, "table-round")
    for way in (WAY_UP, WAY_DOWN):
        for face, cell, turned in way:
            if not table.round_is_over():
                table.lay(face, cell, turned)

    expect(screen.locator("#end")).to_contain_text("The miners win!")
    the_gold_is_picked_card_by_card(table, roles)
    expect(screen.locator("#turn")).to_have_text("The round is over.")
    for name, role in roles.items():
        expect(screen.locator(".role-card", has_text=name)).to_contain_text(role)
        expect(table.phones[0].page.locator(".role-card", has_text=name)).to_contain_text(role)
    keep_picture(screen, "table-between")

    screen.get_by_role("button", name="Start the next round").click()
    expect(screen.locator("#standing")).to_contain_text("2 of 3")
    expect(screen.locator("#end")).to_be_hidden()


def role_while_held(phone: Phone, sizes: set[float]) -> str:
    """The role is fetched when it is held, shown while it is held, and leaves nothing behind."""
    expect(phone.page.locator("#role-hold")).to_be_visible()
    before = phone.page.locator("body").inner_text()
    assert "Miner" not in before
    assert "Saboteur" not in before.replace("card game Saboteur", "")
    assert not [url for url in phone.asked if "/secret/" in url]
    with phone.holding("#role-hold", "#role-place") as place:
        role = place.locator(".secret-word").inner_text()
        assert role in ("Miner", "Saboteur")
        sizes.add(place.evaluate("node => node.offsetHeight"))
    assert phone.page.locator("body").inner_text() == before
    assert phone.page.locator("#role-place").inner_html() == ""
    return role


def an_illegal_card_says_why(phone: Phone, keep_picture: Callable[[Page, str], None]) -> None:
    phone.try_to_lay("NS", (1, 0))
    sheet = phone.page.locator("dialog")
    expect(sheet.get_by_role("alert")).to_contain_text("side is rock, but the card there has a tunnel")
    expect(sheet.locator(".wrong[data-cell='1,0'][data-edge='W']")).to_be_visible()
    keep_picture(phone.page, "phone-illegal")
    sheet.get_by_role("button", name="Close").click()
    assert phone.has_turn()


def the_host_takes_the_last_step_back(table: Table) -> None:
    table.screen.get_by_role("button", name="Undo").click()
    table.screen.get_by_role("button", name="Take it back").click()
    expect(lies_at(table.screen, (1, 0), "NESW")).to_have_count(0)
    expect(table.screen.locator("#turn")).to_have_text("Ada has the turn.")


def a_broken_tool_stops_laying_until_it_is_repaired(table: Table) -> None:
    breaker = table.mover()
    victim = table.phones[(table.phones.index(breaker) + 1) % 3]
    sheet = breaker.act("break")
    sheet.locator("section", has_text=victim.name).get_by_role("button", name="Lantern").click()
    sheet.get_by_role("button", name="Yes, done").click()
    expect(victim.page.locator("#before")).to_contain_text("Lantern")

    assert table.mover() is victim
    expect(victim.page.locator("[data-key=path]")).to_have_attribute("aria-disabled", "true")
    expect(victim.page.locator("#why-path")).to_contain_text("lantern")
    sheet = victim.act("repair")
    sheet.get_by_role("button", name="Lantern").click()
    sheet.get_by_role("button", name="Lantern", exact=True).click()
    expect(victim.page.locator("#before")).to_be_empty()


def a_map_is_looked_at_on_the_phone_only(table: Table) -> None:
    phone = table.mover()
    sheet = phone.act("map")
    sheet.locator("[data-cell='8,0'].spot").click()
    sheet.get_by_role("button", name="Look at this goal").click()
    expect(phone.page.locator("dialog h2").last).to_have_text("Look at the goal")
    with phone.holding("dialog .hold", "dialog .secret-place") as place:
        expect(place).to_contain_text("The middle goal")
    phone.page.locator("dialog").get_by_role("button", name="Close").click()
    expect(table.screen.locator("#news")).to_contain_text(f"{phone.name} looked at a goal.")


def the_gold_is_picked_card_by_card(table: Table, roles: dict[str, str]) -> None:
    left = 3
    while left:
        name = table.screen.locator(".seat.moving strong").inner_text().removeprefix("▶ ").strip()
        assert roles[name] == "Miner"
        phone = next(phone for phone in table.phones if phone.name == name)
        expect(phone.page.locator("#fan .fan-card[aria-pressed]")).to_have_count(left)
        assert phone.pick_gold() == left
        left -= 1
        if left:
            expect(table.screen.locator("#end")).to_contain_text(f"Gold cards left to pick: {left}")
