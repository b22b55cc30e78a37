"""A small network that finds cards of any deck on a table seen from above, and where their corners are.

It was taught on drawn tables with drawn cards of no deck (tests/bench/teaching). Its weights are in
found.npz.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.game.cards import CARD_MM
from vision.pictures import Image
from vision.plane import Reals
from vision.tunnels.layers import Floats, convolved, leaky, weights

WEIGHTS = Path(__file__).with_name("found.npz")
MM = 2.0
"""Size of a pixel of the table as the finder sees it."""
CELL = 8.0
"""mm from one place at which it answers to the next."""
FAR = 10.0
"""Corners are told in so many mm."""
AROUND = 61
"""Side in px of the surroundings by which light and colour are evened."""
HALF = np.array(CARD_MM) / 2
CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * HALF
"""(4, 2): where the corners of a card lie that has its middle at the place itself, in mm."""
LIKELY = -2.0
"""Log-odds from which on a place speaks for a card."""
ONE_CARD = 0.3
"""Two middles nearer than this share of a card's width and height are one card."""
TWO_CARDS = 0.6
"""Two cards' middles are further apart than this share, across or down."""


@dataclass(frozen=True, eq=False)
class Spotted:
    """A card on a table seen from above."""

    corners: Reals
    """(4, 2) in mm from the picture's top left corner: the upper left one first."""
    card: float
    """Log-odds that one lies here."""
    face_up: float
    """Log-odds that it lies face up."""


def find_cards(above: Image) -> list[Spotted]:
    """Cards on a table seen from above (height, width, 3), BGR, MM a px, upright within some 8 degrees.

    Both sides must be multiples of 4 px. The surest first; no two overlap much.
    """
    told = answers(field(above)[None])[0]
    rows, columns = np.nonzero(told[..., 0] > LIKELY)
    if not len(rows):
        return []
    told = told[rows, columns]
    places = (np.stack([columns, rows], 1) + 0.5) * CELL
    corners = places[:, None] + CORNERS + told[:, 2:].reshape(-1, 4, 2) * FAR
    middles = corners.mean(1)
    trust = 1 / (1 + np.exp(-told[:, 0]))
    left = np.ones(len(told), bool)
    spotted: list[Spotted] = []
    for best in np.argsort(-told[:, 0]):
        if not left[best]:
            continue
        off = (np.abs(middles - middles[best]) / (2 * HALF)).max(1)
        here = off < ONE_CARD
        weight = trust * here * np.exp(-((off / ONE_CARD) ** 2))
        weight /= weight.sum()
        mean = (weight[:, None, None] * corners).sum(0)
        spotted.append(Spotted(mean, float(told[best, 0]), float(weight @ told[:, 1])))
        left &= off > TWO_CARDS
    return spotted


def field(above: Image) -> Floats:
    """A table as the network sees it, (height, width, 4): lightness and colours evened by what is around."""
    lab = cv2.cvtColor(above.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    size = (AROUND, AROUND)
    mean = cv2.blur(lab, size, borderType=cv2.BORDER_REFLECT_101)
    spread = np.sqrt(
        np.maximum(cv2.blur(lab * lab, size, borderType=cv2.BORDER_REFLECT_101) - mean * mean, 0)
    )
    even = lab - mean
    light = even[..., :1] / (spread[..., :1] + 4)
    colours = even[..., 1:] / (spread[..., 1:].max(2, keepdims=True) + 0.2 * spread[..., :1] + 3)
    return np.concatenate([light, colours, lab[..., :1] / 50 - 1], 2).astype(np.float32)


@cache
def _weights() -> Mapping[str, Floats]:
    return weights(WEIGHTS)


def answers(fields: Floats) -> Floats:
    """(n, h / 4, w / 4, 10): log-odds of a card and of its face; its corners off CORNERS, in FAR."""
    w = _weights()
    x = leaky(convolved(fields, w["c1"], w["b1"], 2))
    x = leaky(convolved(x, w["c2"], w["b2"], 2))
    x = leaky(convolved(x, w["c3"], w["b3"]))
    for name, apart in (("4", 2), ("5", 4), ("6", 2)):
        x = x + leaky(convolved(x, w[f"c{name}"], w[f"b{name}"], apart=apart))
    x = leaky(x @ w["h1"] + w["g1"])
    return np.asarray(x @ w["h2"] + w["g2"], np.float32)
