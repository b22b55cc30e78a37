"""Serving the app to phones: waitress in a thread of its own, with room for every open stream."""

from __future__ import annotations

import errno
import threading
from typing import Any

from flask import Flask
from waitress.server import create_server
from waitress.trigger import trigger

from companion.network import LOOPBACK
from companion.server.hints import MOST_STREAMS
from companion.server.long_bodies import LONGEST_BODY, Channel
from companion.server.services import services
from companion.trouble import Trouble

THREADS = MOST_STREAMS + 16
"""An open stream holds a thread: with only as many threads as streams nothing else would be answered."""
EVERYWHERE = "0.0.0.0"


class Running:
    """A server that answers from the moment it is made until `stop`."""

    def __init__(self, app: Flask, port: int, host: str | None = None) -> None:
        """Listens on one address of this machine and on loopback, or on all of them.

        Raises Trouble `port_in_use` or `port_not_allowed`.
        """
        self._app = app
        self._sockets: dict[int, Any] = {}
        listen = f"{EVERYWHERE}:{port}"
        if host is not None:
            listen = " ".join(f"{address}:{port}" for address in dict.fromkeys((LOOPBACK, host)))
        try:
            self._server = create_server(
                app,
                map=self._sockets,
                listen=listen,
                threads=THREADS,
                connection_limit=4 * THREADS,
                asyncore_use_poll=True,
                max_request_body_size=LONGEST_BODY,
                ident=None,
                clear_untrusted_proxy_headers=True,
            )
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise Trouble("port_in_use", port=port) from error
            raise Trouble("port_not_allowed", port=port, system=error.strerror or str(error)) from error
        for listener in self._sockets.values():
            if hasattr(listener, "channel_class"):
                listener.channel_class = Channel
        self._thread = threading.Thread(target=self._server.run, name="server", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Closes streams and sockets and waits a moment for answers under way."""
        services(self._app).streams.end()
        # The threads first: while one of them still answers, it needs the sockets.
        self._server.task_dispatcher.shutdown(timeout=3)
        wakers = [socket for socket in self._sockets.values() if isinstance(socket, trigger)]
        # Run in the server's own thread: its sockets are no other thread's to close.
        wakers[0].pull_trigger(self._close_sockets)
        self._thread.join(3.0)

    def _close_sockets(self) -> None:
        for socket in list(self._sockets.values()):
            socket.close()
        self._sockets.clear()
