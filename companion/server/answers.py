"""The JSON that screens get: what `views` lets out, camera, referee, and a sentence for every code."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from flask import Response, jsonify, make_response

from companion.camera_desk import PHOTOS
from companion.game import views
from companion.game.refusal import Refusal
from companion.game.state import Seat
from companion.network import qr_svg
from companion.sentences import sentence
from companion.server.access import Asker, of_this_moment
from companion.server.problems import ServerProblem
from companion.server.services import services
from companion.table import Answer, Present

SECRET_BYTES = 1024
"""Every answer to "show me my secret" is this long, or a multiple: its length on the air says nothing."""


Names = Mapping[int, str]
"""Players' names by seat, for codes that carry only the seat."""


def names(present: Present) -> Names:
    """The names of who sits at the table."""
    return {player.seat: player.name for player in present.match.players}


def with_text(value: Any, known: Names) -> Any:
    """The same data with "text" beside every "code" that has "params", in the reader's language."""
    if isinstance(value, Mapping):
        told = {key: with_text(inner, known) for key, inner in value.items()}
        code, params = value.get("code"), value.get("params")
        if isinstance(code, str) and isinstance(params, Mapping):
            place = {name: value[name] for name in ("cell", "edge") if name in value}
            told["text"] = sentence(code, {**place, **params}, known)
        return told
    if isinstance(value, list | tuple):
        return [with_text(inner, known) for inner in value]
    return value


def table_view(present: Present, asker: Asker) -> dict[str, Any]:
    """What the table screen shows; to the host with the host's controls switched on."""
    ours, asker = services(), of_this_moment(asker)
    view = views.for_table(present.history)
    sees_picture = asker.host or asker.seat is not None
    return {
        **_with_table(view, present, asker, sees_picture),
        "audience": "table",
        "host": asker.host,
        "host_offered": present.offered,
        "join": {
            "url": f"{ours.whereabouts.origin}/j/{present.code}",
            "qr": f"/j/{present.code}/qr.svg",
            "alone": ours.whereabouts.alone,
        },
    }


def phone_view(present: Present, asker: Asker) -> dict[str, Any]:
    """What the phone of one seat shows. Raises ServerProblem `no_seat_here` when it was just given up."""
    asker = of_this_moment(asker)
    seat = asker.seat
    if seat is None or present.match.player(seat) is None:
        raise ServerProblem(403, "no_seat_here", table=present.code)
    return {
        **_with_table(views.for_phone(present.history, seat), present, asker, True),
        "audience": "phone",
        "host": asker.host,
        "host_offered": present.offered == seat,
    }


def view_for(present: Present, asker: Asker, phone: bool) -> dict[str, Any]:
    """The view of the screen that asks."""
    if phone and asker.seat is not None:
        return phone_view(present, asker)
    return table_view(present, asker)


def _with_table(
    view: Mapping[str, Any], present: Present, asker: Asker, sees_picture: bool
) -> dict[str, Any]:
    camera, review = present.camera, present.review
    # A source may be an address with a password in it, or a path of this machine: phones need to know only
    # whether it is they who take the photos.
    tells_source = asker.host or camera.source == PHOTOS
    told: dict[str, Any] = with_text(
        {
            **view,
            "camera": {
                "state": camera.state.value,
                "simulated": camera.simulated,
                "source": camera.source if tells_source else None,
                "problems": [dict(problem) for problem in camera.problems],
                "picture": camera.picture_number if camera.picture and sees_picture else None,
                "found": services().cameras.found() if asker.host else [],
            },
            "referee": {
                "verdict": review.verdict.to_json() if review.verdict else None,
                "disagreements": [issue.to_json() for issue in review.disagreements],
            },
        },
        names(present),
    )
    # Added last: the table's own code is no code of a sentence.
    return {**told, "code": present.code, "version": present.version, "sight": present.sight}


def answered(answer: Answer, asker: Asker, phone: bool) -> Response:
    """The answer to a command: 200 done, 409 refused or stale, 400 not understood."""
    if phone and asker.seat is not None and answer.present.match.player(asker.seat) is None:
        return jsonify(version=answer.present.version)  # the seat was given up: nothing is shown any more
    view = view_for(answer.present, asker, phone)
    reasons = [problem.to_json() for problem in answer.refused]
    if answer.stale:
        reasons.append({"code": "stale", "params": {}})
    if not reasons:
        return jsonify(version=answer.present.version, view=view)
    refused = with_text(reasons, names(answer.present))
    if answer.malformed:
        return make_response(jsonify(error=refused[0], refused=refused, view=view), 400)
    return make_response(jsonify(refused=refused, view=view), 409)


def secret(present: Present, seat: Seat, what: str) -> Response:
    """One secret of a seat, for as long as it is held up. Raises ServerProblem `no_such_secret`."""
    found = views.secret(present.match, seat, what)
    if isinstance(found, Refusal):
        reasons = with_text([problem.to_json() for problem in found.problems], names(present))
        return _padded({"refused": reasons}, 409)
    return _padded(found, 200)


def _padded(value: Mapping[str, Any], status: int) -> Response:
    text = json.dumps(value, separators=(",", ":")).encode()
    length = SECRET_BYTES * -(-len(text) // SECRET_BYTES)
    return Response(text.ljust(length), status, mimetype="application/json")


def personal_link(token: str | None) -> dict[str, str]:
    """A seat's own link and its QR code as a picture; for that seat only."""
    if token is None:
        raise ServerProblem(403, "no_seat_here")
    url = f"{services().whereabouts.origin}/me/{token}"
    return {"url": url, "qr": picture_of(qr_svg(url))}


def picture_of(svg: str) -> str:
    """A drawing as the address of a picture, so that a secret one needs no address of its own."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
