"""What the camera last told about one table: its state, its steady sight, its picture. Not thread-safe:
the table's lock guards it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from companion.referee import Sight, UnreadableSight

SILENCE_S = 8.0
"""A watching camera sends a picture every 2 s at least: after this long without a word it is lost."""


class CameraState(StrEnum):
    """How the camera does, as the screens show it."""

    OFF = "off"
    STARTING = "starting"
    WATCHING = "watching"
    LOST = "lost"


CLOSELY_S = 5.0
"""Whoever sets the camera up asks how it does about every second; after this long without, they have left."""
PHOTOS = "photo"
"""The source that people's phones feed."""

Corners = tuple[tuple[float, float], ...]
"""Four points in the picture, in shares 0..1 of its width and height (`vision.pointed` says which)."""
ROUND_THE_PICTURE = 1.0
"""A corner may lie outside of the picture by so much of it."""

Coded = Mapping[str, Any]
"""A `{"code": ..., "params": {...}}` that gets its sentence in `sentences`."""

OPENED = "opened"
BEGUN = "starting"
DRAWING = "drawing_deck"
"""Like "starting", and takes a while: worth a word."""
ENDED = "ended"
SILENT = "camera_silent"
STOPPED = "camera_stopped"
BY_ITSELF = frozenset({SILENT, STOPPED})
"""Losses that nobody told: the next sight shows that they are over. A told one is over when it is told."""
NOTES = frozenset({"reading_failed", "not_a_picture", "file_not_readable", "picture_too_large", ENDED})
"""What may befall a watching camera without losing the table; every other code means that it is lost."""
NOTE_S = 15.0
"""How long a note stays."""


ELSEWHERE = "elsewhere"
"""The source of a watch that somebody started by hand."""

MOST_CARDS = 200
MOST_PROBLEMS = 20
MOST_MEASURES = 20
CODE_LENGTH = 40
MOST_PARAMS = 12
TEXT_LENGTH = 1000
LONGEST_LIST = 100
DEEPEST_LIST = 2
"""A list of cells."""
LARGEST = 1e9
OF_THE_GAME = frozenset({"action", "by", "cell", "face", "seat", "target", "tools"})
"""Parameters that sentences read as the game's own: no camera has anything to say of them."""


@dataclass(frozen=True)
class Measure:
    """One aspect of how well the camera sees: its figures under a code, and whether they are good enough."""

    told: Coded
    well: bool

    @staticmethod
    def parse(data: Any) -> Measure:
        """The measure in a report. Raises UnreadableSight."""
        if not isinstance(data, Mapping) or not isinstance(data.get("well"), bool):
            raise UnreadableSight("view")
        return Measure(coded(data), data["well"])


@dataclass(frozen=True)
class Report:
    """One report of the watching process: what lies there steadily, and what keeps it from seeing well."""

    sight: Sight
    simulated: bool = False
    problems: tuple[Coded, ...] = ()
    view: tuple[Measure, ...] = ()
    """How well it sees, for whoever sets the camera up."""

    @staticmethod
    def parse(data: Any) -> Report:
        """The report in a request's body. Raises UnreadableSight."""
        if not isinstance(data, Mapping):
            raise UnreadableSight("sight")
        for name in ("cards", "hidden", "problems"):
            if not isinstance(data.get(name), list) or len(data[name]) > MOST_CARDS:
                raise UnreadableSight(name)
        problems = tuple(coded(problem) for problem in data["problems"][:MOST_PROBLEMS])
        view = data.get("view", [])
        if not isinstance(view, list) or len(view) > MOST_MEASURES:
            raise UnreadableSight("view")
        sight = Sight.parse(data)
        if not all(math.isfinite(card.since) for card in sight.cards.values()):
            raise UnreadableSight("since")
        measures = tuple(Measure.parse(measure) for measure in view)
        return Report(sight, data.get("simulated") is True, problems, measures)


def corners(data: Any) -> Corners | None:
    """The corners that the host pointed out; None to take them back. Raises ValueError for anything else."""
    if data is None:
        return None
    if not isinstance(data, list) or len(data) != 4 or not all(isinstance(at, list) for at in data):
        raise ValueError("four corners are needed")
    points = tuple((_share(x), _share(y)) for x, y in data)
    if len(set(points)) < 4:
        raise ValueError("four corners that differ are needed")
    return points


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a corner is two numbers")
    if not -ROUND_THE_PICTURE <= value <= 1 + ROUND_THE_PICTURE:
        raise ValueError("a corner is too far away")
    return float(value)


def coded(data: Any) -> Coded:
    """A code with parameters as a process reports it. Raises UnreadableSight.

    Parameters are texts, numbers, truth values and lists of them (cells): what any sentence can be made of.
    """
    if not isinstance(data, Mapping):
        raise UnreadableSight("problems")
    code, params = data.get("code"), data.get("params", {})
    if not isinstance(code, str) or not _is_name(code) or not isinstance(params, Mapping):
        raise UnreadableSight("problems")
    if len(params) > MOST_PARAMS or not all(_is_name(name) and name not in OF_THE_GAME for name in params):
        raise UnreadableSight("params")
    return {"code": code, "params": {name: _param(value) for name, value in params.items()}}


def _is_name(text: str) -> bool:
    return text.isascii() and len(text) <= CODE_LENGTH


