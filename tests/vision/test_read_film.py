"""A film is read as its pictures would be one by one, and what shows nothing new is not read again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from companion.game.cards import GOAL_CELLS, Cell
from vision.deckbook import Deck
from vision.film import AGAIN, DOUBT_AGAIN, DOUBTED, Film, in_sight
from vision.pictures import Image
from vision.pointed import Pointed
from vision.reader import Effort, Reader
from vision.reading import Reading
from vision.scene import Cover, Scene
from vision.simulate import SimulatedTable

SCENE = Scene(tilt_deg=8, cover=Cover.FELT, noise=2)
SIZE = (960, 540)


@dataclass
class Counting:
    """The printed deck's reader as in a film, and how many pictures it was asked to read."""

    reader: Reader
    count: int = 0

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        self.count += 1
        return self.reader.read(image, pointed, Effort.LIVE)


def laid(deck: Deck, seed: int = 3) -> SimulatedTable:
    table = SimulatedTable(deck, seed, SIZE, SCENE)
    table.lay("start", (0, 0))
    for goal, cell in zip(("gold", "stone-NE", "stone-NW"), GOAL_CELLS, strict=True):
        table.lay(goal, cell, face_up=False)
    for face, cell in (("EW-1", (1, 0)), ("NESW-1", (2, 0)), ("NS-1", (2, 1))):
        table.lay(face, cell)
    return table


def cards(reading: Reading) -> dict[Cell, tuple[str | None, bool]]:
    return {card.cell: (card.face, card.turned) for card in reading.cards}


@pytest.fixture
def counting(reader: Reader) -> Counting:
    return Counting(reader)


def test_a_still_table_is_read_once_and_again_now_and_then(deck: Deck, counting: Counting) -> None:
    table, film = laid(deck), Film(counting)
    first = film.read(table.frame())
    assert len(first.cards) == 7 and in_sight(first) == []
    for _ in range(AGAIN):
        assert cards(film.read(table.frame())) == cards(first)
    assert counting.count == 1
    film.read(table.frame())
    assert counting.count == 2


@pytest.mark.parametrize(
    ("what", "happens"),
    [
        ("a card is laid", lambda table: table.lay("EW-2", (3, 0))),
        ("a card is taken", lambda table: table.lift((2, 1))),
        ("a card is turned round", lambda table: table.lay("NESW-1", (2, 0), turned=True)),
        ("a card is swapped for its like", lambda table: table.lay("EW-3", (1, 0))),
        ("a card is pushed by 3 mm", lambda table: table.slide((2, 1), 3, 0)),
        ("a card is pushed by 3 mm at night", lambda table: table.slide((2, 1), 3, 0)),
        ("a card is swapped for its like at night", lambda table: table.lay("EW-3", (1, 0))),
        ("a goal is turned up", lambda table: table.lay("gold", (8, -2))),
        ("the camera is pushed", lambda table: table.nudge(4, 2)),
        ("a lamp is switched on", lambda table: table.lamp(1.3)),
    ],
)
def test_what_happens_is_read_at_once(
    deck: Deck, counting: Counting, what: str, happens: Callable[[SimulatedTable], None]
) -> None:
    table, film = laid(deck), Film(counting)
    table.lamp(0.5 if what.endswith("at night") else 1.0)
    film.read(table.frame())
    happens(table)
    read = counting.count
    assert cards(film.read(frame := table.frame())) == cards(counting.reader.read(frame))
    assert counting.count == read + 1


def test_evening_light_and_recompression_are_nothing_new(deck: Deck, counting: Counting) -> None:
    table, film = laid(deck), Film(counting)
    film.read(table.frame())
    for gain, quality in ((0.99, 80), (0.98, 70), (0.96, 75), (0.95, 65)):
        table.lamp(gain)
        _, data = cv2.imencode(".jpg", table.frame(), [cv2.IMWRITE_JPEG_QUALITY, quality])
        film.read(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))
    assert counting.count == 1


def test_doubt_is_looked_at_again_and_again(deck: Deck, counting: Counting) -> None:
    table, film = SimulatedTable(deck, 3, SIZE, SCENE), Film(counting)
    picture = table.frame()
    for _ in range(DOUBTED):
        assert film.read(picture).cards == ()
    assert counting.count == DOUBTED
    for _ in range(DOUBT_AGAIN + 1):
        film.read(picture)
    assert counting.count == DOUBTED + 1


def test_corners_pointed_out_are_heeded_at_once(deck: Deck, counting: Counting) -> None:
    table, film = laid(deck), Film(counting)
    film.read(table.frame())
    film.read(table.frame(), Pointed(((10, 10), (950, 10), (950, 530), (10, 530))))
    assert counting.count == 2


def test_another_size_is_another_film(deck: Deck, counting: Counting) -> None:
    picture = laid(deck).frame()
    film = Film(counting)
    film.read(picture)
    half = np.asarray(cv2.resize(picture, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA), np.uint8)
    assert film.read(half).size == (720, 405)
    assert counting.count == 2


@pytest.mark.parametrize("seed", [1, 2])
def test_a_film_tells_what_each_picture_tells(deck: Deck, reader: Reader, seed: int) -> None:
    chance = np.random.default_rng(seed)
    table, film = laid(deck, seed), Film(reader)
    free = [name for name in deck.faces if "-" in name and not name.startswith("stone")]
    for _ in range(8):
        cell = (int(chance.integers(1, 7)), int(chance.integers(-2, 3)))
        lying = {lying.card_id for lying in table.lying().values()}
        match int(chance.integers(6)):
            case 0 | 1:
                name = str(chance.choice([name for name in free if name not in lying]))
                table.lay(name, cell, turned=bool(chance.integers(2)))
            case 2 if cell in table.lying():
                table.lift(cell)
            case 3 if cell in table.lying():
                table.slide(cell, *chance.uniform(-4, 4, 2).tolist())
            case 4:
                table.lamp(float(chance.uniform(0.8, 1.1)))
            case _:
                pass
        frame = table.frame()
        assert cards(film.read(frame)) == cards(reader.read(frame))
