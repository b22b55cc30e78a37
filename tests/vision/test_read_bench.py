"""`pithead bench`: what it counts, on pictures small and few enough to know by heart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import main
from tests.vision.drawn_table import DrawnTable
from vision import bench
from vision.bench import STAGES, endure, false_cards, score_frames
from vision.bench_evening import AT_REST, COVERED, bench_evenings
from vision.bench_markers import find_markers, load_dictionary
from vision.bench_pictures import patterns, photographs
from vision.deckbook import Deck
from vision.decode import Patterns
from vision.pictures import SourceError
from vision.reader import Reader

SIZE = (960, 540)
SET_OUT = (((0, 0), "start"), ((8, -2), None), ((8, 0), None), ((8, 2), None))
EDGES_OF = {"start": "NESW", "EW-1": "EW"}
LAID = {(0, 0): "start", (1, 0): "EW-1", (2, 0): "NESW-1", (8, -2): None, (8, 0): None, (8, 2): None}


def frame(deck: Deck, folder: Path, name: str, **truth_of: Any) -> None:
    """A drawn picture in a folder, with its truth beside it; `truth_of` says what the truth has otherwise."""
    table = DrawnTable(deck)
    for cell, face in LAID.items():
        table.lay(face, cell)
    cv2.imwrite(str(folder / f"{name}.jpg"), table.picture(SIZE, noise=1.0))
    cards = [
        {
            "cell": list(cell),
            "face": face,
            "turned": False,
            "face_up": face is not None,
            "tunnels": [] if face is None else [[*"EW"]] if face == "EW-1" else [[*"NESW"]],
            "visible": 1.0,
        }
        for cell, face in LAID.items()
    ]
    truth = {"level": "easy", "size": list(SIZE), "cards": [card | truth_of for card in cards[1:2]]}
    truth["cards"] = [cards[0], *truth["cards"], *cards[2:]]
    (folder / f"{name}.json").write_text(json.dumps(truth))


def evening(deck: Deck, folder: Path, name: str, *laid: tuple[tuple[int, int], str]) -> None:
    """Pictures of an evening, a card more in each, as `photobooth --sequence` names them."""
    table = DrawnTable(deck)
    cards: list[dict[str, Any]] = []
    for count, (cell, face) in enumerate((*SET_OUT, *laid)):
        table.lay(face, cell)
        tunnels = [] if face is None else [[*EDGES_OF[face]]]
        lies = {"turned": False, "face_up": face is not None, "tunnels": tunnels}
        cards.append({"cell": list(cell), **lies})
        if count >= len(SET_OUT) - 1:
            rest = folder / f"{name}_{count:03}_b"
            cv2.imwrite(f"{rest}.jpg", table.picture(SIZE, noise=1.0))
            rest.with_suffix(".json").write_text(json.dumps({"cards": cards}))
            hand = np.full((SIZE[1], SIZE[0], 3), (120, 150, 200), np.uint8)
            cv2.imwrite(str(folder / f"{name}_{count:03}_a.jpg"), hand)


def test_an_evening_is_told_card_by_card_and_what_is_wrong_is_counted(deck: Deck, tmp_path: Path) -> None:
    evening(deck, tmp_path, "ours", ((1, 0), "EW-1"))
    evening(deck, tmp_path, "theirs", ((1, 0), "EW-1"))
    last = tmp_path / "theirs_004_b.json"
    last.write_text(last.read_text().replace('["E", "W"]', '["N", "S"]'))
    ours, theirs = bench_evenings(tmp_path, deck)
    assert (ours.name, ours.laid, ours.told, ours.wrong) == ("ours", 2, 2, 0)
    assert ours.after_s == [pytest.approx(0.3), pytest.approx(0.3)]
    assert len(ours.ms) == 2 * (COVERED + AT_REST)
    with pytest.raises(SourceError, match="folder_without_pictures"):
        next(bench_evenings(tmp_path / "nowhere", deck))
    # From when it is known the card is told wrongly in every frame that is left.
    assert (theirs.told, theirs.wrong) == (1, AT_REST - 3)


def test_right_wrong_and_missed_are_told_apart(deck: Deck, reader: Reader, tmp_path: Path) -> None:
    frame(deck, tmp_path, "a_right")
    frame(deck, tmp_path, "b_wrong", tunnels=[["N", "S"]])
    frame(deck, tmp_path, "c_elsewhere", cell=[4, 0])
    frame(deck, tmp_path, "d_covered", cell=[4, 0], visible=0.5)
    seen: list[str] = []
    (score,) = score_frames(tmp_path, reader, seen.append)
    assert seen == ["a_right", "b_wrong", "c_elsewhere", "d_covered"]
    assert (score.level, score.size, score.pictures, score.exact) == ("easy", SIZE, 4, 1)
    assert (score.cards, score.read, score.missed, score.wrong) == (23, 21, 1, 3)
    assert score.flaws == ["b_wrong: -0 !1,0", "c_elsewhere: -4,0 !1,0", "d_covered: -0 !1,0"]
    assert len(score.ms) == len(score.aruco_ms) == 4 and min(score.ms) > 0
    assert {"squares", "markers", "plane", "search", "judge"} <= set(score.stages_ms)
    assert score.median(score.unchanged_ms) < score.median(score.ms)


def test_a_card_turned_by_half_a_turn_means_its_tunnels_turned(
    deck: Deck, reader: Reader, tmp_path: Path
) -> None:
    frame(deck, tmp_path, "turned", turned=True)
    (score,) = score_frames(tmp_path, reader)
    assert score.exact == 1  # a straight tunnel lies the same both ways up


def test_pictures_without_cards_give_none(reader: Reader, tmp_path: Path) -> None:
    chance = np.random.default_rng(5)
    blobs = cv2.resize(chance.integers(0, 256, (9, 16, 3)).astype(np.uint8), (640, 360))
    cv2.imwrite(str(tmp_path / "one.jpg"), blobs)
    assert [reading.cards for reading in false_cards(photographs([tmp_path], 2), reader)] == [()] * 2
    assert [reading.cards for reading in false_cards(patterns(6), reader)] == [()] * 6


def test_a_long_film_is_told_in_ten_parts(deck: Deck, reader: Reader) -> None:
    told = list(endure(deck, reader, 20))
    assert [done for done, _ in told] == list(range(2, 21, 2))


def test_the_command_tells_a_table(
    deck: Deck, deck_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame(deck, tmp_path, "right")
    assert main(["bench", "vision", str(tmp_path), "--deck", str(deck_folder)]) == 0
    told = capsys.readouterr().out
    assert "960x540" in told and "1/1" in told and "6/6" in told and "MB" in told
    frame(deck, tmp_path, "wrong", tunnels=[["N", "S"]])
    assert main(["bench", "vision", str(tmp_path), "--deck", str(deck_folder)]) == 1


def test_markers_of_photographs_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = np.full((400, 600), 220, np.uint8)
    for number, (kind, x) in enumerate(
        [(cv2.aruco.DICT_6X6_250, 60), (cv2.aruco.DICT_6X6_250, 240), (cv2.aruco.DICT_APRILTAG_36h11, 420)]
    ):
        marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(kind), 7 + number, 80)
        page[150:230, x : x + 80] = marker
    soft = cv2.GaussianBlur(page, (0, 0), 1.0)
    cv2.imwrite(str(tmp_path / "photo.jpg"), soft)
    cv2.imwrite(str(tmp_path / "tags.jpg"), soft)
    (tmp_path / "tags.txt").write_text(
        "9, (420 150), (499 150), (499 229), (420 229)\n9, (1 1), (9 1), (9 9), (1 9)"
    )
    assert main(["bench", "markers", str(tmp_path)]) == 0
    photo, tags = (line.split() for line in capsys.readouterr().out.splitlines()[1:])
    assert photo == ["photo.jpg", "2", "0", "2"]
    assert tags == ["tags.jpg", "1/2", "0", "1"]


OWN = """%YAML:1.0
---
nmarkers: 3
markersize: 4
maxCorrectionBits: 1
marker_0: "1011001110001110"
marker_1: "0110101011010011"
marker_2: "1110010001101001"
"""
"""Three markers of nobody's dictionary, in OpenCV's file format."""


def test_photographs_may_show_markers_of_a_dictionary_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = tmp_path / "own.yml"
    book.write_text(OWN)
    own = load_dictionary(book)
    usual = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_250)
    for name, whole in (("a.jpg", own), ("b.jpg", usual)):
        page = np.full((300, 600), 220, np.uint8)
        for number in range(3):
            page[100:184, 60 + 180 * number : 144 + 180 * number] = cv2.aruco.generateImageMarker(
                whole, number, 84
            )
        cv2.imwrite(str(tmp_path / name), cv2.GaussianBlur(page, (0, 0), 1.0))
    counts = {}
    for options in ([], ["--dictionary", str(book)]):
        assert main(["bench", "markers", str(tmp_path), *options]) == 0
        counts[len(options)] = [line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]]
    assert counts == {0: ["0", "3"], 2: ["3", "3"]}


def test_a_marker_seen_very_flat_is_found() -> None:
    whole = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    marker = cv2.copyMakeBorder(
        cv2.aruco.generateImageMarker(whole, 5, 240), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(230,)
    )
    # A square on its corner, seen from so low that it is five times as broad as high.
    onto = cv2.getPerspectiveTransform(
        np.array([(60, 60), (300, 60), (300, 300), (60, 300)], np.float32),
        np.array([(160, 68), (190, 74), (160, 80), (130, 74)], np.float32),
    )
    page = cv2.warpPerspective(
        marker, onto, (320, 150), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=(215,)
    )
    grey = np.asarray(cv2.GaussianBlur(page, (0, 0), 0.6), np.uint8)
    assert find_markers(grey, Patterns(cv2.aruco.DICT_APRILTAG_36h11, range(30))).ids.tolist() == [5]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "%YAML:1.0\n---\nx: 3\n",
        "%YAML:1.0\n---\nnmarkers: [\n",
        OWN.replace("3", "2000000000", 1),
        OWN.replace(": 4", ": 100000"),
        OWN.replace(": 4", ": 5"),
        OWN.replace("marker_1", "marker_7"),
    ],
)
def test_what_is_no_dictionary_is_told(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "own.yml"
    book.write_text(text)
    assert main(["bench", "markers", str(tmp_path), "--dictionary", str(book)]) != 0
    assert "own.yml is no list of markers" in capsys.readouterr().err


def test_a_dictionary_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "markers", str(tmp_path), "--dictionary", str(tmp_path / "none.yml")]) != 0
    assert "none.yml" in capsys.readouterr().err


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_is_timed_by_a_function_that_there_is(stage: str) -> None:
    file, function = STAGES[stage]
    room = Path(str(bench.__file__)).parent
    assert any(f"def {function}(" in path.read_text(encoding="utf-8") for path in room.rglob(file))
