"""Corners that a person dragged help where nothing is found otherwise, and never do harm."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.game.cards import Cell
from tests.vision.drawn_table import DrawnTable, Picture
from vision.deckbook import Deck
from vision.pointed import Pointed
from vision.reader import Reader
from vision.reading import Reading

SIZE = (1280, 720)


def pointed_at(table: DrawnTable, size: tuple[int, int] = SIZE, off: float = 9.0) -> Pointed:
    """The four corners as a person drags them, each `off` px astray."""
    exact = [
        table.corners((0, 0), size)[0],
        table.corners((8, -2), size)[1],
        table.corners((8, 2), size)[2],
        table.corners((0, 0), size)[3],
    ]
    astray = np.array([(off, -off), (-off, off / 2), (off / 2, off), (-off, 0)])
    a, b, c, d = ((float(x), float(y)) for x, y in np.array(exact) + astray)
    return Pointed((a, b, c, d))


def told(reading: Reading) -> dict[Cell, tuple[str | None, bool]]:
    return {card.cell: (card.face, card.turned) for card in reading.cards}


def laid(deck: Deck, **camera: float) -> DrawnTable:
    table = DrawnTable(deck, **camera)  # type: ignore[arg-type]
    return table.lay("start", (0, 0)).lay("EW-1", (1, 0)).lay("NEW-1", (2, 0)).lay("NS-1", (0, 1)).goals()


def without_goals(table: DrawnTable, picture: Picture) -> Picture:
    """The picture with something lying on the three goals."""
    for row in (-2, 0, 2):
        middle = table.corners((8, row), SIZE).mean(0)
        cv2.circle(picture, (round(middle[0]), round(middle[1])), 75, (60, 60, 200), -1)
    return picture


@pytest.mark.parametrize("side", [0.0, 90.0, 180.0])
def test_the_direction_is_told_by_hand_while_no_goal_is_seen(deck: Deck, reader: Reader, side: float) -> None:
    table = laid(deck, side=side, high_mm=1000.0 if side == 90 else 830.0)
    picture = without_goals(table, table.picture())
    assert reader.read(picture).cards == ()
    read = told(reader.read(picture, pointed_at(table)))
    assert read == {
        (0, 0): ("start", False),
        (1, 0): ("EW-1", False),
        (2, 0): ("NEW-1", False),
        (0, 1): ("NS-1", False),
    }


def test_a_blurred_picture_is_read_where_one_points(deck: Deck, reader: Reader) -> None:
    table = laid(deck)
    picture = table.picture(blur=2.6, noise=5.0)
    alone, helped = reader.read(picture), reader.read(picture, pointed_at(table))
    true = {(0, 0): "start", (1, 0): "EW-1", (2, 0): "NEW-1", (0, 1): "NS-1"}
    assert len(helped.cards) >= len(alone.cards)
    assert {cell: face for cell, (face, _) in told(helped).items() if face}.items() <= true.items()


def test_pointing_changes_nothing_where_all_is_found(deck: Deck, reader: Reader) -> None:
    table = laid(deck)
    picture = table.picture()
    elsewhere = Pointed(((20, 30), (300, 40), (310, 200), (15, 190)))
    assert told(reader.read(picture, elsewhere)) == told(reader.read(picture)) != {}


def test_pointing_at_nothing_finds_nothing(deck: Deck, reader: Reader) -> None:
    table = laid(deck)
    reading = reader.read(DrawnTable(deck).picture(), pointed_at(table))
    assert reading.cards == ()
    assert "no_table" in {problem.code for problem in reading.problems}


def test_large_pictures_are_pointed_at_in_their_own_pixels(deck: Deck, reader: Reader) -> None:
    table = laid(deck)
    picture = without_goals(table, table.picture())
    large = np.asarray(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    small = pointed_at(table)
    a, b, c, d = ((2 * x, 2 * y) for x, y in small.corners)
    assert told(reader.read(large, Pointed((a, b, c, d)))) == told(reader.read(picture, small)) != {}
