"""Posting what the watch sees to the server of the same house, however often that server goes away."""

from __future__ import annotations

import http.client
import json
import logging
import threading
import urllib.error
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol

from vision.door import WATCH_HEADER, Door, PostRefused
from vision.overlay import Verdict
from vision.pointed import Pointed

__all__ = ["WATCH_HEADER", "HttpPost", "PostRefused", "WatchPost", "Word"]

log = logging.getLogger(__name__)

FIRST_WAIT_S = 0.2
LONGEST_WAIT_S = 3.0
MAX_ANSWER_BYTES = 100_000
KEPT_STATES = 20


@dataclass(frozen=True)
class Word:
    """What the server says in answer to a sight."""

    verdict: Verdict | None = None
    """The referee's latest word, to be drawn on the picture."""
    pointed: Pointed | None = None
    """Where the host has pointed out the board, in shares 0..1 of the picture's width and height."""
    closely: bool = False
    """Whether somebody is setting the camera up and looks at every picture."""


class WatchPost(Protocol):
    """Where a watch sends what it sees. No method waits or fails."""

    @property
    def word(self) -> Word:
        """What the server said in answer to the last sight."""
        ...

    def sight(self, sight: Mapping[str, Any]) -> None:
        """The steady sight, as `Sight.to_json` gives it."""
        ...

    def picture(self, jpeg: bytes) -> None:
        """The picture with its overlay."""
        ...

    def state(self, code: str, params: Mapping[str, Any]) -> None:
        """How the source fares."""
        ...


class HttpPost:
    """Posts to /camera/<code>/sight, picture and state from a thread of its own, newest first.

    While the server is away it tries again with back-off; as soon as it is back it gets the states it
    missed and the present sight. Pictures are never kept.

    A server that has chosen another camera answers 409. A watch that it had started itself, for the choice
    `watch`, is over then: `dismissed` is called (in the post's thread) and nothing is sent any more. A watch
    without a number was started by hand, and waits until the server looks for no camera of its own.

    Raises PostRefused (server_not_local, params "host"; server_address_wrong) for anything but http(s) to
    this machine or a private address.
    """

    def __init__(
        self,
        server: str,
        code: str,
        token: str,
        watch: str | None = None,
        dismissed: Callable[[], None] = lambda: None,
    ) -> None:
        self.door = Door(server, code, token, watch)
        self._started_by_server = watch is not None
        self._dismissed = dismissed
        self._over = False
        self._due = threading.Condition()
        self._states: deque[bytes] = deque(maxlen=KEPT_STATES)
        self._sight: bytes | None = None
        self._sight_due = False
        self._picture: bytes | None = None
        self._closed = False
        self._word = Word()
        self._thread = threading.Thread(target=self._run, name="post", daemon=True)
        self._thread.start()

    @property
    def word(self) -> Word:
        """What the server said in answer to the last sight."""
        return self._word

    def sight(self, sight: Mapping[str, Any]) -> None:
        """Sends a sight, in place of one not sent yet."""
        with self._due:
            self._sight, self._sight_due = json.dumps(sight).encode(), True
            self._due.notify()

    def picture(self, jpeg: bytes) -> None:
        """Sends a picture, in place of one not sent yet."""
        with self._due:
            self._picture = jpeg
            self._due.notify()

    def state(self, code: str, params: Mapping[str, Any]) -> None:
        """Sends a state; all of them arrive, in their order."""
        with self._due:
            self._states.append(json.dumps({"code": code, "params": dict(params)}).encode())
            self._due.notify()

    def close(self, timeout_s: float = 2.0) -> None:
        """Sends what is left if the server takes it at once, and ends."""
        with self._due:
            self._closed = True
            self._due.notify()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        wait = 0.0
        while True:
            with self._due:
                if wait and not self._closed:
                    # Back-off: what arrives meanwhile only replaces what is waiting.
                    self._due.wait_for(lambda: self._closed, wait)
                self._due.wait_for(lambda: self._closed or self._states or self._sight_due or self._picture)
                states, sight, picture = list(self._states), self._sight_due and self._sight, self._picture
                self._states.clear()
                self._sight_due, self._picture = False, None
                closed = self._closed
            if self._send_all(states, sight or None, picture):
                wait = 0.0
            else:
                wait = min(2 * wait or FIRST_WAIT_S, LONGEST_WAIT_S)
            if self._over:
                self._dismissed()
            if closed or self._over:
                return

    def _send_all(self, states: list[bytes], sight: bytes | None, picture: bytes | None) -> bool:
        """Whether the server took it all; what it must still get is due again."""
        while states:
            if not self._send("state", states[0], "application/json"):
                self._again(states)
                return False
            states.pop(0)
        if (sight and not self._send("sight", sight, "application/json")) or (
            picture and not self._send("picture", picture, "image/jpeg")
        ):
            self._again([])
            return False
        return True

    def _again(self, states: list[bytes]) -> None:
        with self._due:
            self._states.extendleft(reversed(states))
            # Whatever failed: a server that was away has lost the sight.
            self._sight_due = self._sight is not None

    def _send(self, what: str, body: bytes, kind: str) -> bool:
        try:
            with self.door.post(what, body, kind) as response:
                answer = response.read(MAX_ANSWER_BYTES)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == HTTPStatus.CONFLICT:
                log.info("posting the %s: the table watches another camera", what)
                self._over = self._started_by_server
                return False
            log.warning("posting the %s: answer %d", what, error.code)
            # Too large or not understood: the same again would fare no better, the next may.
            return error.code in (400, 413, 415)
        except (OSError, http.client.HTTPException) as error:
            log.info("posting the %s: %s", what, type(error).__name__)
            return False
        if what == "sight":
            self._word = _word(answer)
        return True


def _word(answer: bytes) -> Word:
    """The server's word in its answer to a sight. Another server than ours answers something else: then the
    picture is drawn without a verdict, and the table is read without help."""
    try:
        told = json.loads(answer or b"{}")
        return Word(_verdict(told.get("verdict")), _pointed(told.get("pointed")), told.get("closely") is True)
    except (ValueError, TypeError, KeyError, AttributeError):
        return Word()


def _verdict(told: Any) -> Verdict | None:
    if not told:
        return None
    column, row = told["cell"]
    return Verdict((int(column), int(row)), bool(told["legal"]))


def _pointed(told: Any) -> Pointed | None:
    return Pointed.parse(told) if told else None
