"""Which languages there are, and which one a reader gets: on a page, in an answer, in the terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from flask import Flask, has_request_context, request
from flask_babel import Babel

import web

LANGUAGES = {
    "en": "English",
    "tr": "Türkçe",
    "et": "Eesti",
    "lt": "Lietuvių",
    "hi": "हिन्दी",
    "ko": "한국어",
}
TRANSLATIONS = Path(web.__file__).parent / "translations"
COOKIE = "lang"


def register(app: Flask, outside: str = "en") -> None:
    """Gives an app its languages; `outside` is the one outside of requests."""

    def chosen() -> str:
        return of_request() if has_request_context() else outside

    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(TRANSLATIONS)
    Babel(app, default_locale="en", locale_selector=chosen)
    app.context_processor(lambda: {"lang": chosen(), "languages": LANGUAGES})


def of_request() -> str:
    """The reader's choice (`?lang=` or the cookie), else what the browser asks for, else English."""
    for wish in (request.args.get(COOKIE), request.cookies.get(COOKIE)):
        if wish in LANGUAGES:
            return str(wish)
    return request.accept_languages.best_match(list(LANGUAGES), "en") or "en"


def of_terminal(environment: Mapping[str, str]) -> str:
    """The language that a terminal is set to, else English.

    >>> of_terminal({"LANG": "et_EE.UTF-8"}), of_terminal({"LC_ALL": "C"})
    ('et', 'en')
    """
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for wish in environment.get(name, "").split(":"):
            language = wish.split(".")[0].split("_")[0]
            if language in LANGUAGES:
                return language
    return "en"


@contextmanager
def in_terminal() -> Iterator[None]:
    """Sentences within are in the terminal's language."""
    app = Flask("pithead-words", static_folder=None)
    register(app, of_terminal(os.environ))
    with app.app_context():
        yield
