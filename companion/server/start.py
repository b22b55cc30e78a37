"""Ways in: the start page, joining a table, coming back by a personal link, and the host's link."""

from __future__ import annotations

from flask import Blueprint, Response, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.data_folder import new_token
from companion.game.commands import NAME_LENGTH
from companion.game.refusal import Code, Problem
from companion.log import digest
from companion.network import qr_svg
from companion.sentences import sentence
from companion.server.access import (
    Audience,
    Says,
    device_at,
    device_token,
    from_this_machine,
    give_device,
    give_host,
    give_seat,
    is_host_secret,
    open_to,
    sign,
    unsign,
)
from companion.server.problems import ServerProblem
from companion.server.services import services
from companion.server.sheets import PAPERS
from companion.shared_seats import PIN_DIGITS, is_pin
from companion.table import Table
from companion.trouble import Trouble

JOINING = "joining"
"""The cookie with the token that a seat will have: it makes pressing the button twice one seat."""
JOINING_AGE_S = 60 * 60 * 24
ANOTHER = "another"
"""In the address of the join page at a shared device: somebody else sits down there too."""
BAD_PIN = Trouble("bad_pin", digits=PIN_DIGITS)

blueprint = Blueprint("start", __name__)


@blueprint.get("/")
@open_to(Audience.ANYONE, says=Says.PAGE)
def start() -> str:
    """What this is, and a box for a table's code."""
    return _start_page("", None)


@blueprint.get("/join")
@open_to(Audience.ANYONE, says=Says.PAGE)
def typed() -> AnyResponse | tuple[str, int]:
    """A code that was typed on the start page: `?code=K7QX`."""
    code = request.args.get("code", "").strip()
    table = services().tables.find(code)
    if table is not None:
        return redirect(url_for("start.join", code=table.code))
    error = sentence("unknown_table", {"table": code[:12].upper()})
    return _start_page(code[:12], error), 404


def _start_page(code: str, error: str | None) -> str:
    return render_template(
        "start.html", code=code, error=error, papers=PAPERS, host=g.asker.host, table=services().code
    )


@blueprint.get("/j/<code>")
@open_to(Audience.ANYONE, says=Says.PAGE)
def join(code: str) -> AnyResponse:
    """The page that the QR code on the table screen opens; straight on to the seat for who has one."""
    if g.asker.seat is not None:
        return redirect(url_for("phone.page", code=g.table.code))
    if g.asker.device is not None and ANOTHER not in request.args:
        return redirect(url_for("shared.page", code=g.table.code))
    return _join_page("", g.table.why_no_seat(), 200)


@blueprint.post("/j/<code>")
@open_to(Audience.ANYONE, says=Says.PAGE)
def take_seat(code: str) -> AnyResponse:
    """Gives a seat to a name. 422 no name or PIN, 409 no room or a round is on: the form stays."""
    table: Table = g.table
    if g.asker.seat is not None:
        return redirect(url_for("phone.page", code=table.code), 303)
    name, pin = request.form.get("name", ""), request.form.get("pin", "").strip()
    shared = bool(pin) or g.asker.device is not None
    if shared and not is_pin(pin):
        return _join_page(name[: 2 * NAME_LENGTH], (BAD_PIN,), 422)
    token = unsign(JOINING, request.cookies.get(JOINING)) or new_token()
    answer = table.join(token, name)
    if not answer.refused and table.seat_of(token) is None:
        # The seat of this token was given up in between: a new seat takes a new token.
        token = new_token()
        answer = table.join(token, name)
    if answer.refused:
        named = any(problem.code is Code.BAD_NAME for problem in answer.refused)
        return _join_page(name[: 2 * NAME_LENGTH], answer.refused, 422 if named else 409)
    response = redirect(url_for("phone.page", code=table.code), 303)
    if shared:
        _share(response, table, token, pin)
    give_seat(response, table, token)
    response.delete_cookie(JOINING)
    return response


def _share(response: AnyResponse, table: Table, token: str, pin: str) -> None:
    # Made of the seat's own token, so that pressing the button twice makes one device of this browser.
    device = device_token(digest(f"device:{token}"))
    table.sit_at(digest(device), token, pin)
    give_device(response, device)


def _join_page(name: str, problems: tuple[Problem | Trouble, ...], status: int) -> Response:
    texts = [sentence(str(problem.code), problem.params) for problem in problems]
    page = render_template(
        "join.html",
        code=g.table.code,
        name=name,
        error=" ".join(texts) or None,
        pin_wrong=BAD_PIN in problems,
        shared=g.asker.device is not None,
        most=NAME_LENGTH,
        digits=PIN_DIGITS,
    )
    response = make_response(page, status)
    # With "no-referrer" the form would come with "Origin: null", which is also what foreign pages send.
    response.headers["Referrer-Policy"] = "same-origin"
    if unsign(JOINING, request.cookies.get(JOINING)) is None:
        signed = sign(JOINING, new_token())
        response.set_cookie(JOINING, signed, max_age=JOINING_AGE_S, httponly=True, samesite="Lax")
    return response


@blueprint.get("/j/<code>/qr.svg")
@open_to(Audience.ANYONE, says=Says.PAGE)
def join_qr(code: str) -> Response:
    """The QR code of the join page, with the address that phones reach."""
    svg = qr_svg(f"{services().whereabouts.origin}/j/{g.table.code}")
    return Response(svg, mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


@blueprint.get("/me/<token>")
@open_to(Audience.ANYONE, says=Says.PAGE)
def come_back(token: str) -> AnyResponse:
    """A personal link: this device holds the seat from now on, besides those that held it."""
    found = _table_of(token)
    if device_at(found) is not None:
        return _choose_pin_page(found, token, None)
    response = redirect(url_for("phone.page", code=found.code), 303)
    give_seat(response, found, token)
    return response


@blueprint.post("/me/<token>")
@open_to(Audience.ANYONE, says=Says.PAGE)
def come_back_shared(token: str) -> AnyResponse:
    """A personal link opened on a shared device: the seat sits there from now on, behind another PIN."""
    found, pin = _table_of(token), request.form.get("pin", "").strip()
    if not is_pin(pin):
        return _choose_pin_page(found, token, BAD_PIN)
    response = redirect(url_for("phone.page", code=found.code), 303)
    _share(response, found, token, pin)
    give_seat(response, found, token)
    return response


def _table_of(token: str) -> Table:
    """The table at which a personal link opens a seat. Raises ServerProblem `unknown_link`."""
    found = services().tables.seat_by(token)
    if found is None:
        raise ServerProblem(404, "unknown_link")
    return found


def _choose_pin_page(table: Table, token: str, problem: Trouble | None) -> Response:
    error = sentence(problem.code, problem.params) if problem else None
    page = render_template("new_pin.html", code=table.code, token=token, error=error, digits=PIN_DIGITS)
    response = make_response(page, 422 if problem else 200)
    response.headers["Referrer-Policy"] = "same-origin"
    return response


@blueprint.get("/host/<secret>")
@open_to(Audience.ANYONE, says=Says.PAGE)
def take_charge(secret: str) -> AnyResponse:
    """The host's link: from this computer only, and only this browser gets the host's power."""
    if not from_this_machine():
        raise ServerProblem(403, "host_link_elsewhere")
    if not is_host_secret(secret):
        raise ServerProblem(403, "wrong_host_link")
    response = redirect(url_for("table_screen.page", code=services().code), 303)
    give_host(response)
    return response
