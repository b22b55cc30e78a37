"""Frames and where they come from: what every source gives, staying with a live one, keeping the newest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from vision.pictures import Image, SourceError

Tell = Callable[[str, Mapping[str, Any]], None]
"""Hears how a source fares: a code ("opened", "lost", or a SourceError's) and its parameters."""

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
"""Back-off between attempts to open what was lost; short enough that nobody looks for a button."""


def unheard(code: str, params: Mapping[str, Any]) -> None:
    """The `Tell` of a caller who does not ask."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table."""

    image: Image
    at_s: float
    """When it was taken, in seconds since the source was opened; never falls."""
    number: int
    """Counts a source's frames from 0."""
    still: bool = False
    """Whether it is a photo, taken once the table had come to rest, perhaps from elsewhere than the last."""


class Source(Protocol):
    """Anything that gives frames."""

    @property
    def name(self) -> str:
        """What it is called before people: never with a password in it."""
        ...

    @property
    def simulated(self) -> bool:
        """Whether its pictures are drawn and no camera took them."""
        ...

    def frames(self) -> Iterator[Frame]:
        """The frames, waiting for each. Ends only at the end of a file, or when closed."""
        ...

    def close(self) -> None:
        """Makes `frames` end soon, from any thread."""
        ...


@runtime_checkable
class HoldsView(Protocol):
    """A source that can hold on to a good view: a webcam with its focus and exposure."""

    def seen_well(self, well: bool) -> None:
        """Hears now and then whether the table is seen well. Never waits."""
        ...


class LiveSource:
    """A camera or stream that is opened again, with back-off, whenever it is lost.

    `connect` opens it and gives its pictures; it raises SourceError when it cannot be opened or when it goes
    away. The first opening is done at once, in the caller's thread (macOS asks for the permission to use a
    camera only there), and its SourceError reaches the caller: a wrong address is not worth waiting for.
    """

    simulated = False

    def __init__(self, name: str, connect: Callable[[], Iterator[Image]], tell: Tell = unheard) -> None:
        self.name = name
        self._connect = connect
        self._tell = tell
        self._closed = threading.Event()
        self._first: Iterator[Image] | None = connect()

    def frames(self) -> Iterator[Frame]:
        """The frames, for as long as nobody closes the source."""
        opened, number, wait, told = time.monotonic(), 0, FIRST_WAIT_S, "lost"
        while not self._closed.is_set():
            try:
                pictures, self._first = self._first or self._connect(), None
                for image in pictures:
                    if self._closed.is_set():
                        return
                    if told != "opened":
                        told = self._say("opened", size=[image.shape[1], image.shape[0]])
                    yield Frame(image, time.monotonic() - opened, number)
                    number, wait = number + 1, FIRST_WAIT_S
                told = self._say("lost")
            except SourceError as error:
                # One report a change: a camera that stays away is not news every few seconds.
                code = "lost" if told == "opened" else error.code
                if code != told:
                    told = self._say(code, **error.params)
            self._closed.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT_S)

    def close(self) -> None:
        """Ends `frames`, within a moment while waiting and at the next picture otherwise."""
        self._closed.set()

    def _say(self, code: str, **params: Any) -> str:
        self._tell(code, {"source": self.name, **params})
        return code


class Newest:
    """Runs a source in a thread of its own and keeps only its newest frame.

    Drivers and streams queue pictures; whoever reads slower than they come would see the table as it was
    seconds ago.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._arrived = threading.Condition()
        self._frame: Frame | None = None
        self._ended = False
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._drain, name="newest-frame", daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether the source has given its last frame."""
        return self._ended

    def after(self, number: int, timeout_s: float) -> Frame | None:
        """The newest frame if it is later than frame `number`, waiting up to `timeout_s`; else None.

        Raises whatever ended the source, if it was an error.
        """
        with self._arrived:
            self._arrived.wait_for(lambda: self._ended or self._newer(number), timeout_s)
            if self._newer(number):
                return self._frame
            if self._failure:
                raise self._failure
            return None

    def close(self) -> None:
        """Closes the source and waits a moment for its thread."""
        self._source.close()
        self._thread.join(2.0)

    def _newer(self, number: int) -> bool:
        return self._frame is not None and self._frame.number > number

    def _drain(self) -> None:
        failure: Exception | None = None
        try:
            for frame in self._source.frames():
                with self._arrived:
                    self._frame = frame
                    self._arrived.notify_all()
        except Exception as error:  # noqa: BLE001 - it is raised again where the frames are asked for
            failure = error
        with self._arrived:
            self._failure, self._ended = failure, True
            self._arrived.notify_all()
