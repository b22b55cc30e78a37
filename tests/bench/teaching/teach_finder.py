"""Teaches the finder's network on drawn tables and writes its weights. Needs jax and optax beside.

python -m tests.bench.teaching.teach_finder OUT.npz [STEPS]

1500 steps of 12 tables take three quarters of an hour on two shared cores. The loss is that of whether a
card's middle is near a place, whether it lies face up, and how far its corners are off in cm.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cv2
import jax
import jax.numpy as jnp
import numpy as np
import optax

from tests.bench.teaching.drawn_cards import Chance, Drawn, Floats, draw_card
from tests.bench.teaching.drawn_tables import COVERED, SIDE_MM, UNDER, Laid, draw_back, draw_table
from vision.tunnels.finder import CELL, CORNERS, FAR, MM, field

BATCH, STEPS = 12, 1500
NEW_TABLES, TABLES = 3, 700
"""Tables drawn anew for each step, and how many are kept to be shown again, mirrored."""
DECK, DECKS = 10, 40
"""Cards of one art, and how many decks there are at a time."""
NEAR_MM, BESIDE_MM = 10.0, 18.0
"""A place so near a card's middle must tell of it; one further off than the second must not."""
KERNELS = {
    "c1": (5, 5, 4, 16),
    "c2": (3, 3, 16, 32),
    "c3": (3, 3, 32, 48),
    "c4": (3, 3, 48, 48),
    "c5": (3, 3, 48, 48),
    "c6": (3, 3, 48, 48),
    "h1": (48, 32),
    "h2": (32, 10),
}


def begin(chance: Chance) -> dict[str, Any]:
    """Weights before any teaching."""
    weights = {}
    for name, shape in KERNELS.items():
        much = np.sqrt(2 / np.prod(shape[:-1])) * (0.3 if name in ("c4", "c5", "c6", "h2") else 1)
        weights[name] = jnp.array(chance.normal(0, much, shape), jnp.float32)
        weights[("g" if name[0] == "h" else "b") + name[1]] = jnp.zeros(shape[-1], jnp.float32)
    return weights