def _param(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        # Names of files may hold halves of letters that nothing can write down.
        return value[:TEXT_LENGTH].encode(errors="replace").decode()
    # Infinity is beyond the bounds, and what is no number (NaN) is not within them.
    if isinstance(value, int | float) and -LARGEST <= value <= LARGEST:
        return value
    if isinstance(value, list) and len(value) <= LONGEST_LIST and depth < DEEPEST_LIST:
        return [_param(item, depth + 1) for item in value]
    raise UnreadableSight("params")


@dataclass(frozen=True)
class CameraDesk:
    """One moment of the camera."""

    state: CameraState = CameraState.OFF
    source: str = "off"
    trouble: tuple[Coded, ...] = ()
    """Why it is not watching, or a note."""
    trouble_at: float = 0.0
    report: Report | None = None
    """What is seen now; None while nothing is."""
    picture: bytes = b""
    picture_number: int = 0
    heard_at: float = 0.0
    """When it said anything last, in seconds of a clock that never jumps."""
    watch: str | None = None
    """The number of the process that was started for the chosen source; None while none is to run."""
    pointed: Corners | None = None
    """Where the host pointed the board out."""
    photo: bytes = b""
    """The newest photo that somebody took of the table, for the process to read."""
    photo_number: int = 0
    looked_at: float | None = None
    """When somebody who sets the camera up looked last."""

    @property
    def simulated(self) -> bool:
        """Whether the sight was drawn and not seen."""
        return self.report is not None and self.report.simulated

    @property
    def problems(self) -> tuple[Coded, ...]:
        """What keeps it from seeing (well)."""
        return self.trouble + (self.report.problems if self.report else ())

    @property
    def sees_well(self) -> bool:
        """Whether every aspect of what it sees is good enough."""
        measures = self.report.view if self.report else ()
        return self.state is CameraState.WATCHING and bool(measures) and all(one.well for one in measures)

    def closely(self, at: float) -> bool:
        """Whether somebody sets the camera up now."""
        return self.looked_at is not None and at - self.looked_at < CLOSELY_S

    def heeds(self, watch: str | None) -> bool:
        """Whether a watching process counts: the one started for the present choice, and one started by hand
        (without a number) while none of ours is to run. One that was left may still have a word under way."""
        return watch == self.watch

    def chosen(self, source: str, at: float, watch: str | None = None, stays: bool = False) -> CameraDesk:
        """Another source (or "off") was chosen: what the old one saw no longer counts. When it `stays` and
        another deck is to be read, the board is where it was pointed out, and the last photo is read anew."""
        state = CameraState.OFF if source == "off" else CameraState.STARTING
        return CameraDesk(
            state,
            source,
            heard_at=at,
            picture_number=self.picture_number,
            watch=watch,
            photo_number=self.photo_number,
            looked_at=self.looked_at,
            pointed=self.pointed if stays else None,
            photo=self.photo if stays else b"",
        )

    def saw(self, report: Report, at: float) -> CameraDesk:
        """A report arrived, perhaps from a camera that was started by hand elsewhere.

        While the camera is away its last report is repeated: that shows nothing.
        """
        if self.state is CameraState.LOST and not BY_ITSELF & {cause["code"] for cause in self.trouble}:
            return replace(self, heard_at=at)
        stays = self.state is CameraState.WATCHING and at - self.trouble_at < NOTE_S
        return replace(
            self,
            state=CameraState.WATCHING,
            source=ELSEWHERE if self.watch is None else self.source,
            trouble=self.trouble if stays else (),
            report=report,
            heard_at=at,
        )

    def pictured(self, picture: bytes, at: float) -> CameraDesk:
        """A picture arrived (JPEG)."""
        return replace(self, picture=picture, picture_number=self.picture_number + 1, heard_at=at)

    def photographed(self, photo: bytes) -> CameraDesk:
        """Somebody took a photo (JPEG, PNG or WebP, unread)."""
        return replace(self, photo=photo, photo_number=self.photo_number + 1)

    def said(self, code: str, params: Mapping[str, Any], at: float) -> CameraDesk:
        """The watching process told how its source fares."""
        if code in (BEGUN, DRAWING):
            word: tuple[Coded, ...] = ({"code": DRAWING, "params": {}},) if code == DRAWING else ()
            return replace(self, state=CameraState.STARTING, trouble=word, heard_at=at)
        if code == OPENED:
            return replace(self, state=CameraState.WATCHING, trouble=(), heard_at=at)
        told = replace(self, trouble=({"code": code, "params": dict(params)},), trouble_at=at, heard_at=at)
        if code in NOTES and self.state is CameraState.WATCHING:
            return told
        return replace(told, state=CameraState.LOST, report=None)

    def finished(self, at: float) -> CameraDesk:
        """The pictures or the film came to their end, and the watching process with them."""
        cause: Coded = {"code": ENDED, "params": {}}
        after = replace(self, state=CameraState.OFF, report=None, watch=None)
        return replace(after, trouble=(cause,), trouble_at=at, heard_at=at)

    def waited(self, at: float) -> CameraDesk:
        """Time went by: a camera that fell silent is lost, and what it saw last counts no more."""
        if self.state is CameraState.WATCHING and at - self.heard_at > SILENCE_S:
            return self.said(SILENT, {}, self.heard_at)
        return self
