"""Every page, by day and by lamplight, holds to WCAG 2.2 AA as far as axe can tell."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser

from tests.browser.nights import Night
from tests.browser.pages import enter, stops

RULES = {
    "light": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "dark": ["color-contrast", "link-in-text-block"],
}
"""By lamplight only what colours can break is looked at again: the rest of a page is the same."""
RUN = """async (rules) => {
  // What a dialog lies over was looked at before the dialog opened.
  const place = document.querySelector("dialog[open], :popover-open") ?? document;
  const found = await axe.run(place, { runOnly: rules, resultTypes: ["violations"] });
  return found.violations.map(({ id, help, nodes }) =>
    `${id}: ${help}\\n` + nodes.map((node) => `  ${node.target} ${node.any[0]?.message ?? ""}`).join("\\n"));
}"""
BARE = """(theme) => {
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.style.setProperty("--glow", "none");  // a gradient's contrast cannot be measured, its darkest end can
}"""


def test_no_page_breaks_a_rule_of_accessibility(night: Night, browser: Browser) -> None:
    broken: list[str] = []
    page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
    for stop in stops(night):
        enter(page, night, stop)
        for name in stop.visit(page, night.url, "en"):
            page.evaluate(f"window.axe ?? {AXE_SCRIPT}")
            for theme, rules in RULES.items():
                page.evaluate(BARE, theme)
                broken += [f"{name}, {theme}: {complaint}" for complaint in page.evaluate(RUN, rules)]
    page.context.close()
    assert not broken, "\n".join(broken)
