"""Teaches the tunnel reader's network on drawn cards and writes its weights. Needs jax and optax beside.

python -m tests.bench.teaching.teach_tunnels OUT.npz [STEPS]

3000 steps of 64 take an hour on two shared cores. The loss is that of the ways (a place every 4 mm) twice,
of the open edges, of the joined pairs among open edges, and of whether a card lies there at all.
"""

from __future__ import annotations

import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from tests.bench.teaching.drawn_cards import draw_card
from tests.bench.teaching.pictured import example
from vision.tunnels.shapes import PAIRS
from vision.tunnels.witness import field

BATCH, STEPS, NEW_CARDS, CARDS = 64, 3000, 25, 1500
KERNELS = {
    "c1": (5, 5, 4, 16),
    "c2": (3, 3, 16, 32),
    "c3": (3, 3, 32, 48),
    "c4": (3, 3, 48, 64),
    "d1": (1, 1, 64, 16),
    "u1": (3, 3, 48, 16),
    "s": (1, 1, 16, 1),
    "h0": (1, 1, 64, 12),
    "h1": (11 * 7 * 12, 48),
    "h2": (48, 11),
}
BIASES = {"c1": "b1", "c2": "b2", "c3": "b3", "c4": "b4", "d1": "e1", "u1": "v1", "s": "sb"} | {
    "h0": "g0",
    "h1": "g1",
    "h2": "g2",
}
ONE, OTHER = (np.array(side) for side in zip(*PAIRS, strict=True))


def begin(chance: np.random.Generator) -> dict[str, Any]:
    """Weights before any teaching."""
    weights = {}
    for name, shape in KERNELS.items():
        weights[name] = jnp.array(chance.normal(0, np.sqrt(2 / np.prod(shape[:-1])), shape), jnp.float32)
        weights[BIASES[name]] = jnp.zeros(shape[-1], jnp.float32)
    return weights


def answers(w: dict[str, Any], x: Any) -> tuple[Any, Any]:
    """What `vision.tunnels.witness` reckons, for one way up."""

    def layer(x: Any, name: str, step: int = 1) -> Any:
        return (
            jax.lax.conv_general_dilated(
                x, w[name], (step, step), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
            )
            + w[BIASES[name]]
        )

    def leaky(x: Any) -> Any:
        return jnp.maximum(x, 0.1 * x)

    half = leaky(layer(leaky(layer(x, "c1", 2)), "c2", 2))
    whole = leaky(layer(leaky(layer(half, "c3", 2)), "c4"))
    back = jnp.repeat(jnp.repeat(leaky(layer(whole, "d1")), 2, 1), 2, 2)
    ways = layer(leaky(layer(jnp.concatenate([back, half], -1), "u1")), "s")[..., 0]
    flat = leaky(layer(whole, "h0")).reshape(x.shape[0], -1)
    return ways, leaky(flat @ w["h1"] + w["g1"]) @ w["h2"] + w["g2"]


def loss(w: dict[str, Any], x: Any, way: Any, said: Any) -> Any:
    """How wrong the answers are."""
    ways, heard = answers(w, x)

    def cross(z: Any, y: Any) -> Any:
        return jnp.maximum(z, 0) - z * y + jnp.log1p(jnp.exp(-jnp.abs(z)))

    card = said[:, 10]
    both = said[:, ONE] * said[:, OTHER]
    return (
        2 * (cross(ways, way).mean((1, 2)) * card).mean()
        + (cross(heard[:, :4], said[:, :4]) * card[:, None]).mean()
        + 0.6 * (cross(heard[:, 4:10], said[:, 4:10]) * both).sum() / both.sum()
        + 0.4 * cross(heard[:, 10], card).mean()
    )


def main(out: str, steps: int = STEPS) -> None:
    """Teaches, with ever new cards, and writes the weights."""
    chance = np.random.default_rng(1)
    weights = begin(chance)
    pace = optax.warmup_cosine_decay_schedule(1e-4, 2.5e-3, 100, steps, 2e-5)
    teacher = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(pace, weight_decay=1e-4))
    state = teacher.init(weights)

    @jax.jit
    def step(w: Any, state: Any, x: Any, way: Any, said: Any) -> Any:
        wrong, slope = jax.value_and_grad(loss)(w, x, way, said)
        change, state = teacher.update(slope, state, w)
        return optax.apply_updates(w, change), state, wrong

    cards = [draw_card(chance) for _ in range(10 * NEW_CARDS)]
    for number in range(steps):
        cards = [*cards[-CARDS + NEW_CARDS :], *(draw_card(chance) for _ in range(NEW_CARDS))]
        patches, ways, said = zip(*(example(chance, cards) for _ in range(BATCH)), strict=True)
        fields = np.stack([field(patch.astype(np.uint8)) for patch in patches])
        weights, state, wrong = step(weights, state, fields, np.stack(ways), np.stack(said))
        if number % 100 == 0:
            print(number, float(wrong), flush=True)
    np.savez_compressed(out, **{name: np.asarray(one, np.float16) for name, one in weights.items()})


if __name__ == "__main__":
    main(sys.argv[1], *(int(text) for text in sys.argv[2:]))
