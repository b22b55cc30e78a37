"""Every page at every moment: it holds to WCAG 2.2 AA, speaks all languages, and no word runs out."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.axe import broken_rules
from tests.browser.languages import CODE, OTHERS, hardest, run_out, worth_translating
from tests.browser.nights import Night
from tests.browser.pages import Stop, enter, stops


@dataclass
class Walk:
    """What was found on one walk over all pages: opening them is what takes the time."""

    broken: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)
    """The languages that pages were opened in."""

    def look(self, page: Page, url: str, stop: Stop) -> None:
        """One stop: in English, and in the languages that are hardest on its words."""
        english: dict[str, set[str]] = {}
        for name in stop.visit(page, url, "en"):
            english[name] = worth_translating(page)
            self.faults += [f"{name}, en: {fault}" for fault in run_out(page)]
            self.broken += [f"{name}, {complaint}" for complaint in broken_rules(page)]
        languages = hardest(set().union(*english.values())) if self.heard else set(OTHERS)
        for language in sorted(languages):
            for name in stop.visit(page, url, language):
                said = worth_translating(page)
                wrong = [f"still in English: {text}" for text in said & english[name]]
                wrong += [f"a code: {text}" for text in said if CODE.search(text)]
                self.faults += [f"{name}, {language}: {fault}" for fault in wrong + run_out(page)]
            assert page.locator("html").get_attribute("lang") == language
        self.heard |= languages


@pytest.fixture(scope="module")
def walk(night: Night, browser: Browser) -> Walk:
    walk = Walk()
    page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
    for stop in stops(night):
        enter(page, night, stop)
        walk.look(page, night.url, stop)
    page.context.close()
    return walk


def test_no_page_breaks_a_rule_of_accessibility(walk: Walk) -> None:
    assert not walk.broken, "\n".join(walk.broken)


def test_no_page_is_left_in_english_and_no_word_runs_out(walk: Walk) -> None:
    assert walk.heard == set(OTHERS)
    assert not walk.faults, "\n".join(walk.faults)
