"""The table screen: the public board for everybody, and the host's controls for the host."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, jsonify, render_template

from companion.game.state import HOST
from companion.server.access import Audience, Says, open_to
from companion.server.answers import answered, personal_link, table_view
from companion.server.problems import ServerProblem
from companion.server.requests import asked, body_of
from companion.server.services import services
from companion.table import Answer

SOURCE_LENGTH = 300

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
