"""A real server and a real Chromium: one table screen and as many phones as a test seats."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.nights import Night, running

ROOT = Path(__file__).resolve().parents[2]
ARTEFACTS = ROOT / "tests" / "artefacts"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 8000
PHONE = (390, 844)
SMALL_PHONE = (320, 568)
TABLE = (1280, 800)

Opener = Callable[..., Page]
"""Opens an address on a device of its own: (url, size=PHONE, locale="en-GB") -> Page."""


def chromium_path() -> str:
    """The Chromium of this machine: PITHEAD_CHROMIUM, else the first known name on the path."""
    for name in (os.environ.get("PITHEAD_CHROMIUM"), *NAMES):
        found = shutil.which(name) if name else None
        if found:
            return found
    pytest.fail("no Chromium found: install one, or set PITHEAD_CHROMIUM to its program", pytrace=False)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests; every person in a test has a context of their own."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    """One server for all tests that set tables to a moment instead of playing there; each sets its own."""
    with running(tmp_path_factory.mktemp("night") / "data") as night:
        yield night


@dataclass
class Server:
    """`pithead play` as its own process, with its data in a folder that is thrown away."""

    data: Path
    port: int
    process: subprocess.Popen[str] | None = field(default=None)
    code: str = ""
    host_url: str = ""

    def start(self) -> None:
        """Starts it and waits until it has told its addresses."""
        command = [sys.executable, "-m", "companion.cli", "play", "--no-browser", "--camera", "off"]
        self.process = subprocess.Popen(
            [*command, "--data", str(self.data), "--host", "127.0.0.1", "--port", str(self.port)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "LANGUAGE": "en"},
        )
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            code = re.search(r"/j/([A-Z0-9]+)", said)
            host = re.search(r"(http://\S+/host/\S+)", said)
            if code and host:
                self.code, self.host_url = code[1], host[1]
                return
        pytest.fail(f"the server ended before it told its addresses: {said}")

    def stop(self) -> None:
        """Ends the process that was started here."""
        if self.process is None:
            return
        self.process.terminate()
        self.process.communicate(timeout=15)
        self.process = None

    @property
    def url(self) -> str:
        """Where the server is reached."""
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server with a fresh table, for one file of tests: starting takes seconds."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = Server(tmp_path_factory.mktemp("browser") / "data", port)
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def open_page(browser: Browser) -> Iterator[Opener]:
    """Opens an address on a device of its own; a script error or a refused resource fails the test."""
    contexts, complaints = [], []

    def opened(url: str, size: tuple[int, int] = PHONE, locale: str = "en-GB") -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=size[0] < TABLE[0],
            reduced_motion="reduce",
            locale=locale,
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda said: complaints.append(said.text) if "Content Security" in said.text else None
        )
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def keep_picture() -> Callable[[Page, str], None]:
    """Keeps a screenshot in tests/artefacts/ for people to look at."""
    ARTEFACTS.mkdir(exist_ok=True)

    def kept(page: Page, name: str) -> None:
        page.screenshot(path=ARTEFACTS / f"{name}.png")

    return kept
