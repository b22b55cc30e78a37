"""Streams of a phone's camera app or a network camera: MJPEG, single shots, and what FFmpeg can play."""

from __future__ import annotations

import http.client
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2
import numpy as np

from vision.frames import LiveSource, Tell, unheard
from vision.pictures import MAX_PIXELS, Image, SourceError, decode_picture

TIMEOUT_S = 5.0
SHOTS_PER_S = 5.0
MOST_PER_S = 15.0
"""More pictures a second than this are skipped undecoded: nobody reads them."""
MAX_PICTURE_BYTES = 20_000_000
MOST_TORN = 8
"""So many pictures in a row may have been torn on a bad Wi-Fi before the stream is opened anew."""


def stream(url: str, tell: Tell = unheard) -> LiveSource:
    """The source behind an http, https, rtsp or rtsps address.

    Raises SourceError: stream_unreachable, stream_refused (params "status"), not_a_stream.
    """
    try:
        name, scheme = plain(url), urlsplit(url).scheme
    except ValueError as error:
        raise SourceError("stream_unreachable", url="") from error
    if scheme in ("http", "https"):
        return LiveSource(name, lambda: connect_http(url), tell)
    return LiveSource(name, lambda: connect_player(url), tell)


def plain(url: str) -> str:
    """The address without name, password and query, to be shown.

    >>> plain("http://ada:lovelace@192.168.1.7:8080/video?key=1")
    'http://192.168.1.7:8080/video'
    """
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def connect_http(url: str) -> Iterator[Image]:
    """Opens an address and gives its pictures, whichever way it serves them; raises SourceError."""
    response = _get(url)
    kind = response.headers.get_content_type()
    if kind == "multipart/x-mixed-replace":
        return _parts(response, plain(url))
    if kind.startswith("image/"):
        return _shots(response, url)
    response.close()
    if kind.startswith("text/"):
        # The front page of a camera app, not its pictures.
        raise SourceError("not_a_stream", url=plain(url))
    return connect_player(url)


def connect_player(url: str) -> Iterator[Image]:
    """Opens what FFmpeg can play and gives its pictures; raises SourceError."""
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        round(1000 * TIMEOUT_S),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        round(1000 * TIMEOUT_S),
    ]
    try:
        capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
    except cv2.error as error:
        raise SourceError("stream_unreachable", url=plain(url)) from error
    if not capture.isOpened():
        capture.release()
        raise SourceError("stream_unreachable", url=plain(url))
    if capture.get(cv2.CAP_PROP_FRAME_WIDTH) * capture.get(cv2.CAP_PROP_FRAME_HEIGHT) > MAX_PIXELS:
        capture.release()
        raise SourceError("picture_too_large", file=plain(url), megapixels=MAX_PIXELS // 1_000_000)
    return _played(capture, plain(url))


def _played(capture: cv2.VideoCapture, name: str) -> Iterator[Image]:
    try:
        while True:
            there, image = capture.read()
            if not there or image is None:
                raise SourceError("stream_unreachable", url=name)
            yield np.asarray(image, np.uint8)
    finally:
        capture.release()


class _Basic(urllib.request.HTTPBasicAuthHandler):
    """Closes the answer that asked for a password, which the library leaves open."""

    def http_error_401(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any) -> Any:
        ask = super().http_error_401
        return _closing(fp, lambda: ask(req, fp, code, msg, headers))


class _Digest(urllib.request.HTTPDigestAuthHandler):
    """Likewise for cameras that want no plain passwords."""

    def http_error_401(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any) -> Any:
        ask = super().http_error_401
        return _closing(fp, lambda: ask(req, fp, code, msg, headers))


def _closing(asked: Any, ask_again: Callable[[], Any]) -> Any:
    try:
        answer = ask_again()
    except (OSError, http.client.HTTPException, ValueError):
        asked.close()
        raise
    if answer is not None:
        asked.close()
    return answer


def _get(url: str) -> http.client.HTTPResponse:
    parts = urlsplit(url)
    bare = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, parts.query, ""))
    accounts = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    if parts.username:
        accounts.add_password(None, bare, unquote(parts.username), unquote(parts.password or ""))
    # A camera in the same house is never behind the proxy that the environment may name.
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        _Basic(accounts),
        _Digest(accounts),
    )
    try:
        response = opener.open(bare, timeout=TIMEOUT_S)
    except urllib.error.HTTPError as error:
        error.close()
        raise SourceError("stream_refused", url=plain(url), status=error.code) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SourceError("stream_unreachable", url=plain(url)) from error
    assert isinstance(response, http.client.HTTPResponse)
    return response


def _shots(response: http.client.HTTPResponse, url: str) -> Iterator[Image]:
    """One request a picture, no faster than SHOTS_PER_S."""
    while True:
        started = time.monotonic()
        try:
            with response:
                data = response.read(MAX_PICTURE_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise SourceError("stream_unreachable", url=plain(url)) from error
        yield decode_picture(data, plain(url))
        time.sleep(max(0.0, started + 1 / SHOTS_PER_S - time.monotonic()))
        response = _get(url)


def _parts(response: http.client.HTTPResponse, name: str) -> Iterator[Image]:
    """The pictures of one multipart/x-mixed-replace answer."""
    boundary = (response.headers.get_boundary() or "").lstrip("-")
    if not boundary:
        response.close()
        raise SourceError("not_a_stream", url=name)
    decoded, torn = 0.0, 0
    with response:
        while True:
            try:
                data = _part(response, b"--" + boundary.encode())
            except (OSError, http.client.HTTPException) as error:
                raise SourceError("stream_unreachable", url=name) from error
            if data is None:
                raise SourceError("stream_unreachable", url=name)
            if time.monotonic() - decoded >= 1 / MOST_PER_S:
                decoded = time.monotonic()
                try:
                    picture = decode_picture(data, name)
                except SourceError:
                    torn += 1
                    if torn > MOST_TORN:
                        raise
                    continue
                torn = 0
                yield picture


def _part(response: http.client.HTTPResponse, boundary: bytes) -> bytes | None:
    """The next part's body; None at the end of the stream."""
    length, in_headers = None, False
    while True:
        line = response.readline(65536)
        if not line:
            return None
        if not in_headers:
            # Some servers leave out the dashes that belong before the boundary.
            in_headers = line.strip().lstrip(b"-") == boundary.lstrip(b"-")
        elif not line.strip():
            break
        elif found := re.match(rb"content-length:\s*(\d{1,9})\s*$", line.lower()):
            length = int(found[1])
    if length is not None:
        if length > MAX_PICTURE_BYTES:
            return None
        body = response.read(length)
        return body if len(body) == length else None
    picture = bytearray()
    while len(picture) <= MAX_PICTURE_BYTES:
        line = response.readline(65536)
        if not line:
            return None
        picture += line
        # The end of a JPEG that a line break follows: the boundary line is left out of the picture.
        if picture.endswith((b"\xff\xd9\r\n", b"\xff\xd9\n")):
            return bytes(picture)
    return None
