"""What the watching process posts: sights, pictures and its own state; and the photos it fetches. It proves
itself by a token."""

from __future__ import annotations

import time
from http import HTTPStatus

from flask import Blueprint, Response, g, jsonify, request

from companion.camera_desk import Report, coded
from companion.referee import UnreadableSight
from companion.server.access import Audience, Says, open_to
from companion.server.problems import ServerProblem
from companion.server.requests import body_of

SIGHT_BYTES = 256_000
PICTURE_BYTES = 600_000
JPEG_START = b"\xff\xd8\xff"
PHOTO_HEADER = "X-Pithead-Photo"
WATCH_HEADER = "X-Pithead-Watch"
"""The number that the process was started with; one started by hand has none."""

blueprint = Blueprint("camera", __name__)


@blueprint.post("/camera/<code>/sight")
@open_to(Audience.CAMERA, says=Says.JSON, most_bytes=SIGHT_BYTES)
def sight(code: str) -> Response:
    """What lies on the table steadily. The answer is the referee's verdict, to be drawn on the picture, where
    the host has pointed the board out, and whether somebody looks closely."""
    try:
        report = Report.parse(body_of())
    except UnreadableSight as error:
        raise ServerProblem(400, "bad_sight", field=str(error)[:80]) from error
    if not g.table.see(report, watch()):
        return not_heeded()
    present = g.table.present()
    verdict, desk = present.review.verdict, present.camera
    return jsonify(
        verdict=verdict.to_json() if verdict else None,
        pointed=desk.pointed,
        closely=desk.closely(time.monotonic()),
    )


@blueprint.post("/camera/<code>/picture")
@open_to(Audience.CAMERA, says=Says.JSON, most_bytes=PICTURE_BYTES, reads="image/jpeg")
def picture(code: str) -> Response:
    """The newest picture, as JPEG."""
    jpeg = request.get_data()
    if not jpeg.startswith(JPEG_START):
        raise ServerProblem(400, "bad_picture")
    return Response(status=HTTPStatus.NO_CONTENT) if g.table.pictured(jpeg, watch()) else not_heeded()


@blueprint.post("/camera/<code>/state")
@open_to(Audience.CAMERA, says=Says.JSON)
def state(code: str) -> Response:
    """How the watching process does: `{"code": "opened", "params": {...}}`."""
    try:
        told = coded(body_of())
    except UnreadableSight as error:
        raise ServerProblem(400, "bad_sight", field=str(error)[:80]) from error
    heeded = g.table.camera_said(told["code"], told["params"], watch())
    return Response(status=HTTPStatus.NO_CONTENT) if heeded else not_heeded()


@blueprint.get("/camera/<code>/photo")
@open_to(Audience.CAMERA, says=Says.JSON)
def photo(code: str) -> Response:
    """The newest photo that somebody took, if it is later than `?after=NUMBER`; 204 if not."""
    desk = g.table.present().camera
    if not desk.heeds(watch()):
        return not_heeded()
    if not desk.photo or desk.photo_number <= request.args.get("after", 0, type=int):
        return Response(status=HTTPStatus.NO_CONTENT)
    headers = {PHOTO_HEADER: str(desk.photo_number), "Cache-Control": "no-store"}
    return Response(desk.photo, mimetype="application/octet-stream", headers=headers)


def watch() -> str | None:
    """The number of the watching process that asks."""
    return request.headers.get(WATCH_HEADER) or None


def not_heeded() -> Response:
    """Another camera was chosen. Without a word: nobody reads it, and the process ends by itself."""
    return Response(status=HTTPStatus.CONFLICT)
