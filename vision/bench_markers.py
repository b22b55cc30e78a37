"""How many markers of any dictionary our squares and patterns find in photographs, beside OpenCV."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.decode import Patterns
from vision.pictures import SUFFIXES, load_picture
from vision.plane import Reals
from vision.spots import Marks
from vision.squares import Floats, Grey, find_squares

PHOTO_DICTIONARY = cv2.aruco.DICT_6X6_250
"""Of photographs that come without the truth: those of OpenCV's tutorials."""
TAG_DICTIONARY = cv2.aruco.DICT_APRILTAG_36h11
"""Of those with NAME.txt beside them, a line a tag: its id and the corners of its black square."""
SCALES = (2.0, 1.0, 0.5)
"""Times its size a picture is searched at: for tags of 7 px a side and of 190."""
FLATTEST = 7.0
"""Photographs show markers on walls and boxes from the side, as no table is seen."""
LIKE, LEAD = 0.70, 0.14
NEAR = 0.25
"""How far off its true middle a tag may be found, in sides."""
APART_PX = 4.0


@dataclass(frozen=True)
class Found:
    """The markers found in one photograph."""

    picture: str
    ids: tuple[int, ...]
    right: int
    """Of those that the truth names; all of them when there is none."""
    others: int
    """Found where the truth names none (a photograph's truth may leave out what is far away)."""
    aruco: int
    """As many as OpenCV's detector finds with default settings (right ones, where there is the truth)."""
    there: int | None
    """How many there are, when there is the truth."""


def find_markers(grey: Grey, patterns: Patterns) -> Marks:
    """All markers of a dictionary in a picture, whatever their size."""
    squares: list[Floats] = []
    for scale in SCALES:
        how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
        scaled = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=how), np.uint8)
        squares.append((find_squares(scaled, flattest=FLATTEST) + 0.5) / scale - 0.5)
    decoded = patterns.decode(grey, np.concatenate(squares).astype(np.float32))
    return Marks.among(decoded, LIKE, LEAD).apart(APART_PX)


def bench_markers(folder: Path) -> Iterator[Found]:
    """What is found in each photograph of a folder. Raises SourceError for a file that is no picture."""
    known = {kind: _all_of(kind) for kind in (PHOTO_DICTIONARY, TAG_DICTIONARY)}
    for path in sorted(one for one in folder.iterdir() if one.suffix.lower() in SUFFIXES):
        truth = _truth(path.with_suffix(".txt"))
        dictionary = PHOTO_DICTIONARY if truth is None else TAG_DICTIONARY
        grey = np.asarray(cv2.cvtColor(load_picture(path), cv2.COLOR_BGR2GRAY), np.uint8)
        marks = find_markers(grey, known[dictionary])
        ids = tuple(int(one) for one in marks.ids)
        detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary))
        corners, theirs, _ = detector.detectMarkers(grey)
        if truth is None:
            yield Found(path.name, ids, len(ids), 0, len(corners), None)
            continue
        right = _right(truth, ids, marks.corners)
        others = [int(one) for one in np.ravel(theirs)] if len(corners) else []
        aruco = _right(truth, others, np.asarray(corners, np.float64).reshape(-1, 4, 2))
        yield Found(path.name, ids, right, len(ids) - right, aruco, len(truth))


def _all_of(dictionary: int) -> Patterns:
    whole = cv2.aruco.getPredefinedDictionary(dictionary)
    return Patterns(dictionary, range(len(whole.bytesList)))


def _truth(path: Path) -> list[tuple[int, Reals]] | None:
    """Ids and corners (4, 2) in px of the tags in a picture; None when nobody wrote them down."""
    if not path.exists():
        return None
    tags = []
    for line in path.read_text(encoding="utf-8").splitlines():
        numbers = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", line)]
        if len(numbers) == 9:
            tags.append((int(numbers[0]), np.array(numbers[1:]).reshape(4, 2)))
    return tags


def _right(truth: list[tuple[int, Reals]], ids: tuple[int, ...] | list[int], corners: Reals) -> int:
    """How many tags of the truth were found where they are."""
    found = 0
    for one, true in truth:
        side = float(np.linalg.norm(true - np.roll(true, 1, 0), axis=1).mean())
        found += any(
            told == one and float(np.linalg.norm(seen.mean(0) - true.mean(0))) < NEAR * side
            for told, seen in zip(ids, corners, strict=True)
        )
    return found
