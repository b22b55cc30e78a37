"""The loop from a source of frames to the server: read the newest frame, track, post what is seen."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np

from vision import overlay
from vision.frames import Frame, HoldsView, Newest, Source
from vision.overlay import Verdict
from vision.photos import PhotoSource
from vision.pictures import Image, SourceError
from vision.pointed import Pointed
from vision.post import HttpPost, PostRefused, WatchPost
from vision.reading import Problem, Reading
from vision.sight import Sight
from vision.tracker import Tracker
from vision.view import Measure, measures

__all__ = ["HttpPost", "PostRefused", "WatchPost", "watch"]

log = logging.getLogger(__name__)

SETTLING_S = 0.06
"""Time between readings while a card is coming to rest (somebody waits for the verdict),"""
BUSY_S = 0.08
"""while something moves,"""
UNSETTLED_S = 0.5
"""while something is unsettled though nothing has moved for a while,"""
CALM_S = 1.0
"""and while all is steady: light changes too slowly to be called movement."""
AFTERMATH_S = 2.5
"""After the last movement cards settle, and bare table is looked at for long enough."""
SIGHT_S = 2.0
PICTURE_S = 0.5
CALM_PICTURE_S = 2.0
SIGN_S, SIGNS = 2.0, 30
"""How often a sign of life is given during a reading that takes long (no face known, a small computer), and
how many times: the slowest picture took 10 s on a busy machine, and a reader that hangs must be noticed."""
CLOSELY_S = 0.5
"""Somebody sets the camera up: the table is read, measured and shown so often though all is calm."""
MEASURED_S = 8.0
"""How often the view is measured while nobody looks: it takes as long as reading a picture."""

NOTHING = Sight((), (), False, 0)

GLANCE = (240, 135)
"""Frames are compared at this size: a card pushed by 10 mm changes several of its pixels."""
MOVED_LEVELS = 10
MOVED_PIXELS = 4


class Reads(Protocol):
    """Anything that reads a picture (`vision.film.Film`)."""

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        """What lies on the table in a BGR picture, in which somebody may have pointed out the board."""
        ...


def watch(source: Source, reader: Reads, tracker: Tracker, post: WatchPost, stop: threading.Event) -> None:
    """Watches a table until `stop` is set or the source ends.

    Posts the sight whenever its revision or steadiness changes, every SIGHT_S besides (while the camera is
    away, too) and when the source ends, and the picture about twice a second while something happens.
    """
    newest = Newest(source)
    keeper = _Keeper(reader, tracker, post, source)
    number = -1
    try:
        while not stop.is_set():
            frame = newest.after(number, timeout_s=0.1)
            if frame is not None:
                number = frame.number
                keeper.take(frame)
            elif newest.ended:
                break
            keeper.remind()
    except SourceError as error:
        post.state(error.code, error.params)
    finally:
        newest.close()
        # Whoever told it to stop may have chosen another camera: then this one's word comes too late.
        if not stop.is_set():
            keeper.remind(now=True)
        keeper.close()


class _Keeper:
    """What the loop knows between frames."""

    def __init__(self, reader: Reads, tracker: Tracker, post: WatchPost, source: Source) -> None:
        self._reader = reader
        self._tracker = tracker
        self._post = post
        self._source = source
        self._glance: Image | None = None
        self._read_at = self._moved_at = -1e9
        self._posted_at = self._pictured_at = self._measured_at = -1e9
        # Before its first photo a phone has shown nothing, and that too is a sign of life.
        waits = isinstance(source, PhotoSource)
        self._sight = replace(NOTHING, problems=(Problem("photo_awaited"),)) if waits else None
        self._view: tuple[Measure, ...] = ()
        self._pointed: Pointed | None = None
        self._photo: Image | None = None
        self._drawn: Verdict | None = None
        self._failing = False
        # One at a time: a reader is not for two threads at once.
        self._at_work = ThreadPoolExecutor(1, "reading")

    def take(self, frame: Frame) -> None:
        """Reads the frame if it is time, and posts what has changed."""
        glance = _glance(frame.image)
        if self._glance is None or has_moved(self._glance, glance):
            self._moved_at = frame.at_s
        pointed = self._post.word.pointed
        if frame.still or pointed != self._pointed or frame.at_s - self._read_at >= self._period(frame.at_s):
            self._pointed = pointed
            self._read(frame, glance)
        self._photo = frame.image if frame.still else None
        busy = frame.at_s - self._moved_at < AFTERMATH_S or self._post.word.closely
        period = PICTURE_S if busy else CALM_PICTURE_S
        if frame.still or time.monotonic() - self._pictured_at >= period:
            self._show(frame.image)

    def remind(self, now: bool = False) -> None:
        """Posts the sight again when it has been a while, and a photo when there is a new word on it."""
        period = CLOSELY_S if self._post.word.closely else SIGHT_S
        if self._sight and (now or time.monotonic() - self._posted_at >= period):
            self._posted_at = time.monotonic()
            told = self._sight.to_json(self._source.simulated)
            self._post.sight(told | {"view": [measure.to_json() for measure in self._view]})
        if self._photo is not None:
            if self._post.word.verdict != self._drawn:
                self._show(self._photo)
            if self._post.word.pointed != self._pointed:
                self._pointed = self._post.word.pointed
                self._read(Frame(self._photo, self._read_at, 0, still=True), _glance(self._photo))
                self._show(self._photo)

    def close(self) -> None:
        """Ends the thread that reads."""
        self._at_work.shutdown()

    def _show(self, image: Image) -> None:
        self._pictured_at, self._drawn = time.monotonic(), self._post.word.verdict
        sight = self._sight or NOTHING
        self._post.picture(overlay.draw(image, sight, self._drawn, self._source.simulated))

    def _period(self, at_s: float) -> float:
        # A little less than said, lest a source of even pace miss by a hair and wait for a frame more.
        steady = self._sight is not None and self._sight.steady
        if at_s - self._moved_at < AFTERMATH_S:
            return 0.9 * (BUSY_S if steady else SETTLING_S)
        calm = CALM_S if steady else UNSETTLED_S
        return min(calm, CLOSELY_S) if self._post.word.closely else calm

    def _read(self, frame: Frame, glance: Image) -> None:
        self._read_at, self._glance = frame.at_s, glance
        try:
            reading = self._patiently(frame.image)
        except (cv2.error, np.linalg.LinAlgError):
            # One picture that cannot be computed with is no reason to stop watching; said once in a row.
            if not self._failing:
                log.exception("a frame could not be read")
                self._post.state("reading_failed", {})
            self._failing = True
            return
        self._failing = False
        before = self._sight
        self._sight = self._tracker.update(reading, frame.image, frame.at_s, frame.still)
        if before is None or frame.still or _news(before, self._sight):
            self.remind(now=True)
        self._measure(frame, reading)

    def _patiently(self, image: Image) -> Reading:
        """What lies on the table, with signs of life while it takes long: silent, the camera would be taken
        for one that hangs, and be ended."""
        reading = self._at_work.submit(self._reader.read, image, self._in_px(image))
        for _ in range(SIGNS):
            if wait([reading], SIGN_S).done:
                break
            self._show(image)
        return reading.result()

    def _measure(self, frame: Frame, reading: Reading) -> None:
        """Measures the view now and then, and closely while somebody sets the camera up."""
        period = CLOSELY_S if self._post.word.closely else MEASURED_S
        if not frame.still and time.monotonic() - self._measured_at < period:
            return
        self._measured_at = time.monotonic()
        self._view = measures(frame.image, reading)
        if isinstance(self._source, HoldsView):
            self._source.seen_well(all(measure.well for measure in self._view))

    def _in_px(self, image: Image) -> Pointed | None:
        """The corners that were pointed out as shares of the picture, in px of this one."""
        if self._pointed is None:
            return None
        height, width = image.shape[:2]
        a, b, c, d = ((x * width - 0.5, y * height - 0.5) for x, y in self._pointed.corners)
        return Pointed((a, b, c, d))


def _news(before: Sight, after: Sight) -> bool:
    return _gist(before) != _gist(after)


def _gist(sight: Sight) -> tuple[object, ...]:
    # Without the problems' parameters: measurements waver from frame to frame.
    return sight.revision, sight.steady, {problem.code for problem in sight.problems}


def _glance(image: Image) -> Image:
    small = cv2.resize(image, GLANCE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def has_moved(before: Image, after: Image) -> bool:
    """Whether two glances (GLANCE, grey) differ by more than a camera's noise."""
    return int((cv2.absdiff(before, after) > MOVED_LEVELS).sum()) >= MOVED_PIXELS
