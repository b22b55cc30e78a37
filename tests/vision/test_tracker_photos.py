"""Photos of the table: one look is enough, and a hand in it is a hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game.cards import GOAL_CELLS, Cell
from tests.vision.watching import GOALS, SCENE, Witness
from vision.deckbook import Deck
from vision.reader import Reader
from vision.scene import Cover, Scene
from vision.sight import Sight
from vision.simulate import SimulatedTable
from vision.tracker import Tracker

BESIDE: Cell = (1, 0)
NEW: Cell = (2, 0)
Cards = dict[Cell, tuple[str | None, bool, bool]]


class Album:
    """A table that is photographed now and then, each time from a place of its own."""

    def __init__(self, deck: Deck, reader: Reader | None = None, size: tuple[int, int] = (960, 540)) -> None:
        self.deck, self.reader, self.size = deck, reader, size
        self.tracker = Tracker(deck)
        self.table = SimulatedTable(deck, 5, size, SCENE)
        self.at_s = 0.0
        self.table.lay("start", (0, 0))
        for goal, cell in zip(GOALS, GOAL_CELLS, strict=True):
            self.table.lay(goal, cell, face_up=False)

    def walk_to(self, scene: Scene, seed: int) -> None:
        """The same cards seen from elsewhere."""
        elsewhere = SimulatedTable(self.deck, seed, self.size, scene)
        for cell, at in self.table.lying().items():
            elsewhere.lay(at.card_id, cell, at.turned, at.face_up)
        self.table = elsewhere

    def photo(self) -> Sight:
        """One photo, read and taken in."""
        self.at_s += 20
        image = self.table.frame()
        reading = (self.reader or Witness(self.deck, self.table)).read(image)
        return self.tracker.update(reading, image, self.at_s, still=True)

    def truth(self) -> Cards:
        return {
            cell: (at.card_id if at.face_up else None, at.turned, at.face_up)
            for cell, at in self.table.lying().items()
        }


def cards(sight: Sight) -> Cards:
    return {one.card.cell: (one.card.face, one.card.turned, one.card.face_up) for one in sight.cards}


@pytest.fixture
def album(deck: Deck) -> Album:
    """The opening layout and one path card, photographed."""
    album = Album(deck)
    album.table.lay("NESW-1", BESIDE)
    assert cards(album.photo()) == album.truth()
    return album


def test_one_photo_is_enough_for_all_that_lies_there(deck: Deck, reader: Reader) -> None:
    album = Album(deck, reader, (1280, 720))
    album.table.lay("NESW-1", BESIDE)
    sight = album.photo()
    assert cards(sight) == album.truth() and sight.steady


def test_every_photo_may_be_from_another_place_and_in_another_light(deck: Deck) -> None:
    album = Album(deck)
    scenes = (
        replace(SCENE, tilt_deg=30, azimuth_deg=120),
        replace(SCENE, tilt_deg=25, azimuth_deg=60, light=0.6),
        replace(SCENE, tilt_deg=5),
    )
    for turn, scene in enumerate(scenes):
        album.walk_to(scene, 20 + turn)
        album.table.lay(f"NESW-{turn + 1}", (turn + 1, 0))
        sight = album.photo()
        assert cards(sight) == album.truth() and sight.revision == 5 + turn
    album.walk_to(replace(SCENE, tilt_deg=28, azimuth_deg=100), 30)
    album.table.lift((3, 0))
    sight = album.photo()
    assert cards(sight) == album.truth() and sight.revision == 8


def test_another_card_in_the_same_place_counts_at_the_next_photo(album: Album) -> None:
    album.table.lay("NE-1", BESIDE, turned=True)
    assert cards(album.photo())[BESIDE] == ("NE-1", True, True)


@pytest.mark.parametrize("cover", list(Cover))
def test_a_card_that_was_taken_is_gone_at_the_next_photo(deck: Deck, cover: Cover) -> None:
    album = Album(deck)
    album.walk_to(replace(SCENE, cover=cover), 7)
    album.table.lay("NESW-1", BESIDE)
    album.photo()
    album.table.lift(BESIDE)
    assert cards(album.photo()) == album.truth()


def test_a_card_under_a_hand_or_a_phone_is_not_gone(album: Album) -> None:
    album.table.hand_over(BESIDE, 90)
    sight = album.photo()
    assert BESIDE in cards(sight) and BESIDE in sight.hidden
    album.table.hand_over(None)
    album.table.phone_over(BESIDE)
    sight = album.photo()
    assert BESIDE in cards(sight) and BESIDE in sight.hidden


def test_a_new_card_half_under_a_hand_waits_for_the_next_photo(album: Album) -> None:
    album.table.lay("EW-1", NEW)
    album.table.hand_over(NEW, 90, reach=0.9)
    assert 0.4 < album.table.visible(NEW) < 0.8
    image = album.table.frame()
    witness = Witness(album.deck, album.table, needs=0.0)
    sight = album.tracker.update(witness.read(image), image, 50, still=True)
    assert NEW not in cards(sight) and not sight.steady
    album.table.hand_over(None)
    assert cards(album.photo()) == album.truth()