def answers(w: dict[str, Any], x: Any) -> Any:
    """What `vision.tunnels.finder` reckons."""

    def layer(x: Any, name: str, step: int = 1, apart: int = 1) -> Any:
        kernel = w["c" + name]
        size = kernel.shape[0]
        high, wide = -(-x.shape[1] // step), -(-x.shape[2] // step)
        down, across = (
            max((there - 1) * step + (size - 1) * apart + 1 - side, 0)
            for there, side in ((high, x.shape[1]), (wide, x.shape[2]))
        )
        x = jnp.pad(x, ((0, 0), (down // 2, down - down // 2), (across // 2, across - across // 2), (0, 0)))
        parts = [
            x[:, i : i + (high - 1) * step + 1 : step, j : j + (wide - 1) * step + 1 : step]
            for i in range(0, size * apart, apart)
            for j in range(0, size * apart, apart)
        ]
        x = jnp.concatenate(parts, -1) @ kernel.reshape(-1, kernel.shape[3]) + w["b" + name]
        return jnp.maximum(x, 0.1 * x)

    x = layer(layer(layer(x, "1", 2), "2", 2), "3")
    for name, apart in (("4", 2), ("5", 4), ("6", 2)):
        x = x + layer(x, name, apart=apart)
    x = x @ w["h1"] + w["g1"]
    return jnp.maximum(x, 0.1 * x) @ w["h2"] + w["g2"]


def wanted(laid: Sequence[Laid]) -> Floats:
    """(cells, cells, 12): is there a card, does that count, is it face up, do corners count, its corners."""
    count = int(SIDE_MM / CELL)
    places = (np.stack(np.meshgrid(np.arange(count), np.arange(count)), -1) + 0.5) * CELL
    told = np.zeros((count, count, 12), np.float32)
    told[..., 1] = 1
    for one in laid:
        if one.hidden >= COVERED:
            continue
        off = np.abs(places - one.corners.mean(0)).max(-1)
        near, about = off <= NEAR_MM, off <= BESIDE_MM
        if one.hidden > UNDER:
            told[about, 1] = 0
            continue
        told[about & ~near, 1] = 0
        told[near, 0:2] = 1
        told[about, 2] = one.face_up
        told[about, 3] = 1
        told[about, 4:] = ((one.corners - places[about][:, None] - CORNERS) / FAR).reshape(-1, 8)
    return told


def loss(w: dict[str, Any], x: Any, told: Any) -> Any:
    """How wrong the answers are."""
    heard = answers(w, x)

    def cross(z: Any, y: Any) -> Any:
        return jnp.maximum(z, 0) - z * y + jnp.log1p(jnp.exp(-jnp.abs(z)))

    card, counts, up, there = (told[..., one] for one in range(4))
    off = jnp.abs(heard[..., 2:] - told[..., 4:])
    off = jnp.where(off < 0.1, 5 * off * off, off - 0.05).mean(-1)
    cards = there.sum() + 1
    spotted = (cross(heard[..., 0], card) * counts * (1 + 3 * card)).mean()
    upright = (cross(heard[..., 1], up) * there).sum() / cards
    apart = (off * there).sum() / cards
    return 6 * spotted + 0.3 * upright + apart, (spotted, upright, apart)


class Tables:
    """Drawn tables, ever new ones, as the network sees them."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._decks = [self._deck() for _ in range(DECKS)]
        self._kept: list[tuple[Floats, list[Laid]]] = [self._table() for _ in range(5 * BATCH)]

    def batch(self) -> tuple[Floats, Floats]:
        """Fields (BATCH, 144, 144, 4) and what is wanted of them."""
        self._decks[int(self._chance.integers(DECKS))][int(self._chance.integers(DECK))] = draw_card(
            self._chance
        )
        if self._chance.random() < 0.2:
            self._decks[int(self._chance.integers(DECKS))] = self._deck()
        new = [self._table() for _ in range(NEW_TABLES)]
        again = [
            self._mirrored(*self._kept[index])
            for index in self._chance.integers(0, len(self._kept), BATCH - NEW_TABLES)
        ]
        self._kept = [*self._kept, *new][-TABLES:]
        fields, told = zip(*((seen, wanted(laid)) for seen, laid in [*new, *again]), strict=True)
        return np.stack(fields), np.stack(told)

    def _deck(self) -> list[Drawn]:
        art = int(self._chance.integers(1 << 30)) if self._chance.random() < 0.6 else None
        return [draw_card(self._chance, art) for _ in range(DECK)]

    def _table(self) -> tuple[Floats, list[Laid]]:
        backs = [draw_back(self._chance) for _ in range(2)]
        scene, laid = draw_table(self._chance, self._decks[int(self._chance.integers(DECKS))], backs)
        side = int(SIDE_MM / MM)
        above = cv2.resize(scene, (side, side), interpolation=cv2.INTER_AREA)
        return field(above.astype(np.uint8)), laid

    def _mirrored(self, seen: Floats, laid: list[Laid]) -> tuple[Floats, list[Laid]]:
        """The same the other way round, or upside down, or both."""
        right, down = self._chance.random(2) < 0.5
        seen = seen[:: -1 if down else 1, :: -1 if right else 1]
        order = [0, 1, 2, 3]
        order = [order[one] for one in (1, 0, 3, 2)] if right else order
        order = [order[one] for one in (3, 2, 1, 0)] if down else order
        turned = []
        for one in laid:
            corners = one.corners.copy()
            if right:
                corners[:, 0] = SIDE_MM - corners[:, 0]
            if down:
                corners[:, 1] = SIDE_MM - corners[:, 1]
            turned.append(Laid(corners[order], one.face_up, one.hidden))
        return np.ascontiguousarray(seen), turned


def main(out: str, steps: int = STEPS) -> None:
    """Teaches, with ever new tables, and writes the weights."""
    chance = np.random.default_rng(1)
    weights = begin(chance)
    pace = optax.warmup_cosine_decay_schedule(1e-4, 3e-3, 60, steps, 3e-5)
    teacher = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(pace, weight_decay=1e-4))
    state = teacher.init(weights)

    @jax.jit
    def step(w: Any, state: Any, x: Any, told: Any) -> Any:
        (_, parts), slope = jax.value_and_grad(loss, has_aux=True)(w, x, told)
        change, state = teacher.update(slope, state, w)
        return optax.apply_updates(w, change), state, parts

    tables = Tables(chance)
    began, wrong = time.time(), []
    drawing = ThreadPoolExecutor(1)
    following = drawing.submit(tables.batch)
    for number in range(1, steps + 1):
        batch, following = following.result(), drawing.submit(tables.batch)
        weights, state, parts = step(weights, state, *batch)
        wrong.append([float(one) for one in parts])
        if number % 50 == 0 or number == steps:
            print(number, round(time.time() - began), np.round(np.mean(wrong[-50:], 0), 4), flush=True)
            np.savez_compressed(out, **{name: np.asarray(one, np.float16) for name, one in weights.items()})


if __name__ == "__main__":
    main(sys.argv[1], *(int(text) for text in sys.argv[2:]))
