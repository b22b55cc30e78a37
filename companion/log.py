"""The append-only event log: game tables, the batches of events of each, and what opens the seats.

SQLite by default; any database that SQLAlchemy knows by its URL. Nothing is ever changed or removed but
a seat's key, which a newer one replaces, and its PIN.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from companion.trouble import Trouble

FORMAT = 1
"""The version of the log's layout; a log with a higher one was written by a newer program."""
BUSY_MS = 3000

_META = sa.MetaData()
_ABOUT = sa.Table(
    "about",
    _META,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
)
_TABLES = sa.Table(
    "tables",
    _META,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("code", sa.String(8), nullable=False, unique=True),
    sa.Column("created_at", sa.Double, nullable=False),
)
_BATCHES = sa.Table(
    "batches",
    _META,
    sa.Column("code", sa.ForeignKey("tables.code"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("command_id", sa.String(120), nullable=False),
    sa.Column("written_at", sa.Double, nullable=False),
    sa.Column("body", sa.JSON, nullable=False),
    sa.UniqueConstraint("code", "command_id"),
)
_SEAT_KEYS = sa.Table(
    "seat_keys",
    _META,
    sa.Column("code", sa.ForeignKey("tables.code"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
)

_SEAT_PINS = sa.Table(
    "seat_pins",
    _META,
    sa.Column("code", sa.ForeignKey("tables.code"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("device", sa.String(64), nullable=False),
    sa.Column("salt", sa.String(32), nullable=False),
    sa.Column("hash", sa.String(128), nullable=False),
    sa.Column("misses", sa.Integer, nullable=False),
)


def digest(token: str) -> str:
    """What is kept of a token: SHA-256 in hexadecimal. Enough for 128 random bits, which nobody can guess."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True)
class Entry:
    """One batch as it was written: its version counts from 1 without gaps."""

    version: int
    command_id: str
    body: dict[str, Any]


@dataclass(frozen=True)
class SeatKey:
    """The digest of the token that a seat is held by."""

    seat: int
    digest: str


@dataclass(frozen=True)
class SeatPin:
    """The PIN of a seat at a shared device, salted and hashed; the wrong ones since a right one."""

    seat: int
    device: str
    """Digest of the device's own token."""
    salt: str
    hash: str
    misses: int


class Log:
    """An open log. Every method raises Trouble: `database_locked`, `database_failed`, `log_not_writable`;
    reading `log_damaged`, writing `log_written_elsewhere`."""

    def __init__(self, url: str) -> None:
        """Opens or makes the log. Raises Trouble `log_from_newer_version` besides the others."""
        self._engine = sa.create_engine(url)
        self._where = self._engine.url.database or url
        if self._engine.dialect.name == "sqlite":
            sa.event.listen(self._engine, "connect", _set_up_sqlite)
            sa.event.listen(self._engine, "begin", _begin_sqlite)
        self._writing = self._engine.execution_options(pithead_writes=True)
        try:
            with self._write() as connection:
                known = self._format(connection)
                if known > FORMAT:
                    raise Trouble("log_from_newer_version", file=self._where)
                _META.create_all(connection)
                if not known:
                    connection.execute(_ABOUT.insert().values(name="format", value=str(FORMAT)))
        except Trouble:
            self.close()
            raise

    def _format(self, connection: sa.Connection) -> int:
        if not sa.inspect(connection).has_table(_ABOUT.name):
            return 0
        kept = connection.scalar(sa.select(_ABOUT.c.value).where(_ABOUT.c.name == "format"))
        if kept is None or not str(kept).isdecimal():
            raise Trouble("log_damaged", file=self._where)
        return int(kept)

    def close(self) -> None:
        """Closes every connection."""
        self._engine.dispose()

    def codes(self) -> list[str]:
        """The codes of all game tables, the newest first."""
        with self._read() as connection:
            return list(connection.scalars(sa.select(_TABLES.c.code).order_by(_TABLES.c.number.desc())))

    def create(self, code: str) -> None:
        """Adds a game table. The code must be new: see `codes`."""
        with self._write() as connection:
            connection.execute(_TABLES.insert().values(code=code, created_at=time.time()))

    def entries(self, code: str) -> list[Entry]:
        """Everything that happened at a game table, oldest first. A gap in the versions is `log_damaged`."""
        rows = sa.select(_BATCHES.c.version, _BATCHES.c.command_id, _BATCHES.c.body)
        with self._read() as connection:
            found = connection.execute(rows.where(_BATCHES.c.code == code).order_by(_BATCHES.c.version)).all()
        entries = [Entry(row.version, row.command_id, row.body) for row in found]
        for count, entry in enumerate(entries, start=1):
            if entry.version != count or not isinstance(entry.body, dict):
                raise Trouble("log_damaged", file=self._where)
        return entries

    def idle_s(self, code: str) -> float:
        """Seconds since the last batch of a game table was written; infinite when there is none."""
        written = sa.select(sa.func.max(_BATCHES.c.written_at)).where(_BATCHES.c.code == code)
        with self._read() as connection:
            last = connection.scalar(written)
        return math.inf if last is None else time.time() - last

    def append(self, code: str, entry: Entry, key: SeatKey | None = None) -> None:
        """Writes one batch, and the key of the seat that it made, both or neither."""
        with self._write() as connection:
            connection.execute(
                _BATCHES.insert().values(
                    code=code,
                    version=entry.version,
                    command_id=entry.command_id,
                    written_at=time.time(),
                    body=entry.body,
                )
            )
            if key is not None:
                _replace_key(connection, code, key)

    def seat_keys(self, code: str) -> list[SeatKey]:
        """The keys in force at a game table."""
        with self._read() as connection:
            rows = connection.execute(
                sa.select(_SEAT_KEYS.c.seat, _SEAT_KEYS.c.digest).where(_SEAT_KEYS.c.code == code)
            ).all()
        return [SeatKey(row.seat, row.digest) for row in rows]

    def code_of_key(self, key_digest: str) -> str | None:
        """The game table at which a key opens a seat."""
        with self._read() as connection:
            found: str | None = connection.scalar(
                sa.select(_SEAT_KEYS.c.code).where(_SEAT_KEYS.c.digest == key_digest)
            )
        return found

    def replace_key(self, code: str, key: SeatKey) -> None:
        """Gives a seat another key: the old one opens nothing any more."""
        with self._write() as connection:
            _replace_key(connection, code, key)

    def seat_pins(self, code: str) -> list[SeatPin]:
        """The seats behind a PIN at a game table."""
        columns = [column for column in _SEAT_PINS.columns if column.name != "code"]
        with self._read() as connection:
            rows = connection.execute(sa.select(*columns).where(_SEAT_PINS.c.code == code)).all()
        return [SeatPin(**row._mapping) for row in rows]

    def keep_pin(self, code: str, pin: SeatPin) -> None:
        """Writes a seat's PIN in the place of an older one."""
        with self._write() as connection:
            connection.execute(_pin_of(code, pin.seat))
            connection.execute(_SEAT_PINS.insert().values(code=code, **asdict(pin)))

    def forget_pin(self, code: str, seat: int) -> None:
        """The seat is behind no PIN any more."""
        with self._write() as connection:
            connection.execute(_pin_of(code, seat))

    @contextmanager
    def _read(self) -> Iterator[sa.Connection]:
        with self._told(), self._engine.begin() as connection:
            try:
                yield connection
            except ValueError as error:  # a body that is no JSON
                raise Trouble("log_damaged", file=self._where) from error

    @contextmanager
    def _write(self) -> Iterator[sa.Connection]:
        with self._told(), self._writing.begin() as connection:
            yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sa.exc.IntegrityError as error:
            # Versions and command ids are unique: only another process can have written them before us.
            raise Trouble("log_written_elsewhere", file=self._where) from error
        except sa.exc.DBAPIError as error:
            raise Trouble(_code_of(error), file=self._where) from error


def _pin_of(code: str, seat: int) -> sa.Delete:
    return _SEAT_PINS.delete().where(_SEAT_PINS.c.code == code).where(_SEAT_PINS.c.seat == seat)


def _replace_key(connection: sa.Connection, code: str, key: SeatKey) -> None:
    connection.execute(
        _SEAT_KEYS.delete().where(_SEAT_KEYS.c.code == code).where(_SEAT_KEYS.c.seat == key.seat)
    )
    connection.execute(_SEAT_KEYS.insert().values(code=code, seat=key.seat, digest=key.digest))


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver's own BEGIN comes late and is not IMMEDIATE; `_begin_sqlite` writes it instead.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    # FULL: what was answered stays written even when the power fails. A few ms a command are nothing here.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: sa.Connection) -> None:
    # An upgrade from reading to writing is not covered by the busy timeout, so writers say so at once.
    writes = connection.get_execution_options().get("pithead_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _code_of(error: sa.exc.DBAPIError) -> str:
    name = getattr(error.orig, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "database_locked"
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_ERROR")):
        return "log_damaged"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_PERM")):
        return "log_not_writable"
    return "database_failed"
