"""Which reader reads which deck."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vision.deckbook import Deck
from vision.live import LiveReader
from vision.pictures import Image
from vision.pointed import Pointed
from vision.reader import Reader
from vision.reading import Reading
from vision.tunnels.reader import TunnelsReader
from vision.unmarked.reader import UnmarkedReader


class TableReader(Protocol):
    """Reads pictures of one deck, each by itself. Not for two threads at once."""

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        """Every card that surely lies on the table in a picture (height, width, 3), BGR."""
        ...


@runtime_checkable
class ReadsAgain(TableReader, Protocol):
    """A reader that remembers the last picture it read, and can look again only at what changed since."""

    def read_again(self, image: Image, touched: NDArray[np.bool_], pointed: Pointed | None = None) -> Reading:
        """As `read`, of a picture that differs from the last one read only where `touched` says so: tiles
        (rows, columns) that cover the picture."""
        ...


def reader_for(deck: Deck | None, live: bool = False) -> TableReader:
    """The reader of a deck: by its markers where it has them, else by the faces in its folder; without a deck
    any is read by its tunnels. `live`: whether the pictures are a film's."""
    if deck is None:
        return TunnelsReader()
    if not deck.marked:
        return UnmarkedReader(deck)
    return LiveReader(deck) if live else Reader(deck)
