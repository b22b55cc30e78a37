"""The server's door for a watching process: requests with its token, to this house only."""

from __future__ import annotations

import ipaddress
import urllib.request
from http.client import HTTPResponse
from typing import Any
from urllib.parse import quote, urlsplit

TIMEOUT_S = 4.0
WATCH_HEADER = "X-Pithead-Watch"
"""Says which of the server's choices of a camera this watch was started for."""


class PostRefused(ValueError):
    """A server's address that nothing is posted to: `code` says why, `params` what about."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token elsewhere."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Door:
    """Asks at /camera/<code>/... of a server. Any thread may ask.

    Raises PostRefused (server_not_local, params "host"; server_address_wrong) for anything but http(s) to
    this machine or a private address.
    """

    def __init__(self, server: str, code: str, token: str, watch: str | None = None) -> None:
        self._base = f"{_local(server)}/camera/{quote(code, safe='')}"
        self._headers = {"Authorization": f"Bearer {token}"} | ({WATCH_HEADER: watch} if watch else {})
        # The environment's proxy is for the internet, which nothing here goes to.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())

    def post(self, what: str, body: bytes, kind: str) -> HTTPResponse:
        """Posts a body of media type `kind`. Raises OSError (HTTPError among them) and HTTPException."""
        return self._open(what, {"Content-Type": kind}, body)

    def get(self, what: str) -> HTTPResponse:
        """Gets what there is. Raises OSError (HTTPError among them) and HTTPException."""
        return self._open(what, {}, None)

    def _open(self, what: str, headers: dict[str, str], body: bytes | None) -> HTTPResponse:
        method = "GET" if body is None else "POST"
        url = f"{self._base}/{what}"
        request = urllib.request.Request(url, body, self._headers | headers, method=method)
        answer = self._opener.open(request, timeout=TIMEOUT_S)
        assert isinstance(answer, HTTPResponse)
        return answer


def _local(server: str) -> str:
    try:
        parts = urlsplit(server)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise PostRefused("server_address_wrong") from error
    if parts.scheme not in ("http", "https") or not host or parts.username or port == 0:
        raise PostRefused("server_address_wrong")
    try:
        address = ipaddress.ip_address(host)
        local = address.is_loopback or address.is_private or address.is_link_local
    except ValueError:
        local = host == "localhost"
    if not local or (host in ("0.0.0.0", "::")):
        raise PostRefused("server_not_local", host=host)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
