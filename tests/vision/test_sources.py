"""Where frames come from: files and folders, streams that drop, cameras that are unplugged."""

from __future__ import annotations

import base64
import struct
import threading
import time
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from vision import frames, pictures, streams
from vision.frames import LiveSource, Newest
from vision.pictures import Image, decode_picture, picture_size
from vision.sources import PictureShow, SourceError, list_cameras, open_source
from vision.streams import plain
from vision.webcams import webcam


def grey(level: int, size: tuple[int, int] = (64, 48)) -> Image:
    return np.full((size[1], size[0], 3), level, np.uint8)


def jpeg(level: int) -> bytes:
    return cv2.imencode(".jpg", grey(level))[1].tobytes()


def level(image: Image) -> int:
    return round(float(image.mean()) / 10) * 10


class Heard:
    """Keeps what a source tells."""

    def __init__(self) -> None:
        self.codes: list[str] = []
        self.params: list[dict[str, Any]] = []

    def __call__(self, code: str, params: Any) -> None:
        self.codes.append(code)
        self.params.append(dict(params))


# Files


def test_a_picture_is_given_again_and_again(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), grey(120))
    source = open_source(str(tmp_path / "table.png"))
    got = []
    for frame in source.frames():
        got.append(frame)
        if len(got) == 4:
            source.close()
    assert [frame.number for frame in got] == [0, 1, 2, 3]
    assert got[3].at_s == pytest.approx(0.3) and level(got[3].image) == 120
    assert not source.simulated and source.name == "table.png"


def test_a_folder_gives_its_pictures_in_the_order_of_their_names(tmp_path: Path) -> None:
    for number, shade in ((10, 100), (2, 20), (1, 10)):
        cv2.imwrite(str(tmp_path / f"frame{number}.png"), grey(shade))
    (tmp_path / "notes.txt").write_text("not a picture")
    shown = [level(f.image) for f in open_source(str(tmp_path), rate=5, live=False).frames()]
    assert shown == [10, 10, 20, 20, 100, 100]


def test_bad_pictures_are_told_and_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture at all")
    (tmp_path / "b.jpg").write_bytes(jpeg(50)[:40])
    cv2.imwrite(str(tmp_path / "c.png"), grey(70))
    heard = Heard()
    shown = [level(f.image) for f in open_source(str(tmp_path), heard, rate=10, live=False).frames()]
    assert shown == [70]
    assert heard.codes == ["not_a_picture", "not_a_picture", "opened"]
    assert [params["file"] for params in heard.params[:2]] == ["a.jpg", "b.jpg"]


def test_a_film_plays_at_its_own_pace(tmp_path: Path) -> None:
    path = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    for shade in (10, 50, 90, 130):
        writer.write(grey(shade))
    writer.release()
    heard = Heard()
    got = list(open_source(str(path), heard, live=False).frames())
    assert [level(frame.image) for frame in got] == [10, 50, 90, 130]
    assert [frame.at_s for frame in got] == pytest.approx([0, 0.05, 0.1, 0.15])
    assert heard.codes == ["opened", "ended"]
    begun = time.monotonic()
    assert len(list(open_source(str(path)).frames())) == 4
    assert time.monotonic() - begun >= 0.15


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("missing.jpg", None, "no_such_file"),
        ("text.jpg", b"hello", "not_a_picture"),
        ("empty.png", b"", "not_a_picture"),
        ("text.mp4", b"hello", "not_a_video"),
        ("without_suffix", b"hello", "not_a_video"),
    ],
)
def test_each_wrong_file_has_its_word(tmp_path: Path, name: str, content: bytes | None, code: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError) as refused:
        open_source(str(tmp_path / name))
    assert refused.value.code == code and refused.value.params["file"] == name


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as refused:
        open_source(str(tmp_path))
    assert refused.value.code == "no_pictures"
    (tmp_path / "a.png").write_bytes(b"broken")
    with pytest.raises(SourceError) as refused:
        list(open_source(str(tmp_path), live=False).frames())
    assert refused.value.code == "no_pictures"


