"""Keeps `pithead watch` running beside the server: starts it, starts it again when it dies, ends it.

Watching is a process of its own, so that a camera driver that hangs or crashes costs nobody the game.
"""

from __future__ import annotations

import logging
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.camera_desk import STOPPED, CameraDesk, CameraState
from companion.deck_choice import PRINTED, UNKNOWN, chosen_folder
from companion.table import Table
from companion.tables import Tables

log = logging.getLogger(__name__)

OFF = "off"
TOKEN_VARIABLE = "PITHEAD_CAMERA_TOKEN"
WATCH_VARIABLE = "PITHEAD_CAMERA_WATCH"
STEP_S = 0.5
HUNG_S = 45.0
"""A process that watched and has been silent for so long hangs."""
STARTS_WITHIN_S = 240.0
"""Opening a camera takes up to 20 s on Windows, and before the very first one the printed deck is drawn."""
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 30.0
MOST_DOUBLINGS = 10
STEADY_S = 60.0
"""A process that lived for so long had nothing wrong with it: the next start waits the shortest time."""
ENDS_S = 3.0
CAMERAS_FOUND_S = 60.0

WatchCommand = Callable[[str, str, str], Sequence[str]]
"""(source, table code, deck) -> the command line that watches."""


@dataclass(frozen=True)
class Wanted:
    """What is to be watched for which table."""

    code: str = ""
    source: str = OFF
    deck: str = PRINTED
    watch: str | None = None
    """One of a kind: tells what the process of this choice reports from what an earlier one still reports."""


