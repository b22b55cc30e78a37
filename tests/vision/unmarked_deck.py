"""The printed deck as if it had no markers: rock where they are, for tests of what reads published decks."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.deckbook import PX_PER_MM, Deck, Picture
from vision.markers import MARKER_INSET_MM, MARKER_MM

CORNER = round((MARKER_INSET_MM + MARKER_MM + 3) * PX_PER_MM)


def without_markers(deck: Deck) -> Deck:
    """The same cards with the art of their other two corners, mirrored, where their markers are."""
    faces = {
        name: replace(face, picture=_bare(face.picture), markers=None) for name, face in deck.faces.items()
    }
    return replace(deck, faces=faces, goal_back=_bare(deck.goal_back), goal_back_markers=None)


def inverted(deck: Deck) -> Deck:
    """Another edition: dark ways through light rock, and other colours."""

    def other(picture: Picture) -> Picture:
        return np.ascontiguousarray(255 - cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8)

    faces = {name: replace(face, picture=other(face.picture)) for name, face in deck.faces.items()}
    return replace(deck, faces=faces, goal_back=other(deck.goal_back), back=other(deck.back))


def _bare(picture: Picture) -> Picture:
    bare = picture.copy()
    bare[:CORNER, :CORNER] = picture[:CORNER, -CORNER:][:, ::-1]
    bare[-CORNER:, -CORNER:] = picture[-CORNER:, :CORNER][:, ::-1]
    return bare
