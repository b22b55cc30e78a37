"""Photographs of our own deck's art without markers, laid apart on a cloth: what a family would take."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from companion.game.cards import Face
from printables.art import shape_svg
from printables.backs import back_svg
from printables.deck_folder import rasterise
from printables.sheets import cards_pdf
from vision.pictures import Image
from vision.scene import Cover
from vision.tabletop import cover

PX_PER_MM = 4
BACK = "back"


@cache
def pictures(names: tuple[str, ...]) -> tuple[Image, ...]:
    """Cards by their text forms ("NS.E", "start", BACK), upright, PX_PER_MM."""
    pages = [back_svg() if name == BACK else shape_svg(Face.parse(name)) for name in names]
    return tuple(np.asarray(one, np.uint8) for one in rasterise(cards_pdf(pages), PX_PER_MM))


def photograph(names: Sequence[str], seed: int, columns: int = 5, kind: Cover = Cover.FELT) -> Image:
    """These cards lying apart, a little askew, either way up, under a lamp, seen slightly from the side."""
    chance = np.random.default_rng(seed)
    scale = 3.0
    rows = -(-len(names) // columns)
    wide, high = round(columns * 90 * scale), round(rows * 125 * scale)
    table = cover(kind, wide, high, scale, chance).astype(np.float32)
    for index, picture in enumerate(pictures(tuple(names))):
        middle = np.array([(index % columns + 0.5) * 90, (index // columns + 0.5) * 125]) * scale
        angle = float(chance.normal(0, 0.08)) + (np.pi if chance.random() < 0.5 else 0)
        h, w = picture.shape[:2]
        c, s = np.cos(angle) * scale / PX_PER_MM, np.sin(angle) * scale / PX_PER_MM
        turn = np.array([(c, -s), (s, c)])
        move = middle - turn @ (np.array([w, h]) / 2)
        onto = np.column_stack([turn, move]).astype(np.float32)
        there = cv2.warpAffine(np.ones((h, w), np.float32), onto, (wide, high))[..., None]
        shadow = cv2.GaussianBlur(there, (0, 0), 2 * scale)[..., None]
        table = table * (1 - 0.3 * shadow * (1 - there))
        card = cv2.warpAffine(picture, onto, (wide, high)).astype(np.float32)
        table = table * (1 - there) + card * there
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    slant = corners + np.array([(0.03, 0.02), (-0.03, 0.02), (0, 0), (0, 0)], np.float32) * wide
    seen = cv2.warpPerspective(
        table, cv2.getPerspectiveTransform(corners, slant), (wide, high), borderMode=cv2.BORDER_REPLICATE
    )
    lamp = 0.75 + 0.4 * np.linspace(0, 1, wide, dtype=np.float32)[None, :, None]
    seen = cv2.GaussianBlur(seen * lamp, (0, 0), 0.8) + chance.normal(0, 3, seen.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)
