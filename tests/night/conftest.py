"""The printed deck as a camera's reader takes it, made once for all nights."""

from __future__ import annotations

from pathlib import Path

import pytest

from printables.deck_folder import export
from vision.deckbook import Deck, load_deck


@pytest.fixture(scope="session")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    folder: Path = tmp_path_factory.mktemp("deck")
    export(folder)
    return load_deck(folder)
