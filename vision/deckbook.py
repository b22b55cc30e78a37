"""A deck folder as the readers know it: every card's face picture, kind, tunnels and markers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import Edges, Kind, UnreadableCard, bits, order
from vision.markers import MARKER_IDS

Picture = NDArray[np.uint8]
"""Height x width x 3, BGR."""

PX_PER_MM = 4
"""Scale of the pictures kept in memory: a marker's module is 10 px, and 44 cards take 10 MB."""
MAX_JSON_BYTES = 1_000_000
MAX_PICTURE_BYTES = 20_000_000
MAX_FACES = 400


class DeckError(Exception):
    """A deck folder that cannot be used: `code` says why, `params` what about."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


@dataclass(frozen=True, eq=False)
class DeckFace:
    """One physical card of a deck: `picture` upright as printed, at PX_PER_MM."""

    id: str
    kind: Kind
    tunnels: tuple[Edges, ...]
    picture: Picture
    markers: tuple[int, int] | None = None
    """Ids of its markers: top-left, bottom-right."""


@dataclass(frozen=True, eq=False)
class Deck:
    """All cards of one deck, and the backs."""

    card_mm: tuple[float, float]
    faces: Mapping[str, DeckFace]
    back: Picture
    goal_back: Picture
    goal_back_markers: tuple[int, int] | None = None

    @property
    def marked(self) -> bool:
        """Whether every face bears markers (our printed deck does, a published one does not)."""
        return self.goal_back_markers is not None and all(face.markers for face in self.faces.values())


def load_deck(folder: Path) -> Deck:
    """The deck in a folder with deck.json. Raises DeckError with one of the codes

    deck_not_found, deck_not_readable, deck_entry_wrong (params "entry"), deck_picture_missing and
    deck_picture_unreadable (params "file").
    """
    entries = _entries(folder)
    size = _card_mm(entries)
    faces = entries.get("faces")
    if not isinstance(faces, dict) or not 0 < len(faces) <= MAX_FACES:
        raise DeckError("deck_entry_wrong", entry="faces")
    read = {name: _face(folder, size, name, entry) for name, entry in faces.items()}
    pair = entries.get("goal_back_markers")
    deck = Deck(
        size,
        read,
        _picture(folder, size, entries.get("back"), "back"),
        _picture(folder, size, entries.get("goal_back"), "goal_back"),
        None if pair is None else _pair(pair, "goal_back_markers"),
    )
    _check_whole(deck)
    return deck


def _entries(folder: Path) -> dict[str, Any]:
    path = folder / "deck.json"
    try:
        if path.stat().st_size > MAX_JSON_BYTES:
            raise DeckError("deck_not_readable", folder=folder.name)
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DeckError("deck_not_found", folder=folder.name) from error
    except (OSError, ValueError, RecursionError) as error:
        raise DeckError("deck_not_readable", folder=folder.name) from error
    if not isinstance(entries, dict):
        raise DeckError("deck_not_readable", folder=folder.name)
    return entries


def _card_mm(entries: Mapping[str, Any]) -> tuple[float, float]:
    size = entries.get("card_mm")
    if isinstance(size, list) and len(size) == 2 and all(isinstance(side, int | float) for side in size):
        width, height = float(size[0]), float(size[1])
        if 20 <= width < height <= 200:
            return width, height
    raise DeckError("deck_entry_wrong", entry="card_mm")


def _face(folder: Path, size: tuple[float, float], name: str, entry: Any) -> DeckFace:
    if not isinstance(entry, dict):
        raise DeckError("deck_entry_wrong", entry=name)
    groups = entry.get("tunnels")
    try:
        kind = Kind(str(entry.get("kind")))
        if not isinstance(groups, list):
            raise UnreadableCard(name)
        tunnels = order(bits("".join(group)) for group in groups)
    except (ValueError, TypeError) as error:
        raise DeckError("deck_entry_wrong", entry=name) from error
    used = 0
    for group in tunnels:
        if not group or group & used:
            raise DeckError("deck_entry_wrong", entry=name)
        used |= group
    markers = entry.get("markers")
    return DeckFace(
        name,
        kind,
        tunnels,
        _picture(folder, size, entry.get("file"), name),
        None if markers is None else _pair(markers, name),
    )


def _pair(value: Any, entry: str) -> tuple[int, int]:
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(type(one) is int and 0 <= one < MARKER_IDS for one in value)
        and value[0] != value[1]
    ):
        return value[0], value[1]
    raise DeckError("deck_entry_wrong", entry=entry)


def _picture(folder: Path, size: tuple[float, float], file: Any, entry: str) -> Picture:
    # A deck may come from somebody else: its pictures lie in its folder and nowhere else.
    if not isinstance(file, str) or not file:
        raise DeckError("deck_entry_wrong", entry=entry)
    path = (folder / file).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise DeckError("deck_entry_wrong", entry=entry)
    try:
        if path.stat().st_size > MAX_PICTURE_BYTES:
            raise DeckError("deck_picture_unreadable", file=file)
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise DeckError("deck_picture_missing", file=file) from error
    try:
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error as error:
        raise DeckError("deck_picture_unreadable", file=file) from error
    if picture is None:
        raise DeckError("deck_picture_unreadable", file=file)
    target = (round(size[0] * PX_PER_MM), round(size[1] * PX_PER_MM))
    smaller = picture.shape[1] > target[0]
    resized = cv2.resize(picture, target, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)
    return np.ascontiguousarray(resized, np.uint8)


def _check_whole(deck: Deck) -> None:
    """A deck needs one start card and goals to be laid out, and no two cards may share a marker."""
    kinds = [face.kind for face in deck.faces.values()]
    if kinds.count(Kind.START) != 1 or not kinds.count(Kind.GOAL):
        raise DeckError("deck_entry_wrong", entry="faces")
    pairs = [face.markers for face in deck.faces.values() if face.markers]
    if deck.goal_back_markers:
        pairs.append(deck.goal_back_markers)
    ids = [one for pair in pairs for one in pair]
    if len(ids) != len(set(ids)):
        raise DeckError("deck_entry_wrong", entry="markers")
