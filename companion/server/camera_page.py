"""The host's page for setting the camera up: what it sees, how well, and what would better it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, jsonify, render_template, url_for

from companion.camera_desk import CameraDesk, Measure, corners
from companion.deck_choice import choices
from companion.network import qr_svg
from companion.sentences import sentence
from companion.server.access import Audience, Says, open_to
from companion.server.answers import names, with_text
from companion.server.problems import ServerProblem
from companion.server.requests import body_of
from companion.server.services import services
from companion.table import Present

blueprint = Blueprint("camera_page", __name__)

BETTER = "better"
"""The code of what to do about a measure "view_..." begins with this instead of "view"."""


@blueprint.get("/t/<code>/camera")
@open_to(Audience.HOST, says=Says.PAGE)
def page(code: str) -> str:
    """The page."""
    return render_template("camera.html", code=g.table.code)


@blueprint.get("/t/<code>/camera/view")
@open_to(Audience.HOST, says=Says.JSON)
def view(code: str) -> dict[str, Any]:
    """What the page shows. Asking for it tells the watching process to look closely for a while."""
    g.table.camera_looked_at()
    return camera_view(g.table.present())


@blueprint.post("/t/<code>/camera/corners")
@open_to(Audience.HOST, says=Says.JSON)
def point_out(code: str) -> Response:
    """Where the board lies in the picture: `{"corners": [[x, y], ...]}`, four in shares 0..1 of the picture,
    or null to take that back."""
    body = body_of()
    try:
        pointed = corners(body["corners"])
    except (KeyError, ValueError) as error:
        raise ServerProblem(400, "bad_field", field="corners") from error
    g.table.camera_pointed(pointed)
    return jsonify(camera_view(g.table.present()))


@blueprint.post("/t/<code>/camera/deck")
@open_to(Audience.HOST, says=Says.JSON)
def read_deck(code: str) -> Response:
    """Which deck lies on the table: `{"deck": ...}`, one of those that the view lists."""
    deck = body_of().get("deck")
    if deck not in choices(services().data, services().cameras.deck):
        raise ServerProblem(400, "bad_field", field="deck")
    services().cameras.read_deck(deck)
    return jsonify(camera_view(g.table.present()))


@blueprint.get("/t/<code>/camera/qr.svg")
@open_to(Audience.HOST, says=Says.PAGE)
def qr(code: str) -> Response:
    """The QR code of the page for photos, with the address that phones reach."""
    svg = qr_svg(_photo_page(g.table.code))
    return Response(svg, mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


def _photo_page(code: str) -> str:
    return services().whereabouts.origin + url_for("photo.page", code=code)


def camera_view(present: Present) -> dict[str, Any]:
    """How the camera does, with a sentence for every figure. Nothing of the game is in it."""
    desk = present.camera
    told: dict[str, Any] = with_text(
        {
            "state": desk.state.value,
            "source": desk.source,
            "simulated": desk.simulated,
            "problems": [dict(problem) for problem in desk.problems],
        },
        names(present),
    )
    return {
        **told,
        "found": services().cameras.found(),
        "deck": services().cameras.deck,
        "decks": choices(services().data, services().cameras.deck),
        "picture": desk.picture_number if desk.picture else None,
        "measures": _measures(desk),
        "well": desk.sees_well,
        "cards": len(desk.report.sight.cards) if desk.report else None,
        "pointed": desk.pointed,
        "photos": desk.photo_number,
        "photo": {"url": _photo_page(present.code), "qr": url_for("camera_page.qr", code=present.code)},
    }


def _measures(desk: CameraDesk) -> list[dict[str, Any]]:
    return [_in_words(measure) for measure in desk.report.view] if desk.report else []


def _in_words(measure: Measure) -> dict[str, Any]:
    code, params = measure.told["code"], measure.told["params"]
    better = f"{BETTER}_{code.partition('_')[2]}"
    return {
        "code": code,
        "well": measure.well,
        "text": sentence(code, params),
        "better": None if measure.well else sentence(better, params),
    }
