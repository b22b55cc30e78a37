"""How many long requests the server takes in at once, whoever sends them."""

import socket
import time
from collections.abc import Iterator

import pytest

from companion.server.long_bodies import LONG_BODY, MOST_LONG, Parser
from companion.server.running import Running
from tests.server.house import House

PATIENCE_S = 20.0


@pytest.fixture
def port(house: House) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = int(probe.getsockname()[1])
    running = Running(house.app, free, "127.0.0.1")
    yield free
    running.stop()


def send(port: int, text: str) -> socket.socket:
    sender = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    sender.sendall(text.encode())
    return sender


def half_a_photo(port: int) -> socket.socket:
    return send(port, f"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: {LONG_BODY + 1}\r\n\r\nhalf")


def until_under_way(count: int) -> None:
    end = time.monotonic() + PATIENCE_S
    while len(Parser.under_way) != count:
        assert time.monotonic() < end, f"{len(Parser.under_way)} are under way, not {count}"
        time.sleep(0.02)


def test_one_long_request_too_many_is_refused_and_short_ones_are_answered(port: int) -> None:
    senders = [half_a_photo(port) for _ in range(MOST_LONG)]
    until_under_way(MOST_LONG)
    with half_a_photo(port) as late:
        assert late.recv(100).startswith(b"HTTP/1.1 503 ")
    with send(port, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n") as short:
        assert short.recv(100).startswith(b"HTTP/1.1 200 ")
    # Whoever hangs up makes room, and so does whoever is answered.
    senders.pop().close()
    until_under_way(MOST_LONG - 1)
    with senders.pop() as whole:
        whole.sendall(b"x" * LONG_BODY)
        assert whole.recv(100).startswith(b"HTTP/1.1 403 ")
    until_under_way(MOST_LONG - 2)
    for sender in senders:
        sender.close()
    until_under_way(0)


def test_a_long_request_without_a_length_counts_as_well(port: int) -> None:
    with send(port, "POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n") as sender:
        sender.sendall(b"%x\r\n" % (2 * LONG_BODY) + b"x" * (LONG_BODY + 1))
        until_under_way(1)
    until_under_way(0)
