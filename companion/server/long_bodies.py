"""Only so many long bodies are taken in at once: a body is on the disk before anybody asks who sends it."""

from __future__ import annotations

from typing import Any, ClassVar
from weakref import WeakSet

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import Error

LONGEST_BODY = 17_000_000
"""A photo as a phone takes it, where the phone's browser could not make it smaller."""
LONG_BODY = 700_000
"""Whatever is longer is a photo: pictures of the watching process end at 600 kB."""
MOST_LONG = 8
"""At once: all phones of a table may send one, and no sender fills more than 136 MB of the disk."""


class NoRoom(Error):  # type: ignore[misc]  # waitress says nothing of its types
    """The answer to one long body too many: asking again later works."""

    code = 503
    reason = "Service Unavailable"


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads one request, and refuses a long one while too many others are under way."""

    error: Error | None = None
    under_way: ClassVar[WeakSet[Parser]] = WeakSet()
    """Weak, so that a request which waitress drops without a word holds no room for good."""

    def received(self, data: bytes) -> int:
        """Takes in what has arrived; how many bytes of it belong to this request."""
        consumed: int = super().received(data)
        long = max(self.content_length, self.body_bytes_received) > LONG_BODY
        if long and self.error is None and self not in self.under_way:
            if len(self.under_way) < MOST_LONG:
                self.under_way.add(self)
            else:
                self.error = NoRoom("too many long requests at once")
                self.completed = True
        return consumed

    def close(self) -> None:
        """The request has been answered."""
        self.under_way.discard(self)
        super().close()


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection whose requests are read like that."""

    parser_class: Any = Parser
    request: Parser | None = None

    def handle_close(self) -> None:
        """The sender has hung up, perhaps half-way: what had arrived is thrown away at once."""
        super().handle_close()
        if self.request is not None:
            self.request.close()
            self.request = None
