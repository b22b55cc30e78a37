"""The looks of the pages: the parts of the design system that a page needs, as one sheet and one request."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, current_app

import web
from companion.server.access import Audience, Says, open_to
from companion.server.problems import ServerProblem

STATIC = Path(web.__file__).parent / "static"
PAGE = ("tokens", "base", "controls", "words")
"""What every page stands on: colours and sizes, plain type, things to press, words of warning and joy."""
PLAY = ("board", "pieces", "ending", "dialogs")
"""What both the table screen and a phone show of a game."""
LOOKS: dict[str, tuple[str, ...]] = {
    "page": PAGE,
    "start": (*PAGE, "start"),
    "table": (*PAGE, *PLAY, "table", "table_end", "lobby"),
    "phone": (*PAGE, *PLAY, "phone"),
    "rules": (*PAGE, "rules"),
    "camera": (*PAGE, "camera"),
    "enrol": (*PAGE, "enrol"),
}

blueprint = Blueprint("looks", __name__)


@blueprint.get("/look/<version>/<name>.css")
@open_to(Audience.ANYONE, says=Says.PAGE)
def look(version: str, name: str) -> Response:
    """The sheet of one kind of page, to be kept under the address of this version for good."""
    if name not in LOOKS:
        raise ServerProblem(404, "not_found")
    response = Response(sheet(name), mimetype="text/css")
    if version == current_version():
        kept_s = current_app.config["SEND_FILE_MAX_AGE_DEFAULT"]
        response.headers["Cache-Control"] = f"public, max-age={kept_s}"
    return response


@cache
def sheet(name: str) -> str:
    """The parts of a look, one after another as they overrule each other. Raises KeyError."""
    text = "\n".join((STATIC / f"{part}.css").read_text(encoding="utf-8") for part in LOOKS[name])
    return text.replace('url("/static/', f'url("/static/{current_version()}/')


@cache
def current_version() -> str:
    """Changes whenever a style sheet or a script does."""
    content = hashlib.sha256()
    for path in sorted([*STATIC.glob("*.css"), *STATIC.glob("*.svg"), *STATIC.glob("js/*.js")]):
        content.update(path.name.encode() + path.read_bytes())
    return content.hexdigest()[:12]
