"""A deck without markers is read by its faces: with corner tags, two, none, or corners pointed out."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.game.cards import GOAL_CELLS, Cell
from tests.vision.drawn_table import DrawnTable
from tests.vision.unmarked_deck import inverted, without_markers
from vision import film
from vision.deckbook import Deck
from vision.pictures import Image
from vision.pointed import Pointed
from vision.reading import Reading
from vision.unmarked.growing import Settled
from vision.unmarked.judging import Witness
from vision.unmarked.reader import UnmarkedReader
from vision.unmarked.second import confirmed
from vision.unmarked.view import View

MAZE: dict[Cell, tuple[str, bool]] = {
    (1, 0): ("EW-1", False),
    (2, 0): ("NESW-1", True),
    (2, -1): ("NS-1", False),
    (2, 1): ("NE-2", True),
    (3, 0): ("NEW-1", False),
    (0, -1): ("NES-1", True),
    (4, 0): ("E.W-1", False),
}


@pytest.fixture(scope="module")
def bare(deck: Deck) -> Deck:
    return without_markers(deck)


@pytest.fixture(scope="module")
def eyes(bare: Deck) -> UnmarkedReader:
    return UnmarkedReader(bare)


def laid(deck: Deck, **camera: float) -> DrawnTable:
    """A start card, three goals and a maze, every card a little off its place and askew."""
    table = DrawnTable(deck, **camera).lay("start", (0, 0), askew=1.5).goals()
    chance = np.random.default_rng(5)
    for cell, (face, turned) in MAZE.items():
        x, y, askew = chance.normal(0, 1.6, 3)
        table.lay(face, cell, turned, (x, y), askew)
    return table


def meanings(deck: Deck, reading: Reading) -> dict[Cell, tuple[str | None, bool]]:
    """Each cell's card as play sees it: the name without its number, and the way it lies."""
    return {card.cell: (card.face and card.face[:-2], card.turned) for card in reading.cards if card.face_up}


EXPECTED = {cell: (face[:-2], turned) for cell, (face, turned) in MAZE.items()}
BACKS = set(GOAL_CELLS)


def check(deck: Deck, reading: Reading) -> None:
    seen = meanings(deck, reading)
    seen.pop((0, 0))
    for cell, (name, turned) in EXPECTED.items():
        assert seen.pop(cell)[0] == name
        if name not in ("EW", "NS", "NESW", "E.W"):
            assert next(card.turned for card in reading.cards if card.cell == cell) is turned
    assert not seen, "nothing is read where no card lies"
    assert {card.cell for card in reading.cards if not card.face_up} == BACKS


@pytest.mark.parametrize(("tags", "side"), [((0, 1, 2, 3), 0), ((0, 1), 180), ((), 0), ((), 115)])
def test_every_card_is_read_with_tags_and_without(
    bare: Deck, eyes: UnmarkedReader, tags: tuple[int, ...], side: float
) -> None:
    high = 830.0 if side in (0, 180) else 1250.0
    check(bare, eyes.read(laid(bare, side=side, tilt=20.0, high_mm=high).tags(tags).picture()))


def test_pointed_corners_tell_where_the_board_is(bare: Deck, eyes: UnmarkedReader) -> None:
    table, size = laid(bare, tilt=25.0), (1280, 720)
    start, top, low = (table.corners(cell, size) for cell in ((0, 0), (8, -2), (8, 2)))
    by_hand = np.array([(6, -5), (-7, 4), (5, 8), (-4, -6)])
    points = np.array([start[0], top[1], low[2], start[3]]) + by_hand
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    check(bare, eyes.read(table.picture(size), Pointed((a, b, c, d))))


def test_a_start_card_and_a_goal_back_are_enough(bare: Deck, eyes: UnmarkedReader) -> None:
    reading = eyes.read(DrawnTable(bare).lay("start", (0, 0)).lay(None, (8, 0)).picture())
    assert {card.cell for card in reading.cards} == {(0, 0), (8, 0)}
    assert {(8, -2), (8, 2)} <= set(reading.hidden)


