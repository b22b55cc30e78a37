"""A large picture is read at a smaller size, and nobody who asked notices but by the time it takes."""

from __future__ import annotations

import numpy as np
import pytest

from companion.game.cards import Kind
from vision.pictures import Image
from vision.pointed import Pointed
from vision.reading import CardRead, Corners, Reading
from vision.sized import LARGEST_SIDE, LEAST_SIDE, read_sized

CORNERS: Corners = ((99.5, 199.5), (199.5, 199.5), (199.5, 399.5), (99.5, 399.5))


class Reads:
    """A reader that finds one card where the board was pointed out."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    def __call__(self, image: Image, pointed: Pointed | None) -> Reading:
        size = image.shape[1], image.shape[0]
        self.sizes.append(size)
        corners = pointed.corners if pointed else CORNERS
        card = CardRead((0, 0), "start", (15,), Kind.START, False, True, 0.9, corners)
        return Reading((card,), (), size, 0.0, 2.0)


@pytest.mark.parametrize("times", [1, 2, 4])
def test_what_was_read_is_told_in_the_pictures_own_pixels(times: int) -> None:
    reads = Reads()
    image = np.zeros((1080 * times, LARGEST_SIDE * times, 3), np.uint8)
    pointed = Pointed(CORNERS)
    reading = read_sized(image, pointed, reads)
    assert reads.sizes == [(LARGEST_SIDE, 1080)]
    assert reading.size == (LARGEST_SIDE * times, 1080 * times)
    assert reading.px_per_mm == 2.0 * times
    # What the reader was shown where somebody had pointed comes back where that was.
    assert np.allclose(reading.cards[0].corners, CORNERS)
    assert reading.ms > 0


def test_a_point_keeps_its_place_in_the_scene() -> None:
    image = np.zeros((2160, 3840, 3), np.uint8)
    (card,) = read_sized(image, None, Reads()).cards
    # The corner at 99.5 px has 100 px to its left, and in a picture twice as large 200.
    assert card.corners[0] == (199.5, 399.5)


def test_a_picture_too_small_for_a_table_is_not_read() -> None:
    for height, width in ((LEAST_SIDE - 1, 300), (300, LEAST_SIDE - 1), (100, 6000)):
        reads = Reads()
        reading = read_sized(np.zeros((height, width, 3), np.uint8), None, reads)
        assert reads.sizes == [] and reading.cards == ()
        assert [problem.code for problem in reading.problems] == ["no_table"]
        assert reading.size == (width, height)
