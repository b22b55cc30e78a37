"""The hints: "table T is at version n", and nothing else, kept for every screen that listens."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

HEARTBEAT_S = 15.0
LIFETIME_S = 600.0
MOST_STREAMS = 64
"""In all. One table of twelve, its screens and some second devices need half of it."""
MOST_SCREENS = 6
"""Streams without a seat from one address: table screens, not a way to use all of them up."""
RETRY_MS = 1500
SUPERSEDED = "event: superseded\ndata: {}\n\n"
"""The last word to a screen whose seat opened a newer stream: it asks from time to time from then on."""

Key = tuple[str, str]
"""(table code, who): one stream each, the newest wins."""


@dataclass(eq=False)
class Stream:
    """One listener."""

    number: int
    key: Key
    opened_at: float
    closed: bool = False
    superseded: bool = False


class Streams:
    """All open streams, and the last hint of every table. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._open: dict[int, Stream] = {}
        self._hints: dict[str, tuple[int, int]] = {}
        self._ended = False

    def announce(self, code: str, version: int, sight: int) -> None:
        """A table changed: wakes whoever listens."""
        with self._changed:
            self._hints[code] = (version, sight)
            self._changed.notify_all()

    def open(self, key: Key, room: int = 1) -> Stream | None:
        """A stream for a key that may hold `room` of them; the oldest gives way. None when all are taken."""
        with self._changed:
            mine = [stream for stream in self._open.values() if stream.key == key]
            for stream in mine[: max(0, len(mine) - room + 1)]:
                self._close(stream)
                stream.superseded = True
            if self._ended or len(self._open) >= MOST_STREAMS:
                return None
            stream = Stream(next(self._numbers), key, time.monotonic())
            self._open[stream.number] = stream
            return stream

    def count(self) -> int:
        """How many are open."""
        with self._changed:
            return len(self._open)

    def end(self) -> None:
        """Closes all streams: the server is about to stop."""
        with self._changed:
            self._ended = True
            for stream in list(self._open.values()):
                self._close(stream)

    def events(self, stream: Stream, hint: tuple[int, int]) -> Iterator[str]:
        """The text of the stream, from the hint that holds now until it is closed or old enough."""
        try:
            yield f"retry: {RETRY_MS}\n{_event(hint)}"
            while True:
                with self._changed:
                    newest = self._wait(stream, hint)
                if stream.superseded:
                    yield SUPERSEDED
                if stream.closed or time.monotonic() - stream.opened_at > LIFETIME_S:
                    return
                yield ": beat\n\n" if newest == hint else _event(newest)
                hint = newest
        finally:
            self.close(stream)

    def close(self, stream: Stream) -> None:
        """Closes one stream; closing twice is nothing."""
        with self._changed:
            self._close(stream)

    def _wait(self, stream: Stream, hint: tuple[int, int]) -> tuple[int, int]:
        """The newest hint once there is another than `hint`, the stream is closed, or a beat is due."""
        code = stream.key[0]
        self._changed.wait_for(lambda: stream.closed or self._hints.get(code, hint) != hint, HEARTBEAT_S)
        return self._hints.get(code, hint)

    def _close(self, stream: Stream) -> None:
        stream.closed = True
        self._open.pop(stream.number, None)
        self._changed.notify_all()


def _event(hint: tuple[int, int]) -> str:
    data = json.dumps({"version": hint[0], "sight": hint[1]}, separators=(",", ":"))
    return f"event: hint\ndata: {data}\n\n"
