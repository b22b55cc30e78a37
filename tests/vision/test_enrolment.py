"""Enrolling a deck from photographs of its cards, without a page: the command as a family would type it."""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import cli
from companion.game.cards import Face, Kind, lay, letters
from companion.own_decks import draft_of
from tests.vision.laid_apart import BACK, photograph
from vision.deckbook import load_deck
from vision.enrolment.deck import enrol
from vision.outlines import find_outlines

FIRST = ("NS", "EW", "NW", "NE", "NES", "NEW", "NESW", "N", "E", "N.S")
SECOND = ("E.W", "N.W", "N.E", "N.E.W", "N.E.S.W", "start", "gold", "stone-NE", "stone-NW", BACK)
GOALS = ("NESW", "NE", "NW")


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("photographs")
    paths = []
    for name, cards, seed in (("first", FIRST, 1), ("second", SECOND, 2), ("again", FIRST, 3)):
        path = folder / f"{name}.jpg"
        cv2.imwrite(str(path), photograph(cards, seed))
        paths.append(path)
    return paths


def meaning(name: str) -> frozenset[tuple[int, ...]]:
    """The tunnels of a card, whichever way up."""
    face = Face.parse(name)
    return frozenset({lay(face, False).tunnels, lay(face, True).tunnels})


def test_a_deck_folder_comes_out_with_all_tunnels_right(photographs: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "deck"
    assert cli.main(["enrol", str(photographs[0]), str(photographs[1]), "--out", str(out)]) == 1
    draft = draft_of(out)
    # Which of several alike is the start or a goal makes no difference to how its tunnels were read.
    alike = {name: [card.id for card in draft.cards if card.tunnels in meaning(name)] for name in GOALS}
    start, gold = alike["NESW"][:2]
    goals = [gold, alike["NE"][0], alike["NW"][0]]
    back = next(card.id for card in draft.cards if not card.tunnels)
    said = ["enrol", "--out", str(out), "--start", start, "--goals", *goals, "--goal-back", back]
    assert cli.main(said) == 0
    deck = load_deck(out)
    paths = Counter(meaning(name) for name in (*FIRST, *SECOND[:5]))
    read = Counter(
        frozenset({face.tunnels, lay(Face.parse(_text(face.tunnels)), True).tunnels})
        for face in deck.faces.values()
        if face.kind is Kind.PATH
    )
    assert read == paths
    assert len(deck.faces) == 19 and not deck.marked


def test_cards_that_were_photographed_before_are_known_again(photographs: list[Path]) -> None:
    cards, told = enrol([photographs[0], photographs[2]])
    assert [one.cards for one in told] == [10, 10]
    assert len(cards) == 10
    assert all(len(card.pictures) == 2 for card in cards)


def test_bad_pictures_are_named_and_cost_nothing_else(photographs: list[Path], tmp_path: Path) -> None:
    bare, text = tmp_path / "bare.png", tmp_path / "notes.jpg"
    cv2.imwrite(str(bare), np.full((400, 600, 3), 90, np.uint8))
    text.write_text("no picture")
    cards, told = enrol([bare, text, photographs[0]])
    assert [problem.code for one in told for problem in one.problems] == ["enrol_no_cards", "not_a_picture"]
    assert len(cards) == 10


def test_nothing_is_written_before_it_is_clear_what_is_what(
    photographs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "deck"
    assert cli.main(["enrol", str(photographs[0]), "--out", str(out)]) == 1
    assert "start card" in capsys.readouterr().out
    assert not (out / "deck.json").exists()
    assert len(json.loads((out / "draft.json").read_text())["cards"]) == 10


def test_outlines_are_found_to_a_millimetre_and_touching_cards_are_not_taken_for_one() -> None:
    picture = photograph(FIRST, 5)
    outlines = find_outlines(picture)
    assert len(outlines.quads) == 10
    for quad in outlines.quads:
        sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
        assert 0.58 < (sides[0] + sides[2]) / (sides[1] + sides[3]) < 0.71


def _text(tunnels: tuple[int, ...]) -> str:
    return ".".join(letters(group) for group in tunnels)
