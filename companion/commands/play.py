"""`pithead play`: opens a table, or goes on with the last one, and serves it until Ctrl+C."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from contextlib import ExitStack
from types import FrameType
from typing import Any

from flask_babel import gettext

from companion import deck_choice, network
from companion.camera_process import OFF, CameraProcess, watch_command
from companion.commands.deck_option import folder_of
from companion.data_folder import DataFolder, default_folder
from companion.log import Log
from companion.server import create_app
from companion.server.running import Running
from companion.server.services import Cameras, Services, Whereabouts
from companion.tables import Tables
from vision.deckbook import load_deck

LOGGED_ERRORS = "camera-errors.txt"


def run(options: Any) -> int:
    """Serves until the process is told to end. Raises Trouble where something is in the way."""
    with ExitStack() as opened:
        folder = DataFolder(options.data or default_folder())
        folder.take()
        opened.callback(folder.release)
        deck = deck_choice.remembered(folder)
        if options.deck:
            named = folder_of(folder.path, options.deck)
            load_deck(named)
            deck = deck_choice.choice_of(folder.path, named)
        log = Log(folder.log_url)
        opened.callback(log.close)
        network.choose(options.host, network.addresses())
        port = network.free_port(options.port, folder.last_port())
        where = Whereabouts(port, options.host)

        def cameras(tables: Tables, token: str) -> Cameras:
            process = _camera_process(tables, token, port, deck, folder)
            opened.callback(process.stop)
            return process

        services = Services.of(folder, log, where, cameras, options.new)
        server = Running(create_app(services), port, options.host)
        opened.callback(server.stop)
        folder.remember_port(port)
        host_link = f"{network.origin(network.LOOPBACK, port)}/host/{services.host_secret}"
        _greet(services, host_link)
        _start_camera(services, options.camera)
        if not options.no_browser and has_desktop():
            webbrowser.open(host_link)
        _until_told_to_end()
        print(gettext("The table is closed. Everything is kept: start again to go on."), flush=True)
    return 0


def _camera_process(tables: Tables, token: str, port: int, deck: str, folder: DataFolder) -> CameraProcess:
    command = watch_command(network.origin(network.LOOPBACK, port), folder.path)
    errors = folder.path / LOGGED_ERRORS
    return CameraProcess(tables, token, command, errors, webcams, deck, folder.remember_deck)


def _greet(services: Services, host_link: str) -> None:
    say(gettext("Table %(code)s is open.", code=services.code))
    say(gettext("Phones:       %(address)s", address=f"{services.whereabouts.origin}/j/{services.code}"))
    say(gettext("Table screen: %(address)s", address=host_link))
    if services.whereabouts.alone:
        say(
            gettext(
                "No network was found, so only this computer reaches the table. Join a Wi-Fi: the address on "
                "the table screen follows by itself."
            )
        )
    else:
        say(
            gettext(
                "All phones must be in the same Wi-Fi. If they find nothing: guest networks keep devices "
                "apart, and a firewall may have to let Python in."
            )
        )


def _start_camera(services: Services, wanted: str | None) -> None:
    source = wanted
    if source is None:
        found = webcams()
        source = str(found[0]) if found else OFF
        if not found:
            say(gettext("No webcam was found: cards are tapped in. The table screen can choose a camera."))
    if source != OFF:
        say(gettext("Camera: %(source)s", source=source))
        services.cameras.choose(services.code, source)


def _until_told_to_end() -> None:
    told = threading.Event()

    def tell(_signal: int, _frame: FrameType | None) -> None:
        told.set()

    signal.signal(signal.SIGTERM, tell)
    signal.signal(signal.SIGINT, tell)
    say(gettext("Ctrl+C ends it."))
    # In short waits: on Windows an endless one would not hear Ctrl+C.
    while not told.wait(0.5):
        pass


def has_desktop() -> bool:
    """Whether a browser would open in a window: on a bare Linux console it would take over the terminal."""
    return sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def webcams() -> list[int]:
    """The webcams that open here. Takes seconds where there are any."""
    from vision.sources import list_cameras  # brings OpenCV, which the server itself does without

    return list_cameras()


def say(text: str) -> None:
    """One line for whoever started this, at once even through a pipe."""
    print(text, flush=True)
