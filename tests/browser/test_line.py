"""The line to the server: lost and found again, and what a first page costs."""

from __future__ import annotations

from playwright.sync_api import APIResponse, Route, expect

from tests.browser.conftest import TABLE, Opener, Server
from tests.browser.people import Phone

FIRST_PAGE_BYTES = 30_000


def test_a_bad_name_is_refused_in_its_place(server: Server, open_page: Opener) -> None:
    page = open_page(f"{server.url}/j/{server.code}")
    page.get_by_label("Your name").fill("   ")
    page.get_by_role("button", name="Sit down at the table").click()
    expect(page.get_by_role("alert")).to_contain_text("A name has")
    expect(page.get_by_label("Your name")).to_have_attribute("aria-invalid", "true")


def test_a_typed_code_leads_to_the_table(server: Server, open_page: Opener) -> None:
    page = open_page(server.url)
    page.get_by_label("Code of the table").fill(server.code.lower())
    page.get_by_role("button", name="Join the table").click()
    expect(page.get_by_label("Your name")).to_be_visible()


def test_the_first_page_is_small(server: Server, open_page: Opener) -> None:
    page = open_page("about:blank")
    sizes: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({answer.url: len(answer.body())}))
    page.goto(f"{server.url}/j/{server.code}", wait_until="networkidle")
    # The icon and the letters of the languages' names come when they come: nothing waits for them.
    needed = [url for url in sizes if not url.endswith(("icon.svg", ".woff2"))]
    assert len(needed) <= 3, needed
    assert sum(sizes.values()) < FIRST_PAGE_BYTES


def test_who_leaves_has_no_seat_any_more(server: Server, open_page: Opener) -> None:
    phone = Phone(open_page(f"{server.url}/j/{server.code}"), "Dora")
    phone.join()
    phone.page.get_by_role("button", name="Leave the table").click()
    phone.page.get_by_role("button", name="Leave", exact=True).click()
    expect(phone.page).to_have_url(f"{server.url}/j/{server.code}")
    expect(phone.page.get_by_label("Your name")).to_be_visible()


def test_who_is_removed_by_the_host_reads_it(server: Server, open_page: Opener) -> None:
    phone = Phone(open_page(f"{server.url}/j/{server.code}"), "Eva")
    phone.join()
    host = open_page(server.host_url, TABLE)
    host.get_by_role("button", name="More about Eva").click()
    host.get_by_role("button", name="Remove Eva from the table").click()
    host.get_by_role("button", name="Remove", exact=True).click()
    expect(phone.page.locator("#gone")).to_be_visible()
    expect(phone.page.get_by_role("link", name="Join the table again")).to_be_visible()


def test_a_new_personal_code_is_asked_for_once_and_a_lost_answer_is_said(
    server: Server, open_page: Opener
) -> None:
    phone = Phone(open_page(f"{server.url}/j/{server.code}"), "Fay")
    phone.join()
    asked: list[str] = []

    def lose(route: Route) -> None:
        asked.append(route.request.method)
        route.abort()

    phone.page.route("**/link", lose)
    phone.page.get_by_text("Use another phone for this seat").click()
    phone.page.get_by_role("button", name="Make a new code").click()
    expect(phone.page.locator("#link-said")).to_contain_text("Ask the host for a new code")
    assert asked == ["POST"]


def test_a_phone_finds_a_restarted_server_again(server: Server, open_page: Opener) -> None:
    phone = Phone(open_page(f"{server.url}/j/{server.code}"), "Ada")
    phone.join()
    server.stop()
    expect(phone.page.locator("#offline")).to_be_visible(timeout=15_000)
    server.start()
    expect(phone.page.locator("#offline")).to_be_hidden(timeout=15_000)
    expect(phone.page.locator("#name")).to_have_text("Ada")

    other = Phone(open_page(f"{server.url}/j/{server.code}"), "Ben")
    other.join()
    expect(phone.page.locator("#players")).to_contain_text("Ben")


def test_an_answer_that_comes_late_brings_nothing_back(server: Server, open_page: Opener) -> None:
    phone = Phone(open_page(f"{server.url}/j/{server.code}"), "Gil")
    phone.join()
    host = open_page(server.host_url, TABLE)
    host.get_by_role("button", name="More about Gil").click()
    held: list[tuple[Route, APIResponse]] = []
    host.route("**/offer", lambda route: held.append((route, route.fetch())))
    host.get_by_role("button", name="Let Gil be the host").click()
    host.get_by_role("button", name="Ask Gil").click()
    phone.page.get_by_role("button", name="Yes, I am the host now").click()
    more = host.get_by_role("button", name="More about Gil")
    expect(more).to_be_hidden()

    route, answer = held[0]
    assert answer.json()["view"]["host"]
    route.fulfill(response=answer)
    expect(host.get_by_role("dialog")).to_be_hidden()
    expect(more).to_be_hidden()
