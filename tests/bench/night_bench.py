"""2,000 frames of simulated nights with hands, read by the real reader: told once, in time, and nothing else.

python -m pytest tests/bench/night_bench.py -s
PITHEAD_NIGHT_FRAMES=500 PITHEAD_NIGHT_SEEDS=3,4 for another length or other nights.
Its name keeps it out of the whole run, which has minutes to spare for no such thing: it is asked for by name.
"""

from __future__ import annotations

import os
import statistics
import time

from tests.vision.nights import Evening, faults
from vision.deckbook import Deck
from vision.film import Film
from vision.readers import reader_for

FRAMES = int(os.environ.get("PITHEAD_NIGHT_FRAMES", "2000"))
SEEDS = [int(seed) for seed in os.environ.get("PITHEAD_NIGHT_SEEDS", "11,12,13,14").split(",")]


def test_a_night_of_two_thousand_frames(deck: Deck) -> None:
    late: list[float] = []
    wrong: list[str] = []
    frames, began = 0, time.process_time()
    for seed in SEEDS:
        evening = Evening(deck, Film(reader_for(deck, live=True)), seed).plays(FRAMES // len(SEEDS))
        frames += evening.frames
        late += [placement.late_s for placement in evening.placements if placement.told_at]
        wrong += [f"night {seed}: {fault}" for fault in faults(evening)]
        print(f"\nnight {seed}: {evening.frames} frames, {len(evening.placements)} placements", end="")
    print(
        f"\n{frames} frames, {len(late)} placements told, median {statistics.median(late):.2f} s and at most "
        f"{max(late):.2f} s after coming to rest; {(time.process_time() - began) / frames * 1000:.0f} ms of "
        f"processor time a frame, drawing it included"
    )
    assert wrong == [], "\n".join(wrong)
