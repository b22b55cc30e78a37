"""A patch with one card -> its tunnels as they lie, how sure that is, and what each edge says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.tunnels.layers import Floats
from vision.tunnels.patch import Patch
from vision.tunnels.shapes import Hypotheses, Tunnels, hypotheses
from vision.tunnels.ways import evidence
from vision.tunnels.witness import CARD, JOINED, OPEN, hear

LOUDEST = 7.0
"""Log-odds beyond which one edge or pair says no more: an object on the card can mislead any one of them."""
HEAD = 0.2
"""How much the network's whole view counts beside what the ways it sees amount to."""
SURE = 0.6
"""Confidence from which on a reading is given out at all."""
CARD_LEAST = 0.0
"""Log-odds from which on a patch counts as a card that lies face up."""


@dataclass(frozen=True)
class TunnelsRead:
    """What a patch shows."""

    tunnels: Tunnels
    """The likeliest tunnels, as the patch stands."""
    confidence: float
    """0..1: the share of all likelihood that these tunnels have among all that there can be."""
    runner_up: Tunnels
    """The next likely tunnels."""
    card: float
    """Log-odds that a card lies here face up, within some mm; a back or bare table is below zero."""
    edges: tuple[float, float, float, float]
    """Log-odds that N, E, S, W are open."""
    joins: tuple[float, ...]
    """Log-odds that N-E, N-S, N-W, E-S, E-W, S-W are joined."""

    @property
    def sure(self) -> bool:
        """Whether the reading may be given out: a card lies here, and no other tunnels come near."""
        return self.card >= CARD_LEAST and self.confidence >= SURE


def read_all(patches: Sequence[Patch], among: tuple[Tunnels, ...] | None = None) -> list[TunnelsRead]:
    """The tunnels of the cards in patches (height, width, 3), BGR, of any size, each holding just one card.

    Some 3 mm and 3 degrees of misplacement do no harm. `among` names the only tunnels that can be there
    (a goal's, say); without it all of both boxes are tried.
    """
    known = hypotheses(among)
    return [judged(told, card, known) for told, card in testimony(patches)]


def testimony(patches: Sequence[Patch]) -> list[tuple[Floats, float]]:
    """For each patch (10,) log-odds for edges and pairs of edges, and the log-odds that a card lies there."""
    heard = hear(list(patches))
    return [
        (np.asarray(evidence(ways) + HEAD * said[:10], np.float32), float(said[CARD]))
        for ways, said in zip(heard.ways, heard.said, strict=True)
    ]


def judged(told: Floats, card: float, known: Hypotheses) -> TunnelsRead:
    """The best of the hypotheses by 10 log-odds for edges and pairs of edges."""
    heard = np.clip(told, -LOUDEST, LOUDEST)
    score = known.signs @ heard + known.prior
    likely = np.exp(score - score.max())
    best, *others = np.argsort(-score)
    n, e, s, w = (float(one) for one in told[OPEN])
    return TunnelsRead(
        known.shapes[best],
        float(likely[best] / likely.sum()),
        known.shapes[others[0]] if others else known.shapes[best],
        card,
        (n, e, s, w),
        tuple(float(one) for one in told[JOINED]),
    )
