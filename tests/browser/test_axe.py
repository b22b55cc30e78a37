"""Every page, by day and by lamplight, holds to WCAG 2.2 AA as far as axe can tell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from tests.browser.nights import Night, running
from tests.browser.pages import entered, stops
from tests.server.house import Screen

RULES = {
    "light": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "dark": ["color-contrast", "link-in-text-block"],
}
"""By lamplight only what colours can break is looked at again: the rest of a page is the same."""
RUN = """async (rules) => {
  const found = await axe.run({ runOnly: rules, resultTypes: ["violations"] });
  return found.violations.map(({ id, help, nodes }) =>
    `${id}: ${help}\\n` + nodes.map((node) => `  ${node.target} ${node.any[0]?.message ?? ""}`).join("\\n"));
}"""
BARE = """(theme) => {
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.style.setProperty("--glow", "none");  // a gradient's contrast cannot be measured, its darkest end can
}"""


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    with running(tmp_path_factory.mktemp("axe") / "data") as night:
        yield night


def test_no_page_breaks_a_rule_of_accessibility(night: Night, browser: Browser) -> None:
    broken: list[str] = []
    rooms: dict[Screen | None, Page] = {}
    for stop in stops(night):
        page = entered(browser, night, stop, rooms)
        stop.visit(page, night.url, "en")
        page.evaluate(AXE_SCRIPT)
        for theme, rules in RULES.items():
            page.evaluate(BARE, theme)
            broken += [f"{stop.name}, {theme}: {complaint}" for complaint in page.evaluate(RUN, rules)]
    assert not broken, "\n".join(broken)
