"""`pithead read`: pictures of a table, read without a server."""

from __future__ import annotations

import json
from typing import Any

from flask_babel import gettext

from companion.commands.deck_option import folder_of
from companion.data_folder import default_folder
from companion.sentences import card, sentence
from companion.trouble import Trouble
from vision.deckbook import load_deck
from vision.read_command import read_pictures


def run(options: Any) -> int:
    """Prints what each picture shows; 1 when not one could be read. Raises the readers' coded errors, and
    Trouble `folder_not_writable`."""
    data = options.data or default_folder()
    deck = None if options.tunnels else load_deck(folder_of(data, options.deck))
    any_read = False
    try:
        for reading in read_pictures(options.pictures, deck, options.out):
            any_read |= reading["size"] != [0, 0]
            if options.json:
                print(json.dumps(reading), flush=True)
            else:
                _tell(reading)
    except BrokenPipeError:
        raise
    except OSError as error:
        # Pictures that cannot be read are named one by one: this is the folder for what was read.
        raise Trouble(
            "folder_not_writable", folder=str(options.out), system=error.strerror or str(error)
        ) from error
    return 0 if any_read else 1


def _tell(reading: dict[str, Any]) -> None:
    print(gettext("%(picture)s: %(count)s cards", picture=reading["picture"], count=len(reading["cards"])))
    for read in reading["cards"]:
        column, row = read["cell"]
        words = "?" if not read["face_up"] else _face(read)
        print(f"  {column},{row}  {words}  {read['confidence']:.2f}")
    for problem in reading["problems"]:
        print(f"  {sentence(problem['code'], problem['params'])}", flush=True)


def _face(read: dict[str, Any]) -> str:
    if read["face"] is None:
        return card(".".join("".join(group) for group in read["tunnels"]))
    name = str(read["face"]).rsplit("-", 1)[0] if str(read["face"])[-1:].isdecimal() else str(read["face"])
    return card(name, bool(read["turned"]))
