"""Every code that anybody can say has its sentence, and every sentence can be filled."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg

from companion import language
from companion.camera_desk import BEGUN, OPENED
from companion.game.news import CODES
from companion.game.refusal import Code
from companion.game.state import Ending
from companion.referee import Issue
from companion.sentences import SENTENCES, action, card, sentence
from companion.wording import words

ROOT = Path(__file__).resolve().parents[2]
STATES = {OPENED, BEGUN}
"""What a watching process tells about itself that is no trouble, so that nobody reads it."""
SAYS = re.compile(r"(Problem|Trouble|ServerProblem|\w+Error|PostRefused|state|_?tell|_say|said)$")


def said_in(folder: str) -> Iterator[tuple[str, str]]:
    """Codes written out in calls that carry one: (file, code)."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not SAYS.search(ast.unparse(node.func)):
                continue
            for code in spelled(node.args[0]) if node.args else ():
                if re.fullmatch(r"[a-z]+(_[a-z]+)*", code):
                    yield path.name, code


def spelled(node: ast.expr) -> list[str]:
    """The texts that an expression can be, where it spells them out."""
    if isinstance(node, ast.IfExp):
        return spelled(node.body) + spelled(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def has_sentence(code: str) -> bool:
    return code in SENTENCES or any(key.startswith(f"{code}/") for key in SENTENCES)


def test_every_code_of_the_rules_has_a_sentence() -> None:
    codes = [*Code, *Ending, *CODES, *Issue]
    assert [code for code in codes if not has_sentence(code)] == []


@pytest.mark.parametrize("folder", ["vision", "printables", "companion"])
def test_every_code_that_is_said_has_a_sentence(folder: str) -> None:
    said = set(said_in(folder))
    assert len(said) >= 3
    said = {(file, code) for file, code in said if code not in STATES}
    assert [(file, code) for file, code in sorted(said) if not has_sentence(code)] == []


def test_every_sentence_is_one() -> None:
    for code, text in SENTENCES.items():
        assert text[0].isupper() or text[0] == "%", code
        assert text.endswith((".", "!", "?", "%(text)s")), code
        assert "  " not in text


def test_every_place_in_a_sentence_has_a_name() -> None:
    for code, text in SENTENCES.items():
        assert re.sub(r"%\((\w+)\)s", "", text).count("%") == 0, code
        assert "{" not in text and not list(Formatter().parse(text))[1:], code


def test_sentences_are_filled_with_words() -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("not_your_turn", {"seat": 2}, "It is not your turn: Ben is to play."),
        (
            "broken_tools",
            {"seat": 1, "tools": ["pickaxe", "cart"]},
            "A broken tool keeps you from laying path cards: pickaxe and mine cart. Repair it first.",
        ),
        (
            "none_left",
            {"face": "NS", "count": 4},
            "All 4 cards of this kind have been used in this round: up-down.",
        ),
        (
            "none_left",
            {"action": "repair", "tools": ["pickaxe", "cart"], "count": 1},
            "The only card of this kind has been used in this round: repair (pickaxe and mine cart).",
        ),
        ("discarded", {"name": "Ada", "count": 1}, "Ada laid a card aside."),
        ("discarded", {"name": "Ada", "count": 3}, "Ada laid cards aside: 3."),
        ("put_before", {"name": "Ben", "target_name": "Ada", "token": "trapped"}, "Ben trapped Ada."),
        (
            "put_before",
            {"name": "Ben", "target_name": "Ada", "token": "cart"},
            "Ben laid a broken tool before Ada: mine cart.",
        ),
        ("helped", {"name": "Ben", "target_name": "Ada", "token": "trapped"}, "Ben freed Ada."),
        ("corrected", {"cell": [1, 0], "card": ""}, "The host took a card off the board."),
        ("corrected", {"cell": [1, 0], "card": "NS"}, "The host set a card right."),
        ("round_ended", {"winner": "green"}, "The round is over: the green miners win."),
        ("rock_meets_tunnel", {"edge": "N"}, "Its upper side is rock, but the card there has a tunnel."),
        (
            "differs",
            {"card": "NS", "seen": "NW.E~"},
            "The camera sees another card here (up-left, dead end: right, turned) "
            "than the game has (up-down).",
        ),
        (
            "address_not_here",
            {"address": "a", "addresses": ["b", "c"]},
            "This computer does not have the address a. It has: b and c.",
        ),
        ("no_camera", {}, "There is no camera with number ?. Plug it in, or choose another one."),
    ]
    for code, params, text in cases:
        assert sentence(code, params, {1: "Ada", 2: "Ben"}) == text


