"""Every page in every language: nothing is left in English, no code shows, no word runs out of its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from companion.language import LANGUAGES
from tests.browser.nights import NAMES, Night, running
from tests.browser.pages import entered, stops
from tests.server.house import Screen

OTHERS = [code for code in LANGUAGES if code != "en"]
SAME_EVERYWHERE = {*NAMES, *LANGUAGES.values(), "Pithead", "A4", "letter"}
"""What stands on a page as it is in every language."""
CODE = re.compile(r"\b[a-z]+_[a-z_]+\b|%\(|\{\w*\}|\bundefined\b|\bNaN\b|\[object")
TEXTS = """() => {
  const said = new Set();
  const shown = (node) => node.checkVisibility({ visibilityProperty: true });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent.closest("script, template, noscript") || !shown(parent)) continue;
    said.add(walker.currentNode.textContent.trim());
  }
  for (const node of document.querySelectorAll("[aria-label], [alt], [placeholder], [title]"))
    if (shown(node))
      for (const name of ["aria-label", "alt", "title"])
        if (node.hasAttribute(name)) said.add(node.getAttribute(name).trim());
  said.add(document.title);
  return [...said];
}"""
RUNS_OUT = """() => {
  const found = [];
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) found.push(`the page is ${wide} px too wide`);
  for (const node of document.body.querySelectorAll("*")) {
    if (node.closest("svg, .unseen, .board-window, .rule-scroll, .skip") || !node.checkVisibility()) continue;
    const box = node.getBoundingClientRect();
    const name = `${node.tagName.toLowerCase()}${node.id ? "#" + node.id : ""}.${node.className}`;
    const words = node.textContent.trim().slice(0, 40);
    const block = node.clientWidth > 1 && getComputedStyle(node).display !== "inline";
    if (block && node.scrollWidth > node.clientWidth + 1)
      found.push(`${name} holds ${node.scrollWidth} px in ${node.clientWidth}: ${words}`);
    if (box.width && (box.right > innerWidth + 1 || box.left < -1))
      found.push(`${name} leaves the screen: ${words}`);
  }
  return found.slice(0, 8);
}"""


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    with running(tmp_path_factory.mktemp("languages") / "data") as night:
        yield night


def test_every_page_speaks_every_language_and_no_word_runs_out(night: Night, browser: Browser) -> None:
    faults: list[str] = []
    rooms: dict[Screen | None, Page] = {}
    for stop in stops(night):
        page = entered(browser, night, stop, rooms)
        stop.visit(page, night.url, "en")
        english = worth_translating(page)
        faults += [f"{stop.name}, en: {fault}" for fault in page.evaluate(RUNS_OUT)]
        for language in OTHERS:
            stop.visit(page, night.url, language)
            assert page.locator("html").get_attribute("lang") == language
            said = worth_translating(page)
            faults += [f"{stop.name}, {language}: still in English: {text}" for text in said & english]
            faults += [f"{stop.name}, {language}: a code: {text}" for text in said if CODE.search(text)]
            faults += [f"{stop.name}, {language}: {fault}" for fault in page.evaluate(RUNS_OUT)]
    assert not faults, "\n".join(faults)


def worth_translating(page: Page) -> set[str]:
    """The texts of a page with letters in them, but for names, addresses and codes of tables."""
    texts: list[str] = page.evaluate(TEXTS)
    found = set()
    for text in texts:
        plain = re.sub(r"https?://\S+|\b[BCDFGHJKMNPQRTVWXZ3479]{4}\b", "", text)
        for name in SAME_EVERYWHERE:
            plain = plain.replace(name, "")
        if re.search(r"[^\W\d_]{2}", plain):
            found.add(text)
    return found