class CameraProcess:
    """One watching process at most, for one table. Any thread may choose; a thread of its own attends."""

    def __init__(
        self,
        tables: Tables,
        token: str,
        command: WatchCommand,
        errors: Path | None = None,
        find: Callable[[], Sequence[int]] = lambda: (),
        deck: str = PRINTED,
        remember: Callable[[str], None] = lambda deck: None,
    ) -> None:
        """`errors` is the file that the process's complaints go to; `find` lists webcams (slow); `deck` is
        what is read until another is chosen, which `remember` is then told."""
        self._tables = tables
        self._token = token
        self._command = command
        self._errors = errors
        self._find = find
        self._remember = remember
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._ended = False
        self._wanted = Wanted(deck=deck)
        self._child: subprocess.Popen[bytes] | None = None
        self._watched = Wanted()
        self._started_at = 0.0
        self._not_before = 0.0
        self._failures = 0
        self._finished = False
        self._found: list[str] = []
        self._found_at = -CAMERAS_FOUND_S
        self._finding: threading.Thread | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def choose(self, code: str, source: str) -> None:
        """Watches another source, or none ("off"). What was watched before ends within a few seconds."""
        with self._lock:
            self._want(code, source, self._wanted.deck)
        self._wake.set()

    def read_deck(self, deck: str) -> None:
        """Reads another deck from now on: what watches now, and whatever is chosen later."""
        with self._lock:
            if deck == self._wanted.deck:
                return
            source = OFF if self._finished else self._wanted.source
            self._want(self._wanted.code, source, deck, stays=True)
        self._wake.set()
        try:
            self._remember(deck)
        except OSError as error:
            # Without that the next evening begins with the deck before: no reason to refuse this one.
            log.warning("the chosen deck could not be remembered: %s", error)

    @property
    def deck(self) -> str:
        """The deck that is read: as `deck_choice` names it, or a folder."""
        with self._lock:
            return self._wanted.deck

    def _want(self, code: str, source: str, deck: str, stays: bool = False) -> None:
        """With the lock held: of two choices at once, table and process take the same one for the last."""
        table = self._tables.find(code)
        left = self._tables.find(self._wanted.code) if self._wanted.source != OFF else None
        self._wanted = Wanted(code, source, deck, None if source == OFF else secrets.token_hex(8))
        self._finished = False
        self._failures = 0
        self._not_before = 0.0
        if left is not None and left is not table:
            left.camera_chosen(OFF)
        if table is not None:
            table.camera_chosen(source, self._wanted.watch, stays)

    def found(self) -> list[str]:
        """The webcams found last; looked for again now and then, without waiting for it."""
        with self._lock:
            due = time.monotonic() - self._found_at > CAMERAS_FOUND_S
            # A webcam that is being watched cannot be opened by the search, and need not be.
            if due and self._finding is None and not self._watched.source.isdecimal():
                self._found_at = time.monotonic()
                self._finding = threading.Thread(target=self._look, name="webcams", daemon=True)
                self._finding.start()
            return list(self._found)

    def stop(self) -> None:
        """Ends the process and the attending."""
        with self._lock:
            self._ended = True
        self._wake.set()
        self._thread.join(3 * ENDS_S)

    def _look(self) -> None:
        try:
            found = [str(number) for number in self._find()]
            with self._lock:
                self._found = found
        except Exception:
            # A driver that fails must not end the searching for the rest of the evening.
            log.exception("webcams could not be looked for")
        finally:
            with self._lock:
                self._finding = None

    def _run(self) -> None:
        while not self._ended:
            try:
                self._step(time.monotonic())
                self._tables.cameras_waited()
            except Exception:
                # Whatever it was: without this thread no camera would be watched for the rest of the evening.
                log.exception("the camera could not be attended to")
            self._wake.wait(STEP_S)
            self._wake.clear()
        self._end_child()

    def _step(self, now: float) -> None:
        with self._lock:
            wanted, ready = self._wanted, not self._finished and now >= self._not_before
        if self._child is not None and self._watched != wanted:
            self._end_child()
        if self._child is not None:
            self._attend(self._child, now)
        elif wanted.source != OFF and ready:
            self._start(wanted, now)

    def _start(self, wanted: Wanted, now: float) -> None:
        environment = {**os.environ, TOKEN_VARIABLE: self._token, WATCH_VARIABLE: wanted.watch or ""}
        self._watched, self._started_at = wanted, now
        try:
            with self._complaints() as errors:
                self._child = subprocess.Popen(
                    list(self._command(wanted.source, wanted.code, wanted.deck)),
                    # Closed when this process ends, however it ends: the other one then ends too.
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    env=environment,
                    # Ctrl+C in the terminal is for the server, which ends the camera in its own way.
                    start_new_session=sys.platform != "win32",
                )
        except (OSError, ValueError) as error:
            # ValueError: a source with a character that no command line can hold.
            log.warning("the camera's process could not be started: %s", error)
            self._failed(now)

    def _complaints(self) -> IO[bytes]:
        return open(self._errors or os.devnull, "wb")

    def _attend(self, child: subprocess.Popen[bytes], now: float) -> None:
        table = self._tables.find(self._watched.code)
        ended = child.poll()
        if ended is None:
            camera = table.present().camera if table is not None else CameraDesk()
            patience = STARTS_WITHIN_S if camera.state is CameraState.STARTING else HUNG_S
            if now - max(camera.heard_at, self._started_at) > patience:
                self._end_child()
                self._failed(now)
            return
        self._end_child()
        if ended == 0:
            with self._lock:
                self._finished = self._wanted == self._watched
            if table is not None:
                table.camera_finished(self._watched.watch)
        else:
            self._failed(now)

    def _failed(self, now: float) -> None:
        with self._lock:
            if self._wanted != self._watched:
                return  # Another choice has been made since: it starts without delay.
            self._failures = 1 if now - self._started_at > STEADY_S else self._failures + 1
            doublings = min(self._failures - 1, MOST_DOUBLINGS)
            self._not_before = now + min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**doublings)
        table = self._tables.find(self._watched.code)
        # What the process told before it ended says more than that it ended.
        if table is not None and not _explained(table):
            table.camera_said(STOPPED, {}, self._watched.watch)

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        for end in (_close_stdin, subprocess.Popen.terminate, subprocess.Popen.kill):
            end(child)
            try:
                child.wait(ENDS_S)
                break
            except subprocess.TimeoutExpired:
                continue
        _close_stdin(child)


def _explained(table: Table) -> bool:
    camera = table.present().camera
    return camera.state is CameraState.LOST and bool(camera.trouble)


def _close_stdin(child: subprocess.Popen[bytes]) -> None:
    if child.stdin is not None:
        child.stdin.close()


def watch_command(server: str, data: Path) -> WatchCommand:
    """The command line of `pithead watch` for a server's address, with this very Python."""

    def command(source: str, code: str, deck: str) -> list[str]:
        line = [sys.executable, "-m", "companion.cli", "watch", "--server", server, "--table", code]
        line += ["--data", str(data), "--end-with-parent"]
        if deck == UNKNOWN:
            line.append("--tunnels")
        elif deck != PRINTED:
            line += ["--deck", str(chosen_folder(data, deck))]
        return [*line, "--", source]

    return command


def token_from(environment: Mapping[str, str]) -> str | None:
    """The camera's token that a parent or a person handed over."""
    return environment.get(TOKEN_VARIABLE) or None


def watch_from(environment: Mapping[str, str]) -> str | None:
    """The number of the choice that a parent started this watch for; None for one started by hand."""
    return environment.get(WATCH_VARIABLE) or None