# Sizes, before anything is decoded


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
def test_the_size_is_read_from_the_header(suffix: str) -> None:
    data = cv2.imencode(suffix, grey(90, (301, 77)))[1].tobytes()
    assert picture_size(data) == (301, 77)
    assert decode_picture(data).shape == (77, 301, 3)
    for cut in range(0, min(len(data), 64), 3):
        assert picture_size(data[:cut]) in (None, (301, 77))


def test_a_picture_that_would_fill_the_memory_is_never_decoded() -> None:
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = (
        struct.pack(">I", len(header)) + b"IHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    )
    with pytest.raises(SourceError) as refused:
        decode_picture(b"\x89PNG\r\n\x1a\n" + chunk, "bomb.png")
    assert refused.value.code == "picture_too_large" and refused.value.params["file"] == "bomb.png"


def test_a_huge_file_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_FILE_BYTES", 100)
    (tmp_path / "big.jpg").write_bytes(b"x" * 101)
    with pytest.raises(SourceError) as refused:
        open_source(str(tmp_path / "big.jpg"))
    assert refused.value.code == "picture_too_large"


# Cameras


@pytest.mark.skipif(bool(list_cameras()), reason="a camera is plugged in here")
def test_without_a_camera_none_is_listed_and_opening_one_says_so(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert list_cameras() == []
    with pytest.raises(SourceError) as refused:
        webcam(0)
    assert refused.value.code == "no_camera" and refused.value.params == {"camera": 0}
    assert capfd.readouterr() == ("", "")


class Plug:
    """A camera's cable: gives five pictures every time it is plugged in, then is pulled out."""

    def __init__(self, away: int) -> None:
        self.away, self.opened = away, 0

    def connect(self) -> Iterator[Image]:
        self.opened += 1
        if 1 < self.opened <= 1 + self.away:
            raise SourceError("no_camera", camera=0)
        return self._pictures()

    def _pictures(self) -> Iterator[Image]:
        for _picture in range(5):
            yield grey(80)
        raise SourceError("camera_lost", camera=0)


def test_an_unplugged_camera_is_told_once_and_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "FIRST_WAIT_S", 0.02)
    heard, plug = Heard(), Plug(away=3)
    source, got = LiveSource("0", plug.connect, heard), []
    for frame in source.frames():
        got.append(frame)
        if len(got) == 8:
            source.close()
    assert [frame.number for frame in got] == list(range(8))
    assert all(a.at_s <= b.at_s for a, b in pairwise(got))
    assert heard.codes == ["opened", "lost", "no_camera", "opened"]
    assert plug.opened == 5


def test_a_closed_source_does_not_go_on_waiting_for_its_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "FIRST_WAIT_S", 30.0)
    source = LiveSource("0", Plug(away=99).connect)
    newest = Newest(source)
    assert newest.after(-1, 1.0) is not None
    begun = time.monotonic()
    newest.close()
    assert time.monotonic() - begun < 1 and newest.ended


def test_only_the_newest_frame_is_kept() -> None:
    gate = threading.Event()

    def connect() -> Iterator[Image]:
        for shade in range(0, 200, 10):
            yield grey(shade)
        gate.wait(5)

    source = LiveSource("0", connect)
    newest = Newest(source)
    time.sleep(0.2)
    frame = newest.after(-1, 1.0)
    assert frame is not None and frame.number == 19 and level(frame.image) == 190
    assert newest.after(frame.number, 0.05) is None
    source.close()
    gate.set()
    newest.close()


def test_what_breaks_a_source_reaches_whoever_asks_for_frames(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"broken")
    newest = Newest(PictureShow([tmp_path / "a.png"], "x"))
    with pytest.raises(SourceError):
        newest.after(-1, 2.0)


# Streams


