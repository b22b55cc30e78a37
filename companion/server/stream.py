"""The route of the hint stream (server-sent events)."""

from __future__ import annotations

from flask import Blueprint, Response, g, request

from companion.server.access import Audience, Says, open_to
from companion.server.hints import MOST_SCREENS
from companion.server.problems import ServerProblem
from companion.server.services import services

blueprint = Blueprint("stream", __name__)


@blueprint.get("/events/<code>")
@open_to(Audience.ANYONE, says=Says.JSON)
def events(code: str) -> Response:
    """Hints for one screen. 503: there are too many streams, and it has to poll."""
    streams = services().streams
    if g.asker.seat is not None:
        # The host who also plays may have the table screen and the phone page in one browser.
        stream = streams.open((g.table.code, f"seat {g.asker.seat}"), 2 if g.asker.host else 1)
    else:
        stream = streams.open((g.table.code, f"screen {request.remote_addr}"), MOST_SCREENS)
    if stream is None:
        raise ServerProblem(503, "too_many_streams")
    present = g.table.present()
    response = Response(
        streams.events(stream, (present.version, present.sight)), mimetype="text/event-stream"
    )
    # Where the client is gone before the first event, the generator's own `finally` never runs.
    response.call_on_close(lambda: streams.close(stream))
    return response
