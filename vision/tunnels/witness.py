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
from numpy.typing import NDArray

from vision.tunnels.patch import Patch, fitted

Floats = NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("taught.npz")

OPEN = slice(0, 4)
"""Places of the log-odds that the edges N, E, S, W are open."""
JOINED = slice(4, 10)
"""Places of the log-odds that N-E, N-S, N-W, E-S, E-W, S-W are joined, given that both are open."""
CARD = 10
"""Place of the log-odds that the patch holds a card, face up, within some mm of where it should be."""
TURNED = np.array([2, 3, 0, 1, 9, 5, 7, 6, 8, 4, 10])
"""Where each answer about a patch stands in the answers about the same patch turned by 180 degrees."""

_LEAK = np.float32(0.1)


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
    with np.load(WEIGHTS) as kept:
        return {name: kept[name].astype(np.float32) for name in kept.files}


def _answers(x: Floats) -> tuple[Floats, Floats]:
    w = _weights()
    fine = _leaky(_convolved(x, w["c1"], w["b1"], 2))
    half = _leaky(_convolved(fine, w["c2"], w["b2"], 2))
    coarse = _leaky(_convolved(half, w["c3"], w["b3"], 2))
    whole = _leaky(_convolved(coarse, w["c4"], w["b4"], 1))
    back = _leaky(whole @ w["d1"][0, 0] + w["e1"]).repeat(2, 1).repeat(2, 2)
    joined = _leaky(_convolved(np.concatenate([back, half], -1), w["u1"], w["v1"], 1))
    ways = (joined @ w["s"][0, 0] + w["sb"])[..., 0]
    flat = _leaky(whole @ w["h0"][0, 0] + w["g0"]).reshape(len(x), -1)
    said = _leaky(flat @ w["h1"] + w["g1"]) @ w["h2"] + w["g2"]
    return np.asarray(ways, np.float32), np.asarray(said, np.float32)


def _leaky(x: Floats) -> Floats:
    return np.asarray(np.maximum(x, _LEAK * x), np.float32)


def _convolved(x: Floats, kernel: Floats, bias: Floats, step: int) -> Floats:
    """(n, h, w, c) with a kernel (k, k, c, d) at every `step`-th place, the border padded with zeros."""
    size, channels = kernel.shape[0], kernel.shape[3]
    high, wide = (-(-side // step) for side in x.shape[1:3])
    down, across = (
        max((there - 1) * step + size - side, 0)
        for there, side in zip((high, wide), x.shape[1:3], strict=True)
    )
    padded = np.pad(x, ((0, 0), (down // 2, down - down // 2), (across // 2, across - across // 2), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), (1, 2))[:, ::step, ::step]
    rows = windows.reshape(len(x) * high * wide, -1)
    flat = kernel.transpose(2, 0, 1, 3).reshape(-1, channels)
    return np.asarray(rows @ flat + bias, np.float32).reshape(len(x), high, wide, channels)
