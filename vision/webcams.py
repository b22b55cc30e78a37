"""Webcams: which are there, and opening one with what its system needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.frames import LiveSource, Tell, unheard
from vision.lens import Lens
from vision.pictures import Image, SourceError

WANTED = (1920, 1080)
"""A whole table of 9 x 5 cards needs about 2 px a mm, which 1280x720 does not give."""
FIRST_FRAME_S = 5.0
"""A camera that gives no picture for so long after opening is another program's."""
PROBED = 6
PROBE_TIMEOUT_S = 12.0

BACKENDS: dict[str, tuple[int, ...]] = {
    "linux": (cv2.CAP_V4L2,),
    "win32": (cv2.CAP_MSMF, cv2.CAP_DSHOW),
    "darwin": (cv2.CAP_AVFOUNDATION,),
}


class Webcam(LiveSource):
    """A webcam that is opened again when it was unplugged, and holds a good view.

    Raises SourceError: no_camera, camera_forbidden, camera_busy.
    """

    def __init__(self, index: int, tell: Tell = unheard) -> None:
        self._lens = Lens()
        super().__init__(str(index), lambda: connect(index, self._lens), tell)

    def seen_well(self, well: bool) -> None:
        """Whether the table is seen well now."""
        self._lens.seen_well(well)


def is_webcam(spec: str) -> bool:
    """Whether what somebody typed for a source is a webcam's number."""
    return spec.isdecimal() and len(spec) <= 3


def webcam(index: int, tell: Tell = unheard) -> Webcam:
    """The webcam with this number. Raises SourceError: no_camera, camera_forbidden, camera_busy."""
    return Webcam(index, tell)


def connect(index: int, lens: Lens) -> Iterator[Image]:
    """Opens a webcam and gives its pictures; raises SourceError at once, or camera_lost when it goes away."""
    capture, first = opened(index)
    lens.mounted(capture)
    return pictures(capture, first, index, lens)


def opened(index: int) -> tuple[cv2.VideoCapture, Image]:
    """A webcam with its first picture. Raises SourceError: no_camera, camera_forbidden, camera_busy."""
    if sys.platform == "linux":
        device = Path(f"/dev/video{index}")
        if not device.exists():
            raise SourceError("no_camera", camera=index)
        if not os.access(device, os.R_OK | os.W_OK):
            raise SourceError("camera_forbidden", camera=index)
    capture = _open(index)
    if capture is None:
        raise SourceError("camera_busy" if sys.platform == "linux" else "no_camera", camera=index)
    first = _first_picture(capture)
    if first is None:
        capture.release()
        raise SourceError("camera_busy", camera=index)
    return capture, first


def pictures(capture: cv2.VideoCapture, first: Image, index: int, lens: Lens) -> Iterator[Image]:
    """The pictures of an open camera until it goes away: then camera_lost is raised."""
    try:
        yield first
        while True:
            there, image = capture.read()
            if not there or image is None:
                raise SourceError("camera_lost", camera=index)
            yield (taken := np.asarray(image, np.uint8))
            lens.attend(taken)
    finally:
        capture.release()


def _open(index: int) -> cv2.VideoCapture | None:
    for backend in BACKENDS.get(sys.platform, (cv2.CAP_ANY,)):
        try:
            capture = cv2.VideoCapture(index, backend)
        except cv2.error:
            # This build of OpenCV lacks the backend; the next one may do.
            continue
        if capture.isOpened():
            # Uncompressed 1080p does not fit through USB 2 at a useful rate. Cameras take what they can.
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, WANTED[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WANTED[1])
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
            return capture
        capture.release()
    return None


def _first_picture(capture: cv2.VideoCapture) -> Image | None:
    until = time.monotonic() + FIRST_FRAME_S
    while time.monotonic() < until:
        there, image = capture.read()
        if there and image is not None:
            return np.asarray(image, np.uint8)
        time.sleep(0.05)
    return None


def list_cameras() -> list[int]:
    """Numbers of the webcams that open here and now.

    They are tried in a process of its own: drivers print to the terminal whatever OpenCV is told, some hang,
    and none of that may reach the program that asks.
    """
    if sys.platform == "linux" and not any(Path("/dev").glob("video*")):
        return []
    try:
        probe = subprocess.run(
            [sys.executable, "-m", "vision.webcams"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
        answer = probe.stdout.strip().splitlines()
        return [int(index) for index in json.loads(answer[-1])] if answer else []
    except (subprocess.TimeoutExpired, OSError, ValueError, TypeError):
        # No answer is the answer "none that would open".
        return []


def _probe() -> list[int]:
    if sys.platform == "linux":
        names = [path.name.removeprefix("video") for path in Path("/dev").glob("video*")]
        indices = sorted(int(name) for name in names if name.isdigit())
    else:
        indices = list(range(PROBED))
    found, missed = [], 0
    for index in indices:
        capture = _open(index)
        # A Linux camera has further device nodes that open and give no pictures.
        there = capture is not None and capture.read()[0]
        if capture is not None:
            capture.release()
        if there:
            found.append(index)
        missed = 0 if there else missed + 1
        if missed >= 2 and sys.platform != "linux":
            break
    return found


if __name__ == "__main__":
    print(json.dumps(_probe()))
