"""The pages on which a family enrols the deck they own: photographs in, cards looked over, a deck out.

For the host alone, but for one page: a phone that was shown the code on the host's screen may add
photographs to the one deck that the code was made for, and sees nothing else.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from companion.enrol_process import enrol
from companion.game.cards import Face, UnreadableCard, lay, letters
from companion.game.decks import BASE_PATHS
from companion.network import qr_svg
from companion.own_decks import (
    DECK,
    OwnCard,
    Part,
    Tunnels,
    draft_of,
    keep_draft,
    kept_decks,
    named_folder,
    write_deck,
)
from companion.sentences import card as in_words
from companion.sentences import sentence
from companion.server.access import Audience, Says, SignedLongAgo, open_to, sign, unsign
from companion.server.problems import ServerProblem
from companion.server.services import services
from companion.trouble import Trouble

PICTURE_BYTES = 4_000_000
"""The page sends pictures of at most 2600 px a side: 1 to 2 MB."""
TICKET = "enrol"
TICKET_S = 7200
"""A deck is photographed in minutes; a code in somebody's photo of the screen is worth nothing next day."""
MOST_WAITING = 4
"""Photographs at once, the one being worked out among them. Each holds a thread that the game may need."""

blueprint = Blueprint("enrol", __name__, url_prefix="/decks")
_one_at_a_time = threading.Lock()
_waiting_room = threading.BoundedSemaphore(MOST_WAITING)


@blueprint.get("/")
@open_to(Audience.HOST, says=Says.PAGE)
def decks() -> Response:
    """The decks that are there, and a name for a new one."""
    return _page("enrol.html", table=services().code, decks=kept_decks(services().data), error=None)


@blueprint.post("/")
@open_to(Audience.HOST, says=Says.PAGE)
def begin() -> AnyResponse:
    """Begins a deck, or goes on with one, of the name given."""
    try:
        folder = named_folder(services().data, request.form.get("name", ""))
    except Trouble as trouble:
        page = _page(
            "enrol.html",
            table=services().code,
            name=request.form.get("name", "")[:40],
            decks=kept_decks(services().data),
            error=sentence(trouble.code, trouble.params),
        )
        page.status_code = 422
        return page
    return redirect(url_for("enrol.deck", deck=folder.name), 303)


@blueprint.get("/of/<deck>")
@open_to(Audience.HOST, says=Says.PAGE)
def deck(deck: str) -> Response:
    """The cards enrolled so far beside what the box holds, and what is still to be said."""
    folder = _folder(deck)
    draft = draft_of(folder)
    cards = [_shown(card) for card in draft.cards if card.part is not Part.NONE]
    out = [_shown(card) for card in draft.of(Part.NONE)]
    box = [
        {"shape": _name(tunnels), "words": in_words(_name(tunnels)), "there": there, "box": count}
        for tunnels, there, count in draft.composition()
    ]
    missing = [sentence(code, {}) for code in draft.missing()] if draft.cards else []
    return _page(
        "enrol_deck.html",
        deck=deck,
        cards=cards,
        out=out,
        box=box,
        missing=missing,
        ready=(folder / DECK).is_file(),
    )


@blueprint.get("/of/<deck>/card/<id>")
@open_to(Audience.HOST, says=Says.PAGE)
def one(deck: str, id: str) -> Response:
    """One card, to be set right by tapping."""
    found = [card for card in draft_of(_folder(deck)).cards if card.id == id]
    if not found:
        raise ServerProblem(404, "enrol_no_such_card", card=id[:12])
    shapes = sorted(
        {lay(Face.parse(text), turned).tunnels for text in BASE_PATHS for turned in (False, True)},
        key=lambda tunnels: (
            len(tunnels) > 1,
            any(group.bit_count() == 1 for group in tunnels),
            -sum(tunnels),
        ),
    )
    return _page(
        "enrol_card.html",
        deck=deck,
        card=_shown(found[0]),
        shapes=[(_name(tunnels), in_words(_name(tunnels))) for tunnels in shapes],
        parts=[part.value for part in Part],
    )


@blueprint.post("/of/<deck>/card/<id>")
@open_to(Audience.HOST, says=Says.PAGE)
def set_right(deck: str, id: str) -> AnyResponse:
    """Says what a card is (`part`) or how its tunnels run (`shape`)."""
    folder = _folder(deck)
    part, shape = request.form.get("part"), request.form.get("shape")
    try:
        tunnels = Face.parse(shape).tunnels if shape else None
        said = Part(part) if part else None
    except (UnreadableCard, ValueError) as error:
        raise ServerProblem(400, "bad_request") from error
    if said is Part.START:
        tunnels = (15,)
    with _one_at_a_time:
        keep_draft(folder, draft_of(folder).change(id, said, tunnels))
    back = url_for("enrol.deck", deck=deck) if said else url_for("enrol.one", deck=deck, id=id)
    return redirect(back, 303)


