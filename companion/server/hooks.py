"""Everything that happens before and after every request, in the order in which it happens."""

from __future__ import annotations

from flask import Flask, Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.language import COOKIE, LANGUAGES
from companion.server.access import COOKIE_AGE_S, Audience, Rule, Says, rule_of, who_asks
from companion.server.problems import ServerProblem
from companion.server.services import services

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""For the SVG drawings: they may style themselves, and nothing else."""
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
DENIED = {
    Audience.CAMERA: "wrong_camera_token",
    Audience.HOST: "not_the_host",
    Audience.SEAT: "no_seat_here",
    Audience.DEVICE: "not_a_shared_device",
}


def register(app: Flask) -> None:
    """Adds the hooks to an app."""

    @app.before_request
    def check() -> AnyResponse | None:
        rule = rule_of(app, request.endpoint)
        g.says = rule.says if rule else Says.PAGE
        g.table = None
        if not services(app).whereabouts.trusts(request.host):
            raise ServerProblem(403, "unknown_host")
        if rule is None:
            if request.endpoint is None:
                return None  # no such route: Flask says so
            raise ServerProblem(403, "not_allowed")
        request.max_content_length = rule.most_bytes
        check_origin(rule)
        return check_access(rule)

    @app.after_request
    def finish(response: Response) -> AnyResponse:
        remember_language(response)
        return with_headers(response)


def check_origin(rule: Rule) -> None:
    """Refuses what another site's page makes a browser send. The camera sends a token that no browser has."""
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    if rule.says is Says.JSON and site not in ("same-origin", "none"):
        raise ServerProblem(403, "foreign_origin")
    if request.method not in UNSAFE:
        return
    origin = request.headers.get("Origin")
    foreign = origin is not None and origin != request.host_url.rstrip("/")
    if foreign or site not in ("same-origin", "none"):
        raise ServerProblem(403, "foreign_origin")
    if request.mimetype != rule.reads:
        raise ServerProblem(415, "not_json" if rule.says is Says.JSON else "bad_request")
    if request.content_length is not None and request.content_length > rule.most_bytes:
        raise ServerProblem(413, "too_large")


def check_access(rule: Rule) -> AnyResponse | None:
    """Finds the table in the address and who is asking, and lets in nobody whom the route is not for.

    Who comes to a seat's page at a locked device is led to where it is unlocked.
    """
    code = (request.view_args or {}).get("code")
    if code is not None:
        g.table = services().tables.find(code)
    g.asker = who_asks(g.table)
    if Audience.CAMERA in rule.audiences and not g.asker.camera:
        raise ServerProblem(403, "wrong_camera_token")  # before anything is told about tables
    if code is not None and g.table is None:
        raise ServerProblem(404, "unknown_table", table=code[:12])
    if not g.asker.is_one_of(rule.audiences):
        if Audience.SEAT in rule.audiences and rule.says is Says.PAGE and g.asker.device is not None:
            return redirect(url_for("shared.page", code=g.table.code))
        audience = next(audience for audience in DENIED if audience in rule.audiences)
        raise ServerProblem(403, DENIED[audience], table=code or "")
    return None


def remember_language(response: Response) -> None:
    """Keeps a language that was chosen by `?lang=` on any page."""
    wish = request.args.get(COOKIE)
    if wish in LANGUAGES and request.cookies.get(COOKIE) != wish:
        # Scripts may read it, to show which language is chosen.
        response.set_cookie(COOKIE, wish, max_age=COOKIE_AGE_S, samesite="Lax")


def with_headers(response: Response) -> Response:
    """Adds what every answer carries."""
    drawing = response.mimetype == "image/svg+xml"
    response.headers["Content-Security-Policy"] = DRAWING_POLICY if drawing else POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    # A page with "no-referrer" would send its form with "Origin: null", which is what a foreign page
    # sends too. The join page sets "same-origin" for that.
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    # Flask's own default for files is "no-cache", which allows keeping: views and pages are never kept.
    if not response.headers.get("Cache-Control") or response.mimetype in ("application/json", "text/html"):
        response.headers["Cache-Control"] = "no-store"
    return response
