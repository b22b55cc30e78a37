"""What people do with their screens, as tests say it: join, lay a card, play an action, look at a secret."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import TABLE, Opener, Server

Cell = tuple[int, int]
AGREE_S = 8.0
"""Every screen hears of a turn well within this."""


class Phone:
    """One player's phone."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.asked: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))

    def join(self) -> None:
        """Sits down by the join page that is open."""
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("button", name="Sit down at the table").click()
        expect(self.page.locator("#name")).to_have_text(self.name)

    def personal_path(self) -> str:
        """The path of this seat's personal link, read while it is held up."""
        self.page.get_by_text("Use another phone for this seat").click()
        with self.holding("#link-hold", "#link-place") as place:
            return urlsplit(place.locator(".address").inner_text()).path

    def streams_asked(self) -> int:
        """How many streams of hints the page has opened since `asked` was emptied."""
        return sum("/events/" in url for url in self.asked)

    def has_turn(self) -> bool:
        """Whether the phone says that it is this player's turn."""
        return self.page.locator(".turn.mine").count() == 1

    @contextmanager
    def holding(self, button: str, place: str) -> Iterator[Locator]:
        """Holds a button down and gives the place of the secret; lets go at the end."""
        holder = self.page.locator(button)
        holder.scroll_into_view_if_needed()
        box = holder.bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        shown = self.page.locator(place)
        expect(shown.locator("> *").first).to_be_visible()
        yield shown
        self.page.mouse.up()
        expect(shown).to_be_empty()

    def try_to_lay(self, face: str, cell: Cell, turned: bool = False) -> None:
        """Taps a path card, a cell, the way up, and confirms."""
        self.page.locator("[data-key=path]").click()
        sheet = self.page.locator("dialog")
        sheet.locator(f"[data-face='{face}']").click()
        sheet.locator(f"[data-cell='{cell[0]},{cell[1]}'].spot").click()
        if turned:
            sheet.get_by_role("button", name="Turn the card").click()
        sheet.get_by_role("button", name="It lies there").click()

    def lay(self, face: str, cell: Cell, turned: bool = False) -> None:
        """Lays a card that fits."""
        self.try_to_lay(face, cell, turned)
        expect(self.page.locator("dialog")).to_have_count(0)

    def act(self, action: str) -> Locator:
        """Opens one kind of action card and gives the sheet to go on in."""
        self.page.locator("[data-key=action]").click()
        self.page.locator(f"dialog [data-key={action}]").click()
        return self.page.locator("dialog")

    def discard(self) -> None:
        """Lays one card aside."""
        self.page.locator("[data-key=discard]").click()
        self.page.locator("dialog").get_by_role("button", name="Yes, done").click()
        expect(self.page.locator("dialog")).to_have_count(0)

    def pick_gold(self) -> int:
        """Looks at the fan, takes its first card, and gives how many cards lay in it."""
        with self.holding("#fan .hold", "#fan .faces") as faces:
            count = faces.locator("li").count()
        self.page.locator("#fan .fan-card[aria-pressed]").first.click()
        self.page.get_by_role("button", name="Take the chosen card").click()
        expect(self.page.locator("#fan")).to_be_hidden()
        return count


def lies_at(page: Page, cell: Cell, face: str) -> Locator:
    """The picture of a face on the big board of a page (by its address; the cell by its place in mm)."""
    x, y = cell[0] * 56, cell[1] * 87
    return page.locator(f"#board image[x='{x}'][y='{y}'][href='/cards/{face}.svg']")


class Table:
    """Three players and the table screen: the host's browser."""

    def __init__(self, server: Server, open_page: Opener) -> None:
        self.screen = open_page(server.host_url, TABLE)
        self.phones = []
        for name in ("Ada", "Ben", "Cem"):
            phone = Phone(open_page(f"{server.url}/j/{server.code}"), name)
            phone.join()
            self.phones.append(phone)

    def start(self) -> None:
        """The host starts the round."""
        self.screen.get_by_role("button", name="Start the round").click()
        expect(self.screen.locator("#turn")).to_have_text("Ada has the turn.")

    def mover(self) -> Phone:
        """The phone of whoever has the turn, once the table screen and all phones agree who that is."""
        deadline = time.monotonic() + AGREE_S
        while time.monotonic() < deadline:
            named = self.screen.locator(".seat.moving strong").all_inner_texts()
            moving = [phone for phone in self.phones if phone.page.locator(".turn.mine").is_visible()]
            if len(moving) == 1 and [name.removeprefix("▶ ").strip() for name in named] == [moving[0].name]:
                return moving[0]
            self.screen.wait_for_timeout(50)
        raise AssertionError(
            f"the table screen names {named}, but {[phone.name for phone in moving]} may move"
        )

    def lay(self, face: str, cell: tuple[int, int], turned: bool = False) -> None:
        """Whoever has the turn lays a card, and the table screen shows it."""
        self.mover().lay(face, cell, turned)
        expect(lies_at(self.screen, cell, face)).to_have_count(1)

    def round_is_over(self) -> bool:
        """Whether the table screen shows the end of the round."""
        return self.screen.locator("#end").is_visible()
