"""The printed deck, exported once for all tests of the camera's side."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from printables.deck_folder import export
from vision.deckbook import Deck, load_deck
from vision.reader import Reader

cv2.setNumThreads(1)


@pytest.fixture(scope="session")
def deck_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the printables export."""
    folder = tmp_path_factory.mktemp("deck")
    export(folder)
    return folder


@pytest.fixture(scope="session")
def deck(deck_folder: Path) -> Deck:
    """The printed deck as readers know it."""
    return load_deck(deck_folder)


@pytest.fixture(scope="session")
def reader(deck: Deck) -> Reader:
    """Reads pictures of it; keeps nothing from one picture to the next."""
    return Reader(deck)
