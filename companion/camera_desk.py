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
"""A watching camera sends a picture about twice a second: after this long without a word it is lost."""


class CameraState(StrEnum):
    """How the camera does, as the screens show it."""

    OFF = "off"
    STARTING = "starting"
    WATCHING = "watching"
    LOST = "lost"


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
class Report:
    """One report of the watching process: what lies there steadily, and what keeps it from seeing well."""

    sight: Sight
    simulated: bool = False
    problems: tuple[Coded, ...] = ()

    @staticmethod
    def parse(data: Any) -> Report:
        """The report in a request's body. Raises UnreadableSight."""
        if not isinstance(data, Mapping):
            raise UnreadableSight("sight")
        for name in ("cards", "hidden", "problems"):
            if not isinstance(data.get(name), list) or len(data[name]) > MOST_CARDS:
                raise UnreadableSight(name)
        problems = tuple(coded(problem) for problem in data["problems"][:MOST_PROBLEMS])
        sight = Sight.parse(data)
        if not all(math.isfinite(card.since) for card in sight.cards.values()):
            raise UnreadableSight("since")
        return Report(sight, data.get("simulated") is True, problems)


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

    @property
    def simulated(self) -> bool:
        """Whether the sight was drawn and not seen."""
        return self.report is not None and self.report.simulated

    @property
    def problems(self) -> tuple[Coded, ...]:
        """What keeps it from seeing (well)."""
        return self.trouble + (self.report.problems if self.report else ())

    def heeds(self, watch: str | None) -> bool:
        """Whether a watching process counts: the one started for the present choice, and one started by hand
        (without a number) while none of ours is to run. One that was left may still have a word under way."""
        return watch == self.watch

    def chosen(self, source: str, at: float, watch: str | None = None) -> CameraDesk:
        """Another source (or "off") was chosen: what the old one saw no longer counts."""
        state = CameraState.OFF if source == "off" else CameraState.STARTING
        return CameraDesk(state, source, heard_at=at, picture_number=self.picture_number, watch=watch)

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