class PhoneApp(BaseHTTPRequestHandler):
    """Serves pictures as the camera apps of phones do."""

    shots: ClassVar[int] = 0
    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if (
            path == "/private"
            and self.headers.get("Authorization") != "Basic " + base64.b64encode(b"ada:love lace").decode()
        ):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()
        elif path == "/":
            self._plain("text/html", b"<title>My camera</title>")
        elif path in ("/shot.jpg", "/private"):
            type(self).shots += 1
            self._plain("image/jpeg", jpeg(60))
        elif path in ("/video", "/bare"):
            self._stream(with_length=path == "/video")
        elif path == "/torn":
            self._stream(with_length=True, torn=80)
        else:
            self.send_error(404)

    def _plain(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, with_length: bool, torn: int | None = None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", 'multipart/x-mixed-replace; boundary="frame"')
        self.end_headers()
        for shade in (40, 80, 120):
            body = jpeg(shade) if shade != torn else b"half a picture"
            length = f"Content-Length: {len(body)}\r\n" if with_length else ""
            head = f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n"
            self.wfile.write(head.encode() + body + b"\r\n")
            self.wfile.flush()
            time.sleep(0.15)

    def log_message(self, *args: Any) -> None:
        """Quiet."""


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A phone with a camera app on this machine: its address."""
    # On a busy machine pictures arrive in bunches, and what comes too soon is skipped: here each one counts.
    monkeypatch.setattr(streams, "MOST_PER_S", 1e6)
    server = ThreadingHTTPServer(("127.0.0.1", 0), PhoneApp)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("path", ["video", "bare"])
def test_a_stream_that_drops_is_opened_again(phone: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "FIRST_WAIT_S", 0.02)
    heard = Heard()
    source, got = open_source(f"http://{phone}/{path}", heard), []
    for frame in source.frames():
        got.append(level(frame.image))
        if len(got) == 5:
            source.close()
    assert got == [40, 80, 120, 40, 80]
    assert heard.codes == ["opened", "lost", "opened"]
    assert heard.params[0]["size"] == [64, 48]


def test_a_picture_torn_on_a_bad_network_is_passed_over(phone: str) -> None:
    heard = Heard()
    source = open_source(f"http://{phone}/torn", heard)
    frames = source.frames()
    assert [level(next(frames).image) for _picture in range(2)] == [40, 120]
    assert heard.codes == ["opened"]
    source.close()


def test_single_shots_are_asked_for_one_after_the_other(phone: str) -> None:
    PhoneApp.shots = 0
    source, got = open_source(f"http://{phone}/shot.jpg"), []
    begun = time.monotonic()
    for frame in source.frames():
        got.append(level(frame.image))
        if len(got) == 3:
            source.close()
    assert got == [60, 60, 60] and PhoneApp.shots <= 4
    assert time.monotonic() - begun >= 0.35


def test_a_stream_with_a_password_is_opened_and_the_password_never_shown(phone: str) -> None:
    source = open_source(f"http://ada:love%20lace@{phone}/private?key=s3cret")
    assert source.name == f"http://{phone}/private"
    assert level(next(source.frames()).image) == 60
    with pytest.raises(SourceError) as refused:
        open_source(f"http://ada:wrong@{phone}/private")
    assert refused.value.code == "stream_refused" and "wrong" not in str(refused.value.params)


@pytest.mark.parametrize(
    ("path", "code"),
    [("", "not_a_stream"), ("nothing", "stream_refused")],
    ids=["front page", "nothing there"],
)
def test_an_address_without_pictures_has_its_word(phone: str, path: str, code: str) -> None:
    with pytest.raises(SourceError) as refused:
        open_source(f"http://{phone}/{path}")
    assert refused.value.code == code


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/video", "http://[::1", "rtsp://127.0.0.1:9/live"])
def test_an_unreachable_stream_says_so(url: str) -> None:
    with pytest.raises(SourceError) as refused:
        open_source(url)
    assert refused.value.code == "stream_unreachable"


def test_addresses_are_shown_without_secrets() -> None:
    assert plain("rtsp://a:b@10.0.0.7:554/live?token=x#y") == "rtsp://10.0.0.7:554/live"
