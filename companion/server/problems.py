"""What the server says when it does not do what was asked: a page or JSON, a code and its sentence."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, current_app, g, jsonify, make_response, render_template
from flask_babel import gettext
from werkzeug.exceptions import HTTPException

from companion.sentences import sentence
from companion.server.access import Says
from companion.trouble import Trouble
from companion.wording import N_

HTTP_CODES = {
    400: "bad_request",
    403: "not_allowed",
    404: "not_found",
    405: "wrong_method",
    413: "too_large",
    415: "not_json",
}
"""Werkzeug's own errors by status, in our codes; any other is "bad_request" or "internal"."""


TITLES = {
    403: N_("Not for you"),
    404: N_("Nothing here"),
    503: N_("Not just now"),
}
OTHER_TITLE = N_("That did not work")


class ServerProblem(Exception):
    """An answer that is no success: an HTTP status, a code with a sentence, and its parameters."""

    def __init__(self, status: int, code: str, **params: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.params = params


def register(app: Flask) -> None:
    """Makes every error an answer with a sentence."""
    app.register_error_handler(ServerProblem, _problem)
    app.register_error_handler(Trouble, _trouble)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def answer(status: int, code: str, params: dict[str, Any]) -> Response:
    """The answer in the form that the route speaks: JSON for scripts, a page for people."""
    text = sentence(code, params)
    if g.get("says", Says.PAGE) is Says.PAGE:
        title = gettext(TITLES.get(status, OTHER_TITLE))
        page = render_template("error.html", title=title, text=text)
        return make_response(page, status)
    return make_response(jsonify(error={"code": code, "params": params, "text": text}), status)


def _problem(error: ServerProblem) -> Response:
    return answer(error.status, error.code, error.params)


def _trouble(error: Trouble) -> Response:
    # The log could not be read or written: nothing was changed, and asking again later may work.
    current_app.logger.error("%s", error)
    return answer(503, error.code, error.params)


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return make_response(error.get_response())
    response = answer(status, HTTP_CODES.get(status, "bad_request" if status < 500 else "internal"), {})
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _unexpected(error: Exception) -> Response:
    current_app.logger.exception("unexpected", exc_info=error)
    return answer(500, "internal", {})
