"""One simulated player's phone: the same addresses that real phones use, and nothing else."""

from __future__ import annotations

import http.client
import http.cookiejar
import json
import secrets
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 1_000_000


class Away(Exception):
    """The server does not answer, or does not know this phone (`status`; 0: no answer at all)."""

    def __init__(self, status: int = 0) -> None:
        super().__init__(status)
        self.status = status


class Visitor:
    """A browser without a window: keeps cookies, follows redirects."""

    def __init__(self, server: str, code: str) -> None:
        self._server = server.rstrip("/")
        self.code = code
        # The environment's proxy is for the internet, which nothing here goes to.
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )

    def get(self, path: str) -> Any:
        """The JSON at a path. Raises Away."""
        return json.loads(self.fetch(path))

    def fetch(self, path: str, data: bytes | None = None, kind: str = "") -> bytes:
        """The body at a path, posted to when there are data. Raises Away."""
        request = urllib.request.Request(self._server + path, data)
        if kind:
            request.add_header("Content-Type", kind)
            request.add_header("Origin", self._server)
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                return bytes(answer.read(MAX_ANSWER_BYTES))
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 409:
                    return bytes(error.read(MAX_ANSWER_BYTES))
            raise Away(error.code) from error
        except (OSError, http.client.HTTPException) as error:
            raise Away from error

    def table(self) -> Any:
        """What the table screen shows to everybody. Raises Away."""
        return self.get(f"/t/{self.code}/view")


class Phone(Visitor):
    """A seat at the table."""

    def join(self, name: str) -> None:
        """Takes a seat. Raises Away."""
        self.fetch(f"/j/{self.code}")
        form = urllib.parse.urlencode({"name": name}).encode()
        self.fetch(f"/j/{self.code}", form, "application/x-www-form-urlencoded")

    def come_back(self, link: str) -> None:
        """Takes the seat of a personal link. Raises Away."""
        self.fetch(urllib.parse.urlsplit(link).path)

    def link(self) -> str:
        """This seat's personal link. Raises Away."""
        return str(self.get(f"/p/{self.code}/link")["url"])

    def view(self) -> Any:
        """What this phone shows. Raises Away."""
        return self.get(f"/p/{self.code}/view")

    def secret(self, what: str) -> Any:
        """A secret of this seat. Raises Away."""
        return self.get(f"/p/{self.code}/secret/{what}")

    def command(self, version: int, do: str, **fields: Any) -> Any:
        """Asks for a turn; the answer has "refused" when it is. Raises Away."""
        body = {"id": secrets.token_hex(8), "version": version, "do": do, **fields}
        answer = self.fetch(f"/p/{self.code}/command", json.dumps(body).encode(), "application/json")
        return json.loads(answer)
