"""Where frames come from, by what a person types: a webcam's number, a file, a folder, a stream's address."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.frames import Frame, LiveSource, Newest, Source, Tell, unheard
from vision.pictures import MAX_PIXELS, SUFFIXES, SourceError, load_picture
from vision.streams import stream
from vision.webcams import is_webcam, list_cameras, webcam

__all__ = [
    "Frame",
    "LiveSource",
    "Newest",
    "PictureShow",
    "Source",
    "SourceError",
    "VideoFile",
    "list_cameras",
    "open_source",
]

REPEAT_HZ = 10.0
"""How often a picture that stays is given again: a tracker wants several looks before it believes one."""
USUAL_FPS = 30.0
STREAMS = ("http://", "https://", "rtsp://", "rtsps://")


def open_source(spec: str, tell: Tell = unheard, rate: float = 1.0, live: bool = True) -> Source:
    """The source named by `spec`: "0" (a webcam), a video file, a picture, a folder of pictures, or a URL.

    `tell` hears of everything that befalls it later on. `rate` is the number of pictures a second out of a
    folder. With `live` files run by the clock and the last picture stays; without, frames come as fast as
    they are taken and then end (`at_s` is the same either way).

    Raises SourceError: no_such_file, not_a_picture, no_pictures (an empty folder), picture_too_large, and the
    codes of `webcam` and `stream`.
    """
    spec = spec.strip()
    if is_webcam(spec):
        return webcam(int(spec), tell)
    if spec.lower().startswith(STREAMS):
        return stream(spec, tell)
    path = Path(spec).expanduser()
    if path.is_dir():
        return PictureShow(pictures_in(path), path.name, rate, live, tell)
    if not path.is_file():
        raise SourceError("no_such_file", file=path.name or spec)
    if path.suffix.lower() in SUFFIXES:
        load_picture(path)
        return PictureShow([path], path.name, rate, live, tell)
    return VideoFile(path, live, tell)


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder by name, numbers in names by their value.

    Raises SourceError no_pictures or file_not_readable.
    """
    try:
        found = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file()]
    except OSError as error:
        raise SourceError("file_not_readable", file=folder.name) from error
    if not found:
        raise SourceError("no_pictures", file=folder.name)
    return sorted(found, key=_by_name)


def _by_name(path: Path) -> tuple[list[tuple[int, str]], str]:
    pieces = re.split(r"(\d+)", path.name.lower())
    return [(int(piece), "") if piece.isdecimal() else (-1, piece) for piece in pieces], path.name


class PictureShow:
    """Pictures one after the other, each staying for 1/`rate` seconds; bad ones are told and passed over."""

    simulated = False

    def __init__(
        self, paths: Sequence[Path], name: str, rate: float = 1.0, live: bool = True, tell: Tell = unheard
    ) -> None:
        if rate <= 0:
            raise ValueError(rate)
        self.name = name
        self._paths = paths
        self._looks = max(1, round(REPEAT_HZ / rate))
        self._live = live
        self._tell = tell
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """REPEAT_HZ frames a second; raises SourceError no_pictures when not one could be opened."""
        pace = Pace(self._live, self._closed)
        number, image = 0, None
        for path in self._paths:
            try:
                image = load_picture(path)
            except SourceError as error:
                self._tell(error.code, error.params)
                continue
            if not number:
                self._tell("opened", {"source": self.name, "size": [image.shape[1], image.shape[0]]})
            for _look in range(self._looks):
                if not pace.until(number / REPEAT_HZ):
                    return
                yield Frame(image, number / REPEAT_HZ, number)
                number += 1
        if image is None:
            raise SourceError("no_pictures", file=self.name)
        while self._live and pace.until(number / REPEAT_HZ):
            yield Frame(image, number / REPEAT_HZ, number)
            number += 1

    def close(self) -> None:
        """Ends `frames` within a moment."""
        self._closed.set()


class VideoFile:
    """A film of a table. Raises SourceError not_a_video, picture_too_large (params "file")."""

    simulated = False

    def __init__(self, path: Path, live: bool = True, tell: Tell = unheard) -> None:
        self.name = path.name
        self._live = live
        self._tell = tell
        self._closed = threading.Event()
        try:
            self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        except cv2.error as error:
            raise SourceError("not_a_video", file=path.name) from error
        width = int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH))
        height = int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if not self._capture.isOpened() or not width or not height:
            self._capture.release()
            raise SourceError("not_a_video", file=path.name)
        if width * height > MAX_PIXELS:
            self._capture.release()
            raise SourceError("picture_too_large", file=path.name, megapixels=MAX_PIXELS // 1_000_000)
        self._size = [width, height]

    def frames(self) -> Iterator[Frame]:
        """The film's frames, once; `at_s` is the time in the film."""
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        if not 0 < fps <= 1000:
            fps = USUAL_FPS
        pace, number = Pace(self._live, self._closed), 0
        try:
            self._tell("opened", {"source": self.name, "size": self._size})
            while pace.until(number / fps):
                there, image = self._capture.read()
                if not there or image is None:
                    break
                yield Frame(np.asarray(image, np.uint8), number / fps, number)
                number += 1
        finally:
            self._capture.release()
        self._tell("ended", {"source": self.name})

    def close(self) -> None:
        """Ends `frames` within a moment."""
        self._closed.set()


class Pace:
    """Waits for moments counted from its making, or for nothing when not `live`."""

    def __init__(self, live: bool, closed: threading.Event) -> None:
        self._live = live
        self._closed = closed
        self._begun = time.monotonic()

    def until(self, at_s: float) -> bool:
        """Waits until `at_s`; False when the source was closed meanwhile."""
        wait = self._begun + at_s - time.monotonic() if self._live else 0.0
        return not (self._closed.wait(wait) if wait > 0 else self._closed.is_set())
