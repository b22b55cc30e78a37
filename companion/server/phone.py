"""The phone of one seat: its view, its commands, and its secrets while they are held up."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, jsonify, render_template

from companion.server.access import Audience, Says, give_host, give_seat, open_to
from companion.server.answers import answered, personal_link, phone_view, secret
from companion.server.problems import ServerProblem
from companion.server.requests import asked, body_of
from companion.server.services import services

SECRETS = frozenset({"role", "gold", "fan", "peek", "inspection"})

blueprint = Blueprint("phone", __name__)


@blueprint.get("/p/<code>")
@open_to(Audience.SEAT, says=Says.PAGE)
def page(code: str) -> str:
    """The phone's page: nothing of the game is in it, only who sits here."""
    shared = g.table.is_shared(g.asker.seat)
    return render_template("phone.html", code=g.table.code, shared=shared, host=g.asker.host)


@blueprint.get("/p/<code>/view")
@open_to(Audience.SEAT, says=Says.JSON)
def view(code: str) -> dict[str, Any]:
    """What the phone shows."""
    return phone_view(g.table.present(), g.asker)


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
    check_own_phone()
    return jsonify(personal_link(g.asker.token))


@blueprint.post("/p/<code>/link")
@open_to(Audience.SEAT, says=Says.JSON)
def new_link(code: str) -> Response:
    """Another personal link, when somebody else may have seen the old one: that opens nothing any more."""
    check_own_phone()
    token = g.table.new_key(g.asker.seat)
    response = jsonify(personal_link(token))
    give_seat(response, g.table, token)
    return response


def check_own_phone() -> None:
    """A link opens a seat without its PIN, so that a shared device shows none. Raises ServerProblem."""
    if g.table.is_shared(g.asker.seat):
        raise ServerProblem(403, "seat_is_shared")


@blueprint.post("/p/<code>/host")
@open_to(Audience.SEAT, says=Says.JSON)
def become_host(code: str) -> Response:
    """The answer to the host's offer: `{"accept": true}` makes this browser the host's, and no other."""
    accept = body_of().get("accept")
    if not isinstance(accept, bool):
        raise ServerProblem(400, "bad_field", field="accept")
    if g.table.present().offered != g.asker.seat:
        raise ServerProblem(409, "host_not_offered")
    if accept and g.table.is_shared(g.asker.seat):
        raise ServerProblem(403, "seat_is_shared")
    if accept:
        services().host_key.renew()
    g.table.offer_host(None)
    response = jsonify(host=accept)
    if accept:
        give_host(response)
    return response