def test_another_edition_is_read_as_well(bare: Deck) -> None:
    other = inverted(bare)
    check(other, UnmarkedReader(other).read(laid(other, tilt=15.0).tags((0, 2)).picture()))


def test_dim_and_noisy_pictures_are_read(bare: Deck, eyes: UnmarkedReader) -> None:
    check(bare, eyes.read(laid(bare, tilt=15.0).tags().picture(blur=1.1, noise=6.0, light=0.6)))


def test_an_illegal_card_is_read_as_it_lies(bare: Deck, eyes: UnmarkedReader) -> None:
    table = DrawnTable(bare).lay("start", (0, 0)).goals().tags()
    table.lay("NS-1", (1, 0)).lay("NE-1", (1, 1), turned=True)
    seen = meanings(bare, eyes.read(table.picture()))
    assert seen[1, 0][0] == "NS" and seen[1, 1] == ("NE", True)


def test_face_down_piles_and_cards_of_the_hand_are_nothing(bare: Deck, eyes: UnmarkedReader) -> None:
    table = DrawnTable(bare).lay("start", (0, 0)).goals().tags()
    for x, turn in ((3.2, 20.0), (3.4, 28.0), (5.0, -35.0)):
        table.put(bare.back, (x, 1.3), turn, (0, 0), bare.card_mm)
    assert {card.cell for card in eyes.read(table.picture()).cards} == {(0, 0), *BACKS}


def test_what_a_hand_covers_is_not_guessed(bare: Deck, eyes: UnmarkedReader) -> None:
    table = laid(bare).tags()
    reading = eyes.read(table.hand_over(table.picture(), (2, 0)))
    seen = meanings(bare, reading)
    assert (2, 0) not in seen
    assert all(seen[cell][0] == EXPECTED[cell][0] for cell in seen if cell != (0, 0))
    assert len(seen) >= 4


def test_the_picture_before_tells_nothing_of_this_one(bare: Deck) -> None:
    reader = UnmarkedReader(bare)
    check(bare, reader.read(laid(bare, tilt=20.0).picture()))
    check(bare, reader.read(laid(bare, side=180, tilt=10.0).picture()))
    assert reader.read(DrawnTable(bare).picture()).cards == ()


def test_a_camera_may_hang_over_the_table_upside_down(bare: Deck) -> None:
    check(bare, UnmarkedReader(bare).read(laid(bare, tilt=-25.0, high_mm=900.0).picture()))


def test_tags_that_lie_the_wrong_way_round_are_not_believed(bare: Deck, eyes: UnmarkedReader) -> None:
    table = laid(bare, tilt=20.0).tags((0, 1))
    (left, there), (right, here) = table.things[-2:]
    table.things[-2:] = [(right, there), (left, here)]
    check(bare, eyes.read(table.picture()))


def test_only_what_changed_is_looked_at_again(bare: Deck) -> None:
    reader, table = UnmarkedReader(bare), laid(bare, tilt=20.0).tags()
    before = table.picture()
    first = reader.read(before)
    after = table.lay("NW-1", (5, 0)).lay("NE-1", (-1, 1)).picture()
    touched = np.asarray(cv2.absdiff(before, after).max(2) > 60)
    again = reader.read_again(after, touched)
    known = {card.cell: card for card in first.cards}
    assert {card.cell for card in again.cards} == set(known) | {(5, 0), (-1, 1)}
    for card in again.cards:
        if card.cell in ((2, -1), (2, 0), (3, 0), (8, 0)):
            assert card.corners == known[card.cell].corners
    gone = reader.read_again(before, touched)
    assert {card.cell for card in gone.cards} == set(known)
    everywhere = np.ones((9, 16), bool)
    turned = laid(bare, side=180, tilt=10.0).tags().picture()
    check(bare, reader.read_again(turned, everywhere))


