"""Which reader reads which deck."""

from __future__ import annotations

from typing import Protocol

from vision.deckbook import Deck
from vision.pictures import Image
from vision.pointed import Pointed
from vision.reader import Reader
from vision.reading import Reading


class TableReader(Protocol):
    """Reads pictures of one deck, each by itself. Not for two threads at once."""

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        """Every card that surely lies on the table in a picture (height, width, 3), BGR."""
        ...


def reader_for(deck: Deck) -> TableReader:
    """The reader of a deck. Raises DeckError "unmarked_deck_not_supported_yet" for one without markers."""
    return Reader(deck)
