"""For all tests: the printed deck, exported once, and assertions that explain themselves everywhere."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from printables.deck_folder import export
from vision.deckbook import Deck, load_deck
from vision.reader import Reader

# These hold assertions, though no tests.
pytest.register_assert_rewrite("tests.game.proof.invariants", "tests.game.proof.players", "tests.game.table")

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
