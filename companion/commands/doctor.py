"""`pithead doctor`: checks what a night needs before the guests arrive, and says what to mend."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from typing import Any

import cv2
from flask_babel import gettext

from companion import network
from companion.data_folder import DataFolder, default_folder
from companion.log import Log
from companion.sentences import sentence
from companion.trouble import Trouble
from vision.sources import list_cameras

Check = Callable[[Any], Iterator[str]]
"""Gives a line for each thing that is well; raises Trouble for one that is not."""


def run(options: Any) -> int:
    """Prints every check; 1 when something is to be mended."""
    well = True
    for check in (_versions, _data, _network, _port, _cameras):
        try:
            for line in check(options):
                print(f"  ✓ {line}", flush=True)
        except Trouble as trouble:
            well = False
            print(f"  ✗ {sentence(trouble.code, trouble.params)}", flush=True)
    return 0 if well else 1


def _versions(options: Any) -> Iterator[str]:
    yield f"Python {platform.python_version()}, OpenCV {cv2.__version__}, {platform.platform(terse=True)}"


def _data(options: Any) -> Iterator[str]:
    folder = DataFolder(options.data or default_folder())
    log = Log(folder.log_url)
    try:
        tables = log.codes()
    finally:
        log.close()
    yield gettext("Data folder: %(folder)s (tables: %(count)s)", folder=folder.path, count=len(tables))


def _network(options: Any) -> Iterator[str]:
    found = network.addresses()
    if network.choose(None, found) == network.LOOPBACK:
        raise Trouble("no_network")
    for address in found:
        yield gettext("Network: %(address)s (%(adapter)s)", address=address.ip, adapter=address.adapter)


def _port(options: Any) -> Iterator[str]:
    yield gettext("Port: %(port)s is free", port=network.free_port(options.port))


def _cameras(options: Any) -> Iterator[str]:
    found = list_cameras()
    if not found:
        yield gettext("Cameras: none found; cards can be tapped in")
    for number in found:
        yield gettext("Camera: %(number)s", number=number)
