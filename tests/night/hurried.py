"""A whole table in one process: the simulated table, its camera and its players, in a hurry."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.demo.evening import Evening
from companion.demo.tabletop import Tabletop
from vision.deckbook import Deck
from vision.frames import Frame
from vision.post import HttpPost
from vision.reader import Reader
from vision.simulate import SimulatedSource, SimulatedTable
from vision.tracker import Tracker
from vision.watch import watch

HURRIED = 3.0
"""Seconds of the table's clock in one of ours: cards need not lie still for as long as among people."""
FPS = 12.0
HAND_S = 0.1


class HurriedSource(SimulatedSource):
    """The simulated table seen by a camera whose clock runs `speed` times as fast as ours."""

    def __init__(self, table: SimulatedTable, speed: float) -> None:
        super().__init__(table, FPS)
        self._speed = speed

    def frames(self) -> Iterator[Frame]:
        for frame in super().frames():
            yield Frame(frame.image, frame.at_s * self._speed, frame.number)


class Seat:
    """What a test needs of the table: the table itself and its camera."""

    def __init__(
        self, deck: Deck, server: str, code: str, token: str, seed: int = 3, speed: float = HURRIED
    ) -> None:
        self.stop = threading.Event()
        self.table = SimulatedTable(deck, seed)
        self.tabletop = Tabletop(self.table, deck, self.stop, HAND_S)
        self.post = HttpPost(server, code, token)
        self._watching = threading.Thread(
            target=watch,
            args=(HurriedSource(self.table, speed), Reader(deck), Tracker(deck), self.post, self.stop),
        )
        self._watching.start()

    def close(self) -> None:
        self.stop.set()
        self._watching.join()
        self.post.close()


@contextmanager
def camera_over(deck: Deck, server: str, code: str, token: str, speed: float = HURRIED) -> Iterator[Seat]:
    """A table under a watching camera."""
    seat = Seat(deck, server, code, token, speed=speed)
    try:
        yield seat
    finally:
        seat.close()


@contextmanager
def players_at(seat: Seat, deck: Deck, server: str, code: str, keys: Path, players: int) -> Iterator[Evening]:
    """Simulated players who use the server as phones do."""
    evening = Evening(server, code, keys, deck, seat.tabletop, seat.stop, players, think_s=0.0, seed=5)
    thread = threading.Thread(target=evening.run)
    thread.start()
    try:
        yield evening
    finally:
        seat.stop.set()
        thread.join()
