"""Reading pictures that follow one another: what did not change need not be read again."""

from __future__ import annotations

from vision.pictures import Image
from vision.pointed import Pointed
from vision.readers import TableReader
from vision.reading import Reading


class Film:
    """Reads the pictures of one camera in their order. Not for two threads at once."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        """What lies on the table in the newest picture."""
        return self._reader.read(image, pointed)
