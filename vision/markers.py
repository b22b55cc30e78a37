"""The markers of the printed deck and the corner tags: which dictionary, which ids, where on the card."""

from __future__ import annotations

import cv2

DICTIONARY = cv2.aruco.DICT_5X5_250
"""No false id on 902 real photographs; 250 ids hold both games, two to a card."""
MARKER_IDS = 250
MARKER_MM = 17.5
"""Side of a marker's black square, in mm."""
MARKER_INSET_MM = 2.2
"""White between the card's edge and the marker, in mm."""
GOAL_BACK_MARKERS = (248, 249)
"""One pair for all three goal backs, so that nobody can tell them apart."""

TAG_DICTIONARY = cv2.aruco.DICT_4X4_50
TAG_IDS = (0, 1, 2, 3)
"""Tags at the playing area's top-left, top-right, bottom-right, bottom-left corner, start on the left."""
TAG_MM = 45.0
TAG_SHEET_MM = 60.0


def markers_of(number: int) -> tuple[int, int]:
    """Ids of a card's markers (top-left, bottom-right of the face as printed) by its number 0..123."""
    return 2 * number, 2 * number + 1
