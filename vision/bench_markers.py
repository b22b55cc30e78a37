"""How many markers of any dictionary our squares and patterns find in photographs, beside OpenCV."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.decode import Patterns
from vision.pictures import SUFFIXES, SourceError, load_picture
from vision.plane import Reals
from vision.spots import Marks
from vision.squares import Floats, Grey, find_squares

PHOTO_DICTIONARY = cv2.aruco.DICT_6X6_250
"""Of photographs that come without the truth: most of OpenCV's tutorials."""
TAG_DICTIONARY = cv2.aruco.DICT_APRILTAG_36h11
"""Of those with NAME.txt beside them, a line a tag: its id and the corners of its black square."""
SCALES = ((2.0, 2.0), (1.0, 1.0), (0.5, 0.5), (1.0, 2.0), (2.0, 1.0))
"""Times its width and height a picture is searched at: for tags of 7 px a side, of 190, and for flat ones."""
MOST_MARKERS, MOST_MODULES = 10_000, 16
"""In a dictionary's file, and in a marker's side."""
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
        how = cv2.INTER_CUBIC if max(scale) > 1 else cv2.INTER_AREA
        scaled = np.asarray(cv2.resize(grey, None, fx=scale[0], fy=scale[1], interpolation=how), np.uint8)
        found = find_squares(scaled, flattest=FLATTEST)
        squares.append(np.asarray((found + 0.5) / np.array(scale, np.float32) - 0.5, np.float32))
    decoded = patterns.decode(grey, np.concatenate(squares))
    return Marks.among(decoded, LIKE, LEAD).apart(APART_PX)


def load_dictionary(path: Path) -> cv2.aruco.Dictionary:
    """A dictionary in OpenCV's own file format (YAML, as its ArUco tutorials have it).

    Raises SourceError: no_such_file, file_not_readable or not_a_dictionary (params "file").
    """
    if not path.exists():
        raise SourceError("no_such_file", file=path.name)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError("file_not_readable", file=path.name) from error
    wrong = SourceError("not_a_dictionary", file=path.name)
    try:
        stored = cv2.FileStorage(text, cv2.FILE_STORAGE_READ | cv2.FILE_STORAGE_MEMORY)
        # OpenCV makes room for whatever number stands there before it looks for the markers.
        count, modules = (stored.getNode(name).real() for name in ("nmarkers", "markersize"))
        dictionary = cv2.aruco.Dictionary()
        known = 2 <= count <= MOST_MARKERS and 1 <= modules <= MOST_MODULES
        known = known and all(
            re.fullmatch(f"[01]{{{int(modules * modules)}}}", stored.getNode(f"marker_{one}").string())
            for one in range(int(count))
        )
        known = known and bool(dictionary.readDictionary(stored.root()))
    except (cv2.error, SystemError) as error:  # OpenCV 5 lets its constructor's error out as the latter
        raise wrong from error
    if not known:
        raise wrong
    return dictionary


def bench_markers(folder: Path, dictionary: cv2.aruco.Dictionary | None = None) -> Iterator[Found]:
    """What is found in each photograph of a folder. Raises SourceError for a file that is no picture.

    Photographs without truth are tried with PHOTO_DICTIONARY and, when it is given, with `dictionary`: the
    one counts in which more is found, by both detectors together.
    """
    photos = [_Kind(cv2.aruco.getPredefinedDictionary(PHOTO_DICTIONARY))]
    if dictionary is not None:
        photos.append(_Kind(dictionary))
    tags = _Kind(cv2.aruco.getPredefinedDictionary(TAG_DICTIONARY))
    for path in sorted(one for one in folder.iterdir() if one.suffix.lower() in SUFFIXES):
        truth = _truth(path.with_suffix(".txt"))
        grey = np.asarray(cv2.cvtColor(load_picture(path), cv2.COLOR_BGR2GRAY), np.uint8)
        tried = [kind.found(path.name, grey, truth) for kind in (photos if truth is None else [tags])]
        yield max(tried, key=lambda found: found.right + found.aruco)


class _Kind:
    """One dictionary, for our squares and patterns and for OpenCV's detector."""

    def __init__(self, dictionary: cv2.aruco.Dictionary) -> None:
        self._patterns = Patterns(dictionary, range(len(dictionary.bytesList)))
        self._detector = cv2.aruco.ArucoDetector(dictionary)

    def found(self, picture: str, grey: Grey, truth: list[tuple[int, Reals]] | None) -> Found:
        marks = find_markers(grey, self._patterns)
        ids = tuple(int(one) for one in marks.ids)
        corners, theirs, _ = self._detector.detectMarkers(grey)
        if truth is None:
            return Found(picture, ids, len(ids), 0, len(corners), None)
        right = _right(truth, ids, marks.corners)
        others = [int(one) for one in np.ravel(theirs)] if len(corners) else []
        aruco = _right(truth, others, np.asarray(corners, np.float64).reshape(-1, 4, 2))
        return Found(picture, ids, right, len(ids) - right, aruco, len(truth))


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
