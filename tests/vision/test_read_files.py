"""Pictures are read from files; a bad one is named and does not keep the others from being read."""

from __future__ import annotations

import json
import shutil
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.vision.drawn_table import DrawnTable
from vision.deckbook import Deck, load_deck
from vision.read_command import read_pictures


@pytest.fixture
def good(deck: Deck, tmp_path: Path) -> Path:
    """A file with a picture of a start card and three goals."""
    path = tmp_path / "good.png"
    cv2.imwrite(str(path), DrawnTable(deck).lay("start", (0, 0)).goals().picture())
    return path


def codes(entry: dict[str, object]) -> list[str]:
    problems = entry["problems"]
    assert isinstance(problems, list)
    return [problem["code"] for problem in problems]


def test_each_picture_gives_its_cards(good: Path, deck: Deck) -> None:
    (entry,) = read_pictures([good], deck)
    assert entry["picture"] == "good.png"
    assert [card["cell"] for card in entry["cards"]] == [[0, 0], [8, -2], [8, 0], [8, 2]]
    assert entry["size"] == [1280, 720]
    assert entry["ms"] > 0
    json.dumps(entry)


def test_a_folder_stands_for_the_pictures_in_it(good: Path, deck: Deck) -> None:
    (good.parent / "notes.txt").write_text("not a picture")
    (good.parent / "another.png").write_bytes(good.read_bytes())
    assert [entry["picture"] for entry in read_pictures([good.parent], deck)] == ["another.png", "good.png"]


def test_readings_are_written_beside_one_another(good: Path, deck: Deck, tmp_path: Path) -> None:
    out = tmp_path / "new" / "readings"
    twin = tmp_path / "elsewhere"
    twin.mkdir()
    (twin / "good.png").write_bytes(good.read_bytes())
    entries = list(read_pictures([good, twin / "good.png"], deck, out))
    assert sorted(path.name for path in out.iterdir()) == ["good-2.json", "good.json"]
    assert json.loads((out / "good.json").read_text()) == entries[0]


def test_bad_pictures_are_named_and_the_others_read(good: Path, deck: Deck, tmp_path: Path) -> None:
    bad = {
        "missing.jpg": None,
        "empty.jpg": b"",
        "text.jpg": b"no picture at all",
        "torn.png": good.read_bytes()[:40],
        "header_only.jpg": b"\xff\xd8",
    }
    for name, data in bad.items():
        if data is not None:
            (tmp_path / name).write_bytes(data)
    (tmp_path / "folder").mkdir()
    paths = [*(tmp_path / name for name in bad), tmp_path / "folder", good]
    entries = list(read_pictures(paths, deck))
    assert [codes(entry) for entry in entries[:-1]] == [
        ["no_such_file"],
        ["not_a_picture"],
        ["not_a_picture"],
        ["not_a_picture"],
        ["not_a_picture"],
        ["folder_without_pictures"],
    ]
    assert [entry["cards"] for entry in entries[:-1]] == [[]] * 6
    assert len(entries[-1]["cards"]) == 4


def test_a_giant_picture_is_refused_before_it_is_decoded(deck: Deck, tmp_path: Path) -> None:
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    (tmp_path / "giant.png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(head)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    )
    (entry,) = read_pictures([tmp_path / "giant.png"], deck)
    assert codes(entry) == ["picture_too_large"]


def test_a_tiny_picture_holds_no_table(deck: Deck, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "dot.png"), DrawnTable(deck).picture()[:1, :1])
    (entry,) = read_pictures([tmp_path / "dot.png"], deck)
    assert codes(entry) == ["no_table"]


def test_a_deck_without_markers_is_read_by_its_faces(deck_folder: Path, good: Path, tmp_path: Path) -> None:
    folder = tmp_path / "unmarked"
    shutil.copytree(deck_folder, folder)
    book = json.loads((folder / "deck.json").read_text())
    for face in book["faces"].values():
        del face["markers"]
    del book["goal_back_markers"]
    (folder / "deck.json").write_text(json.dumps(book))
    (marked,) = read_pictures([good], load_deck(deck_folder))
    (unmarked,) = read_pictures([good], load_deck(folder))
    assert marked["cards"] and meanings(unmarked) == meanings(marked)


def meanings(entry: dict[str, Any]) -> set[tuple[Any, ...]]:
    return {(*card["cell"], card["face_up"], str(card["tunnels"]), card["turned"]) for card in entry["cards"]}
