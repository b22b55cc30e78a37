"""Who is asking, and what that one may ask for. Decided here, before any handler runs; deny by default."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from flask import Flask, request
from itsdangerous import BadSignature, SignatureExpired, URLSafeSerializer, URLSafeTimedSerializer
from werkzeug.wrappers import Response

from companion.log import digest
from companion.server.services import Services, services

if TYPE_CHECKING:
    from companion.table import Table

Handler = TypeVar("Handler", bound=Callable[..., Any])
COOKIE_AGE_S = 60 * 60 * 24 * 60
COMMAND_BYTES = 16_000
DEVICE = "device"
"""The cookie of a browser that several players share."""


class Audience(Enum):
    """Who a route is for."""

    ANYONE = "anyone"
    SEAT = "seat"
    """Who holds the key of a seat at the table in the address."""
    HOST = "host"
    """Who opened the link that the server printed, on the machine it runs on."""
    DEVICE = "device"
    """A browser that several players of the table share, each behind a PIN."""
    CAMERA = "camera"


class Says(Enum):
    """What a route answers with, errors included."""

    PAGE = "page"
    JSON = "json"


@dataclass(frozen=True)
class Rule:
    """What one route declares about itself."""

    audiences: frozenset[Audience]
    says: Says
    most_bytes: int
    reads: str
    """The one media type that a request to it may carry."""


@dataclass(frozen=True)
class Asker:
    """Who is asking, as cookies and tokens prove it. Nobody in particular by default."""

    host: bool = False
    seat: int | None = None
    camera: bool = False
    token: str | None = None
    """The seat's own token, so that its phone can show the personal link."""
    device: str | None = None
    """The digest of the token of a browser at which shared seats sit."""

    def is_one_of(self, audiences: frozenset[Audience]) -> bool:
        """Whether a route that is for these is for this asker."""
        return (
            Audience.ANYONE in audiences
            or (Audience.HOST in audiences and self.host)
            or (Audience.SEAT in audiences and self.seat is not None)
            or (Audience.DEVICE in audiences and self.device is not None)
            or (Audience.CAMERA in audiences and self.camera)
        )


RULES: dict[Callable[..., Any], Rule] = {}


JSON_TYPE = "application/json"
FORM_TYPE = "application/x-www-form-urlencoded"


def open_to(
    *audiences: Audience, says: Says, most_bytes: int = COMMAND_BYTES, reads: str | None = None
) -> Callable[[Handler], Handler]:
    """Declares whom a handler is for, what it speaks, how long a request it reads and of which media type
    (JSON where it speaks JSON, a form where it shows pages)."""

    def declare(handler: Handler) -> Handler:
        kind = reads or (JSON_TYPE if says is Says.JSON else FORM_TYPE)
        RULES[handler] = Rule(frozenset(audiences), says, most_bytes, kind)
        return handler

    return declare


def rule_of(app: Flask, endpoint: str | None) -> Rule | None:
    """What the route of an endpoint declared; None where it declared nothing and nobody may in."""
    return RULES.get(app.view_functions[endpoint]) if endpoint in app.view_functions else None


def who_asks(table: Table | None) -> Asker:
    """The asker of this request, at this table."""
    ours = services()
    token = _unsigned(ours, "seat", request.cookies.get(seat_cookie(table.code))) if table else None
    seat = table.seat_of(token) if table and token else None
    given = request.authorization
    bearer = given.token if given is not None and given.type == "bearer" else None
    return Asker(
        host=host_asks(),
        seat=seat,
        camera=bool(bearer) and hmac.compare_digest((bearer or "").encode(), ours.camera_token.encode()),
        token=token if seat is not None else None,
        device=device_at(table) if table else None,
    )


def host_asks() -> bool:
    """Whether the browser that asks has the host's powers at this moment."""
    ours = services()
    host = _unsigned(ours, "host", request.cookies.get("host"))
    return host is not None and hmac.compare_digest(host, digest(ours.host_secret))


def of_this_moment(asker: Asker) -> Asker:
    """The same asker, but with no more of the host's powers than are left since the request came.

    To be asked after what is told of the table was read: another browser may take them at any time.
    """
    return replace(asker, host=asker.host and host_asks())


def device_at(table: Table) -> str | None:
    """The digest of the asking browser's token, when seats of the table sit there behind PINs."""
    token = _unsigned(services(), DEVICE, request.cookies.get(DEVICE))
    return digest(token) if token and table.seats_at(digest(token)) else None


def device_token(otherwise: str) -> str:
    """The token of the asking browser as a shared device; where it has none, this one."""
    return _unsigned(services(), DEVICE, request.cookies.get(DEVICE)) or otherwise


def give_device(response: Response, token: str) -> None:
    """Lets the browser be known again as a shared device."""
    _set(response, DEVICE, _serializer(services(), DEVICE).dumps(token))


def is_host_secret(secret: str) -> bool:
    """Whether this is the secret in the host's link, asked for on this very machine."""
    ours = services()
    return from_this_machine() and hmac.compare_digest(secret.encode(), ours.host_secret.encode())


def from_this_machine() -> bool:
    """Whether the request came over the loopback interface. Nothing in front of us is trusted to say so."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def give_seat(response: Response, table: Table, token: str) -> None:
    """Lets the browser keep a seat."""
    ours = services()
    _set(response, seat_cookie(table.code), _serializer(ours, "seat").dumps(token))


def take_seat_back(response: Response, table: Table) -> None:
    """Lets the browser forget a seat."""
    response.delete_cookie(seat_cookie(table.code), httponly=True, samesite="Lax")


def give_host(response: Response) -> None:
    """Lets the browser keep the host's power; a new host secret ends it."""
    ours = services()
    _set(response, "host", _serializer(ours, "host").dumps(digest(ours.host_secret)))


def seat_cookie(code: str) -> str:
    """The name of the cookie that holds a seat: one a table, so that an old night does no harm."""
    return f"seat_{code}"


class SignedLongAgo(Exception):
    """A text that this server signed, too long ago."""


def sign(purpose: str, text: str) -> str:
    """A text that this server knows again as its own, and when it was signed."""
    return str(_dated(services(), purpose).dumps(text))


def unsign(purpose: str, signed: str | None, within_s: int | None = None) -> str | None:
    """The text that was signed for this purpose, or None. Raises SignedLongAgo when that is more than
    `within_s` seconds ago."""
    try:
        text = _dated(services(), purpose).loads(signed or "", max_age=within_s)
    except SignatureExpired as error:
        raise SignedLongAgo from error
    except BadSignature:
        return None
    return text if isinstance(text, str) else None


def _set(response: Response, name: str, value: str) -> None:
    # Lax and not Strict: the first visit comes from a QR scanner. Not Secure: homes have no certificates.
    response.set_cookie(name, value, max_age=COOKIE_AGE_S, httponly=True, samesite="Lax")


def _serializer(ours: Services, purpose: str) -> URLSafeSerializer:
    return URLSafeSerializer(ours.secret_key, salt=f"pithead-{purpose}")


def _dated(ours: Services, purpose: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(ours.secret_key, salt=f"pithead-{purpose}")


def _unsigned(ours: Services, purpose: str, signed: str | None) -> str | None:
    if not signed:
        return None
    try:
        text = _serializer(ours, purpose).loads(signed)
    except BadSignature:
        return None
    return text if isinstance(text, str) else None
