"""A picture of a table is read as the board that lies there."""

from __future__ import annotations

import numpy as np
import pytest

from companion.game.cards import Cell, Kind
from tests.vision.drawn_table import DrawnTable
from vision.deckbook import Deck
from vision.reader import Reader
from vision.reading import Reading

Lying = dict[Cell, tuple[str | None, bool]]

MAZE: list[tuple[str, Cell, bool]] = [
    ("start", (0, 0), False),
    ("EW-1", (1, 0), False),
    ("NES-1", (2, 0), True),
    ("NS-1", (2, 1), False),
    ("NE-2", (2, -1), True),
    ("N.E.S.W-1", (3, -1), False),
    ("NESW-3", (1, 1), True),
    ("E-1", (-1, 0), False),
]


def lie(reading: Reading) -> Lying:
    """What was read: the face (None: a back) and the way up in each cell."""
    return {card.cell: (card.face, card.turned and card.face_up) for card in reading.cards}


def maze(deck: Deck, **camera: float) -> DrawnTable:
    table = DrawnTable(deck, **camera)  # type: ignore[arg-type]
    for face, cell, turned in MAZE:
        table.lay(face, cell, turned)
    return table.goals()


def expected() -> Lying:
    return {cell: (face, turned) for face, cell, turned in MAZE} | {
        (8, row): (None, False) for row in (-2, 0, 2)
    }


def test_every_card_is_read_in_its_cell_and_way_up(deck: Deck, reader: Reader) -> None:
    reading = reader.read(maze(deck).picture())
    assert lie(reading) == expected()
    assert reading.problems == ()


@pytest.mark.parametrize("side", [0, 90, 180, 270, 25])
def test_the_camera_may_stand_on_any_side_of_the_table(deck: Deck, reader: Reader, side: float) -> None:
    high = 830.0 if side in (0, 180) else 1250.0
    reading = reader.read(maze(deck, side=side, high_mm=high).picture((1920, 1080)))
    assert lie(reading) == expected()


def test_a_table_seen_from_low_down_is_read(deck: Deck, reader: Reader) -> None:
    reading = reader.read(maze(deck, tilt=42.0, high_mm=1000.0).picture())
    assert lie(reading) == expected()


def test_goals_lie_face_down_until_turned_up(deck: Deck, reader: Reader) -> None:
    table = DrawnTable(deck).lay("start", (0, 0)).goals((None, "gold", None))
    reading = reader.read(table.picture())
    assert [(card.cell, card.face_up, card.kind) for card in reading.cards if card.cell[0] == 8] == [
        ((8, -2), False, Kind.GOAL),
        ((8, 0), True, Kind.GOAL),
        ((8, 2), False, Kind.GOAL),
    ]
    backs = [card for card in reading.cards if not card.face_up]
    assert all(card.face is None and card.tunnels == () for card in backs)


@pytest.mark.parametrize("turned", [False, True])
def test_a_stone_turned_up_is_read_the_way_it_lies(deck: Deck, reader: Reader, turned: bool) -> None:
    table = DrawnTable(deck).lay("start", (0, 0)).goals()
    table.lay("stone-NE", (8, 0), turned)
    assert lie(reader.read(table.picture()))[8, 0] == ("stone-NE", turned)


def test_the_start_card_itself_may_be_turned(deck: Deck, reader: Reader) -> None:
    table = DrawnTable(deck).lay("start", (0, 0), True).lay("EW-1", (1, 0)).goals()
    reading = lie(reader.read(table.picture()))
    assert reading[0, 0] == ("start", True)
    assert reading[1, 0] == ("EW-1", False)


def test_the_maze_may_grow_behind_the_start_and_beyond_the_goals(deck: Deck, reader: Reader) -> None:
    table = DrawnTable(deck, high_mm=1000.0).lay("start", (0, 0)).goals()
    table.lay("EW-1", (-1, 0)).lay("NES-1", (-2, 0)).lay("EW-2", (9, 0)).lay("NS-1", (-2, -1)).lay(
        "NS-2", (0, 3)
    )
    cells = set(lie(reader.read(table.picture())))
    assert {(-1, 0), (-2, 0), (9, 0), (-2, -1)} <= cells


def test_rows_and_columns_may_drift(deck: Deck, reader: Reader) -> None:
    table = DrawnTable(deck, pitch=(59.5, 91.0)).lay("start", (0, 0)).goals()
    faces = ["EW-1", "EW-2", "EW-3", "NEW-1", "NEW-2", "NEW-3", "NESW-1"]
    for column, face in enumerate(faces, 1):
        # Every card lies 4 mm lower than the one before: at the end a third of a card off its row.
        table.lay(face, (column, 0), off=((-1) ** column * 1.5, 4.0 * column), askew=(-1) ** column * 3.0)
    reading = lie(reader.read(table.picture()))
    assert [reading.get((column, 0), (None,))[0] for column in range(1, 8)] == faces


def test_holes_in_the_maze_stay_empty_and_cards_beyond_them_keep_their_cells(
    deck: Deck, reader: Reader
) -> None:
    table = DrawnTable(deck).lay("start", (0, 0)).lay("EW-1", (1, 0)).lay("EW-2", (5, 1)).goals()
    assert set(lie(reader.read(table.picture()))) == {(0, 0), (1, 0), (5, 1), (8, -2), (8, 0), (8, 2)}


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.31), ((1920, 1080), 1.97)])
def test_corners_are_those_of_the_face_as_printed(
    deck: Deck, reader: Reader, size: tuple[int, int], scale: float
) -> None:
    table = maze(deck)
    reading = reader.read(table.picture(size))
    assert reading.size == size
    assert reading.px_per_mm == pytest.approx(scale, rel=0.05)
    for card in reading.cards:
        if card.face_up:
            assert np.abs(np.array(card.corners) - table.corners(card.cell, size)).max() < 2.5


def test_a_large_photo_is_read_like_a_small_one(deck: Deck, reader: Reader) -> None:
    table = maze(deck)
    reading = reader.read(table.picture((3840, 2160), blur=2.0))
    assert lie(reading) == expected()
    (start,) = (card for card in reading.cards if card.face == "start")
    assert np.abs(np.array(start.corners) - table.corners((0, 0), (3840, 2160))).max() < 6


def test_readings_have_a_plain_form(deck: Deck, reader: Reader) -> None:
    plain = reader.read(maze(deck).picture()).to_json()
    start = next(card for card in plain["cards"] if card["face"] == "start")
    assert start["cell"] == [0, 0]
    assert start["tunnels"] == [["N", "E", "S", "W"]]
    assert start["kind"] == "start"
    assert plain["size"] == [1280, 720]
    assert plain["problems"] == []
