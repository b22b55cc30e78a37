"""Opening picture files and encoded pictures from strangers: their size is known before they are decoded."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""Height x width x 3, BGR."""

MAX_PIXELS = 100_000_000
"""A decoded picture of this size takes 300 MB; no phone takes larger ones of its own accord."""
MAX_FILE_BYTES = 200_000_000
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})

_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})


class SourceError(Exception):
    """A source of pictures that gives none: `code` says why, `params` what about."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


def load_picture(path: Path) -> Image:
    """The picture in a file, turned as its camera held it.

    Raises SourceError: no_such_file, file_not_readable, not_a_picture or picture_too_large (params "file").
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise SourceError("picture_too_large", file=path.name, megapixels=MAX_PIXELS // 1_000_000)
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise SourceError("no_such_file", file=path.name) from error
    except OSError as error:
        raise SourceError("file_not_readable", file=path.name) from error
    return decode_picture(data, path.name)


def decode_picture(data: bytes, name: str = "") -> Image:
    """The picture in a JPEG, PNG, WebP or BMP file's bytes.

    Raises SourceError: not_a_picture or picture_too_large (params "file", the `name` given).
    """
    size = picture_size(data)
    if size is None:
        raise SourceError("not_a_picture", file=name)
    if size[0] * size[1] > MAX_PIXELS:
        raise SourceError("picture_too_large", file=name, megapixels=MAX_PIXELS // 1_000_000)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise SourceError("not_a_picture", file=name) from error
    if image is None:
        raise SourceError("not_a_picture", file=name)
    return np.asarray(image, np.uint8)


def picture_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) in px as the header says; None when these are no bytes of a picture we open."""
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
            return _positive(*struct.unpack(">II", data[16:24]))
        if data[:2] == b"\xff\xd8":
            return _jpeg_size(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp_size(data)
        if data[:2] == b"BM":
            width, height = struct.unpack("<ii", data[18:26])
            return _positive(width, abs(height))
    except (struct.error, IndexError):
        # The bytes end within the header.
        return None
    return None


def _positive(width: int, height: int) -> tuple[int, int] | None:
    return (width, height) if width > 0 and height > 0 else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while True:
        while data[at] == 0xFF and data[at + 1] == 0xFF:
            at += 1
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker in _JPEG_BARE:
            at += 2
            continue
        if marker in _JPEG_SIZES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return _positive(width, height)
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        if length < 2 or marker == 0xDA:
            return None
        at += 2 + length


def _webp_size(data: bytes) -> tuple[int, int] | None:
    form = data[12:16]
    if len(data) < 30:
        return None
    if form == b"VP8X":
        width = 1 + int.from_bytes(data[24:27], "little")
        return _positive(width, 1 + int.from_bytes(data[27:30], "little"))
    if form == b"VP8L" and data[20] == 0x2F:
        packed = int.from_bytes(data[21:25], "little")
        return _positive(1 + (packed & 0x3FFF), 1 + (packed >> 14 & 0x3FFF))
    if form == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", data[26:30])
        return _positive(width & 0x3FFF, height & 0x3FFF)
    return None
