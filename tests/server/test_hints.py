"""The hint stream, over a real server and real sockets."""

import http.client
import json
import time
from collections.abc import Iterator

import pytest

from companion.network import free_port, origin
from companion.server import hints
from companion.server.hints import Streams
from companion.server.running import Running
from companion.server.services import Whereabouts
from tests.server.house import House, Screen


class Listener:
    """A browser that listens."""

    def __init__(self, port: int, code: str, cookie: str | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        self.connection.request("GET", f"/events/{code}", headers={"Cookie": cookie} if cookie else {})
        self.answer = self.connection.getresponse()

    def event(self) -> tuple[str, dict[str, int]] | None:
        """The next event, or None at the end of the stream."""
        name = "message"
        while line := self.answer.readline().decode():
            if line.startswith("event: "):
                name = line.removeprefix("event: ").strip()
            if line.startswith("data: "):
                return name, json.loads(line.removeprefix("data: "))
        return None

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


@pytest.fixture
def port(house: House) -> Iterator[int]:
    port = free_port(None)
    running = Running(house.app, port, "127.0.0.1")
    yield port
    running.stop()


def cookie(phone: Screen) -> str:
    found = phone.browser.get_cookie(f"seat_{phone.code}")
    assert found is not None
    return f"{found.key}={found.value}"


def test_a_hint_says_the_version_and_nothing_else(house: House, port: int) -> None:
    listener = Listener(port, house.code)
    assert listener.answer.headers["Content-Type"].startswith("text/event-stream")
    assert listener.event() == ("hint", {"version": 0, "sight": 0})
    house.phones(1)
    assert listener.event() == ("hint", {"version": 1, "sight": 0})
    house.see()
    assert listener.event() == ("hint", {"version": 1, "sight": 1})
    listener.close()


def test_a_hint_comes_at_once(house: House, port: int) -> None:
    listeners = [Listener(port, house.code) for _ in range(5)]
    for listener in listeners:
        listener.event()
    began = time.monotonic()
    house.phones(1)
    for listener in listeners:
        assert listener.event() == ("hint", {"version": 1, "sight": 0})
        listener.close()
    assert time.monotonic() - began < hints.HEARTBEAT_S / 2, "by itself, not with a heartbeat"


def test_the_newest_stream_of_a_seat_wins(house: House, port: int) -> None:
    ada, ben = house.phones(2)
    old, other = Listener(port, house.code, cookie(ada)), Listener(port, house.code, cookie(ben))
    for listener in (old, other):
        assert listener.event() == ("hint", {"version": 2, "sight": 0})
    new = Listener(port, house.code, cookie(ada))
    assert new.event() == ("hint", {"version": 2, "sight": 0})
    assert old.event() == ("superseded", {})
    assert old.event() is None
    house.phones(1)
    for listener in (new, other):
        assert listener.event() == ("hint", {"version": 3, "sight": 0})
    for listener in (old, new, other):
        listener.close()


def test_too_many_streams_are_told_to_poll(house: House, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "MOST_STREAMS", 2)
    listeners = [Listener(port, house.code) for _ in range(3)]
    assert [listener.answer.status for listener in listeners] == [200, 200, 503]
    assert json.loads(listeners[2].answer.read())["error"]["code"] == "too_many_streams"
    for listener in listeners:
        listener.close()


def test_a_stream_beats_and_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "HEARTBEAT_S", 0.01)
    monkeypatch.setattr(hints, "LIFETIME_S", 0.05)
    streams = Streams()
    stream = streams.open(("K7QX", "seat 1"))
    assert stream is not None
    texts = list(streams.events(stream, (3, 0)))
    assert texts[0].endswith('data: {"version":3,"sight":0}\n\n')
    assert set(texts[1:]) == {": beat\n\n"}
    assert streams.count() == 0


def test_screens_without_a_seat_cannot_take_all_streams() -> None:
    streams = Streams()
    screens = [streams.open(("K7QX", "screen 192.168.1.9"), hints.MOST_SCREENS) for _ in range(50)]
    assert all(screens)
    assert streams.count() == hints.MOST_SCREENS


def test_a_client_that_left_gives_its_stream_back(
    house: House, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "HEARTBEAT_S", 0.05)
    streams = house.services.streams
    listener = Listener(port, house.code)
    listener.event()
    assert streams.count() == 1
    listener.close()
    until = time.monotonic() + 5
    while streams.count() and time.monotonic() < until:
        time.sleep(0.02)
    assert streams.count() == 0


def test_stopping_the_server_ends_its_streams_and_frees_its_port(house: House) -> None:
    port = free_port(None)
    running = Running(house.app, port, "127.0.0.1")
    listener = Listener(port, house.code)
    listener.event()
    began = time.monotonic()
    running.stop()
    assert time.monotonic() - began < 4
    assert listener.event() is None
    listener.close()
    assert free_port(port) == port


def test_the_table_screen_tells_the_address_that_phones_reach(house: House) -> None:
    where = Whereabouts(8080)
    assert house.stranger().view("t")["join"]["url"] == f"{where.origin}/j/{house.code}"
    assert Whereabouts(8081, "127.0.0.1").origin == origin("127.0.0.1", 8081)
