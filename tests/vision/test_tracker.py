"""When a card counts, and when it is gone: the tracker's rules, one by one, on drawn frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.game.cards import Cell, Kind
from tests.vision.watching import SCENE, Night
from vision.deckbook import Deck
from vision.pictures import Image
from vision.reading import Problem, Reading
from vision.scene import Cover
from vision.tracker import GONE_S, PATIENCE_S, Tracker

BESIDE: Cell = (1, 0)
NEW: Cell = (2, 0)


@pytest.fixture
def night(deck: Deck) -> Night:
    """A table with the start card, three goals face down and one path card, all steadily seen."""
    return Night(deck).lay_out(("NESW-1", BESIDE))


def test_a_card_counts_once_it_has_lain_still_for_the_third_part_of_a_second(night: Night) -> None:
    # Looked at every 0.08 s (`watch.BUSY_S`), first at 0.08 s: at 0.32 s it has been seen lying for 0.24 s.
    night.tick_s = 0.08
    night.table.lay("EW-1", NEW)
    assert night.until_news(1) == pytest.approx(0.32)
    assert night.cards()[NEW] == ("EW-1", False, True)
    assert night.sight.steady


def test_with_ten_looks_a_second_a_card_counts_at_the_fourth(night: Night) -> None:
    night.table.lay("EW-1", NEW)
    assert night.until_news(1) == pytest.approx(0.4)


def test_nothing_is_steady_before_a_first_card_has_settled(deck: Deck) -> None:
    night = Night(deck)
    night.passes(1)
    assert (night.sight.cards, night.sight.revision, night.sight.steady) == ((), 0, False)
    night.table.lay("start", (0, 0))
    night.witness.unread = {(0, 0)}
    night.passes(1)
    assert not night.sight.steady
    night.witness.unread = set()
    night.until_news(1)
    assert set(night.cards()) == {(0, 0)} and night.sight.steady


def test_a_card_seen_in_two_frames_only_does_not_count(night: Night) -> None:
    night.table.lay("EW-1", NEW)
    night.passes(0.2)
    assert NEW not in night.cards() and not night.sight.steady
    night.table.lift(NEW)
    night.passes(1)
    assert night.news == []


def test_a_slow_reader_needs_two_looks_well_apart(deck: Deck) -> None:
    night = Night(deck, tick_s=0.6)
    night.table.lay("start", (0, 0))
    assert night.until_news(3) == pytest.approx(1.2)


def test_a_card_that_is_still_being_pushed_does_not_count(night: Night) -> None:
    night.table.lay("EW-1", NEW)
    for _push in range(8):
        night.table.slide(NEW, 4, 0)
        night.passes(0.1)
    assert night.news == []
    assert night.until_news(1) <= 0.4


def test_one_reading_without_the_card_does_not_start_it_over(night: Night) -> None:
    night.table.lay("EW-1", NEW)
    night.passes(0.2)
    night.witness.unread = {NEW}
    night.passes(0.1)
    night.witness.unread = set()
    assert night.until_news(1) == pytest.approx(0.1)


def test_a_card_that_a_resting_hand_partly_covers_waits_for_the_hand(night: Night) -> None:
    night.witness.needs = 0.0
    night.table.hand_over(NEW, 90)
    night.passes(0.2)
    night.table.lay("EW-1", NEW)
    night.passes(PATIENCE_S - 0.3)
    assert night.news == []
    night.table.hand_over(None)
    assert night.until_news(1) <= 0.5


def test_something_left_lying_on_a_card_does_not_keep_it_from_counting_for_ever(night: Night) -> None:
    night.witness.needs = 0.0
    night.table.lay("EW-1", NEW)
    night.table.hand_over(NEW, 90, reach=0.9)
    assert 0.4 < night.table.visible(NEW) < 0.8
    assert PATIENCE_S <= night.until_news(3) <= PATIENCE_S + 0.3


def test_a_lifted_card_is_gone_once_bare_table_has_been_seen_for_a_while(night: Night) -> None:
    night.table.lift(BESIDE)
    assert GONE_S <= night.until_news(3) <= GONE_S + 0.3
    assert BESIDE not in night.cards()


@pytest.mark.parametrize("cover", list(Cover))
def test_bare_table_is_known_on_every_cover(deck: Deck, cover: Cover) -> None:
    night = Night(deck, replace(SCENE, cover=cover)).lay_out(("NESW-1", BESIDE))
    night.table.lift(BESIDE)
    assert night.until_news(3) <= GONE_S + 0.3


def test_a_reader_that_abstains_takes_no_card_away(night: Night) -> None:
    night.witness.unread = {BESIDE, (8, 0)}
    night.passes(4)
    assert night.news == []
    assert set(night.sight.hidden) == {BESIDE, (8, 0)}


@pytest.mark.parametrize(
    ("over", "from_deg"),
    [(BESIDE, 60), (BESIDE, 90), ((1, -1), 120), ((1, -2), 90)],
    ids=["hand", "hand-straight", "wrist", "sleeve"],
)
def test_a_hand_and_its_sleeve_resting_over_cards_take_none_away(
    deck: Deck, over: Cell, from_deg: float
) -> None:
    night = Night(deck).lay_out(("NESW-1", BESIDE), ("NEW-1", (2, 0)))
    night.table.hand_over(over, from_deg)
    night.witness.unread = {BESIDE, (2, 0), (0, 0)}
    night.passes(3)
    assert night.news == []
    night.table.hand_over(None)
    night.witness.unread = set()
    night.passes(0.5)
    assert night.news == [] and night.sight.hidden == ()


def test_a_card_taken_under_cover_of_a_hand_is_gone_after_the_hand_is(night: Night) -> None:
    night.table.hand_over(BESIDE, 90)
    night.passes(0.5)
    night.table.lift(BESIDE)
    night.passes(2)
    assert night.news == []
    night.table.hand_over(None)
    assert night.until_news(3) <= GONE_S + 0.4


def test_a_cell_that_the_reader_calls_hidden_loses_nothing(night: Night) -> None:
    night.table.lift(BESIDE)
    night.witness.hidden = {BESIDE}
    night.passes(3)
    assert night.news == [] and night.sight.hidden == (BESIDE,)


def test_shadows_and_lamps_change_nothing(night: Night) -> None:
    night.table.shadow(BESIDE)
    night.passes(1)
    night.table.lamp(0.5)
    night.passes(1)
    night.table.shadow(None)
    night.passes(1)
    night.table.lamp(1.3)
    night.passes(1)
    assert night.news == []


def test_in_another_light_bare_table_is_still_known(night: Night) -> None:
    night.table.lamp(0.6)
    night.passes(1)
    night.table.lift(BESIDE)
    assert night.until_news(3) <= GONE_S + 0.4


def test_a_card_taken_out_of_a_shadow_is_gone_once_the_shadow_is(night: Night) -> None:
    night.table.shadow(BESIDE)
    night.passes(0.5)
    night.table.lift(BESIDE)
    night.passes(2)
    night.table.shadow(None)
    night.until_news(2)
    assert night.cards() == night.truth()


def test_a_nudged_camera_or_table_changes_nothing(night: Night) -> None:
    for x, y, deg in ((4, 0, 0.5), (12, -8, 2), (20, -15, 3)):
        night.table.nudge(x, y, deg)
        night.passes(0.3)
    night.passes(2)
    assert night.news == [] and night.sight.steady


def test_an_unread_card_is_carried_along_with_a_nudged_view(night: Night) -> None:
    night.witness.unread = {BESIDE}
    night.table.nudge(15, 10, 1)
    night.passes(0.2)
    (steady,) = (one for one in night.sight.cards if one.card.cell == BESIDE)
    assert np.abs(np.array(steady.card.corners) - night.table.corners(BESIDE)).max() < 3
    night.table.lift(BESIDE)
    assert night.until_news(3) <= GONE_S + 0.4


def test_a_card_that_slides_ten_millimetres_is_the_same_card_elsewhere(night: Night) -> None:
    since = {one.card.cell: one.since for one in night.sight.cards}
    night.table.slide(BESIDE, 10, 0)
    night.passes(1.5)
    assert night.news == []
    (steady,) = (one for one in night.sight.cards if one.card.cell == BESIDE)
    assert steady.since == since[BESIDE]
    assert np.abs(np.array(steady.card.corners) - night.table.corners(BESIDE)).max() < 1


def test_a_card_turned_round_is_reported_after_it_has_settled(night: Night) -> None:
    night.table.lay("NES-1", NEW)
    night.passes(0.6)
    night.table.lay("NES-1", NEW, turned=True)
    assert 0.4 <= night.until_news(2) <= 0.5
    assert night.cards()[NEW] == ("NES-1", True, True)


def test_a_card_swapped_for_another_is_reported_after_it_has_settled(night: Night) -> None:
    night.table.lay("NE-1", BESIDE)
    assert 0.4 <= night.until_news(2) <= 0.5
    assert night.cards()[BESIDE] == ("NE-1", False, True)
    assert len(night.news) == 1


def test_a_goal_turned_up_is_reported(night: Night) -> None:
    night.table.lay("stone-NE", (8, 0), turned=True)
    night.until_news(1)
    assert night.cards()[8, 0] == ("stone-NE", True, True)


def test_which_way_round_a_goal_lies_face_down_is_no_news(night: Night) -> None:
    night.table.lay("gold", (8, 2), turned=True, face_up=False)
    night.passes(1.5)
    assert night.news == []


def test_a_card_pushed_over_into_the_next_cell_does_not_lie_in_both(night: Night) -> None:
    night.table.lift(BESIDE)
    night.table.lay("NESW-1", (2, 0))
    night.table.slide((2, 0), -32, 0)
    night.until_news(1)
    assert night.cards() == night.truth()


def test_all_cards_taken_but_the_start_are_gone(night: Night) -> None:
    for cell in set(night.table.lying()) - {(0, 0)}:
        night.table.lift(cell)
    night.passes(3)
    assert set(night.cards()) == {(0, 0)}


def test_a_covered_lens_takes_nothing_away(night: Night) -> None:
    black: Image = np.zeros((360, 640, 3), np.uint8)
    for _frame in range(40):
        night.now += 0.1
        reading = Reading((), (Problem("too_dark"),), (640, 360), 0.0)
        sight = night.tracker.update(reading, black, night.now)
    assert len(sight.cards) == 5 and sight.revision == night.sight.revision
    assert sight.problems == (Problem("too_dark"),)


class TestReadersThatWaver:
    """What one bad reading among good ones may not do."""

    def read(self, night: Night, seconds: float, **changes: object) -> None:
        """Time passes with the path card's reading changed in every second frame."""
        for tick in range(round(10 * seconds)):
            image = night.table.frame()
            reading = night.witness.read(image)
            cards = tuple(
                replace(card, **changes) if card.cell == BESIDE and tick % 2 else card  # type: ignore[arg-type]
                for card in reading.cards
            )
            night.now += 0.1
            night.sight = night.tracker.update(replace(reading, cards=cards), image, night.now)

    def test_another_card_every_other_frame_is_not_believed(self, night: Night) -> None:
        revision = night.sight.revision
        self.read(night, 3, face="NE-2", tunnels=(3,))
        assert night.sight.revision == revision

    def test_a_card_turned_every_other_frame_is_not_believed(self, night: Night) -> None:
        revision = night.sight.revision
        self.read(night, 3, turned=True)
        assert night.sight.revision == revision

    def test_cells_counted_from_another_card_are_put_right(self, night: Night) -> None:
        night.table.lay("EW-1", NEW)
        night.passes(0.6)
        revision, cards = night.sight.revision, night.cards()
        for _frame in range(15):
            image = night.table.frame()
            reading = night.witness.read(image)
            shifted = tuple(
                replace(card, cell=(card.cell[0] - 1, card.cell[1]))
                for card in reading.cards
                if card.kind is Kind.PATH
            )
            night.now += 0.1
            night.sight = night.tracker.update(replace(reading, cards=shifted), image, night.now)
        assert (night.sight.revision, night.cards()) == (revision, cards)


def test_the_same_readings_give_the_same_sight(deck: Deck) -> None:
    night = Night(deck)
    night.table.lay("start", (0, 0))
    frames = [night.table.frame() for _frame in range(6)]
    readings = [night.witness.read(frame) for frame in frames]
    runs = []
    for _run in range(2):
        tracker = Tracker(deck)
        for i, frame in enumerate(frames):
            sight = tracker.update(readings[i], frame, i / 10)
        runs.append(sight.to_json())
    assert runs[0] == runs[1]


def test_a_sight_as_the_server_takes_it(night: Night) -> None:
    told = night.sight.to_json(simulated=True)
    assert told["simulated"] is True and told["steady"] is True and told["size"] == [640, 360]
    assert told["revision"] == night.sight.revision and told["hidden"] == [] and told["problems"] == []
    (card,) = (one for one in told["cards"] if one["cell"] == [1, 0])
    assert (card["face"], card["kind"], card["turned"], card["face_up"]) == ("NESW-1", "path", False, True)
    assert card["tunnels"] == [["N", "E", "S", "W"]] and len(card["corners"]) == 4
    assert 0 < card["since"] <= told["at"]
