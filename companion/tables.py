"""All tables of one log: found by their codes, each replayed when it is first asked for."""

from __future__ import annotations

import random
import secrets
import threading

from companion.game.state import Phase
from companion.log import Log, digest
from companion.table import Announce, Table

CODE_LETTERS = "BCDFGHJKMNPQRTVWXZ3479"
"""No vowels (no words), no look-alikes (0 O, 1 I L, 2 Z, 5 S, 6 G, 8 B: one of each pair at most)."""
CODE_LENGTH = 4
SAME_EVENING_S = 6 * 3600.0
"""Who starts the program again so soon after a game wants to see how it ended, or to play another."""


class Tables:
    """All tables of one log, each replayed when it is first asked for."""

    def __init__(self, log: Log, announce: Announce, chance: random.Random | None = None) -> None:
        self._log = log
        self._announce = announce
        # The system's own randomness: there is no seed that could be kept, found or leaked.
        self._chance = chance or random.SystemRandom()
        self._lock = threading.Lock()
        self._live: dict[str, Table] = {}

    def find(self, code: str) -> Table | None:
        """The table with a code, typed in any case."""
        code = code.strip().upper()
        with self._lock:
            if code not in self._live:
                if code not in self._log.codes():
                    return None
                self._live[code] = Table(code, self._log, self._chance, self._announce)
            return self._live[code]

    def seat_by(self, token: str) -> Table | None:
        """The table at which a token opens a seat."""
        code = self._log.code_of_key(digest(token))
        table = self.find(code) if code is not None else None
        return table if table is not None and table.seat_of(token) is not None else None

    def cameras_waited(self) -> None:
        """Notices cameras that fell silent, at every table."""
        with self._lock:
            live = list(self._live.values())
        for table in live:
            table.camera_waited()

    def create(self) -> Table:
        """A new, empty table with a code that no other has."""
        with self._lock:
            taken = set(self._log.codes())
            code = next(code for code in iter(new_code, "") if code not in taken)
            self._log.create(code)
            self._live[code] = Table(code, self._log, self._chance, self._announce)
            return self._live[code]

    def to_go_on_with(self) -> Table:
        """The newest table, or a new one if there is none or its last game was over and the evening too."""
        codes = self._log.codes()
        newest = self.find(codes[0]) if codes else None
        if newest is None:
            return self.create()
        over = newest.present().match.phase is Phase.OVER
        return self.create() if over and self._log.idle_s(newest.code) > SAME_EVENING_S else newest


def new_code() -> str:
    """Four characters that can be read aloud and typed on a phone."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
