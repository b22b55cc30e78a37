"""Photos from phones as a source: fetched from a real server, made smaller, and read as a table at rest."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
import pytest

from companion.game.cards import GOAL_CELLS
from tests.vision.test_watch import Shelf, until
from tests.vision.watching import GOALS, SCENE, Witness
from vision import photos
from vision.deckbook import Deck
from vision.door import Door
from vision.overlay import Verdict
from vision.photos import LARGEST_SIDE, PhotoSource, shrunk
from vision.pictures import Image
from vision.pointed import Pointed
from vision.post import Word
from vision.reading import Reading
from vision.simulate import SimulatedTable
from vision.tracker import Tracker
from vision.watch import watch

TOKEN = "k3"


@dataclass
class Desk:
    """A server that keeps the newest photo."""

    photo: bytes = b""
    number: int = 0
    status: int = 200
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    def take(self, photo: bytes) -> None:
        self.photo, self.number = photo, self.number + 1


@pytest.fixture
def desk() -> Iterator[tuple[Desk, Door]]:
    """The server, and its door."""
    kept = Desk()

    class Asked(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kept.asked.append((self.path, self.headers["Authorization"]))
            new = kept.number > int(self.path.partition("after=")[2])
            self.send_response(kept.status if kept.status != 200 or new else 204)
            body = kept.photo if new and kept.status == 200 else b""
            self.send_header("X-Pithead-Photo", str(kept.number))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Asked)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield kept, Door(f"http://127.0.0.1:{server.server_port}", "K7QX", TOKEN)
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photos, "ASKED_S", 0.02)
    monkeypatch.setattr(photos, "AWAY_S", 0.05)


def as_jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def grey(size: tuple[int, int], level: int = 90) -> Image:
    return np.full((size[1], size[0], 3), level, np.uint8)


def test_every_photo_comes_once_as_a_still_picture(desk: tuple[Desk, Door]) -> None:
    kept, door = desk
    source = PhotoSource(door)
    frames = source.frames()
    for number, level in enumerate((40, 90)):
        kept.take(as_jpeg(grey((64, 48), level)))
        frame = next(frames)
        assert (frame.number, frame.still, round(float(frame.image.mean()), -1)) == (number, True, level)
    assert kept.asked[0] == ("/camera/K7QX/photo?after=0", f"Bearer {TOKEN}")
    source.close()
    assert list(frames) == []


def test_a_photo_of_twelve_megapixels_is_made_smaller(desk: tuple[Desk, Door]) -> None:
    kept, door = desk
    kept.take(as_jpeg(grey((4032, 3024))))
    image = next(PhotoSource(door).frames()).image
    assert image.shape == (LARGEST_SIDE * 3 // 4, LARGEST_SIDE, 3)
    assert shrunk(image) is image


def test_what_is_no_photo_is_told_and_the_next_is_waited_for(desk: tuple[Desk, Door]) -> None:
    kept, door = desk
    told: list[str] = []
    frames = PhotoSource(door, lambda code, params: told.append(code)).frames()
    kept.take(b"\xff\xd8\xff but no more")
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.append(next(frames)), daemon=True)
    thread.start()
    until(lambda: "not_a_picture" in told)
    kept.take(as_jpeg(grey((64, 48))))
    thread.join(5)
    assert told == ["opened", "not_a_picture"] and len(got) == 1


def test_a_server_that_is_away_for_a_while_costs_no_photo(desk: tuple[Desk, Door]) -> None:
    kept, door = desk
    kept.status = 503
    kept.take(as_jpeg(grey((64, 48))))
    frames = PhotoSource(door).frames()
    threading.Timer(0.3, lambda: setattr(kept, "status", 200)).start()
    assert next(frames).still
    assert len(kept.asked) >= 3


class Pointing(Witness):
    """Keeps what was pointed out to it."""

    pointed: Pointed | None = None

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        self.pointed = pointed
        return super().read(image)


@pytest.fixture
def table(deck: Deck) -> SimulatedTable:
    """A table with the opening layout."""
    table = SimulatedTable(deck, 2, (1280, 720), SCENE)
    table.lay("start", (0, 0))
    for card, cell in zip(GOALS, GOAL_CELLS, strict=True):
        table.lay(card, cell, face_up=False)
    return table


def test_a_watch_over_photos_says_that_it_waits_then_what_each_shows(
    deck: Deck, table: SimulatedTable, desk: tuple[Desk, Door]
) -> None:
    kept, door = desk
    shelf, stop = Shelf(), threading.Event()
    reader = Pointing(deck, table)
    thread = threading.Thread(target=watch, args=(PhotoSource(door), reader, Tracker(deck), shelf, stop))
    thread.start()
    try:
        until(lambda: bool(shelf.sights))
        first = shelf.sights[0][1]
        assert [problem["code"] for problem in first["problems"]] == ["photo_awaited"]
        assert first["steady"] is False and not shelf.pictures
        for count in (4, 5):
            if count == 5:
                table.lay("EW-1", (1, 0))
            kept.take(as_jpeg(table.frame()))
            until(lambda count=count: len(shelf.cells()) == count)  # type: ignore[misc]
            assert shelf.sights[-1][1]["steady"] is True and shelf.sights[-1][1]["problems"] == []
            until(lambda count=count: len(shelf.pictures) == count - 3)  # type: ignore[misc]
        # The verdict comes after the picture: it is drawn on the photo that is still the newest.
        shelf.word = Word(Verdict((1, 0), False))
        until(lambda: len(shelf.pictures) == 3)
        assert shelf.pictures[2] != shelf.pictures[1]
        # So do corners that are pointed out on it: it is read again with their help.
        corners = ((0.1, 0.3), (0.9, 0.1), (0.9, 0.9), (0.1, 0.7))
        shelf.word = Word(pointed=Pointed(corners))
        until(lambda: reader.pointed is not None)
        assert reader.pointed is not None
        assert reader.pointed.corners[1] == pytest.approx((0.9 * 1280 - 0.5, 0.1 * 720 - 0.5))
    finally:
        stop.set()
        thread.join(5)
    assert not thread.is_alive()


def test_photos_taken_quickly_one_after_the_other_are_all_read(
    deck: Deck, table: SimulatedTable, desk: tuple[Desk, Door]
) -> None:
    kept, door = desk
    shelf, stop = Shelf(), threading.Event()
    args = (PhotoSource(door), Witness(deck, table), Tracker(deck), shelf, stop)
    thread = threading.Thread(target=watch, args=args)
    thread.start()
    for count, cell in enumerate([(1, 0), (2, 0), (3, 0)]):
        table.lay(f"NESW-{count + 1}", cell)
        kept.take(as_jpeg(table.frame()))
        until(lambda count=count: len(shelf.cells()) == count + 5)  # type: ignore[misc]
    stop.set()
    thread.join(5)
    assert not thread.is_alive()
