"""Seats that share one device: each behind a PIN of four digits, unlocked for a moment and locked again.

A PIN is kept as a salted scrypt hash, tried at its own device only, and after a few wrong ones it waits.
What an unlocked seat is held by is a token like any other, but lent: it opens nothing any more once the
device is silent for a while, is locked, or is unlocked again.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from companion.game.state import Seat
from companion.log import Log, SeatPin
from companion.trouble import Trouble

PIN_DIGITS = 4
FREE_TRIES = 5
"""Wrong PINs in a row before the first wait."""
FIRST_WAIT_S = 60.0
LONGEST_WAIT_S = 900.0
"""A guesser who sits out every wait needs a month on average for one of 10,000 PINs."""
LEASE_S = 45.0
"""An open phone page asks every 25 s at least; one that is silent for longer was left."""
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}
"""16 MB and some 50 ms a try (RFC 7914's interactive parameters)."""


@dataclass(frozen=True)
class _Shared:
    """What is known about one seat at a shared device."""

    pin: SeatPin
    waits_until: float = 0.0
    lent: str = ""
    """Digest of the token that the seat was unlocked with, or nothing."""
    heard_at: float = 0.0


@dataclass
class SharedSeats:
    """All shared seats of one table. Not thread-safe: the table's lock is held around every call."""

    code: str
    log: Log
    now: Callable[[], float] = time.monotonic
    _seats: dict[Seat, _Shared] = field(init=False)

    def __post_init__(self) -> None:
        self._seats = {pin.seat: self._known(pin) for pin in self.log.seat_pins(self.code)}

    def _known(self, pin: SeatPin) -> _Shared:
        """After a restart nobody gets out of a wait."""
        return _Shared(pin, self.now() + _wait(pin.misses))

    def sit(self, seat: Seat, device: str, pin: str) -> None:
        """Puts a seat behind a PIN at a device (its digest). Raises Trouble `bad_pin`."""
        if not is_pin(pin):
            raise Trouble("bad_pin", digits=PIN_DIGITS)
        salt = secrets.token_hex(16)
        kept = SeatPin(seat, device, salt, _hashed(pin, salt), 0)
        self.log.keep_pin(self.code, kept)
        self._seats[seat] = _Shared(kept)

    def leave(self, seat: Seat) -> None:
        """The seat is held by a phone of its own from now on."""
        if self._seats.pop(seat, None) is not None:
            self.log.forget_pin(self.code, seat)

    def at(self, device: str) -> tuple[Seat, ...]:
        """The seats at a device."""
        return tuple(seat for seat, shared in self._seats.items() if shared.pin.device == device)

    def is_shared(self, seat: Seat) -> bool:
        """Whether the seat sits at a shared device."""
        return seat in self._seats

    def check(self, seat: Seat, device: str, pin: str) -> None:
        """Lets the right PIN pass. Raises Trouble `not_at_this_device`, `pin_waits` or `wrong_pin`."""
        shared = self._seats.get(seat)
        if shared is None or shared.pin.device != device:
            raise Trouble("not_at_this_device")
        left = shared.waits_until - self.now()
        if left > 0:
            raise Trouble("pin_waits", seconds=int(left) + 1)
        right = hmac.compare_digest(_hashed(pin, shared.pin.salt), shared.pin.hash)
        misses = 0 if right else shared.pin.misses + 1
        if misses != shared.pin.misses:
            # Counted before anything is answered: ending the server gives no further tries.
            kept = replace(shared.pin, misses=misses)
            self.log.keep_pin(self.code, kept)
            self._seats[seat] = replace(shared, pin=kept, waits_until=self.now() + _wait(misses))
        if not right:
            raise Trouble("wrong_pin", count=max(0, FREE_TRIES - misses))

    def lend(self, seat: Seat, token_digest: str) -> None:
        """The seat is unlocked: held by this token for as long as it is heard of."""
        self._seats[seat] = replace(self._seats[seat], lent=token_digest, heard_at=self.now())

    def lock(self, seat: Seat) -> None:
        """The token that was lent opens nothing any more."""
        if seat in self._seats:
            self._seats[seat] = replace(self._seats[seat], lent="")

    def holds(self, seat: Seat, token_digest: str) -> bool:
        """Whether a token that belongs to the seat opens it now; hearing of it makes it last."""
        shared = self._seats.get(seat)
        if shared is None:
            return True
        alive = shared.lent == token_digest and self.now() - shared.heard_at <= LEASE_S
        if alive:
            self._seats[seat] = replace(shared, heard_at=self.now())
        elif shared.lent:
            self.lock(seat)
        return alive


def is_pin(text: str) -> bool:
    """Whether a text is four digits.

    >>> is_pin("0420"), is_pin("42"), is_pin("१२३४")
    (True, False, False)
    """
    return len(text) == PIN_DIGITS and text.isascii() and text.isdecimal()


def _wait(misses: int) -> float:
    """How long to wait after so many wrong PINs in a row, in seconds."""
    return 0.0 if misses < FREE_TRIES else min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (misses - FREE_TRIES))


def _hashed(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), **_SCRYPT).hex()
