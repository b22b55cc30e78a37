"""Photos that people take with their phones, as a source: the server keeps them until they are fetched."""

from __future__ import annotations

import http.client
import logging
import threading
import time
from collections.abc import Iterator
from typing import Protocol
from urllib.error import HTTPError

import cv2
import numpy as np

from vision.frames import Frame, Tell, unheard
from vision.pictures import Image, SourceError, decode_picture

log = logging.getLogger(__name__)

SPEC = "photo"
"""What is typed for this source, and its name."""
ASKED_S = 0.3
"""Time between looking for a new photo; somebody stands there and waits for the verdict."""
AWAY_S = 2.0
"""The same while the server does not answer."""
LARGEST_SIDE = 2560
"""Photos have 12 megapixels and more; a table with 2 px a mm needs no more than this."""
MAX_BYTES = 25_000_000
NUMBER_HEADER = "X-Pithead-Photo"


class Answer(Protocol):
    """What a server answers: of its door, and of its door alone, is a photo fetched."""

    status: int
    headers: http.client.HTTPMessage

    def read(self, amount: int) -> bytes:
        """So many bytes of the body at most."""
        ...

    def close(self) -> None:
        """Done with it."""
        ...


class Asks(Protocol):
    """The server's door (`vision.door.Door`)."""

    def get(self, what: str) -> Answer:
        """Gets what there is."""
        ...


class PhotoSource:
    """The photos of one table as frames, each once, as still pictures. Between them nothing comes.

    A photo that cannot be opened is told (not_a_picture, picture_too_large), and the next is waited for.
    """

    name = SPEC
    simulated = False
    waits = True

    def __init__(self, door: Asks, tell: Tell = unheard) -> None:
        self._door = door
        self._tell = tell
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """The photos as they come, until it is closed."""
        opened, number, after = time.monotonic(), 0, 0
        self._tell("opened", {"source": self.name, "size": []})
        while not self._closed.is_set():
            found = self._ask(after)
            if isinstance(found, float):
                self._closed.wait(found)
                continue
            after, data = found
            try:
                image = shrunk(decode_picture(data, SPEC))
            except SourceError as error:
                self._tell(error.code, error.params)
                continue
            yield Frame(image, time.monotonic() - opened, number, still=True)
            number += 1

    def close(self) -> None:
        """Ends `frames` within a moment."""
        self._closed.set()

    def _ask(self, after: int) -> tuple[int, bytes] | float:
        """The number and bytes of a photo later than `after`, or how long to wait before asking again."""
        try:
            answer = self._door.get(f"photo?after={after}")
        except HTTPError as error:
            error.close()
            log.warning("asking for a photo: answer %d", error.code)
            return AWAY_S
        except (OSError, http.client.HTTPException) as error:
            log.info("asking for a photo: %s", type(error).__name__)
            return AWAY_S
        try:
            if answer.status == http.client.NO_CONTENT:
                return ASKED_S
            data = answer.read(MAX_BYTES)
            return int(answer.headers[NUMBER_HEADER]), data
        except (OSError, http.client.HTTPException, TypeError, ValueError) as error:
            log.warning("a photo did not arrive whole: %s", type(error).__name__)
            return AWAY_S
        finally:
            answer.close()


def shrunk(image: Image) -> Image:
    """The picture, at most LARGEST_SIDE wide and high."""
    factor = LARGEST_SIDE / max(image.shape[:2])
    if factor >= 1:
        return image
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
