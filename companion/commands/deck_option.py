"""The deck folder that a command line names with --deck."""

from __future__ import annotations

from pathlib import Path

from companion import printed_deck
from companion.data_folder import DataFolder
from companion.deck_choice import chosen_folder


def folder_of(data: Path, named: Path | None) -> Path:
    """A folder that is there, that of a kept deck of the name, or for None the printed deck's, which is drawn
    at the first call. A name of nothing comes back as it is. Raises printables' DeckFolderError."""
    if named is None:
        return printed_deck.folder(DataFolder(data).path)
    is_name = not named.exists() and len(named.parts) == 1
    return chosen_folder(data, str(named)) if is_name else named
