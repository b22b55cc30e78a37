"""How soon and how surely an evening's cards are told: pictures of one table, card by card, as a film."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import numpy as np

from vision.bench import NOISE, Meaning, lies, meant, timed
from vision.deckbook import Deck
from vision.film import Film
from vision.pictures import Image, SourceError, load_picture
from vision.readers import reader_for
from vision.sight import Sight
from vision.tracker import Tracker

FRAME_S = 0.1
COVERED, AT_REST = 5, 12
"""Frames of a film that each picture with a hand and each without one stand for."""

Board = dict[tuple[int, int], Meaning]


@dataclass
class Evening:
    """What was told of one evening."""

    name: str
    laid: int = 0
    """Pictures in which another card lay at rest."""
    told: int = 0
    """Those after which everything on the table was known."""
    wrong: int = 0
    """Cards told that did not lie there so, counted in every frame: the harmful kind."""
    after_s: list[float] = field(default_factory=list)
    """How long after it came to rest each was known, by the film's clock."""
    ms: list[float] = field(default_factory=list)
    """Processor time of each frame, tracker and all."""


def bench_evenings(folder: Path, deck: Deck) -> Iterator[Evening]:
    """Plays each evening in a folder, as `photobooth --sequence` writes it: NAME_NNN_a.jpg shows a hand over
    card NNN, NAME_NNN_b.jpg the card without it, and NAME_NNN_b.json the truth. Every frame has fresh noise.

    Raises SourceError: folder_without_pictures, or what is wrong with a picture.
    """
    pictures = sorted(folder.glob("*_b.json"))
    if not pictures:
        raise SourceError("folder_without_pictures", file=folder.name)
    for name, rests in groupby(pictures, key=lambda path: path.name.rsplit("_", 2)[0]):
        yield _evening(name, list(rests), deck)


class _Watcher:
    """Reads and follows a film."""

    def __init__(self, deck: Deck) -> None:
        self._film, self._tracker, self._at_s = Film(reader_for(deck, live=True)), Tracker(deck), 0.0

    def look(self, frame: Image) -> Sight:
        """What is known after the next frame."""
        self._at_s += FRAME_S
        return self._tracker.update(self._film.read(frame), frame, self._at_s)


def _evening(name: str, rests: list[Path], deck: Deck) -> Evening:
    evening, chance = Evening(name), np.random.default_rng(7)
    watcher = _Watcher(deck)
    for rest in rests:
        truth = meant(json.loads(rest.read_text(encoding="utf-8")))
        known_after: float | None = None
        hand = rest.with_name(rest.name.replace("_b.json", "_a.jpg"))
        shown = [(hand, COVERED)] if hand.exists() else []
        for path, count in (*shown, (rest.with_suffix(".jpg"), AT_REST)):
            image = load_picture(path)
            for number in range(count):
                frame = _noisy(image, chance)
                ms, sight = timed(watcher.look, frame)
                evening.ms.append(ms)
                board = _board(sight)
                evening.wrong += sum(cell not in truth or truth[cell] != what for cell, what in board.items())
                if path != hand and known_after is None and board == truth:
                    known_after = number * FRAME_S
        evening.laid += 1
        if known_after is not None:
            evening.told += 1
            evening.after_s.append(known_after)
    return evening


def _board(sight: Sight) -> Board:
    return {one.card.cell: lies(one.card.face_up, one.card.turned, one.card.tunnels) for one in sight.cards}


def _noisy(image: Image, chance: np.random.Generator) -> Image:
    noise = chance.normal(0, NOISE, (*image.shape[:2], 1)).astype(np.int16)
    return np.asarray(np.clip(image.astype(np.int16) + noise, 0, 255), np.uint8)
