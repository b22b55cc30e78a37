"""The data folder: where the event log, the keys and the cached deck live, and who may use it now."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import platformdirs

from companion.trouble import Trouble

ENVIRONMENT = "PITHEAD_DATA"
KEY_BYTES = 32


def default_folder() -> Path:
    """PITHEAD_DATA where it is set, else the user's data folder for programs."""
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named else Path(platformdirs.user_data_dir("pithead", appauthor=False))


class DataFolder:
    """A folder that this process may write to.

    Raises Trouble `data_folder_not_writable` where it can be neither made nor written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: IO[str] | None = None
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            probe = path / f".write-{secrets.token_hex(4)}"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise self._not_writable(error) from error

    def _not_writable(self, error: OSError) -> Trouble:
        return Trouble("data_folder_not_writable", folder=str(self.path), system=error.strerror or str(error))

    @property
    def log_url(self) -> str:
        """The SQLAlchemy URL of the event log kept here."""
        return f"sqlite:///{self.path / 'pithead.sqlite3'}"

    def take(self) -> None:
        """Holds the folder for this process until `release` or the process ends, however it ends.

        Two servers on one log would each believe in a board of their own. Raises Trouble
        `data_folder_in_use`.
        """
        lock = (self.path / "in-use").open("a+", encoding="utf-8")
        try:
            _lock(lock)
        except OSError as error:
            lock.close()
            raise Trouble("data_folder_in_use", folder=str(self.path)) from error
        self._lock = lock

    def release(self) -> None:
        """Gives the folder back (closing the file drops the lock)."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def key(self, name: str) -> str:
        """A random key of 256 bits, in hexadecimal, made at the first call and readable by the owner only."""
        return self._kept(name, lambda: secrets.token_hex(KEY_BYTES))

    def link_key(self, name: str) -> str:
        """A random key of 128 bits for use in an address, made at the first call."""
        return self._kept(name, new_token)

    def renewed_link_key(self, name: str) -> str:
        """Another key in the place of the one in force, which is worth nothing from now on."""
        return self._write(name, new_token())

    def _kept(self, name: str, make: Callable[[], str]) -> str:
        path = self.path / name
        try:
            try:
                kept = path.read_text(encoding="ascii").strip()
            except FileNotFoundError:
                kept = ""
        except OSError as error:
            raise self._not_writable(error) from error
        return kept if len(kept) >= 16 else self._write(name, make())

    def _write(self, name: str, key: str) -> str:
        path = self.path / name
        try:
            # Written beside and moved into place: a crash in between leaves no half a key.
            fresh = path.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(key)
            fresh.replace(path)
        except OSError as error:
            raise self._not_writable(error) from error
        return key

    def last_port(self) -> int | None:
        """The port that was served last, so that links and codes go on working after a restart."""
        try:
            text = (self.path / "port").read_text(encoding="ascii")
        except OSError:
            return None
        return int(text) if text.isdecimal() and 0 < int(text) < 65536 else None

    def last_deck(self) -> str:
        """The deck that the camera was last told to read; "" when none was."""
        try:
            return (self.path / "camera-deck").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def remember_deck(self, deck: str) -> None:
        """Keeps that deck for the next evening."""
        (self.path / "camera-deck").write_text(deck, encoding="utf-8")

    def remember_port(self, port: int) -> None:
        """Keeps the port for the next start."""
        (self.path / "port").write_text(str(port), encoding="ascii")


def new_token() -> str:
    """128 random bits as 22 characters fit for an address."""
    return secrets.token_urlsafe(16)


def _lock(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
