"""A deck folder is taken only when it is whole and sound; what is wrong with it is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.game.cards import E, Kind, N, S, W
from printables.cards import DECK
from vision.deckbook import Deck, DeckError, load_deck
from vision.markers import GOAL_BACK_MARKERS


@pytest.fixture
def copy(deck_folder: Path, tmp_path: Path) -> Path:
    """A copy of the printed deck's folder, to spoil."""
    folder = tmp_path / "deck"
    shutil.copytree(deck_folder, folder)
    return folder


def spoil(folder: Path, **entries: Any) -> Path:
    book = json.loads((folder / "deck.json").read_text())
    book.update(entries)
    (folder / "deck.json").write_text(json.dumps(book))
    return folder


def refusal(folder: Path) -> tuple[str, dict[str, Any]]:
    with pytest.raises(DeckError) as refused:
        load_deck(folder)
    return refused.value.code, refused.value.params


def test_the_printed_deck_has_every_card_with_its_markers(deck: Deck) -> None:
    assert set(deck.faces) == {card.id for card in DECK}
    assert deck.marked
    assert deck.goal_back_markers == GOAL_BACK_MARKERS
    assert deck.card_mm == (56.0, 87.0)
    assert deck.faces["start"].kind is Kind.START
    assert deck.faces["start"].tunnels == (N | E | S | W,)
    assert {face.picture.shape for face in deck.faces.values()} == {(348, 224, 3)}


def test_a_folder_without_a_deck_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nothing") == ("deck_not_found", {"folder": "nothing"})


def test_a_deck_that_is_no_json_is_named(copy: Path) -> None:
    (copy / "deck.json").write_text("{")
    assert refusal(copy)[0] == "deck_not_readable"
    (copy / "deck.json").write_text("[1]")
    assert refusal(copy)[0] == "deck_not_readable"


def test_a_missing_picture_is_named(copy: Path) -> None:
    (copy / "start.png").unlink()
    assert refusal(copy) == ("deck_picture_missing", {"file": "start.png"})


def test_a_broken_picture_is_named(copy: Path) -> None:
    (copy / "back.png").write_bytes(b"")
    assert refusal(copy) == ("deck_picture_unreadable", {"file": "back.png"})


def test_pictures_outside_the_folder_are_refused(copy: Path) -> None:
    shutil.copy(copy / "back.png", copy.parent / "outside.png")
    assert refusal(spoil(copy, back="../outside.png")) == ("deck_entry_wrong", {"entry": "back"})


@pytest.mark.parametrize(
    "face",
    [
        {"kind": "troll"},
        {"tunnels": [["N", "N"]]},
        {"tunnels": [["N"], ["N", "E"]]},
        {"tunnels": "NS"},
        {"markers": [1]},
        {"markers": [3, 3]},
        {"markers": [0, 250]},
        {"file": 7},
    ],
)
def test_a_face_that_makes_no_sense_is_named(copy: Path, face: dict[str, Any]) -> None:
    book = json.loads((copy / "deck.json").read_text())
    book["faces"]["EW-1"].update(face)
    assert refusal(spoil(copy, faces=book["faces"])) == ("deck_entry_wrong", {"entry": "EW-1"})


def test_two_cards_cannot_share_a_marker(copy: Path) -> None:
    book = json.loads((copy / "deck.json").read_text())
    book["faces"]["EW-1"]["markers"] = book["faces"]["EW-2"]["markers"]
    assert refusal(spoil(copy, faces=book["faces"])) == ("deck_entry_wrong", {"entry": "markers"})


def test_a_deck_needs_one_start_card(copy: Path) -> None:
    book = json.loads((copy / "deck.json").read_text())
    del book["faces"]["start"]
    assert refusal(spoil(copy, faces=book["faces"])) == ("deck_entry_wrong", {"entry": "faces"})


@pytest.mark.parametrize("size", [None, [56], [0, 87], ["56", "87"], [87, 56], [float("nan"), 87]])
def test_a_cards_size_is_two_lengths_in_mm(copy: Path, size: Any) -> None:
    assert refusal(spoil(copy, card_mm=size)) == ("deck_entry_wrong", {"entry": "card_mm"})
