"""An evening at a drawn table, hands and all: every placement is told once, in time, and nothing else is.

The longer one, of 2,000 frames, is tests/bench/night_bench.py.
"""

from __future__ import annotations

from tests.vision.nights import Evening, faults
from vision.deckbook import Deck
from vision.film import Film
from vision.readers import reader_for


def test_of_150_frames_of_a_night_nothing_is_told_late_twice_or_without_cause(deck: Deck) -> None:
    evening = Evening(deck, Film(reader_for(deck, live=True)), seed=24).plays(150)
    assert len(evening.placements) >= 6
    assert faults(evening) == []


def test_readings_without_a_fault_make_a_night_without_one(deck: Deck) -> None:
    evening = Evening(deck, None, seed=22).plays(200)
    assert len(evening.placements) >= 10
    assert faults(evening) == []
