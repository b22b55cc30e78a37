"""The printed deck as a deck folder for the camera's reader, drawn once and kept in the data folder."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import printables
from printables.deck_folder import export

KEPT = "printed-deck-"


def folder(data: Path) -> Path:
    """The folder with the deck as this version draws it; the first call takes some seconds.

    Raises printables' DeckFolderError.
    """
    kept = data / f"{KEPT}{drawing_key()}"
    if not is_kept(data):
        export(kept, expansion=True)
        for older in data.glob(f"{KEPT}*"):
            if older != kept:
                shutil.rmtree(older, ignore_errors=True)
    return kept


def is_kept(data: Path) -> bool:
    """Whether the deck is drawn already, so that `folder` answers at once."""
    return (data / f"{KEPT}{drawing_key()}" / "deck.json").exists()


def drawing_key() -> str:
    """Changes whenever the drawing of the cards does: a digest over the sources that draw them."""
    sources = sorted(Path(printables.__file__).parent.glob("*.py"))
    content = hashlib.sha256()
    for source in sources:
        content.update(source.read_bytes())
    return content.hexdigest()[:16]
