"""One camera examined before the guests arrive: what it gives, what can be held, how well it sees the table.

Done in a process of its own: drivers hang, crash, and print to the terminal whatever OpenCV is told.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import cv2

from vision.deckbook import DeckError, load_deck
from vision.film import Film
from vision.frames import Newest
from vision.lens import has_control
from vision.pictures import Image, SourceError
from vision.readers import reader_for
from vision.sources import open_source
from vision.view import measures
from vision.webcams import is_webcam, opened

WATCHED_S = 2.0
"""Long enough for a camera to find its exposure and for its pictures to be counted."""
FIRST_FRAME_S = 10.0
TIMEOUT_S = 60.0


def examined(spec: str, deck: Path) -> dict[str, Any]:
    """What there is to say of a source: "size" [width, height], "per_second", "focus" and "exposure" (whether
    they can be held; None where that means nothing), "view" (as `Measure.to_json`), "problems".

    Raises SourceError: what `open_source` raises, and camera_hangs (params "camera").
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", "vision.checkup", spec, str(deck)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
            check=False,
        )
        answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    except (subprocess.TimeoutExpired, OSError, ValueError, IndexError) as error:
        raise SourceError("camera_hangs", camera=spec) from error
    if "code" in answer:
        raise SourceError(answer["code"], **answer["params"])
    return answer


def examine(spec: str, deck: Path) -> dict[str, Any]:
    """The same in this process. Raises SourceError and DeckError."""
    film = Film(reader_for(load_deck(deck), live=True))
    focus = exposure = None
    if is_webcam(spec):
        capture, image = opened(int(spec))
        try:
            image, per_second = _counted(capture, image)
            focus = has_control(capture, cv2.CAP_PROP_AUTOFOCUS)
            exposure = has_control(capture, cv2.CAP_PROP_AUTO_EXPOSURE)
        finally:
            capture.release()
    else:
        image, per_second = _watched(spec)
    reading = film.read(image)
    return {
        "size": [image.shape[1], image.shape[0]],
        "per_second": round(per_second),
        "focus": focus,
        "exposure": exposure,
        "view": [measure.to_json() for measure in measures(image, reading)],
        "problems": [problem.to_json() for problem in reading.problems],
    }


def _counted(capture: cv2.VideoCapture, image: Image) -> tuple[Image, float]:
    """The last picture of a while, and how many came a second."""
    begun, count = time.monotonic(), 0
    while time.monotonic() - begun < WATCHED_S:
        there, taken = capture.read()
        if there and taken is not None:
            image, count = taken.astype("uint8", copy=False), count + 1
    return image, count / (time.monotonic() - begun)


def _watched(spec: str) -> tuple[Image, float]:
    newest = Newest(open_source(spec))
    try:
        frame = newest.after(-1, FIRST_FRAME_S)
        if frame is None:
            raise SourceError("camera_hangs", camera=spec)
        begun, first = time.monotonic(), frame.number
        while time.monotonic() - begun < WATCHED_S and not newest.ended:
            frame = newest.after(frame.number, 0.5) or frame
        return frame.image, (frame.number - first) / (time.monotonic() - begun)
    finally:
        newest.close()


def main(spec: str, deck: str) -> None:
    """Prints what was found, or why nothing could be, as one line of JSON."""
    cv2.setNumThreads(1)
    try:
        told = examine(spec, Path(deck))
    except (SourceError, DeckError) as error:
        told = {"code": error.code, "params": error.params}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:3])
