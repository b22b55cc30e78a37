"""What the watching process posts: sights, pictures and its own state. It proves itself by a token."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, request

from companion.camera_desk import Report, coded
from companion.referee import UnreadableSight
from companion.server.access import Audience, Says, open_to
from companion.server.problems import ServerProblem
from companion.server.requests import body_of

SIGHT_BYTES = 256_000
PICTURE_BYTES = 600_000
JPEG_START = b"\xff\xd8\xff"

blueprint = Blueprint("camera", __name__)


@blueprint.post("/camera/<code>/sight")
@open_to(Audience.CAMERA, says=Says.JSON, most_bytes=SIGHT_BYTES)
def sight(code: str) -> Response:
    """What lies on the table steadily; the answer is the referee's verdict, to be drawn on the picture."""
    try:
        report = Report.parse(body_of())
    except UnreadableSight as error:
        raise ServerProblem(400, "bad_sight", field=str(error)[:80]) from error
    g.table.see(report)
    verdict = g.table.present().review.verdict
    return jsonify(verdict=verdict.to_json() if verdict else None)


@blueprint.post("/camera/<code>/picture")
@open_to(Audience.CAMERA, says=Says.JSON, most_bytes=PICTURE_BYTES, reads="image/jpeg")
def picture(code: str) -> Response:
    """The newest picture, as JPEG."""
    jpeg = request.get_data()
    if not jpeg.startswith(JPEG_START):
        raise ServerProblem(400, "bad_picture")
    g.table.pictured(jpeg)
    return Response(status=204)


@blueprint.post("/camera/<code>/state")
@open_to(Audience.CAMERA, says=Says.JSON)
def state(code: str) -> Response:
    """How the watching process does: `{"code": "opened", "params": {...}}`."""
    try:
        told = coded(body_of())
    except UnreadableSight as error:
        raise ServerProblem(400, "bad_sight", field=str(error)[:80]) from error
    g.table.camera_said(told["code"], told["params"])
    return Response(status=204)
