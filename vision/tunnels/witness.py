"""A small network that tells way from rock in a patch, and says which edges are open and which joined.

It was taught on drawn cards of no deck (any colours, any rock, any light: tests/bench/teaching), so no
edition is nearer to it than another. Its weights are in taught.npz.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.tunnels.layers import Floats, convolved, leaky, weights
from vision.tunnels.patch import Patch, fitted

WEIGHTS = Path(__file__).with_name("taught.npz")

OPEN = slice(0, 4)
"""Places of the log-odds that the edges N, E, S, W are open."""
JOINED = slice(4, 10)
"""Places of the log-odds that N-E, N-S, N-W, E-S, E-W, S-W are joined, given that both are open."""
CARD = 10
"""Place of the log-odds that the patch holds a card, face up, within some mm of where it should be."""
TURNED = np.array([2, 3, 0, 1, 9, 5, 7, 6, 8, 4, 10])
"""Where each answer about a patch stands in the answers about the same patch turned by 180 degrees."""


@dataclass(frozen=True, eq=False)
class Heard:
    """What the network says about n patches."""

    ways: Floats
    """(n, 22, 14) log-odds of way against rock, a place every 4 mm."""
    said: Floats
    """(n, 11) log-odds as a whole: see OPEN, JOINED and CARD."""


def hear(patches: list[Patch]) -> Heard:
    """Ways and log-odds for n patches (any size, BGR); 5 ms each.

    Each patch is looked at both ways up: the mean of the two errs less.
    """
    if not patches:
        return Heard(np.zeros((0, 22, 14), np.float32), np.zeros((0, 11), np.float32))
    fields = np.stack([field(fitted(patch)) for patch in patches])
    ways, said = _answers(fields)
    turned_ways, turned = _answers(fields[:, ::-1, ::-1])
    half = np.float32(0.5)
    both_ways = half * (ways + turned_ways[:, ::-1, ::-1])
    return Heard(both_ways.astype(np.float32), (half * (said + turned[:, TURNED])).astype(np.float32))


def field(patch: Patch) -> Floats:
    """A patch as the network sees it, (88, 56, 4): lightness and the two colour axes by the card's own
    median and spread, so that lamp, camera and palette drop out, and the lightness as it is."""
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    inner = lab[6:-6:2, 4:-4:2].reshape(-1, 3)
    middle = np.median(inner, 0)
    spread = np.maximum(inner.std(0), np.array([4, 3, 3], np.float32))
    light = (lab[..., 0] - middle[0]) / spread[0]
    # A card without colours must not have its noise blown up into some.
    colours = (lab[..., 1:] - middle[1:]) / np.maximum(spread[1:], 0.3 * spread[0])
    return np.dstack([light, colours, lab[..., 0] / 50 - 1]).astype(np.float32)


@cache
def _weights() -> Mapping[str, Floats]:
    return weights(WEIGHTS)


def _answers(x: Floats) -> tuple[Floats, Floats]:
    w = _weights()
    fine = leaky(convolved(x, w["c1"], w["b1"], 2))
    half = leaky(convolved(fine, w["c2"], w["b2"], 2))
    coarse = leaky(convolved(half, w["c3"], w["b3"], 2))
    whole = leaky(convolved(coarse, w["c4"], w["b4"]))
    back = leaky(whole @ w["d1"][0, 0] + w["e1"]).repeat(2, 1).repeat(2, 2)
    joined = leaky(convolved(np.concatenate([back, half], -1), w["u1"], w["v1"]))
    ways = (joined @ w["s"][0, 0] + w["sb"])[..., 0]
    flat = leaky(whole @ w["h0"][0, 0] + w["g0"]).reshape(len(x), -1)
    said = leaky(flat @ w["h1"] + w["g1"]) @ w["h2"] + w["g2"]
    return np.asarray(ways, np.float32), np.asarray(said, np.float32)
