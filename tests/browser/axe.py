"""What breaks WCAG 2.2 AA on a page, by day and by lamplight, as far as axe can tell."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

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


def broken_rules(page: Page) -> list[str]:
    """What axe has to say against what is on the page now. Leaves the page by lamplight."""
    if page.evaluate("!window.axe"):
        page.evaluate(AXE_SCRIPT)
    broken = []
    for theme, rules in RULES.items():
        page.evaluate(BARE, theme)
        broken += [f"{theme}: {complaint}" for complaint in page.evaluate(RUN, rules)]
    return broken
