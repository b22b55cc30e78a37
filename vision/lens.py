"""A webcam's focus and exposure: held once the table is seen well, let go when it is not. A bonus only."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import Protocol

import cv2

from vision.pictures import Image

log = logging.getLogger(__name__)

HOLD_AFTER_S = 4.0
"""The table must be seen well for so long before anything is fixed."""
LOOSE_AFTER_S = 6.0
"""And badly for so long before it is let go: a hand is no reason."""
PAUSE_S = 30.0
"""After letting go, so long until the next try; doubled each time, lest a camera hunt all evening."""
LONGEST_PAUSE_S = 480.0
CHECKED_AFTER_S = 1.5
"""A camera may take so long to show what was set."""
CHANGED = 0.2
"""A picture that gets so much brighter or darker by holding was not held but set to something else."""
MANUAL: dict[str, tuple[float, ...]] = {"linux": (1.0,), "win32": (0.25, 0.0)}
"""What stands for "by hand" in CAP_PROP_AUTO_EXPOSURE: V4L2's menu entry, DirectShow's and MSMF's. Tried in
turn and read back. macOS offers OpenCV no such control."""


class Controls(Protocol):
    """What a `cv2.VideoCapture` has to be turned at."""

    def get(self, propId: int) -> float:
        """The value of a property; 0 or -1 where the camera does not have it."""
        ...

    def set(self, propId: int, value: float) -> bool:
        """Whether the driver took the value, which need not mean that the camera did."""
        ...


class Lens:
    """Keeps one webcam's view. `seen_well` may come from any thread, all else from the camera's own."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._well: bool | None = None
        self._since = 0.0
        self._controls: Controls | None = None
        self._held: dict[int, float] = {}
        """Properties that were set, with what they were before."""
        self._checked = True
        self._level = 0.0
        self._held_at = 0.0
        self._not_before = 0.0
        self._pause = PAUSE_S

    def seen_well(self, well: bool) -> None:
        """Whether the table is seen well now."""
        if well is not self._well:
            self._well, self._since = well, self._clock()

    def mounted(self, controls: Controls) -> None:
        """The camera was opened (again): it does as it likes, as all do at first."""
        self._controls, self._held, self._checked = controls, {}, True

    def attend(self, image: Image) -> None:
        """Between two pictures: holds, checks or lets go as it is time for."""
        if self._controls is None or self._well is None:
            return
        now, lasted = self._clock(), self._clock() - self._since
        if not self._held:
            if self._well and lasted >= HOLD_AFTER_S and now >= self._not_before:
                self._hold(self._controls, image, now)
        elif not self._checked and now - self._held_at >= CHECKED_AFTER_S:
            self._checked = True
            if abs(brightness(image) / max(self._level, 1.0) - 1) > CHANGED:
                self._let_go(self._controls, now)
        elif not self._well and lasted >= LOOSE_AFTER_S:
            self._let_go(self._controls, now)

    def _hold(self, controls: Controls, image: Image, now: float) -> None:
        self._held_at, self._level, self._checked = now, brightness(image), False
        for prop, values in (
            (cv2.CAP_PROP_AUTOFOCUS, (0.0,)),
            (cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL.get(sys.platform, ())),
        ):
            before = controls.get(prop)
            for value in values:
                if before != value and controls.set(prop, value) and controls.get(prop) == value:
                    self._held[prop] = before
                    break
        log.info("focus and exposure held: %s", self._held)
        if not self._held:
            # This camera has nothing to turn at: no use in trying again soon.
            self._not_before = now + LONGEST_PAUSE_S

    def _let_go(self, controls: Controls, now: float) -> None:
        for prop, before in self._held.items():
            controls.set(prop, before)
        self._held = {}
        self._not_before = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE_S)


def brightness(image: Image) -> float:
    """The mean level 0..255 of a picture."""
    return float(image[::8, ::8].mean())


def has_control(controls: Controls, prop: int) -> bool:
    """Whether a camera has a property that can be set: set to what it is, it says so."""
    value = controls.get(prop)
    return value >= 0 and bool(controls.set(prop, value))
