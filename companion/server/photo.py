"""Photos of the table taken with a phone: by the player whose turn it is, or by the host."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, render_template, request

from companion.camera_desk import PHOTOS
from companion.game.state import Phase
from companion.server.access import Audience, Says, open_to
from companion.server.answers import names
from companion.server.problems import ServerProblem
from companion.server.services import services
from companion.table import Table

PHOTO_BYTES = 16_000_000
"""A photo of 12 megapixels has up to 8 MB; the page makes it smaller first, where the browser can."""
PHOTO_TYPE = "application/octet-stream"
"""Whatever a phone says its photo is: its own first bytes tell."""
STARTS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF")
APPLE_BRANDS = (b"heic", b"heix", b"heif", b"mif1", b"msf1", b"hevc")

blueprint = Blueprint("photo", __name__)


@blueprint.get("/p/<code>/camera")
@open_to(Audience.SEAT, says=Says.PAGE)
def page(code: str) -> str:
    """The page with the button that opens the phone's camera."""
    return render_template("camera_photo.html", code=g.table.code, send=f"/p/{g.table.code}/photo")


@blueprint.post("/p/<code>/photo")
@open_to(Audience.SEAT, says=Says.JSON, most_bytes=PHOTO_BYTES, reads=PHOTO_TYPE)
def by_player(code: str) -> dict[str, Any]:
    """A photo by a player: in a round only by the one to play, so that nobody lays cards for others."""
    match = g.table.present().match
    if match.phase is Phase.ROUND and match.to_move != g.asker.seat:
        known = names(g.table.present())
        raise ServerProblem(409, "not_your_turn", seat=match.to_move, name=known.get(match.to_move, ""))
    return taken(g.table)


@blueprint.post("/t/<code>/camera/photo")
@open_to(Audience.HOST, says=Says.JSON, most_bytes=PHOTO_BYTES, reads=PHOTO_TYPE)
def by_host(code: str) -> dict[str, Any]:
    """A photo by the host, who so chooses photos as the camera."""
    if g.table.present().camera.source != PHOTOS:
        services().cameras.choose(g.table.code, PHOTOS)
    return taken(g.table)


def taken(table: Table) -> dict[str, Any]:
    """Hands the photo to the watching process. Raises ServerProblem: bad_photo, photo_not_jpeg,
    no_photo_wanted."""
    photo = request.get_data()
    if not photo.startswith(STARTS):
        heic = photo[4:8] == b"ftyp" and photo[8:12] in APPLE_BRANDS
        raise ServerProblem(400, "photo_not_jpeg" if heic else "bad_photo")
    if not table.photographed(photo):
        raise ServerProblem(409, "no_photo_wanted")
    return {"photos": table.present().camera.photo_number}
