"""Every way in which the tunnels of a card can run: the hypotheses among which the reader chooses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from companion.game.cards import EDGES, Edges, Face, lay
from companion.game.decks import BASE_PATHS, EXPANSION_PATHS
from vision.tunnels.layers import Floats
from vision.tunnels.witness import JOINED, OPEN

Tunnels = tuple[Edges, ...]
"""Groups of joined edges as they lie, in the canonical order of `companion.game.cards.order`."""

START_SHAPES: tuple[Tunnels, ...] = ((15,),)
GOAL_SHAPES: tuple[Tunnels, ...] = ((15,), (3,), (12,), (9,), (6,))
"""The gold, and the two stones in both their ways."""

PAIRS = tuple(combinations(range(4), 2))
"""Two edges each, as places in EDGES: the order in which the witness tells of them."""

PRIOR = 0.5
"""How much the composition of the boxes counts beside what is seen (1: fully, 0: not at all).

A prior, never a verdict: a single card of its kind is read as readily as a picture shows it clearly.
"""


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """Shapes as rows: what speaks for each, for one product with what the witness says."""

    shapes: tuple[Tunnels, ...]
    signs: Floats
    """(shapes, 10): half the weight with which each log-odds speaks for (+) or against (-) a shape."""
    prior: Floats


@cache
def hypotheses(among: tuple[Tunnels, ...] | None = None) -> Hypotheses:
    """All shapes of both boxes as they may lie, by how many cards have them; or the given ones, alike."""
    weights = _weights(BASE_PATHS, EXPANSION_PATHS) if among is None else dict.fromkeys(among, 1.0)
    total = sum(weights.values())
    prior = np.array([PRIOR * np.log(weight / total) for weight in weights.values()], np.float32)
    return Hypotheses(tuple(weights), np.stack([_signs(shape) for shape in weights]), prior)


def _weights(base: Mapping[str, int], expansion: Mapping[str, int]) -> dict[Tunnels, float]:
    weights: dict[Tunnels, float] = {}
    for deck, share in ((base, 1.0), (expansion, 0.15)):
        for text, count in deck.items():
            for turned in (False, True):
                shape = lay(Face.parse(text), turned).tunnels
                weights[shape] = weights.get(shape, 0.0) + share * count / 2
    return weights


def _signs(shape: Tunnels) -> Floats:
    signs = np.zeros(10, np.float32)
    there = [index for index, edge in enumerate(EDGES) if any(edge & group for group in shape)]
    signs[OPEN] = [0.5 if index in there else -0.5 for index in range(4)]
    told = [pair for pair in PAIRS if pair[0] in there and pair[1] in there]
    for pair in told:
        both = EDGES[pair[0]] | EDGES[pair[1]]
        joined = any(group & both == both for group in shape)
        # Of n open edges n - 1 joins settle all: the pairs are not independent witnesses.
        weight = 0.5 * (len(there) - 1) / len(told)
        signs[JOINED.start + PAIRS.index(pair)] = weight if joined else -weight
    return signs


def open_edges(shape: Iterable[Edges]) -> Edges:
    """All edges at which a way leaves."""
    edges = 0
    for group in shape:
        edges |= group
    return edges