@blueprint.post("/of/<deck>/write")
@open_to(Audience.HOST, says=Says.PAGE)
def write(deck: str) -> AnyResponse:
    """Makes the deck folder out of what was said."""
    folder = _folder(deck)
    with _one_at_a_time:
        draft = draft_of(folder)
        missing = draft.missing()
        if missing:
            raise ServerProblem(409, missing[0])
        write_deck(folder, draft)
    return redirect(url_for("enrol.deck", deck=deck), 303)


@blueprint.post("/of/<deck>/use")
@open_to(Audience.HOST, says=Says.PAGE)
def use(deck: str) -> AnyResponse:
    """Lets the camera read this deck from now on."""
    folder = _folder(deck)
    if not (folder / DECK).is_file():
        raise ServerProblem(404, "not_found")
    services().cameras.read_deck(folder.name)
    return redirect(url_for("camera_page.page", code=services().code), 303)


@blueprint.post("/of/<deck>/picture")
@open_to(Audience.HOST, says=Says.JSON, most_bytes=PICTURE_BYTES, reads="image/jpeg")
def picture(deck: str) -> Response:
    """One photograph of cards, as JPEG; the answer says how many cards it showed and what was wrong."""
    return _added(_folder(deck))


@blueprint.get("/of/<deck>/<file>.jpg")
@open_to(Audience.HOST, says=Says.PAGE)
def card_picture(deck: str, file: str) -> Response:
    """The picture of one card."""
    folder = _folder(deck)
    known = {card.file for card in draft_of(folder).cards}
    if f"{file}.jpg" not in known:
        abort(404)
    try:
        jpeg = (folder / f"{file}.jpg").read_bytes()
    except OSError:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.get("/of/<deck>/qr.svg")
@open_to(Audience.HOST, says=Says.PAGE)
def qr(deck: str) -> Response:
    """The code that lets a phone add photographs to this deck."""
    ticket = sign(TICKET, _folder(deck).name)
    svg = qr_svg(f"{services().whereabouts.origin}{url_for('enrol.phone', ticket=ticket)}")
    return Response(svg, mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})


@blueprint.get("/add/<ticket>")
@open_to(Audience.ANYONE, says=Says.PAGE)
def phone(ticket: str) -> Response:
    """The page on a phone: photographs go from here to the one deck that the code was made for."""
    return _page("enrol_phone.html", deck=_of_ticket(ticket).name, ticket=ticket)


@blueprint.post("/add/<ticket>")
@open_to(Audience.ANYONE, says=Says.JSON, most_bytes=PICTURE_BYTES, reads="image/jpeg")
def phone_picture(ticket: str) -> Response:
    """A photograph from a phone."""
    return _added(_of_ticket(ticket))


def _of_ticket(ticket: str) -> Path:
    try:
        name = unsign(TICKET, ticket, TICKET_S)
    except SignedLongAgo as error:
        raise ServerProblem(410, "enrol_code_old") from error
    if name is None:
        raise ServerProblem(404, "not_found")
    return _folder(name)


def _folder(deck: str) -> Path:
    try:
        return named_folder(services().data, deck)
    except Trouble as trouble:
        raise ServerProblem(404, trouble.code) from trouble


def _added(folder: Path) -> Response:
    if not _waiting_room.acquire(blocking=False):
        raise ServerProblem(503, "enrol_failed")
    try:
        with _one_at_a_time:
            try:
                draft_of(folder).take_more()
            except Trouble as trouble:
                raise ServerProblem(409, trouble.code, **trouble.params) from trouble
            told = enrol(request.get_data(), folder)
    finally:
        _waiting_room.release()
    problems = [sentence(problem["code"], problem["params"]) for one in told for problem in one["problems"]]
    return jsonify(cards=sum(one["cards"] for one in told), problems=problems)


def _name(tunnels: Tunnels) -> str:
    return ".".join(letters(group) for group in tunnels)


def _shown(card: OwnCard) -> dict[str, Any]:
    shape = _name(card.tunnels)
    troubles = [sentence(code, {}) for code in card.troubles]
    return card.to_json() | {
        "shape": shape,
        "words": in_words(shape) if shape else "",
        "unsure": card.unsure,
        "troubles": troubles,
    }


def _page(template: str, **values: Any) -> Response:
    page = make_response(render_template(template, **values))
    # With "no-referrer" the form would come with "Origin: null", which is also what foreign pages send.
    page.headers["Referrer-Policy"] = "same-origin"
    return page
