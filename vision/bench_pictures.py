"""Pictures that hold no card, to see whether any is found: photographs cut and turned, and drawn patterns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision import tabletop
from vision.pictures import SUFFIXES, Image, load_picture
from vision.scene import Cover

SIZE = (1280, 720)
OTHERS = (
    cv2.aruco.DICT_6X6_250,
    cv2.aruco.DICT_APRILTAG_36h11,
    cv2.aruco.DICT_7X7_250,
    cv2.aruco.DICT_4X4_250,
)
"""Dictionaries of markers that other games and other tables may show."""
WORDS = "Saboteur 1234567890 THE QUICK BROWN FOX jumps over every lazy dog; Zwerge graben Stollen. #%&@"


def photographs(folders: Sequence[Path], count: int) -> Iterator[Image]:
    """`count` pictures made of those in some folders: first as they are, then cut, mirrored and turned.

    Raises SourceError for a file that is no picture.
    """
    paths = sorted(path for folder in folders for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    chance = np.random.default_rng(1)
    for number in range(count if paths else 0):
        image = load_picture(paths[number % len(paths)])
        yield image if number < len(paths) else _varied(image, chance)


def patterns(count: int) -> Iterator[Image]:
    """`count` drawn pictures: bare tables, print, checkerboards, QR codes, noise, markers of other kinds."""
    chance = np.random.default_rng(2)
    kinds = (_table, _print, _checks, _codes, _noise, _markers)
    for number in range(count):
        picture = kinds[number % len(kinds)](chance)
        yield np.asarray(cv2.GaussianBlur(picture, (0, 0), float(chance.uniform(0.5, 1.2))), np.uint8)


def _varied(image: Image, chance: np.random.Generator) -> Image:
    height, width = image.shape[:2]
    share = float(chance.uniform(0.4, 1.0))
    tall, wide = max(64, int(height * share)), max(64, int(width * share))
    y, x = int(chance.integers(height - tall + 1)), int(chance.integers(width - wide + 1))
    part = np.rot90(image[y : y + tall, x : x + wide], int(chance.integers(4)))
    if chance.integers(2):
        part = part[:, ::-1]
    scale = float(chance.uniform(0.6, 1.4)) * 1280 / max(part.shape[:2])
    return np.asarray(cv2.resize(np.ascontiguousarray(part), None, fx=scale, fy=scale), np.uint8)


def _table(chance: np.random.Generator) -> Image:
    cover = list(Cover)[int(chance.integers(len(Cover)))]
    return tabletop.cover(cover, *SIZE, float(chance.uniform(1.0, 3.0)), chance)


def _print(chance: np.random.Generator) -> Image:
    page = _blank(chance)
    for line in range(20, SIZE[1], int(chance.integers(18, 40))):
        at = (int(chance.integers(0, 60)), line)
        size = float(chance.uniform(0.4, 1.3))
        cv2.putText(
            page, WORDS[int(chance.integers(30)) :], at, int(chance.integers(4)), size, (20, 20, 20), 2
        )
    return page


def _checks(chance: np.random.Generator) -> Image:
    side = int(chance.integers(10, 60))
    dark, bright = sorted(chance.integers(20, 235, 2).tolist())
    board = (np.indices(SIZE[::-1]) // side).sum(0) % 2
    grey = np.where(board > 0, bright, dark).astype(np.uint8)
    turned = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), float(chance.uniform(0, 90)), 1.3)
    return np.asarray(
        cv2.cvtColor(cv2.warpAffine(grey, turned, SIZE, borderMode=cv2.BORDER_REFLECT), cv2.COLOR_GRAY2BGR),
        np.uint8,
    )


def _noise(chance: np.random.Generator) -> Image:
    side = int(chance.integers(1, 12))
    few = chance.integers(0, 256, (SIZE[1] // side + 1, SIZE[0] // side + 1, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(few, SIZE, interpolation=cv2.INTER_NEAREST), np.uint8)


def _codes(chance: np.random.Generator) -> Image:
    page = _blank(chance)
    for number in range(25):
        code = cv2.QRCodeEncoder.create().encode(
            f"http://192.168.1.23:8080/j/K7{number}{chance.integers(999)}"
        )
        _put(page, np.asarray(code, np.uint8), int(chance.integers(2, 8)), chance)
    return page


def _markers(chance: np.random.Generator) -> Image:
    page = _blank(chance)
    other = cv2.aruco.getPredefinedDictionary(OTHERS[int(chance.integers(len(OTHERS)))])
    side = other.markerSize + 2
    for _ in range(60):
        marker = cv2.aruco.generateImageMarker(other, int(chance.integers(len(other.bytesList))), side)
        framed = cv2.copyMakeBorder(marker, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(255,))
        _put(page, np.asarray(framed, np.uint8), int(chance.integers(2, 8)), chance)
    return page


def _blank(chance: np.random.Generator) -> Image:
    return np.full((*SIZE[::-1], 3), int(chance.integers(120, 255)), np.uint8)


def _put(page: Image, small: Image, scale: int, chance: np.random.Generator) -> None:
    large = np.kron(small, np.ones((scale, scale), np.uint8))
    y, x = (int(chance.integers(whole - part)) for whole, part in zip(page.shape, large.shape, strict=False))
    page[y : y + large.shape[0], x : x + large.shape[1]] = large[..., None]
