"""An evening at a drawn table, hands and all: every placement is told once, in time, and nothing else is."""

from __future__ import annotations

from companion.game.cards import Cell
from tests.vision.watching import PLACEMENTS, SCENE, Night, places
from vision.deckbook import Deck
from vision.reader import Reader
from vision.scene import Scene

LATE_S = 0.5
HANDS_FROM = (90, 60, 120, 80, 100)


def _plays(night: Night, placements: tuple[tuple[str, Cell, bool], ...]) -> list[float]:
    """Plays the placements; how late each was told, in seconds since it lay free."""
    late = []
    for turn, (card, cell, turned) in enumerate(placements):
        placed = places(night, card, cell, turned, HANDS_FROM[turn % len(HANDS_FROM)])
        assert len(placed.told_at) == 1, f"{card} in {cell} was told {len(placed.told_at)} times"
        assert night.cards() == night.truth()
        late.append(placed.told_at[0] - placed.lay_free_at)
    return late


def test_fifteen_placements_are_told_once_each_and_in_time(deck: Deck, reader: Reader) -> None:
    night = Night(deck, SCENE, size=(1280, 720), reader=reader, tick_s=0.15).lay_out()
    late = _plays(night, PLACEMENTS)
    assert max(late) <= LATE_S
    assert len(night.news) == len(PLACEMENTS)


def test_another_table_and_camera_make_no_difference(deck: Deck) -> None:
    night = Night(deck, Scene.drawn(3), 3).lay_out()
    assert max(_plays(night, PLACEMENTS[:7])) <= LATE_S
    night.table.lift((3, 1))
    night.until_news(2)
    assert night.cards() == night.truth()
