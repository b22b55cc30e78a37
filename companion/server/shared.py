"""A device that several players share: the list of its seats, unlocking one by its PIN, locking it."""

from __future__ import annotations

from flask import Blueprint, Response, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.sentences import sentence
from companion.server.access import Audience, Says, give_seat, open_to, take_seat_back
from companion.server.problems import ServerProblem
from companion.shared_seats import PIN_DIGITS
from companion.trouble import Trouble

STATUS = {"wrong_pin": 403, "pin_waits": 429, "not_at_this_device": 404, "not_a_seat": 404}

blueprint = Blueprint("shared", __name__)


@blueprint.get("/s/<code>")
@open_to(Audience.DEVICE, says=Says.PAGE)
def page(code: str) -> AnyResponse | str:
    """The locked device: who sits here, and whose turn it is. Straight on to a seat that is unlocked."""
    if g.asker.seat is not None:
        return redirect(url_for("phone.page", code=g.table.code))
    match = g.table.present().match
    players = [match.at(seat) for seat in g.table.seats_at(g.asker.device)]
    seats = [(player.seat, player.name) for player in players]
    return render_template("shared.html", code=g.table.code, seats=seats)


@blueprint.get("/s/<code>/<int:seat>")
@open_to(Audience.DEVICE, says=Says.PAGE)
def ask_pin(code: str, seat: int) -> Response:
    """Asks for the PIN of a seat."""
    return _pin_page(seat, None, 200)


@blueprint.post("/s/<code>/<int:seat>")
@open_to(Audience.DEVICE, says=Says.PAGE)
def unlock(code: str, seat: int) -> AnyResponse:
    """Unlocks a seat here. 403 for a wrong PIN, 429 while its next try has to wait."""
    try:
        token = g.table.unlock(g.asker.device, seat, request.form.get("pin", ""))
    except Trouble as trouble:
        if trouble.code not in STATUS:
            raise
        return _pin_page(seat, trouble, STATUS[trouble.code])
    response = redirect(url_for("phone.page", code=g.table.code), 303)
    give_seat(response, g.table, token)
    return response


@blueprint.post("/s/<code>/lock")
@open_to(Audience.DEVICE, says=Says.PAGE)
def lock(code: str) -> AnyResponse:
    """Locks the seat that is open here, for the next player to take the device."""
    if g.asker.seat is not None:
        g.table.lock_up(g.asker.seat)
    response = redirect(url_for("shared.page", code=g.table.code), 303)
    take_seat_back(response, g.table)
    return response


def _pin_page(seat: int, trouble: Trouble | None, status: int) -> Response:
    if seat not in g.table.seats_at(g.asker.device):
        raise ServerProblem(404, "not_at_this_device")
    error = sentence(trouble.code, trouble.params) if trouble else None
    name = g.table.present().match.at(seat).name
    page = render_template(
        "pin.html", code=g.table.code, seat=seat, name=name, error=error, digits=PIN_DIGITS
    )
    response = make_response(page, status)
    # With "no-referrer" the form would come with "Origin: null", which is also what foreign pages send.
    response.headers["Referrer-Policy"] = "same-origin"
    return response
