"""What happens over a table in an evening and is no placement: the tracker's sight stays as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game.cards import Cell, Kind
from tests.vision.watching import Night
from vision.carry import as_corners
from vision.deckbook import Deck
from vision.reading import CardRead

BESIDE: Cell = (1, 0)
NEW: Cell = (2, 0)
FREE: Cell = (4, 1)


@pytest.fixture
def night(deck: Deck) -> Night:
    """A table with the start card, three goals face down and two path cards, all steadily seen."""
    return Night(deck).lay_out(("NESW-1", BESIDE), ("NEW-1", (3, 0)))


def phantom(night: Night, cell: Cell, face: str) -> CardRead:
    """A card as a reader would tell it that saw it in a cell."""
    night.table.lay(face, cell)
    known = night.witness.deck.faces[face]
    corners = as_corners(night.table.corners(cell).astype("float32"))
    night.table.lift(cell)
    return CardRead(cell, face, known.tunnels, Kind.PATH, False, True, 0.9, corners)


def one_false_reading(night: Night, false: CardRead) -> None:
    """One frame in which the reader tells a card that does not lie there; then all is as before."""
    image = night.table.frame()
    reading = night.witness.read(image)
    others = tuple(card for card in reading.cards if card.cell != false.cell)
    night.now += 0.1
    night.sight = night.tracker.update(replace(reading, cards=(*others, false)), image, night.now)


def test_one_false_reading_in_a_free_cell_is_no_card(night: Night) -> None:
    revision = night.sight.revision
    one_false_reading(night, phantom(night, FREE, "NS-1"))
    night.passes(1.5)
    assert (night.sight.revision, night.cards()) == (revision, night.truth())
    assert night.sight.steady


def test_one_false_reading_of_a_card_that_lies_there_changes_nothing(night: Night) -> None:
    revision = night.sight.revision
    (known,) = (one.card for one in night.sight.cards if one.card.cell == BESIDE)
    for false in (replace(known, face="NE-2", tunnels=(3,)), replace(known, turned=True)):
        one_false_reading(night, false)
        night.passes(0.3)
    assert (night.sight.revision, night.cards()) == (revision, night.truth())


def test_false_readings_now_and_then_never_add_up_to_a_card(night: Night) -> None:
    revision, false = night.sight.revision, phantom(night, FREE, "NS-1")
    for _time in range(8):
        one_false_reading(night, false)
        night.passes(0.2)
    assert night.sight.revision == revision


def test_a_phone_laid_over_a_card_takes_it_not_away(night: Night) -> None:
    night.table.hand_over(BESIDE, 90)
    night.passes(0.3)
    night.table.phone_over(BESIDE)
    assert night.table.visible(BESIDE) < 0.1
    night.passes(0.3)
    night.table.hand_over(None)
    # Long enough for the phone's black glass to be taken for table, if anything could be.
    night.passes(16)
    assert night.news == []
    assert BESIDE in night.sight.hidden
    night.table.phone_over(None)
    night.passes(0.8)
    assert night.news == [] and night.sight.hidden == ()


def test_a_card_taken_away_together_with_the_phone_on_it_is_gone(night: Night) -> None:
    night.table.phone_over(BESIDE)
    night.passes(2)
    night.table.phone_over(None)
    night.table.lift(BESIDE)
    assert night.until_news(3) <= 1.4
    assert night.cards() == night.truth()


def test_a_shadow_that_passes_over_the_cards_changes_nothing(night: Night) -> None:
    for column in range(-1, 6):
        night.table.shadow((column, 0), depth=0.55)
        night.passes(0.2)
    night.table.shadow(None)
    night.passes(1)
    assert night.news == [] and night.sight.steady


def test_a_card_laid_in_a_shadow_counts(night: Night) -> None:
    night.table.shadow(NEW)
    night.passes(0.4)
    night.table.lay("EW-1", NEW)
    assert night.until_news(1) <= 0.5
    night.table.shadow(None)
    night.passes(1)
    assert len(night.news) == 1


@pytest.mark.parametrize("gain", [0.35, 1.5], ids=["off", "on"])
def test_a_lamp_switched_while_a_card_is_laid_costs_nothing(night: Night, gain: float) -> None:
    night.table.lay("EW-1", NEW)
    night.passes(0.1)
    night.table.lamp(gain)
    assert night.until_news(1) <= 0.6
    night.passes(1.5)
    assert len(night.news) == 1 and night.cards() == night.truth()


def test_an_arm_drawn_slowly_across_the_maze_changes_nothing(deck: Deck) -> None:
    row = tuple((f"NESW-{n}", (n, 0)) for n in range(1, 6))
    night = Night(deck).lay_out(*row)
    for reach in (0.5, 0.7, 0.9, 1.0, 0.9, 0.7, 0.5):
        for cell in ((2, -1), (3, -1)):
            night.table.hand_over(cell, 70, reach)
            night.passes(0.3)
    night.table.hand_over(None)
    night.passes(1)
    assert night.news == [] and night.cards() == night.truth()


def test_a_hand_that_swaps_a_card_under_cover_is_found_out(night: Night) -> None:
    night.table.hand_over(BESIDE, 90)
    night.passes(0.5)
    night.table.lay("NE-1", BESIDE)
    night.passes(1)
    assert night.news == []
    night.table.hand_over(None)
    assert night.until_news(2) <= 0.5
    assert night.cards() == night.truth() and len(night.news) == 1


def test_a_nudge_in_the_middle_of_a_placement_delays_it_and_no_more(night: Night) -> None:
    night.table.lay("EW-1", NEW)
    night.passes(0.2)
    night.table.nudge(14, -9, 2)
    assert night.until_news(1.5) <= 0.6
    night.passes(1.5)
    assert len(night.news) == 1 and night.cards() == night.truth()
