"""One live table and its lock: a command is decided, appended to the log, and hinted to the screens.

What the camera steadily sees comes in here too: the referee makes commands of it that go the same way.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.camera_desk import PHOTOS, CameraDesk, Corners, Report
from companion.data_folder import new_token
from companion.game.commands import Command, Join, parse_command
from companion.game.history import Batch, History
from companion.game.refusal import Problem, Refusal
from companion.game.state import JOINER, Actor, Match, Seat
from companion.log import Entry, Log, SeatKey, digest
from companion.referee import Lying, Review, carry, review
from companion.shared_seats import SharedSeats
from companion.trouble import Trouble

HARMLESS_WHEN_STALE = frozenset({"set_options", "leave"})
"""Commands that mean the same whatever happened since the screen was drawn."""
MOST_PROPOSALS = 6
"""Taken from one sight: cards laid quickly one after another, goals told. More is a fault, not a game."""

Announce = Callable[[str, int, int], None]
"""Told after every change: code, version, and the count of changes in what the camera sees."""


@dataclass(frozen=True)
class Present:
    """A table at one moment: what every view is made from."""

    code: str
    history: History
    review: Review
    camera: CameraDesk
    sight: int
    """Counts what changes without a step, such as what the camera tells and who is asked to be host."""
    offered: Seat | None = None
    """The seat to which the host has offered to be the host."""

    @property
    def match(self) -> Match:
        """The match, secrets included: only for `views`."""
        return self.history.match

    @property
    def version(self) -> int:
        """How many batches of events there are."""
        return self.history.version


@dataclass(frozen=True)
class Answer:
    """What came of a command. `refused` is empty when it was carried out, now or earlier."""

    present: Present
    refused: tuple[Problem, ...] = ()
    stale: bool = False
    malformed: bool = False


@dataclass(frozen=True)
class Asked:
    """A command as it arrives, still unread."""

    id: str
    version: int
    body: Mapping[str, Any]


class Table:
    """One table. Every method takes the lock, so that any thread may call it."""

    def __init__(self, code: str, log: Log, chance: random.Random, announce: Announce) -> None:
        """Replays what the log has of the table. Raises Trouble `log_damaged`."""
        self.code = code
        self._log = log
        self._chance = chance
        self._announce = announce
        self._lock = threading.RLock()
        self._camera = CameraDesk(heard_at=time.monotonic())
        self._sight = 0
        self._review = Review()
        entries = log.entries(code)
        self._history = History()
        self._lying: Lying = frozenset()
        try:
            for entry in entries:
                self._step(self._history.append(Batch.from_json(entry.body)))
        except (ValueError, LookupError, TypeError) as error:
            raise Trouble("log_damaged", file=code) from error
        self._done = {entry.command_id for entry in entries}
        self._keys = {key.digest: key.seat for key in log.seat_keys(code)}
        self._shared = SharedSeats(code, log)
        self._offered: Seat | None = None

    def present(self) -> Present:
        """The table now."""
        with self._lock:
            offered = self._offered if self._history.match.player(self._offered or 0) else None
            return Present(self.code, self._history, self._review, self._camera, self._sight, offered)

    # ------------------------------------------------------------ seats

    def join(self, token: str, name: str) -> Answer:
        """A seat for whoever holds the token; the same token twice is the same seat."""
        with self._lock:
            return self._decide(f"join:{digest(token)[:32]}", Join(JOINER, name), digest(token))

    def why_no_seat(self) -> tuple[Problem, ...]:
        """Why nobody can join now, whatever the name; empty when there is room."""
        with self._lock:
            tried = self._history.decide(Join(JOINER, "?"), self._chance)
            return tried.problems if isinstance(tried, Refusal) else ()

    def seat_of(self, token: str) -> Seat | None:
        """The seat that a token opens, while somebody sits there."""
        with self._lock:
            seat = self._keys.get(digest(token))
            if seat is None or self._history.match.player(seat) is None:
                return None
            return seat if self._shared.holds(seat, digest(token)) else None

    def new_key(self, seat: Seat) -> str:
        """Another token for a seat, for a phone of its own; whatever held the seat before opens nothing
        any more. Raises Trouble `not_a_seat`."""
        with self._lock:
            token = self._other_key(seat)
            self._shared.leave(seat)
            return token

    def _other_key(self, seat: Seat) -> str:
        if self._history.match.player(seat) is None:
            raise Trouble("not_a_seat")
        token = new_token()
        self._log.replace_key(self.code, SeatKey(seat, digest(token)))
        self._keys = {known: owner for known, owner in self._keys.items() if owner != seat}
        self._keys[digest(token)] = seat
        return token

    # ------------------------------------------------------------ seats at a shared device

    def seats_at(self, device: str) -> tuple[Seat, ...]:
        """The seats at a shared device (its digest), while somebody sits there."""
        with self._lock:
            return tuple(seat for seat in self._shared.at(device) if self._history.match.player(seat))

    def is_shared(self, seat: Seat) -> bool:
        """Whether the seat sits at a shared device, behind its PIN."""
        with self._lock:
            return self._shared.is_shared(seat)

    def sit_at(self, device: str, token: str, pin: str) -> None:
        """Puts the seat that a token opens behind a PIN at a shared device. The token holds it there until
        it is locked. Raises Trouble `bad_pin` or `not_a_seat`.
        """
        with self._lock:
            seat = self.seat_of(token)
            if seat is None:
                raise Trouble("not_a_seat")
            self._shared.sit(seat, device, pin)
            self._shared.lend(seat, digest(token))

    def unlock(self, device: str, seat: Seat, pin: str) -> str:
        """The token that holds a seat at its shared device until it is locked.

        Raises Trouble `wrong_pin`, `pin_waits`, `not_at_this_device` or `not_a_seat`.
        """
        with self._lock:
            self._shared.check(seat, device, pin)
            token = self._other_key(seat)
            self._shared.lend(seat, digest(token))
            return token

    def lock_up(self, seat: Seat) -> None:
        """Locks a seat at a shared device."""
        with self._lock:
            self._shared.lock(seat)

    # ------------------------------------------------------------ the host's powers

    def offer_host(self, seat: Seat | None) -> None:
        """The host offers to let a seat be the host, or takes that back. Raises Trouble `not_a_seat`."""
        with self._lock:
            if seat is not None and self._history.match.player(seat) is None:
                raise Trouble("not_a_seat")
            self._offered = seat
            self._sight += 1
            self._tell()

    # ------------------------------------------------------------ commands

    def command(self, asked: Asked, actor: Actor) -> Answer:
        """Decides a command. The actor comes from the token alone, and ids are the actor's own."""
        with self._lock:
            key = f"{actor}:{asked.id}"
            if key in self._done:
                return Answer(self.present())
            command = parse_command(asked.body, actor)
            if isinstance(command, Refusal):
                return Answer(self.present(), command.problems, malformed=True)
            if asked.version != self._history.version and command.NAME not in HARMLESS_WHEN_STALE:
                return Answer(self.present(), stale=True)
            answer = self._decide(key, command)
            if not answer.refused:
                self._play_proposals()
            return Answer(self.present(), answer.refused)

    def _decide(self, key: str, command: Command, key_digest: str | None = None) -> Answer:
        if key in self._done:
            return Answer(self.present())
        batch = self._history.decide(command, self._chance)
        if isinstance(batch, Refusal):
            return Answer(self.present(), batch.problems)
        after = self._history.append(batch)
        seat_key = SeatKey(after.match.players[-1].seat, key_digest) if key_digest else None
        self._log.append(self.code, Entry(after.version, key, batch.to_json()), seat_key)
        # Only what is written counts: an error above leaves the table as it was.
        self._step(after)
        self._done.add(key)
        if seat_key is not None:
            self._keys[seat_key.digest] = seat_key.seat
        self._review_again()
        self._tell()
        return Answer(self.present())

    # ------------------------------------------------------------ the camera

    def see(self, report: Report, watch: str | None = None) -> bool:
        """Takes what the camera sees and plays what it shows. False from a camera not heeded any more."""
        with self._lock:
            if not self._camera.heeds(watch):
                return False
            before = self._visible()
            self._camera = self._camera.saw(report, time.monotonic())
            self._lying = carry(self._lying, self._history.match, self._history.match, report.sight)
            self._review_again()
            self._play_proposals()
            self._tell_if_changed(before)
            return True

    def camera_chosen(self, source: str, watch: str | None = None, stays: bool = False) -> None:
        """Another camera, or none, is to watch from now on: the process that goes by the number `watch`. With
        `stays` it is the same camera, for another deck."""
        self._camera_became(lambda camera: camera.chosen(source, time.monotonic(), watch, stays))

    def camera_said(self, code: str, params: Mapping[str, Any], watch: str | None = None) -> bool:
        """The watching process told its state. False from one not heeded any more."""
        with self._lock:
            if not self._camera.heeds(watch):
                return False
            self._camera_became(lambda camera: camera.said(code, params, time.monotonic()))
            return True

    def camera_finished(self, watch: str | None = None) -> None:
        """The watched pictures came to their end."""
        with self._lock:
            if self._camera.heeds(watch):
                self._camera_became(lambda camera: camera.finished(time.monotonic()))

    def camera_waited(self) -> None:
        """Notices a camera that fell silent; called about once a second."""
        self._camera_became(lambda camera: camera.waited(time.monotonic()))

    def pictured(self, picture: bytes, watch: str | None = None) -> bool:
        """A picture (JPEG). No hint: screens that show it ask for it by themselves."""
        with self._lock:
            if not self._camera.heeds(watch):
                return False
            self._camera = self._camera.pictured(picture, time.monotonic())
            return True

    def camera_pointed(self, corners: Corners | None) -> None:
        """The host pointed the board out in the picture, or took that back."""
        with self._lock:
            self._camera = replace(self._camera, pointed=corners)

    def camera_looked_at(self) -> None:
        """Somebody sets the camera up."""
        with self._lock:
            self._camera = replace(self._camera, looked_at=time.monotonic())

    def photographed(self, photo: bytes) -> bool:
        """Takes a photo for the watching process to read. False while another camera watches."""
        with self._lock:
            if self._camera.source != PHOTOS:
                return False
            self._camera = self._camera.photographed(photo)
            return True

    def _camera_became(self, change: Callable[[CameraDesk], CameraDesk]) -> None:
        with self._lock:
            before = self._visible()
            self._camera = change(self._camera)
            self._review_again()
            self._tell_if_changed(before)

    def _tell_if_changed(self, before: tuple[object, ...]) -> None:
        if self._visible() != before:
            self._sight += 1
            self._tell()

    def _visible(self) -> tuple[object, ...]:
        camera = self._camera
        return camera.state, camera.source, camera.simulated, camera.problems, self._review

    def _step(self, after: History) -> None:
        before = self._history.match
        report = self._camera.report
        if report is not None:
            self._lying = carry(self._lying, before, after.match, report.sight)
        else:
            # Nobody looks now: whatever left the board may still lie there when a camera looks again.
            self._lying = (self._lying | lying_on(before)) - lying_on(after.match)
        self._history = after

    def _review_again(self) -> None:
        report = self._camera.report
        self._review = review(self._history.match, report.sight, self._lying) if report else Review()

    def _play_proposals(self) -> None:
        for _ in range(MOST_PROPOSALS):
            proposal = self._review.proposal
            if proposal is None:
                return
            # The version makes the id one of a kind, and a sight that is posted again finds it used.
            key = f"camera:{self._history.version}:{digest(repr(proposal))[:32]}"
            if self._decide(key, proposal).refused:
                return

    def _tell(self) -> None:
        self._announce(self.code, self._history.version, self._sight)


def lying_on(match: Match) -> Lying:
    """The path cards that lie on the table as the match has it."""
    return frozenset((cell, laid.tunnels) for cell, laid in match.board.cards.items())
