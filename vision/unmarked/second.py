"""The second witness, asked where the first is weak: whether an outline holds any card at all.

The reader of tunnels was taught on cards of no deck, so what it takes for bare table is not what looks most
like one of this deck's faces. The grain of wood, evened, is like rock: 16 places of one rendered table had a
witness of up to 1.26 for a straight way, and all of them less than -2.5 here, while of 128 cards with a
witness below 1.5 four had less than -2. Which tunnels it reads is not asked: where the faces are weak it
knows no better (of 29 cards with 0.3 to 1 it named none surely, and two of 300 places that were none).
"""

from __future__ import annotations

from vision.tunnels.patch import cut
from vision.tunnels.read import testimony
from vision.unmarked.growing import Settled
from vision.unmarked.judging import Witness
from vision.unmarked.known import KnownFaces
from vision.unmarked.view import View

WEAK = 1.3
"""Strength of a first witness from which on nobody else is asked: it costs 5 ms."""
NO_CARD = -2.0
"""Log-odds of a card, face up, below which none lies there."""
HALFWAY, CONTRAST = 1.1, 0.5
"""What is stronger, and has so large a share of the other cards' contrast, is one all the same."""


def confirmed(
    known: KnownFaces, view: View, settled: Settled, witness: Witness, usual: float | None = None
) -> bool:
    """Whether a card lies in an outline, as the first witness says; of backs the second knows nothing.

    `usual`: the `contrast` of cards that are plain to see in this picture, where any are known.
    """
    if witness.strength >= WEAK or known.ways[witness.way].face is None:
        return True
    plain = usual is not None and contrast(known, view, settled, witness) >= CONTRAST * usual
    if plain and witness.strength >= HALFWAY:
        return True
    return testimony([cut(view.image, settled.corners)])[0][1] >= NO_CARD


def contrast(known: KnownFaces, view: View, settled: Settled, witness: Witness) -> float:
    """Contrast of what lies in an outline, as a share of its card's."""
    return float(view.patch(settled.corners).std()) / float(known.contrast[witness.way])
