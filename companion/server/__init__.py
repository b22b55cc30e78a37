"""The server: pages for the table screen and the phones, their JSON, the hint stream, the camera's door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask
from flask_babel import get_locale

import web
from companion import language
from companion.server import (
    camera,
    camera_page,
    cards,
    enrol,
    hooks,
    looks,
    phone,
    photo,
    problems,
    rulebook,
    shared,
    sheets,
    start,
    stream,
    table_screen,
)
from companion.server.access import Audience, Says, open_to
from companion.server.services import Services

WEB = Path(web.__file__).parent
YEAR_S = 60 * 60 * 24 * 365


def create_app(services: Services) -> Flask:
    """The app that serves the tables of `services`."""
    app = Flask(
        "pithead",
        template_folder=str(WEB / "templates"),
        static_folder=str(WEB / "static"),
        static_url_path=f"/static/{looks.current_version()}",
    )
    # The address changes with what is in the files, so a browser never has to ask whether they have changed:
    # a page that is opened again needs only itself and its view.
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = YEAR_S
    app.secret_key = services.secret_key
    # Every route names its own limit; this one holds where nothing is said.
    app.config["MAX_CONTENT_LENGTH"] = 16_000
    app.extensions["pithead"] = services
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    language.register(app)
    hooks.register(app)
    problems.register(app)
    rooms = (
        start,
        table_screen,
        phone,
        shared,
        rulebook,
        sheets,
        camera,
        camera_page,
        photo,
        cards,
        enrol,
        looks,
        stream,
    )
    for room in rooms:
        app.register_blueprint(room.blueprint)
    open_to(Audience.ANYONE, says=Says.PAGE)(app.view_functions["static"])

    @app.context_processor
    def words() -> dict[str, Any]:
        return {
            "lang": str(get_locale() or "en"),
            "languages": language.LANGUAGES,
            "version": looks.current_version(),
        }

    return app
