"""`pithead play` as it is really run: killed in the middle of a game, started again, told to stop."""

import http.cookiejar
import json
import re
import signal
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.data_folder import DataFolder


class Night:
    """A running server in a process of its own."""

    def __init__(self, data: Path, *options: str) -> None:
        line = [sys.executable, "-m", "companion.cli", "play", "--no-browser", "--data", str(data)]
        self.process = subprocess.Popen(
            [*line, "--camera", "off", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        assert self.process.stdout is not None
        self.said = ""
        for said in self.process.stdout:
            self.said += said
            if "Ctrl+C" in said:
                break
        self.host_link = found(r"http://127\.0\.0\.1:\d+/host/\S+", self.said)
        self.base = self.host_link.partition("/host/")[0]
        self.code = found(r"Table (\w{4}) is open", self.said)

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def stop(self) -> str:
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=15)
        assert self.process.returncode == 0, said
        return str(said)


@contextmanager
def night(data: Path, *options: str) -> Iterator[Night]:
    running = Night(data, *options)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.kill()


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, text
    return match[match.lastindex or 0]


class Browser:
    """Keeps its cookies, as a phone does while the server is away."""

    def __init__(self) -> None:
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
        )

    def open(self, url: str, data: bytes | None = None, kind: str = "application/json") -> Any:
        request = urllib.request.Request(url, data, {"Content-Type": kind} if data is not None else {})
        with self.opener.open(request, timeout=5) as answer:
            content = answer.read()
            return json.loads(content) if answer.headers["Content-Type"] == "application/json" else answer.url

    def join(self, table: Night, name: str) -> None:
        form = urllib.parse.urlencode({"name": name}).encode()
        url = self.open(f"{table.base}/j/{table.code}", form, "application/x-www-form-urlencoded")
        assert url == f"{table.base}/p/{table.code}"

    def ask(self, table: Night, letter: str, id: str, **body: Any) -> Any:
        where = f"{table.base}/{letter}/{table.code}"
        command = {"id": id, "version": self.open(f"{where}/view")["version"], **body}
        return self.open(f"{where}/command", json.dumps(command).encode())


def test_a_game_goes_on_where_it_was_after_the_server_was_killed(tmp_path: Path) -> None:
    host, phones = Browser(), [Browser() for _ in range(3)]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with night(tmp_path, "--host", "127.0.0.1", "--port", str(port)) as first:
        assert f"{first.base}/j/{first.code}" in first.said
        assert "only this computer reaches the table" in first.said
        host.open(first.host_link)
        for phone, name in zip(phones, ("Ada", "Ben", "Cleo"), strict=True):
            phone.join(first, name)
        host.ask(first, "t", "start", do="start_round")
        phones[0].ask(first, "p", "lay", do="place", cell=[1, 0], face="EW")
        before = [phone.open(f"{first.base}/p/{first.code}/view") for phone in phones]
        role = phones[1].open(f"{first.base}/p/{first.code}/secret/role")
        link = phones[2].open(f"{first.base}/p/{first.code}/link")["url"]
        first.kill()
    with night(tmp_path, "--host", "127.0.0.1") as second:
        # The same code, port, host's link, cookies, seats, secrets and personal links.
        assert (second.code, second.base, second.host_link) == (first.code, first.base, first.host_link)
        assert [phone.open(f"{second.base}/p/{second.code}/view") for phone in phones] == before
        assert phones[1].open(f"{second.base}/p/{second.code}/secret/role") == role
        assert host.open(f"{second.base}/t/{second.code}/view")["host"]
        elsewhere = Browser()
        elsewhere.open(second.base + urllib.parse.urlsplit(link).path)
        assert elsewhere.open(f"{second.base}/p/{second.code}/view")["me"]["name"] == "Cleo"
        # A phone that did not hear the answer asks again; the next player plays on.
        again = phones[0].ask(second, "p", "lay", do="place", cell=[1, 0], face="EW")
        assert again["version"] == before[0]["version"]
        played = phones[1].ask(second, "p", "lay", do="place", cell=[2, 0], face="EW")
        assert played["version"] == before[0]["version"] + 1
        assert "Everything is kept" in second.stop()


def refused(capsys: pytest.CaptureFixture[str], data: Path, *options: str) -> str:
    line = ["play", "--no-browser", "--camera", "off", "--data", str(data), *options]
    assert cli.main(line) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("pithead: ") and said.err.count("\n") == 1
    return said.err


def test_a_data_folder_that_cannot_be_written_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    assert "Choose another one with --data FOLDER" in refused(capsys, file / "below")


def test_a_table_that_is_open_already_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.take()
    assert "Pithead is running already" in refused(capsys, tmp_path)
    folder.release()


def test_a_taken_port_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        assert f"Port {port} is taken" in refused(capsys, tmp_path, "--port", str(port))


def test_an_address_of_another_machine_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "It has:" in refused(capsys, tmp_path, "--host", "203.0.113.77")
