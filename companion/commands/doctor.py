"""`pithead doctor`: checks what a night needs before the guests arrive, and says what to mend."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
from flask_babel import gettext

from companion import network
from companion.commands.deck_option import folder_of
from companion.data_folder import DataFolder, default_folder
from companion.log import Log
from companion.sentences import sentence
from companion.trouble import Trouble, coded
from vision.checkup import examined
from vision.pictures import SourceError
from vision.sources import list_cameras
from vision.streams import plain


@dataclass(frozen=True)
class Finding:
    """One line of what was found."""

    text: str
    well: bool = True
    grave: bool = True
    """Whether a night needs it mended."""


Check = Callable[[Any], Iterator[Finding]]
"""Gives a line for each thing; raises a coded error where it cannot go on."""


def run(options: Any) -> int:
    """Prints every check; 1 when something is to be mended."""
    well = True
    for check in (_versions, _data, _network, _port, _cameras):
        try:
            for found in check(options):
                well &= found.well or not found.grave
                print(f"  {'✓' if found.well else '✗' if found.grave else '!'} {found.text}", flush=True)
        except Exception as error:
            trouble = coded(error)
            if trouble is None:
                raise
            well = False
            print(f"  ✗ {sentence(trouble.code, trouble.params)}", flush=True)
    return 0 if well else 1


def _versions(options: Any) -> Iterator[Finding]:
    python, system = platform.python_version(), platform.platform(terse=True)
    yield Finding(f"Python {python}, OpenCV {cv2.__version__}, {system}")


def _data(options: Any) -> Iterator[Finding]:
    tables = _tables(options)
    path = _folder(options).path
    yield Finding(gettext("Data folder: %(folder)s (tables: %(count)s)", folder=path, count=len(tables)))


def _network(options: Any) -> Iterator[Finding]:
    found = network.addresses()
    if network.choose(None, found) == network.LOOPBACK:
        raise Trouble("no_network")
    for address in found:
        yield Finding(
            gettext("Network: %(address)s (%(adapter)s)", address=address.ip, adapter=address.adapter)
        )


def _port(options: Any) -> Iterator[Finding]:
    yield Finding(gettext("Port: %(port)s is free", port=network.free_port(options.port)))


def _cameras(options: Any) -> Iterator[Finding]:
    sources = [options.camera] if options.camera else [str(number) for number in list_cameras()]
    if not sources:
        yield Finding(gettext("Cameras: none found; cards can be tapped in, or photographed with a phone"))
    for source in sources:
        try:
            told = examined(source, folder_of(_folder(options).path, options.deck))
        except SourceError as error:
            yield Finding(sentence(error.code, error.params), well=False)
        else:
            # Of several cameras only one looks at the table: the others are none the worse for it.
            yield from _camera(plain(source), told, bool(options.camera))
    yield Finding(_page(options))


def _camera(source: str, told: dict[str, Any], wanted: bool) -> Iterator[Finding]:
    width, height = told["size"]
    yield Finding(
        gettext(
            "Camera %(source)s: %(width)s x %(height)s, pictures a second: %(count)s",
            source=source,
            width=width,
            height=height,
            count=told["per_second"],
        )
    )
    if told["focus"] is not None:
        yield Finding(
            gettext("Its focus can be held.") if told["focus"] else gettext("Its focus cannot be held."),
            told["focus"],
            grave=False,
        )
        yield Finding(
            gettext("Its exposure can be held.")
            if told["exposure"]
            else gettext("Its exposure cannot be held."),
            told["exposure"],
            grave=False,
        )
    for measure in told["view"]:
        text = sentence(measure["code"], measure["params"])
        if not measure["well"]:
            text += " " + sentence(measure["code"].replace("view_", "better_", 1), measure["params"])
        yield Finding(text, measure["well"], grave=wanted)


def _page(options: Any) -> str:
    """How to come to the camera's page."""
    codes = _tables(options)
    if not codes:
        return str(gettext("To set a camera up: open a table, and press “Camera” on its screen."))
    port = options.port or _folder(options).last_port() or network.free_port(None)
    address = f"{network.origin(network.LOOPBACK, port)}/t/{codes[0]}/camera"
    return str(gettext("To set a camera up, while the table is open: %(address)s", address=address))


def _folder(options: Any) -> DataFolder:
    return DataFolder(options.data or default_folder())


def _tables(options: Any) -> list[str]:
    log = Log(_folder(options).log_url)
    try:
        return list(log.codes())
    finally:
        log.close()
