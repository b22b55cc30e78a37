"""What a page says, what of it is wider than its place, and in which languages that is likeliest."""

from __future__ import annotations

import gettext
import re
import unicodedata
from pathlib import Path

from playwright.sync_api import Page

import web
from companion.language import LANGUAGES
from tests.browser.nights import NAMES

OTHERS = [code for code in LANGUAGES if code != "en"]
CATALOGUES = {
    code: gettext.translation("messages", Path(web.__file__).parent / "translations", [code])
    for code in OTHERS
}
CLEARLY = 1.15
"""A word that is longer by less may well be narrower: letters differ that much in width."""
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


def run_out(page: Page) -> list[str]:
    """What is wider than its place on a page."""
    found: list[str] = page.evaluate(RUNS_OUT)
    return found


def hardest(texts: set[str]) -> set[str]:
    """The language in which texts, given in English, are the longest in all, and the one with the longest
    word where that is clearly longer.

    What does not run out in these does not in the others, and what was not marked for translation is left in
    English in every one; that no catalogue lacks a text, tests/server/test_catalogues.py holds.
    """
    told = {code: [catalogue.gettext(text) for text in texts] for code, catalogue in CATALOGUES.items()}
    length = {code: sum(map(width, said)) for code, said in told.items()}
    word = {
        code: max((width(word) for text in said for word in text.split()), default=0)
        for code, said in told.items()
    }
    longest, wordiest = max(OTHERS, key=length.__getitem__), max(OTHERS, key=word.__getitem__)
    return {longest, wordiest} if word[wordiest] > CLEARLY * word[longest] else {longest}


def width(text: str) -> int:
    """About how wide a text is, in Latin letters: Korean ones count twice, marks over letters not at all.

    >>> width("kaart"), width("카드")
    (5, 4)
    """
    marks = sum(unicodedata.category(letter) == "Mn" for letter in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(letter) == "W" for letter in text)


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
