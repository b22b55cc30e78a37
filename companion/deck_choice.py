"""Which deck the camera reads: the printed one, a kept one of the players, or any by its tunnels."""

from __future__ import annotations

from pathlib import Path

from companion.data_folder import DataFolder
from companion.own_decks import DECK, DECKS, kept_decks

PRINTED, UNKNOWN = "", "*"
"""What is chosen beside kept decks and folders: the printed deck, and a deck that nobody has shown. No kept
deck can have such a name."""


def choices(data: Path, chosen: str) -> list[str]:
    """All that can be chosen, the one that is among them: it may be a folder named on the command line."""
    there = [PRINTED, *kept_decks(data), UNKNOWN]
    return there if chosen in there else [chosen, *there]


def chosen_folder(data: Path, deck: str) -> Path:
    """The folder of a choice that is neither PRINTED nor UNKNOWN: a kept deck's, or the folder it names."""
    kept = data / DECKS / deck
    return kept if (kept / DECK).is_file() else Path(deck)


def choice_of(data: Path, folder: Path) -> str:
    """A folder as a choice: by its name for a kept deck."""
    return folder.name if folder.parent == data / DECKS else str(folder.resolve())


def remembered(folder: DataFolder) -> str:
    """The deck that was chosen last, if it is still there; else the printed one."""
    chosen = folder.last_deck()
    return chosen if chosen == UNKNOWN or chosen in kept_decks(folder.path) else PRINTED