def test_a_name_with_percent_signs_and_markup_stays_a_name() -> None:
    assert sentence("joined", {"name": "100%(x)s <b>"}) == "100%(x)s <b> has joined."


def test_cards_in_words() -> None:
    assert card("gold") == "gold"
    assert card("stone-NE") == "stone"
    assert card("") == "a card face down"
    assert card("not a card") == "not a card"
    assert action("rockfall") == "rockfall"
    assert action("unheard of") == "unheard of"


def test_an_unknown_code_is_shown_as_it_is() -> None:
    assert sentence("from_a_newer_camera", {}) == "from_a_newer_camera"


@pytest.fixture(scope="module")
def extracted() -> Catalog:
    catalog = Catalog()
    with (ROOT / "web" / "babel.cfg").open(encoding="utf-8") as settings:
        mapping, options = parse_mapping_cfg(settings)
    keywords = {"gettext": None, "_": None, "N_": None, "ngettext": (1, 2)}
    for file, line, message, *_ in extract_from_dir(str(ROOT), mapping, options, keywords):
        catalog.add(message, locations=[(file, line)])
    return catalog


def test_every_sentence_and_word_reaches_the_catalogues(extracted: Catalog) -> None:
    said = {*SENTENCES.values(), words.CELL, words.TURNED, words.CARD_BACK}
    for table in (words.EDGES, words.TOKENS, words.FACES, words.ACTIONS, words.ROLES):
        said |= set(table.values())
    assert [text for text in said if text not in extracted] == []
    assert "Sit down at the table" in extracted


def test_six_languages_and_a_terminal() -> None:
    assert list(language.LANGUAGES) == ["en", "tr", "et", "lt", "hi", "ko"]
    assert language.of_terminal({"LANG": "ko_KR.UTF-8"}) == "ko"
    assert language.of_terminal({"LC_ALL": "de_DE", "LANG": "tr_TR"}) == "tr"
    assert language.of_terminal({}) == "en"


PLACES_FROM_ELSEWHERE = {"cell", "edge", "name", "target_name", "card", "what"}
"""What `sentences` makes out of other parameters or of where a problem stands."""


def keywords_of(call: ast.Call) -> set[str] | None:
    """The parameters that a call gives with its code; None where it does not spell them out."""
    dicts = [argument for argument in call.args if isinstance(argument, ast.Dict)]
    given = {keyword.arg for keyword in call.keywords if keyword.arg and keyword.arg != "params"}
    for keyword in call.keywords:
        if keyword.arg is None or (keyword.arg == "params" and not isinstance(keyword.value, ast.Dict)):
            return None
        dicts += [keyword.value] if isinstance(keyword.value, ast.Dict) else []
    for each in dicts:
        if None in each.keys:
            return None
        given |= {str(key.value) for key in each.keys if isinstance(key, ast.Constant)}
    return given


def raised_in(folder: str) -> Iterator[tuple[str, str, set[str]]]:
    """(where, code, parameters) of everything that is raised or refused with its parameters spelled out."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not SAYS.search(ast.unparse(node.func)):
                continue
            codes = [code for argument in node.args[:2] for code in spelled(argument) if code in SENTENCES]
            codes += [
                Code[argument.attr].value
                for argument in node.args[:1]
                if isinstance(argument, ast.Attribute) and ast.unparse(argument.value) == "Code"
            ]
            given = keywords_of(node)
            if given is not None and len(node.args) <= 3:
                yield from ((f"{path.name}:{node.lineno}", code, given) for code in codes)


@pytest.mark.parametrize("folder", ["companion", "vision", "printables"])
def test_every_place_in_a_sentence_is_given_by_who_says_it(folder: str) -> None:
    unfilled = []
    for where, code, given in raised_in(folder):
        places = {place for _, place, _, _ in Formatter().parse(as_braces(SENTENCES.get(code, ""))) if place}
        if not places <= given | PLACES_FROM_ELSEWHERE:
            unfilled.append(f"{where} says {code} without {sorted(places - given - PLACES_FROM_ELSEWHERE)}")
    assert unfilled == []


def as_braces(text: str) -> str:
    """A sentence with `%(name)s` as one with `{name}`."""
    return re.sub(r"%\((\w+)\)s", r"{\1}", text.replace("{", "{{").replace("}", "}}"))
