"""The layers that both networks are made of, in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_LEAK = np.float32(0.1)


def weights(path: Path) -> Mapping[str, Floats]:
    """Kernels (k, k, c, d) or (c, d) and biases (d,) by name."""
    with np.load(path) as kept:
        return {name: kept[name].astype(np.float32) for name in kept.files}


def leaky(x: Floats) -> Floats:
    """What is below zero made small, in place."""
    return np.asarray(np.maximum(x, _LEAK * x, out=x), np.float32)


def convolved(x: Floats, kernel: Floats, bias: Floats, step: int = 1, apart: int = 1) -> Floats:
    """(n, h, w, c) with a kernel (k, k, c, d) at every `step`-th place, the border padded with zeros.

    The kernel's places lie `apart` px from one another.
    """
    size, channels = kernel.shape[0], kernel.shape[3]
    reach = (size - 1) * apart + 1
    high, wide = (-(-side // step) for side in x.shape[1:3])
    down, across = (
        max((there - 1) * step + reach - side, 0)
        for there, side in zip((high, wide), x.shape[1:3], strict=True)
    )
    padded = np.pad(x, ((0, 0), (down // 2, down - down // 2), (across // 2, across - across // 2), (0, 0)))
    rows = np.empty((len(x), high, wide, size * size, x.shape[3]), np.float32)
    for place in range(size * size):
        y, x0 = (one * apart for one in divmod(place, size))
        rows[..., place, :] = padded[
            :, y : y + (high - 1) * step + 1 : step, x0 : x0 + (wide - 1) * step + 1 : step
        ]
    flat = rows.reshape(len(x) * high * wide, -1) @ kernel.reshape(-1, channels)
    flat += bias
    return np.asarray(flat.reshape(len(x), high, wide, channels), np.float32)
