"""The markers and corner tags of a picture of which nothing is known yet."""

from __future__ import annotations

import numpy as np

from vision.eyes import Eyes
from vision.spots import Marks
from vision.squares import Floats, Grey, find_squares, sharpened, smaller

HALVED_WINDOW, HALVED_CONTRAST = 9, 7
"""The neighbourhood that dark is judged by in a picture of half the size, and how much darker: half the noise
is gone there.

With 5 instead a quarter more specks were labelled, and 506 markers read in 19 rendered pictures, not 501;
"""
SQUARES_SIDE = 1280
"""Longest side in px of the picture in which squares are looked for when that showed few; what they are is
read at full size."""
LIKE, LEAD = 0.70, 0.14
"""A marker read on its own: false ones stayed below a lead of 0.14 in 675 squares that were none."""
FAINT = 0.77, LEAD
"""The same of one that has no outline, for more places are tried: in 25 photographs without cards 18 had a
likeness of 0.70, 6 had 0.75 and none 0.78; in 12 hard rendered pictures one of 64 with 0.75 was false."""
FAINTER = 0.70, 0.12
"""The same where cards told by their art say how the table lies, so that false ones fit into no plane."""
FEW_MARKS = 4
"""Markers below which they are looked for again in a sharpened picture: start card and goals have eight."""
TAG_LIKE, TAG_LEAD = 0.85, 0.15
TAG_LEAST_PX = 16
SAME_PLACE_PX = 5.0


def first_marks(eyes: Eyes, grey: Grey, halved: Grey | None) -> tuple[Marks, Marks]:
    """Markers of cards, and tags, that were read surely enough to build on.

    `grey` is (height, width), `halved` the same at half its size if it is large.
    """
    if halved is not None:
        squares = find_squares(halved, HALVED_WINDOW, contrast=HALVED_CONTRAST)
        cards, tags = _decode(eyes, grey, squares, 0.5)
        if len(cards) >= FEW_MARKS:
            return cards, tags
    shrink = min(1.0, SQUARES_SIDE / max(grey.shape))
    small = smaller(grey, shrink)
    squares = find_squares(small)
    cards, tags = _decode(eyes, grey, squares, shrink)
    if len(cards) < FEW_MARKS:
        squares = np.concatenate([squares, find_squares(sharpened(small))])
        cards, tags = _decode(eyes, grey, squares, shrink, outlined=False)
    return cards, tags


def with_faint(eyes: Eyes, grey: Grey, marks: Marks) -> tuple[Marks, Marks]:
    """Markers of cards with those without an outline; and with such as only other cards make believable.

    It takes longer than all else.
    """
    shrink = min(1.0, SQUARES_SIDE / max(grey.shape))
    squares = _larger(eyes.faint.squares(smaller(grey, shrink)), shrink)
    decoded = eyes.cards.decode_astray(grey, squares)
    faint, fainter = (
        marks.joined(Marks.among(decoded, *least)).apart(SAME_PLACE_PX).once(eyes.anatomy.often)
        for least in (FAINT, FAINTER)
    )
    return faint, fainter


def _decode(
    eyes: Eyes, grey: Grey, squares: Floats, shrink: float, outlined: bool = True
) -> tuple[Marks, Marks]:
    squares = _larger(squares, shrink)
    decoded = eyes.cards.decode(grey, squares, outlined)
    cards = Marks.among(decoded, LIKE, LEAD)
    sides = np.linalg.norm(squares - np.roll(squares, 1, 1), axis=2).max(1)
    unread = (decoded.likeness < LIKE) | (decoded.lead < LEAD)
    tags = eyes.tags.decode(grey, squares[unread & (sides > TAG_LEAST_PX)], outlined)
    cards = cards.apart(SAME_PLACE_PX).once(eyes.anatomy.often)
    return cards, Marks.among(tags, TAG_LIKE, TAG_LEAD).apart(SAME_PLACE_PX).once(())


def _larger(squares: Floats, shrink: float) -> Floats:
    """Squares of a picture that was shrunk so much, in px of the picture itself."""
    return np.asarray((squares + 0.5) / shrink - 0.5, np.float32)
