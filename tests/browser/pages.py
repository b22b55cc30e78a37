"""Every page there is, at the moments at which it looks different. Whoever adds a page adds a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Page

from companion.server.access import DEVICE, seat_cookie
from tests.browser.nights import Night, Table
from tests.server.house import Screen

PHONE = (360, 740)
TABLE = (1280, 800)


@dataclass(frozen=True)
class Stop:
    """One page to look at: where it is, on what size of screen, whose, and what is opened on it."""

    name: str
    path: str
    size: tuple[int, int] = TABLE
    who: Screen | None = None
    """Whose browser it is: the host's, a player's, a shared device's; None: anybody's."""
    ready: str = "main h1, main h2, #turn"
    """What is there when the page shows what it should."""
    open: tuple[str, ...] = ()
    """What is clicked then, one after another; a dialog that has opened is closed before the next."""

    def visit(self, page: Page, url: str, language: str) -> Iterator[str]:
        """Opens the page in a language; gives a name whenever there is something to look at."""
        page.set_viewport_size({"width": self.size[0], "height": self.size[1]})
        page.goto(f"{url}{self.path}{'&' if '?' in self.path else '?'}lang={language}")
        page.locator(self.ready).locator("visible=true").first.wait_for()
        yield self.name
        for selector in self.open:
            page.locator(selector).locator("visible=true").first.click()
            yield f"{self.name}, {selector}"
            page.keyboard.press("Escape")


def stops(night: Night) -> list[Stop]:
    """All of them, on tables that are set for it."""

    def screen(name: str, table: Table, ready: str, *opened: str) -> Stop:
        return Stop(f"table screen, {name}", f"/t/{table.code}", TABLE, table.host, ready, opened)

    def phone(name: str, table: Table, seat: int, ready: str, *opened: str) -> Stop:
        return Stop(f"phone, {name}", f"/p/{table.code}", PHONE, table.phones[seat], ready, opened)

    def mover(table: Table) -> int:
        return [seat["to_move"] for seat in table.view["seats"]].index(True)

    lobby, between, over = night.lobby(), night.between(), night.over()
    round_ = night.round(10)
    expansion = night.round(6, game="expansion")
    verdict, settling, picking = night.verdict(), night.settling(), night.picking()
    stealing = night.stealing()
    thief = [seat["seat"] for seat in stealing.view["seats"]].index(stealing.view["stealing"])
    small = night.table(0)
    dialogs = ("[data-key=help]", "[data-key=wifi]", "[data-key=rules]", "#lobby-choose")
    device = night.shared(small)
    picker = next(
        index
        for index, seat in enumerate(picking.view["seats"])
        if seat["seat"] == picking.view["picking"]["seat"]
    )
    return [
        Stop("start page", "/", TABLE),
        Stop("start page on a phone", "/", PHONE),
        Stop("start page of the host", "/", TABLE, small.host),
        Stop("own decks", "/decks/", TABLE, small.host),
        Stop("own deck with no card yet", "/decks/of/attic", TABLE, small.host),
        Stop("adding cards of a deck by phone", night.adding_to_deck(small, "attic"), PHONE),
        Stop("no such page", "/nowhere", PHONE),
        Stop("no such table", "/t/ZZZZ", PHONE),
        Stop("join page", f"/j/{small.code}", PHONE),
        Stop("join page while a round is on", f"/j/{round_.code}", PHONE),
        Stop("rules of the base game", f"/t/{round_.code}/rules", PHONE),
        Stop("rules of both boxes", f"/t/{expansion.code}/rules", TABLE),
        Stop("shared device", f"/s/{small.code}", PHONE, device, ".sharer"),
        Stop("PIN", f"/s/{small.code}/1", PHONE, device),
        Stop("joining at a shared device", f"/j/{small.code}?another=1", PHONE, device),
        Stop("photo of the table", f"/p/{round_.code}/camera", PHONE, round_.phones[0]),
        Stop("camera", f"/t/{settling.code}/camera", TABLE, settling.host),
        Stop("camera with nothing to see", f"/t/{between.code}/camera", TABLE, between.host),
        Stop("table screen of a guest", f"/t/{lobby.code}", TABLE, None, ".joined-row"),
        screen("lobby", lobby, ".joined-row", "[data-key^=more-]"),
        screen("before the game", small, ".joined-row", *dialogs),
        screen("round", round_, "#board .card", "#show-menu", "#show-join"),
        screen("round of the expansion", expansion, "#board .card", "#board .spot:not(.on-card)"),
        screen("verdict", verdict, "#verdict"),
        screen("settling", settling, "#disagreements", "#undo"),
        screen("picking", picking, "#end .role-card"),
        screen("stealing", stealing, "#end .role-card"),
        screen("between rounds", between, "#end .role-card"),
        screen("end of the game", over, "#end .role-card", "[data-key=end-gold]"),
        phone("lobby", lobby, 0, "#name"),
        phone("my turn", round_, mover(round_), ".turn.mine"),
        phone("my turn in the expansion", expansion, mover(expansion), ".turn.mine"),
        phone("not my turn", round_, 1, "#players .seat"),
        phone("picking", picking, picker, "#fan .fan-card"),
        phone("stealing", stealing, thief, "#asking button"),
        phone("between rounds", between, 0, ".role-card"),
        phone("gold at the end", over, 0, ".gold-row"),
    ]


def enter(page: Page, night: Night, stop: Stop) -> None:
    """Makes the page's browser the one of whom the stop is for: another browser would take seconds."""
    # Left first: a page that still asks, with the next one's cookies, may take itself elsewhere meanwhile.
    page.goto("about:blank")
    page.context.clear_cookies()
    if stop.who:
        names = ("host", DEVICE, seat_cookie(stop.who.code))
        kept = [cookie for name in names if (cookie := stop.who.browser.get_cookie(name)) is not None]
        page.context.add_cookies([{"name": one.key, "value": one.value, "url": night.url} for one in kept])
