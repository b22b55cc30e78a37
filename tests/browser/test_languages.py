"""Every page in every language: nothing is left in English, no code shows, no word runs out of its place."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page

from companion.language import LANGUAGES
from tests.browser.nights import NAMES, Night
from tests.browser.pages import enter, stops

OTHERS = [code for code in LANGUAGES if code != "en"]
SAME_EVERYWHERE = {*NAMES, *LANGUAGES.values(), "Pithead", "A4", "letter", "attic"}
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


def test_every_page_speaks_every_language_and_no_word_runs_out(night: Night, browser: Browser) -> None:
    faults: list[str] = []
    page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
    for stop in stops(night):
        enter(page, night, stop)
        english: dict[str, set[str]] = {}
        for name in stop.visit(page, night.url, "en"):
            english[name] = worth_translating(page)
            faults += [f"{name}, en: {fault}" for fault in page.evaluate(RUNS_OUT)]
        for language in OTHERS:
            for name in stop.visit(page, night.url, language):
                said = worth_translating(page)
                faults += [f"{name}, {language}: still in English: {text}" for text in said & english[name]]
                faults += [f"{name}, {language}: a code: {text}" for text in said if CODE.search(text)]
                faults += [f"{name}, {language}: {fault}" for fault in page.evaluate(RUNS_OUT)]
            assert page.locator("html").get_attribute("lang") == language
    page.context.close()
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
