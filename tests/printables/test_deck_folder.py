"""The printed deck as a deck folder: complete, readable, the same every time."""

import json
from pathlib import Path

import cv2
import pytest

from companion.game.cards import Face, Kind
from printables.cards import DECK
from printables.deck_folder import DeckFolderError, export


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(tmp_path_factory.mktemp("decks") / "printed").parent


def test_the_book_names_44_faces_with_tunnels_and_markers(folder: Path) -> None:
    book = json.loads((folder / "deck.json").read_text())
    assert book["card_mm"] == [56, 87]
    assert book["goal_back_markers"] == [248, 249]
    assert list(book["faces"]) == [card.id for card in DECK]
    for card in DECK:
        entry = book["faces"][card.id]
        assert Face.of_tunnels(Kind(entry["kind"]), entry["tunnels"]) == card.face
        assert entry["markers"] == list(card.markers)


def test_every_picture_is_there_at_ten_pixels_a_millimetre(folder: Path) -> None:
    book = json.loads((folder / "deck.json").read_text())
    files = [book["back"], book["goal_back"], *(entry["file"] for entry in book["faces"].values())]
    for file in files:
        picture = cv2.imread(str(folder / file))
        assert picture is not None, file
        assert picture.shape == (870, 560, 3)
    assert {path.name for path in folder.iterdir()} == {*files, "deck.json"}


def test_writing_again_gives_the_same_bytes_and_spares_other_files(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    note = folder / "note.txt"
    note.write_text("mine")
    export(folder)
    assert note.read_text() == "mine"
    note.unlink()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file stands here")
    with pytest.raises(DeckFolderError) as caught:
        export(taken)
    assert caught.value.code == "deck_folder_unwritable"
    assert caught.value.params["folder"] == str(taken)
