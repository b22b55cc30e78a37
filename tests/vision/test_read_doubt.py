"""What cannot be told is left out, and what is no card of the board is not taken for one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.game.cards import Cell
from tests.vision.drawn_table import DrawnTable
from vision.deckbook import Deck
from vision.reader import Reader
from vision.reading import Reading


def cells(reading: Reading) -> set[Cell]:
    return {card.cell for card in reading.cards}


def codes(reading: Reading) -> set[str]:
    return {problem.code for problem in reading.problems}


def small_maze(deck: Deck, **camera: float) -> DrawnTable:
    table = DrawnTable(deck, **camera)  # type: ignore[arg-type]
    table.lay("start", (0, 0)).lay("EW-1", (1, 0)).lay("NEW-1", (2, 0)).lay("NS-1", (0, 1)).goals()
    return table


SMALL_MAZE: set[Cell] = {(0, 0), (1, 0), (2, 0), (0, 1), (8, -2), (8, 0), (8, 2)}


def test_a_card_under_a_hand_is_missed_not_guessed(deck: Deck, reader: Reader) -> None:
    table = small_maze(deck)
    reading = reader.read(table.hand_over(table.picture(), (1, 0)))
    assert (1, 0) not in cells(reading)
    assert cells(reading) <= SMALL_MAZE
    assert {(0, 0), (2, 0)} <= cells(reading)


@pytest.mark.parametrize(("off", "told"), [(-2.5, {(1, 0): "EW-1"}), (0.0, {}), (3.5, {})])
def test_a_card_of_which_strips_show_beside_an_arm_is_told_by_a_marker_or_hidden_not_gone(
    deck: Deck, reader: Reader, off: float, told: dict[Cell, str]
) -> None:
    table = small_maze(deck)
    picture = table.picture()
    x = float(table.corners((1, 0), (1280, 720))[:, 0].mean()) + off
    cv2.rectangle(picture, (round(x - 22), 170), (round(x + 22), 560), (70, 60, 120), -1)
    reading = reader.read(picture)
    assert {card.cell: card.face for card in reading.cards if card.cell == (1, 0)} == told
    assert set(reading.hidden) & {(1, 0)} == {(1, 0)} - set(told)


def test_the_start_card_under_a_hand_leaves_the_others_in_their_cells(deck: Deck, reader: Reader) -> None:
    table = small_maze(deck)
    reading = reader.read(table.hand_over(table.picture(), (0, 0)))
    assert "no_start_card" in codes(reading)
    assert {(2, 0), (8, -2), (8, 0), (8, 2)} <= cells(reading) <= SMALL_MAZE


def test_one_marker_covered_leaves_a_card_readable(deck: Deck, reader: Reader) -> None:
    table = small_maze(deck)
    picture = table.picture()
    x, y = table.corners((1, 0), (1280, 720))[0]
    cv2.circle(picture, (round(x + 14), round(y + 14)), 16, (60, 60, 200), -1)
    assert cells(reader.read(picture)) == SMALL_MAZE


def test_both_markers_covered_leave_the_art_to_tell(deck: Deck, reader: Reader) -> None:
    table = small_maze(deck)
    picture = table.picture()
    first, _, second, _ = table.corners((1, 0), (1280, 720))
    inwards = (second - first) * 0.13
    for x, y in (first + inwards, second - inwards):
        cv2.circle(picture, (round(x), round(y)), 9, (60, 60, 200), -1)
    read = {card.cell: card.face for card in reader.read(picture).cards}
    assert read.get((1, 0), "EW-1") in {"EW-1", "EW-2", "EW-3"}
    assert set(read) <= SMALL_MAZE


def test_a_bare_table_holds_nothing(deck: Deck, reader: Reader) -> None:
    reading = reader.read(DrawnTable(deck).picture())
    assert reading.cards == ()
    assert "no_table" in codes(reading)


def test_without_goals_or_tags_nobody_knows_where_columns_grow(deck: Deck, reader: Reader) -> None:
    reading = reader.read(DrawnTable(deck).lay("start", (0, 0)).lay("EW-1", (1, 0)).picture())
    assert reading.cards == ()
    assert "no_goals" in codes(reading)


def test_corner_tags_tell_the_direction_while_goals_are_missing(deck: Deck, reader: Reader) -> None:
    table = DrawnTable(deck, high_mm=950.0, side=180.0).lay("start", (0, 0)).lay("EW-1", (1, 0)).tags()
    reading = reader.read(table.picture())
    assert cells(reading) == {(0, 0), (1, 0)}
    assert "no_goals" in codes(reading)


def test_piles_beside_the_maze_are_nothing(deck: Deck, reader: Reader) -> None:
    table = small_maze(deck)
    for askew in (0.0, 7.0, -12.0):
        table.put(deck.back, (4.3, 1.6), askew, (0, 0), deck.card_mm)
    assert cells(reader.read(table.picture())) == SMALL_MAZE


def test_goal_cards_waiting_face_up_beside_the_maze_are_nothing(deck: Deck, reader: Reader) -> None:
    table = small_maze(deck, high_mm=1000.0)
    for index, face in enumerate(("gold", "stone-NE", "stone-NW")):
        table.lay(face, (3.5 + index, 3.1))
    assert cells(reader.read(table.picture((1920, 1080)))) == SMALL_MAZE


def test_cards_in_a_hand_are_nothing(deck: Deck, reader: Reader) -> None:
    table = small_maze(deck)
    for index, face in enumerate(("NESW-1", "NS-2", "NE-3")):
        table.lay(face, (4.4 + 0.35 * index, 1.4), askew=35.0 + 12 * index, scale=1.5)
    assert cells(reader.read(table.picture())) == SMALL_MAZE


def test_a_path_card_in_a_goals_place_is_nothing(deck: Deck, reader: Reader) -> None:
    table = DrawnTable(deck).lay("start", (0, 0)).goals((None, "gold", None)).lay("EW-3", (8, 0))
    assert (8, 0) not in cells(reader.read(table.picture()))


def test_one_card_cannot_lie_in_two_places(deck: Deck, reader: Reader) -> None:
    table = small_maze(deck).lay("EW-1", (3, 0))
    read = [card.face for card in reader.read(table.picture()).cards]
    assert read.count("EW-1") <= 1


def test_a_card_beyond_the_edge_of_the_picture_is_said_to_be_cut_off(deck: Deck, reader: Reader) -> None:
    table = small_maze(deck)
    picture = table.tags().picture()[:, :930]
    reading = reader.read(np.ascontiguousarray(picture))
    assert cells(reading) <= SMALL_MAZE
    assert (8, 0) in reading.hidden
    (cut,) = (problem for problem in reading.problems if problem.code == "cut_off")
    assert [8, 0] in cut.params["cells"]


def test_darkness_is_named(deck: Deck, reader: Reader) -> None:
    reading = reader.read(small_maze(deck).picture(light=0.04))
    assert cells(reading) <= SMALL_MAZE
    assert "too_dark" in codes(reading)


def test_blur_is_named(deck: Deck, reader: Reader) -> None:
    reading = reader.read(small_maze(deck).picture(blur=5.0))
    assert reading.cards == ()
    assert "blurred" in codes(reading)


def test_cards_too_small_are_named_with_what_is_needed(deck: Deck, reader: Reader) -> None:
    reading = reader.read(small_maze(deck, high_mm=1700.0).picture())
    assert cells(reading) <= SMALL_MAZE
    found = [problem.params for problem in reading.problems if problem.code == "too_small"]
    assert found
    assert found[0]["px_per_card"] < found[0]["needed"]


@pytest.mark.parametrize("what", ["squares", "codes", "noise", "markers"])
def test_patterns_of_other_kinds_hold_no_card(reader: Reader, what: str) -> None:
    picture = cv2.GaussianBlur(_pattern(what, np.random.default_rng(5)), (0, 0), 0.7)
    assert reader.read(np.asarray(picture)).cards == ()


def _pattern(what: str, chance: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    if what == "squares":
        board = (np.indices((720, 1280)) // 23).sum(0) % 2 * 190 + 30
        return np.repeat(board.astype(np.uint8)[..., None], 3, 2)
    if what == "noise":
        return chance.integers(0, 256, (720, 1280, 3)).astype(np.uint8)
    picture = np.full((720, 1280, 3), 205, np.uint8)
    other = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_250)
    for index in range(30):
        if what == "codes":
            code = cv2.QRCodeEncoder.create().encode(f"http://192.168.1.23:8080/j/K7Q{index}")
        else:
            code = cv2.copyMakeBorder(
                cv2.aruco.generateImageMarker(other, index, 8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(255,)
            )
        scale = int(chance.integers(3, 6))
        large = np.kron(np.asarray(code, np.uint8), np.ones((scale, scale), np.uint8))
        x, y = int(chance.integers(0, 1280 - large.shape[1])), int(chance.integers(0, 720 - large.shape[0]))
        picture[y : y + large.shape[0], x : x + large.shape[1]] = large[..., None]
    return picture


def test_three_goals_alone_do_not_tell_which_side_the_start_is_on(deck: Deck, reader: Reader) -> None:
    reading = reader.read(DrawnTable(deck).goals((None, None, "gold")).picture())
    assert reading.cards == ()
