"""The bare table: how it looks, learned from the cells where nothing lies, and whether a place is it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.game.cards import Cell
from vision.looks import Look, Reals

ALIKE = 6.0
"""Distance in Lab up to which a colour may be the table's: wood and a hand, lit alike, may be 8 apart."""
WITNESSES = 0.15
"""Share of all known cells that must show a colour: a corner tag, a coin or an arm lies over few of them."""
FEWEST = 2
"""Cells that must show it where few are known, or where the place itself has shown it before."""
LEARNED_S = 12.0
"""How long a cell must look otherwise than before until that is believed to be table."""
AT_ONCE = 0.5
"""When more than this share of all cells changes together, it was the light or the view."""
MOST_CELLS = 80


@dataclass
class _Known:
    colours: Reals
    other_since: float | None = None


class BareTable:
    """What the table looks like where nothing lies. Pure: time comes in with every look."""

    def __init__(self) -> None:
        self._known: dict[Cell, _Known] = {}

    def learn(self, samples: Mapping[Cell, Reals], at_s: float) -> None:
        """Takes in what empty cells look like now (Lab colours, n x 3 each)."""
        changed = [
            cell
            for cell, colours in samples.items()
            if cell in self._known and _share_alike(colours, self._known[cell].colours) < 0.6
        ]
        compared = sum(cell in self._known for cell in samples)
        if compared and len(changed) > AT_ONCE * compared:
            # Another light: what was known of cells that are not seen now no longer holds either.
            self._known = {cell: _Known(colours) for cell, colours in samples.items()}
            return
        for cell, colours in samples.items():
            known = self._known.get(cell)
            if known is not None and cell in changed:
                known.other_since = at_s if known.other_since is None else known.other_since
                if at_s - known.other_since < LEARNED_S:
                    continue
            if known is not None or len(self._known) < MOST_CELLS:
                self._known[cell] = _Known(colours)

    def likeness(self, cell: Cell, colours: Reals) -> float:
        """The share 0..1 of a place's colours (n x 3) that are the table's, as seen around or here before."""
        own = self._known.get(cell)
        others = [known for other, known in self._known.items() if other != cell]
        cells = np.zeros(len(colours), int)
        for known in others:
            cells += _alike(colours, known.colours).any(1)
        table = cells >= max(FEWEST, WITNESSES * len(others))
        if own is not None:
            table |= _alike(colours, own.colours).any(1) & (cells >= FEWEST)
        return float(table.mean())


def samples(look: Look, places: Mapping[Cell, Reals], covered: NDArray[np.bool_]) -> dict[Cell, Reals]:
    """The Lab colours of empty cells: `places` are points (n x 2 px) in each, those `covered` left out."""
    result = {}
    for cell, points in places.items():
        free = points[look.within(covered, points)]
        if len(free) >= len(points) / 2:
            result[cell] = look.colours(free)
    return result


def _alike(colours: Reals, known: Reals) -> NDArray[np.bool_]:
    """n x m: which colours could be which known ones."""
    apart = colours[:, None, :] - known[None, :, :]
    return np.asarray((apart**2).sum(2) <= ALIKE**2)


def _share_alike(colours: Reals, known: Reals) -> float:
    return float(_alike(colours, known).any(1).mean())