def test_a_hand_over_the_start_card_leaves_known_cells_known_and_unknown_ones_uncounted(
    bare: Deck, eyes: UnmarkedReader
) -> None:
    table = laid(bare, tilt=20.0)
    before = table.picture()
    after = table.hand_over(before, (0, 0))
    first = meanings(bare, eyes.read(before))
    again = meanings(bare, eyes.read_again(after, np.asarray(cv2.absdiff(before, after).max(2) > 60)))
    assert {(2, 1), (3, 0), (4, 0)} <= set(again)
    assert again.items() <= first.items()
    reading = UnmarkedReader(bare).read(after)
    assert reading.cards == ()
    assert reading.problems[0].code == "no_start_card"


def test_a_film_looks_only_where_something_changed_and_now_and_then_everywhere(
    bare: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(film, "AGAIN", 2)
    wholly: list[bool] = []

    class Counting(UnmarkedReader):
        def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
            wholly.append(True)
            return super().read(image, pointed)

        def read_again(
            self, image: Image, touched: NDArray[np.bool_], pointed: Pointed | None = None
        ) -> Reading:
            wholly.append(False)
            return super().read_again(image, touched, pointed)

    table = laid(bare, tilt=20.0).tags()
    watched = film.Film(Counting(bare))
    check(bare, watched.read(table.picture(noise=1.0)))
    for column, face in ((5, "NW-1"), (6, "EW-2"), (7, "NS-2")):
        reading = watched.read(table.lay(face, (column, 0)).picture(noise=1.0))
        assert meanings(bare, reading)[column, 0][0] == face[:-2]
        assert len(reading.cards) == 4 + len(MAZE) + column - 4
    assert wholly == [True, False, False, True]


def test_what_looks_like_no_card_needs_more_than_a_weak_likeness(bare: Deck, eyes: UnmarkedReader) -> None:
    image = np.asarray(laid(bare).picture(), np.uint8)
    grain = np.sin(np.arange(image.shape[1]) / 5.0)[None, :, None] * 12 + 120
    image[:, 900:] = np.broadcast_to(grain, image.shape)[:, 900:]
    view = View(image, np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), eyes.known)
    card = np.array(next(one.corners for one in eyes.read(laid(bare).picture()).cards if one.cell == (1, 0)))
    likeness = np.zeros(len(eyes.known.ways), np.float32)
    bare_table = card - card.mean(0) + (1100, 200)
    for corners, there in ((card, True), (bare_table, False)):
        settled = Settled(0, corners, view.patches(corners[None])[0], likeness)
        assert confirmed(eyes.known, view, settled, Witness(0, 0.6, 0.42, 0.2)) is there
        assert confirmed(eyes.known, view, settled, Witness(0, 0.9, 0.8, 0.4)), (
            "plain to see: nobody else is asked"
        )


def test_what_is_wrong_has_a_name(bare: Deck, eyes: UnmarkedReader) -> None:
    def codes(table: DrawnTable) -> list[str]:
        return [problem.code for problem in eyes.read(table.picture()).problems]

    assert codes(DrawnTable(bare))[0] == "no_table"
    assert "no_start_card" in codes(DrawnTable(bare).lay("NESW-1", (2, 0)).lay("NE-1", (3, 0)))
    assert "no_goals" in codes(DrawnTable(bare).lay("start", (0, 0)).lay("NE-1", (1, 0)).tags())


def test_a_card_judged_by_all_its_parts_is_judged_as_a_whole(eyes: UnmarkedReader) -> None:
    known, way = eyes.known, 3
    width, height = known.size
    patch = np.random.default_rng(1).normal(0.1, 1, (height, width)).astype(np.float32)
    patch += known.patterns[way]
    like, between = known.like_in(np.ones(len(known.starts), bool), patch, way)
    np.testing.assert_allclose(like, known.like(patch[None])[0], atol=1e-4)
    np.testing.assert_allclose(between, known.between[way], atol=1e-4)
    assert known.parts_like(patch, way).min() > known.parts_like(-patch, way).max()


def test_confidence_above_nine_tenths_is_for_cards_in_plain_sight(bare: Deck, eyes: UnmarkedReader) -> None:
    clear = eyes.read(laid(bare).tags().picture(blur=0.5, noise=1.0))
    assert all(0.5 <= card.confidence < 1 for card in clear.cards)
