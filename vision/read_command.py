"""Reading pictures from files: one after another, a bad one named and passed over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from vision.deckbook import Deck
from vision.pictures import SUFFIXES, SourceError, load_picture
from vision.readers import TableReader, reader_for
from vision.reading import Problem, Reading


def read_pictures(
    paths: Sequence[Path], deck: Deck | None, out: Path | None = None
) -> Iterator[dict[str, Any]]:
    """What lies on each picture, as plain data, in the order given; a folder stands for the pictures in it.
    Without a deck cards are read by their tunnels alone.

    With `out` each one's data is also written to NAME.json in that folder, which is made when missing (of two
    pictures of one name the later gets a number). A picture that cannot be read has no cards and one problem:
    no_such_file, file_not_readable, not_a_picture, picture_too_large or folder_without_pictures, each with
    params "file". Raises OSError when `out` cannot be written.
    """
    reader = reader_for(deck)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    written: set[str] = set()
    for path in _pictures(paths):
        entry = {"picture": path.name, **_reading(path, reader).to_json()}
        if out is not None:
            (out / f"{_free_name(path, written)}.json").write_text(json.dumps(entry), encoding="utf-8")
        yield entry


def _pictures(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        inside = _listed(path) if path.is_dir() else []
        yield from inside or [path]


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(one for one in folder.iterdir() if one.suffix.lower() in SUFFIXES and one.is_file())
    except OSError:
        # A folder that cannot be looked into has no pictures for us, and is named so.
        return []


def _reading(path: Path, reader: TableReader) -> Reading:
    try:
        if path.is_dir():
            raise SourceError("folder_without_pictures", file=path.name)
        if path.exists() and not path.is_file():
            # A pipe or a device would be waited for without end.
            raise SourceError("file_not_readable", file=path.name)
        picture = load_picture(path)
    except SourceError as error:
        return Reading((), (Problem(error.code, error.params),), (0, 0), 0.0)
    return reader.read(picture)


def _free_name(path: Path, written: set[str]) -> str:
    name, number = path.stem, 2
    while name in written:
        name, number = f"{path.stem}-{number}", number + 1
    written.add(name)
    return name
