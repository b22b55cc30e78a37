"""The phone of one seat: its view, its commands, and its secrets while they are held up."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, jsonify, render_template

from companion.server.access import Audience, Says, give_seat, open_to
from companion.server.answers import answered, personal_link, phone_view, secret
from companion.server.problems import ServerProblem
from companion.server.requests import asked

SECRETS = frozenset({"role", "gold", "fan", "peek", "inspection"})

blueprint = Blueprint("phone", __name__)


@blueprint.get("/p/<code>")
@open_to(Audience.SEAT, says=Says.PAGE)
def page(code: str) -> str:
    """The phone's page: nothing of the game is in it, only who sits here."""
    return render_template("phone.html", code=g.table.code)


@blueprint.get("/p/<code>/view")
@open_to(Audience.SEAT, says=Says.JSON)
def view(code: str) -> dict[str, Any]:
    """What the phone shows."""
    return phone_view(g.table.present(), g.asker.seat)


@blueprint.get("/p/<code>/secret/<what>")
@open_to(Audience.SEAT, says=Says.JSON)
def held_up(code: str, what: str) -> Response:
    """A secret of this seat."""
    if what not in SECRETS:
        raise ServerProblem(404, "no_such_secret")
    return secret(g.table.present(), g.asker.seat, what)


@blueprint.post("/p/<code>/command")
@open_to(Audience.SEAT, says=Says.JSON)
def command(code: str) -> Response:
    """A command of this seat."""
    return answered(g.table.command(asked(), g.asker.seat), g.asker, phone=True)


@blueprint.get("/p/<code>/link")
@open_to(Audience.SEAT, says=Says.JSON)
def link(code: str) -> Response:
    """This seat's personal link and its QR code, to take the seat elsewhere."""
    return jsonify(personal_link(g.asker.token))


@blueprint.post("/p/<code>/link")
@open_to(Audience.SEAT, says=Says.JSON)
def new_link(code: str) -> Response:
    """Another personal link, when somebody else may have seen the old one: that opens nothing any more."""
    token = g.table.new_key(g.asker.seat)
    response = jsonify(personal_link(token))
    give_seat(response, g.table, token)
    return response
