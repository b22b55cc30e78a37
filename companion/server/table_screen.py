"""The table screen: the public board for everybody, and the host's controls for the host."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, jsonify, render_template

from companion.game.commands import is_writable
from companion.game.state import HOST
from companion.network import WIFI_KINDS, qr_svg, wifi_text
from companion.server.access import Audience, Says, open_to
from companion.server.answers import answered, personal_link, picture_of, table_view
from companion.server.problems import ServerProblem
from companion.server.requests import asked, body_of
from companion.server.services import services
from companion.table import Answer

SOURCE_LENGTH = 300
WIFI_LENGTHS = {"name": 32, "password": 64}
"""Most letters of a network's name and password (IEEE 802.11; the name's 32 are bytes there)."""

blueprint = Blueprint("table_screen", __name__)


@blueprint.get("/t/<code>")
@open_to(Audience.ANYONE, says=Says.PAGE)
def page(code: str) -> str:
    """The screen at the head of the table."""
    seated = g.asker.seat is not None
    return render_template("table.html", code=g.table.code, host=g.asker.host, seated=seated)


@blueprint.get("/t/<code>/view")
@open_to(Audience.ANYONE, says=Says.JSON)
def view(code: str) -> dict[str, Any]:
    """What the screen shows."""
    return table_view(g.table.present(), g.asker)


@blueprint.post("/t/<code>/command")
@open_to(Audience.HOST, says=Says.JSON)
def command(code: str) -> Response:
    """A command of the host."""
    return answered(g.table.command(asked(), HOST), g.asker, phone=False)


@blueprint.post("/t/<code>/camera")
@open_to(Audience.HOST, says=Says.JSON)
def camera(code: str) -> Response:
    """Chooses the camera: `{"source": "0" | "demo" | "off" | FILE | FOLDER | URL}`."""
    source = body_of().get("source")
    if not isinstance(source, str) or not 0 < len(source.strip()) <= SOURCE_LENGTH:
        raise ServerProblem(400, "bad_field", field="source")
    services().cameras.choose(g.table.code, source.strip())
    return answered(Answer(g.table.present()), g.asker, phone=False)


@blueprint.get("/t/<code>/picture.jpg")
@open_to(Audience.HOST, Audience.SEAT, says=Says.PAGE)
def picture(code: str) -> Response:
    """The newest picture of the table as the program sees it. Not for passers-by: people are in it."""
    jpeg = g.table.present().camera.picture
    if not jpeg:
        raise ServerProblem(404, "no_picture")
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.post("/t/<code>/seats/<int:seat>/key")
@open_to(Audience.HOST, says=Says.JSON)
def new_key(code: str, seat: int) -> Response:
    """Another personal link for a seat whose phone is gone, for that player to scan.

    The old one opens nothing any more, so that a link taken in secret is noticed at once.
    """
    if g.table.present().match.player(seat) is None:
        raise ServerProblem(404, "not_a_seat")
    return jsonify(personal_link(g.table.new_key(seat)))


@blueprint.post("/t/<code>/wifi")
@open_to(Audience.HOST, says=Says.JSON)
def wifi(code: str) -> Response:
    """The QR code that brings a phone into the Wi-Fi: `{"name", "password", "kind", "hidden"}`.

    Drawn and forgotten: the host's browser keeps what was filled in, and no other screen ever gets it.
    """
    body = body_of()
    for field, most in WIFI_LENGTHS.items():
        value = body.get(field)
        if not isinstance(value, str) or len(value) > most or not is_writable(value):
            raise ServerProblem(400, "bad_field", field=field)
    good = {
        "name": bool(body["name"]),
        "kind": body.get("kind") in WIFI_KINDS,
        "hidden": isinstance(body.get("hidden"), bool),
    }
    for field in (field for field, is_good in good.items() if not is_good):
        raise ServerProblem(400, "bad_field", field=field)
    text = wifi_text(body["name"], body["password"], body["kind"], body["hidden"])
    return jsonify(qr=picture_of(qr_svg(text)))


@blueprint.post("/t/<code>/offer")
@open_to(Audience.HOST, says=Says.JSON)
def offer(code: str) -> Response:
    """Offers the host's powers to a seat, `{"seat": 3}`, or takes the offer back, `{"seat": null}`."""
    seat = body_of().get("seat")
    if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int)):
        raise ServerProblem(400, "bad_field", field="seat")
    if seat is not None and g.table.present().match.player(seat) is None:
        raise ServerProblem(404, "not_a_seat")
    g.table.offer_host(seat)
    return answered(Answer(g.table.present()), g.asker, phone=False)
