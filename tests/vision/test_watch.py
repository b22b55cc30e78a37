"""The watch: what is posted and when, with a real server that comes and goes."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.watching import SCENE, Night, Witness
from vision import overlay, watch
from vision.deckbook import Deck
from vision.frames import Frame, LiveSource
from vision.overlay import Verdict
from vision.pictures import Image, SourceError
from vision.pointed import Pointed
from vision.post import HttpPost, PostRefused, Word
from vision.reader import Reader
from vision.reading import Reading
from vision.simulate import SimulatedSource, SimulatedTable
from vision.tracker import Tracker

TOKEN = "k3"


def until(done: Callable[[], bool], limit_s: float = 10.0) -> float:
    """Waits until `done`; how long that took, in seconds."""
    begun = time.monotonic()
    while not done():
        assert time.monotonic() - begun < limit_s, "in vain"
        time.sleep(0.005)
    return time.monotonic() - begun


@dataclass
class House:
    """A server that keeps what is posted to it; `answer` is what it says to a sight, `status` how."""

    port: int = 0
    status: int = 200
    answer: Any = field(default_factory=dict)
    sights: list[dict[str, Any]] = field(default_factory=list)
    pictures: list[bytes] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    watches: list[str | None] = field(default_factory=list)

    def open(self) -> None:
        """Begins to serve, at the same port as before."""
        house = self

        class Door(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                house.watches.append(self.headers["X-Pithead-Watch"])
                house.take(self.path, self.headers["Authorization"], self.headers["Content-Type"], body)
                answer = json.dumps(house.answer).encode()
                self.send_response(house.status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *args: Any) -> None:
                """Quiet."""

        ThreadingHTTPServer.allow_reuse_address = True
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Door)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self, path: str, token: str, kind: str, body: bytes) -> None:
        if self.status != 200:
            self.others.append(path)
        elif (path, token, kind) == ("/camera/K7QX/sight", f"Bearer {TOKEN}", "application/json"):
            self.sights.append(json.loads(body))
        elif (path, token, kind) == ("/camera/K7QX/state", f"Bearer {TOKEN}", "application/json"):
            self.states.append(json.loads(body))
        elif (path, token, kind) == ("/camera/K7QX/picture", f"Bearer {TOKEN}", "image/jpeg"):
            self.pictures.append(body)
        else:
            self.others.append(path)


@pytest.fixture
def house() -> Iterator[House]:
    """A server on this machine."""
    house = House()
    house.open()
    yield house
    house.close()


@pytest.fixture
def post(house: House) -> Iterator[HttpPost]:
    """A post to that server."""
    post = HttpPost(f"http://127.0.0.1:{house.port}", "K7QX", TOKEN)
    yield post
    post.close()


class Shelf:
    """A post that keeps everything, with the time."""

    def __init__(self) -> None:
        self.word = Word()
        self.sights: list[tuple[float, Mapping[str, Any]]] = []
        self.pictures: list[bytes] = []
        self.states: list[str] = []

    def sight(self, sight: Mapping[str, Any]) -> None:
        self.sights.append((time.monotonic(), sight))

    def picture(self, jpeg: bytes) -> None:
        self.pictures.append(jpeg)

    def state(self, code: str, params: Mapping[str, Any]) -> None:
        self.states.append(code)

    def cells(self) -> list[list[int]]:
        return [card["cell"] for card in self.sights[-1][1]["cards"]] if self.sights else []


@dataclass
class Counting:
    """A reader that counts how often it is asked."""

    reader: watch.Reads
    count: int = 0

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        self.count += 1
        return self.reader.read(image, pointed)


@pytest.fixture
def table(deck: Deck) -> SimulatedTable:
    """A table with the start card and the goals on it."""
    table = SimulatedTable(deck, 2, (960, 540), SCENE)
    table.lay("start", (0, 0))
    for card, row in (("gold", -2), ("stone-NE", 0), ("stone-NW", 2)):
        table.lay(card, (8, row), face_up=False)
    return table


@pytest.fixture
def watching(deck: Deck, table: SimulatedTable) -> Iterator[tuple[Shelf, Counting]]:
    """The watch over that table, running."""
    shelf, counting, stop = Shelf(), Counting(Witness(deck, table)), threading.Event()
    args = (SimulatedSource(table, fps=15), counting, Tracker(deck), shelf, stop)
    thread = threading.Thread(target=watch.watch, args=args)
    thread.start()
    until(lambda: len(shelf.cells()) == 4)
    yield shelf, counting
    stop.set()
    thread.join(5)
    assert not thread.is_alive()


def test_a_new_card_is_posted_soon_after_it_has_come_to_rest(
    table: SimulatedTable, watching: tuple[Shelf, Counting]
) -> None:
    shelf, _counting = watching
    table.lay("EW-1", (1, 0))
    # How soon is the tracker's evening's to say: this clock is the wall's, and others work on this machine.
    until(lambda: [1, 0] in shelf.cells())
    told = shelf.sights[-1][1]
    assert told["simulated"] is True and told["revision"] == 5


def test_while_nothing_moves_little_is_read_and_the_sight_is_posted_every_two_seconds(
    watching: tuple[Shelf, Counting],
) -> None:
    shelf, counting = watching
    time.sleep(watch.AFTERMATH_S + 0.3)
    read, posted = counting.count, len(shelf.sights)
    time.sleep(watch.SIGHT_S + 0.4)
    assert 1 <= counting.count - read <= 3
    assert 1 <= len(shelf.sights) - posted <= 2
    assert shelf.sights[-1][1]["steady"] is True
    assert shelf.pictures and all(len(jpeg) <= overlay.MAX_BYTES for jpeg in shelf.pictures)


def test_while_somebody_sets_the_camera_up_the_sight_comes_often_and_measured(
    watching: tuple[Shelf, Counting],
) -> None:
    shelf, _counting = watching
    shelf.word = Word(closely=True)
    posted = len(shelf.sights)
    # Without somebody looking closely so many sights would take twice as long.
    until(lambda: len(shelf.sights) >= posted + 8, 8 * watch.SIGHT_S / 2)
    view = {measure["code"]: measure["well"] for measure in shelf.sights[-1][1]["view"]}
    assert view["view_board"] is True and view["view_tilt"] is True and len(view) == 7


def test_the_sight_goes_on_being_posted_while_the_camera_is_away(deck: Deck, table: SimulatedTable) -> None:
    shelf, stop = Shelf(), threading.Event()

    def connect() -> Iterator[Image]:
        for _frame in range(20):
            time.sleep(0.05)
            yield table.frame()
        raise SourceError("camera_lost", camera=0)

    source = LiveSource("0", connect, shelf.state)
    args = (source, Witness(deck, table), Tracker(deck), shelf, stop)
    thread = threading.Thread(target=watch.watch, args=args)
    thread.start()
    until(lambda: "lost" in shelf.states)
    before = len(shelf.sights)
    until(lambda: len(shelf.sights) > before, watch.SIGHT_S + 1)
    assert shelf.states[:2] == ["opened", "lost"] and len(shelf.cells()) == 4
    stop.set()
    thread.join(5)
    assert not thread.is_alive()


def test_a_watch_that_is_told_to_stop_has_no_last_word(deck: Deck, table: SimulatedTable) -> None:
    shelf, stop = Shelf(), threading.Event()

    class StoppedMeanwhile(Witness):
        def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
            reading = super().read(image)
            if len(shelf.sights) == 1:
                stop.set()
                return replace(reading, cards=())
            return reading

    source = SimulatedSource(table, fps=15)
    watch.watch(source, StoppedMeanwhile(deck, table), Tracker(deck), shelf, stop)
    assert len(shelf.sights) == 1


def test_a_source_that_ends_has_its_last_sight_posted(deck: Deck, table: SimulatedTable) -> None:
    class Short(LiveSource):
        def frames(self) -> Iterator[Frame]:
            yield Frame(table.frame(), 0.0, 0)

    shelf = Shelf()
    args = (Short("x", lambda: iter(())), Witness(deck, table), Tracker(deck), shelf, threading.Event())
    watch.watch(*args)
    assert len(shelf.sights) == 2


def test_a_frame_that_cannot_be_read_is_told_once_and_the_watch_goes_on(
    deck: Deck, table: SimulatedTable
) -> None:
    class Stumbles:
        def __init__(self) -> None:
            self.count = 0

        def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
            self.count += 1
            if self.count <= 3:
                cv2.resize(image, (0, 0))
            return Witness(deck, table).read(image)

    shelf, stop = Shelf(), threading.Event()
    args = (SimulatedSource(table, fps=15), Stumbles(), Tracker(deck), shelf, stop)
    thread = threading.Thread(target=watch.watch, args=args)
    thread.start()
    until(lambda: len(shelf.cells()) == 4)
    stop.set()
    thread.join(5)
    assert shelf.states == ["reading_failed"]


def test_a_reading_that_takes_long_is_no_silence_but_one_without_end_is(
    deck: Deck, table: SimulatedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SIGN_S", 0.05)
    monkeypatch.setattr(watch, "SIGNS", 3)
    begun, go_on = threading.Event(), threading.Event()

    class Ponders:
        def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
            begun.set()
            assert go_on.wait(10)
            return Witness(deck, table).read(image)

    shelf, stop = Shelf(), threading.Event()
    args = (SimulatedSource(table, fps=15), Ponders(), Tracker(deck), shelf, stop)
    thread = threading.Thread(target=watch.watch, args=args)
    thread.start()
    assert begun.wait(10)
    until(lambda: len(shelf.pictures) == 3)
    time.sleep(0.3)
    assert len(shelf.pictures) == 3 and shelf.sights == []
    go_on.set()
    until(lambda: len(shelf.cells()) == 4)
    stop.set()
    thread.join(5)
    assert not thread.is_alive()


def test_a_watch_over_a_source_that_fails_for_good_says_why_and_ends(deck: Deck) -> None:
    def connect() -> Iterator[Image]:
        return iter(())

    class Broken(LiveSource):
        def frames(self) -> Iterator[Any]:
            raise SourceError("no_pictures", file="x")
            yield

    shelf = Shelf()
    watch.watch(Broken("x", connect), Reader(deck), Tracker(deck), shelf, threading.Event())
    assert shelf.states == ["no_pictures"] and shelf.sights == []


def test_noise_is_no_movement_and_a_card_pushed_by_ten_millimetres_is(table: SimulatedTable) -> None:
    table.lay("EW-1", (1, 0))
    first, again = (watch._glance(table.frame()) for _twice in range(2))
    assert not watch.has_moved(first, again)
    table.slide((1, 0), 10, 0)
    assert watch.has_moved(first, watch._glance(table.frame()))


# The post


def test_states_sights_and_pictures_arrive_where_they_belong(house: House, post: HttpPost) -> None:
    post.state("opened", {"source": "demo"})
    post.state("lost", {})
    post.sight({"revision": 1})
    post.picture(b"jpeg")
    until(lambda: bool(house.pictures and house.sights and len(house.states) == 2))
    assert house.states == [
        {"code": "opened", "params": {"source": "demo"}},
        {"code": "lost", "params": {}},
    ]
    assert house.sights[-1] == {"revision": 1} and house.pictures == [b"jpeg"] and house.others == []


def test_a_server_that_was_away_gets_the_present_sight_and_every_state_at_once(house: House) -> None:
    post = HttpPost(f"http://127.0.0.1:{house.port}", "K7QX", TOKEN)
    post.sight({"revision": 1})
    until(lambda: house.sights == [{"revision": 1}])
    house.close()
    post.picture(b"lost on the way")
    for revision in (2, 3, 4):
        post.state("lost", {"n": revision})
        post.sight({"revision": revision})
    time.sleep(0.5)
    house.open()
    until(lambda: bool(house.sights) and house.sights[-1] == {"revision": 4}, 5)
    assert [state["params"]["n"] for state in house.states] == [2, 3, 4]
    assert house.pictures == []
    post.close()


def test_a_restarted_server_is_told_the_sight_though_nothing_has_changed(house: House) -> None:
    post = HttpPost(f"http://127.0.0.1:{house.port}", "K7QX", TOKEN)
    post.sight({"revision": 7})
    until(lambda: len(house.sights) == 1)
    house.close()
    post.picture(b"fails")
    time.sleep(0.3)
    house.sights.clear()
    house.open()
    until(lambda: house.sights == [{"revision": 7}], 5)
    post.close()


@pytest.mark.parametrize("status", [401, 404, 500, 503])
def test_a_server_that_refuses_is_asked_again_later_and_not_in_a_rush(
    house: House, post: HttpPost, status: int
) -> None:
    house.status = status
    post.sight({"revision": 1})
    time.sleep(0.7)
    assert 1 <= len(house.others) <= 4
    house.status = 200
    until(lambda: house.sights == [{"revision": 1}], 5)


def test_a_watch_of_the_server_ends_when_another_camera_was_chosen(house: House) -> None:
    ended = threading.Event()
    post = HttpPost(f"http://127.0.0.1:{house.port}", "K7QX", TOKEN, "first", ended.set)
    post.sight({"revision": 1})
    until(lambda: house.sights == [{"revision": 1}])
    assert not ended.is_set()
    house.status = 409
    post.sight({"revision": 2})
    assert ended.wait(5)
    house.status = 200
    post.sight({"revision": 3})
    post.close()
    assert house.sights == [{"revision": 1}] and house.watches == ["first", "first"]


def test_a_watch_started_by_hand_waits_until_its_camera_is_wanted(house: House) -> None:
    ended = threading.Event()
    post = HttpPost(f"http://127.0.0.1:{house.port}", "K7QX", TOKEN, None, ended.set)
    house.status = 409
    post.state("opened", {})
    post.sight({"revision": 1})
    until(lambda: len(house.others) > 1)
    house.status = 200
    until(lambda: bool(house.sights), 5)
    assert house.states == [{"code": "opened", "params": {}}] and house.sights == [{"revision": 1}]
    assert not ended.is_set() and set(house.watches) == {None}
    post.close()


def test_a_picture_too_large_for_the_server_is_not_sent_again(house: House, post: HttpPost) -> None:
    house.status = 413
    post.picture(b"large")
    time.sleep(0.5)
    assert house.others == ["/camera/K7QX/picture"]


def test_the_referees_word_comes_with_the_answer(house: House, post: HttpPost) -> None:
    house.answer = {"verdict": {"cell": [2, -1], "legal": False, "problems": []}}
    post.sight({"revision": 1})
    until(lambda: post.word.verdict == Verdict((2, -1), False))
    answers: list[Any] = [{"verdict": None}, {}, [], "?", {"verdict": {"cell": [1]}}]
    for answer in answers:
        house.answer = answer
        count = len(house.sights)
        post.sight({"revision": 2})
        until(lambda count=count: len(house.sights) > count and post.word.verdict is None)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("server", "code"),
    [
        ("http://93.184.216.34:8080", "server_not_local"),
        ("https://example.org", "server_not_local"),
        ("http://0.0.0.0:8080", "server_not_local"),
        ("ftp://127.0.0.1", "server_address_wrong"),
        ("127.0.0.1:8080", "server_address_wrong"),
        ("http://a:b@127.0.0.1", "server_address_wrong"),
        ("http://127.0.0.1:99999", "server_address_wrong"),
    ],
)
def test_nothing_is_posted_outside_the_house(server: str, code: str) -> None:
    with pytest.raises(PostRefused) as refused:
        HttpPost(server, "K7QX", TOKEN)
    assert refused.value.code == code


@pytest.mark.parametrize("server", ["http://192.168.1.23:8080", "http://localhost:1", "http://[::1]:80/"])
def test_this_machine_and_the_home_network_may_be_posted_to(server: str) -> None:
    HttpPost(server, "K7QX", TOKEN).close()


# The picture


def test_the_overlay_marks_cards_verdicts_and_a_simulation(deck: Deck) -> None:
    night = Night(deck).lay_out(("NESW-1", (1, 0)), ("EW-1", (2, 0)))
    night.witness.unread = {(2, 0)}
    night.passes(0.7)
    image = night.table.frame()

    def drawn(verdict: Verdict | None = None, simulated: bool = False) -> Image:
        data = overlay.draw(image, night.sight, verdict, simulated)
        assert len(data) <= overlay.MAX_BYTES
        return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)

    def differs(a: Image, b: Image, x: float, y: float, reach: int = 30) -> bool:
        window = np.s_[max(0, int(y) - reach) : int(y) + reach, max(0, int(x) - reach) : int(x) + reach]
        return bool((np.abs(a[window].astype(int) - b[window].astype(int)).max(2) > 60).mean() > 0.01)

    plain, (x, y) = drawn(), night.table.corners((1, 0)).mean(0)
    left, top = night.table.corners((1, 0))[0]
    assert differs(plain, image, left, top, reach=8)
    # Its tunnels as they were read; a goal face down shows none.
    assert differs(plain, image, x, y, reach=6)
    assert not differs(plain, image, *night.table.corners((8, 0)).mean(0), reach=6)
    legal, illegal = drawn(Verdict((1, 0), True)), drawn(Verdict((1, 0), False))
    assert differs(legal, plain, x, y) and differs(illegal, plain, x, y) and differs(legal, illegal, x, y)
    assert not differs(legal, plain, *night.table.corners((8, 0)).mean(0))
    assert differs(drawn(simulated=True), plain, 60, 20) and not differs(plain, image, 60, 20)


def test_however_restless_a_picture_is_it_fits_into_the_post() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (1080, 1920, 3), np.uint8)
    assert len(overlay.encode(noise)) <= overlay.MAX_BYTES
