"""Reading what a request carries: always JSON of a known shape, or a clear refusal."""

from __future__ import annotations

from typing import Any

from flask import request

from companion.game.commands import is_writable
from companion.server.problems import ServerProblem
from companion.table import Asked

ID_LENGTH = 64


def body_of() -> dict[str, Any]:
    """The JSON object of the request. Raises ServerProblem `bad_request`."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise ServerProblem(400, "bad_request")
    return body


def asked() -> Asked:
    """The command of the request, still unread: its id and the version its screen showed."""
    body = body_of()
    name, version = body.get("id"), body.get("version")
    if not isinstance(name, str) or not 0 < len(name) <= ID_LENGTH or not is_writable(name):
        raise ServerProblem(400, "bad_field", field="id")
    if isinstance(version, bool) or not isinstance(version, int):
        raise ServerProblem(400, "bad_field", field="version")
    return Asked(name, version, body)
