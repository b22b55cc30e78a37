"""The printed deck as a deck folder: deck.json and one picture a face, as the camera's reader takes it."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from companion.game.cards import CARD_MM, Face, letters
from printables.art import face_svg
from printables.backs import back_svg, goal_back_svg
from printables.cards import DECK, EXPANSION
from printables.sheets import cards_pdf
from vision.markers import GOAL_BACK_MARKERS

PX_PER_MM = 10
POINTS_PER_MM = 72 / 25.4
PICTURE = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
"""Width and height of a card's picture in px."""


class DeckFolderError(Exception):
    """A deck folder that cannot be written: a code with parameters, for `sentences` to put into words."""

    def __init__(self, code: str, **params: str) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


def export(folder: Path, expansion: bool = False) -> Path:
    """Writes the printed deck (and the expansion's path cards if wanted) as a deck folder; returns deck.json.

    The pictures are rasterised at 10 px/mm from the very vectors that are printed. Every file comes in by a
    rename, deck.json last, so a reader never meets half a deck.
    Raises DeckFolderError("deck_folder_unwritable").
    """
    cards = DECK + (EXPANSION if expansion else ())
    pages = [back_svg(), goal_back_svg(), *(face_svg(card) for card in cards)]
    files = ["back.png", "goal_back.png", *(f"{card.id}.png" for card in cards)]
    book = {
        "card_mm": [round(side) for side in CARD_MM],
        "back": files[0],
        "goal_back": files[1],
        "goal_back_markers": list(GOAL_BACK_MARKERS),
        "faces": {
            card.id: {
                "file": f"{card.id}.png",
                "kind": card.face.kind.value,
                "tunnels": tunnels(card.face),
                "markers": list(card.markers),
            }
            for card in cards
        },
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "deck.json").unlink(missing_ok=True)
        for file, picture in zip(files, rasterise(cards_pdf(pages)), strict=True):
            _put(folder / file, cv2.imencode(".png", picture)[1].tobytes())
        _put(folder / "deck.json", (json.dumps(book, indent=1) + "\n").encode())
    except OSError as error:
        raise DeckFolderError(
            "deck_folder_unwritable", folder=str(folder), why=error.strerror or str(error)
        ) from error
    return folder / "deck.json"


def tunnels(face: Face) -> list[list[str]]:
    """A face's tunnels as deck.json tells them: groups of edge letters as printed."""
    return [list(letters(group)) for group in face.tunnels]


def rasterise(pdf: bytes, px_per_mm: float = PX_PER_MM) -> list[NDArray[np.uint8]]:
    """The pages of a PDF as BGR pictures (height, width, 3) at `px_per_mm`."""
    document: Any = pypdfium2.PdfDocument(pdf)
    try:
        pictures = []
        for page in document:
            size = [round(points / POINTS_PER_MM * px_per_mm) for points in page.get_size()]
            # The renderer rounds sizes up and stretches the page to them: a hair less keeps the scale true.
            bitmap = page.render(scale=px_per_mm / POINTS_PER_MM * (1 - 2e-5), rev_byteorder=False)
            picture = bitmap.to_numpy()[:, :, :3]
            assert list(picture.shape[1::-1]) == size
            pictures.append(np.ascontiguousarray(picture))
        return pictures
    finally:
        document.close()


def _put(path: Path, content: bytes) -> None:
    """Writes a file under another name first, then renames it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=path.suffix)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
