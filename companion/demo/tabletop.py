"""Keeps the simulated table as people would: lays out, lays goals that were reached, clears away."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from companion.game.cards import (
    GOAL_CELLS,
    START_CELL,
    Cell,
    Edges,
    Face,
    Kind,
    Laid,
    lay,
    letters,
    parse_laid,
)
from vision.deckbook import Deck
from vision.simulate import SimulatedTable

HAND_STEPS = (0.45, 0.75, 1.0)
"""How far the hand has come in, picture by picture."""
UNHURRIED_S = 0.4
"""A hand quicker than this is seen coming once at most."""
HAND_S = 0.8
"""How long a hand is over the table when a card is laid, at the pace of people."""


class Tabletop:
    """The cards on the simulated table. Used by one thread; the table itself may be looked at by any."""

    def __init__(
        self, table: SimulatedTable, deck: Deck, stop: threading.Event, hand_s: float = HAND_S
    ) -> None:
        self._table = table
        self._deck = deck
        self._stop = stop
        self._hand_s = hand_s
        self._start = next(name for name, face in deck.faces.items() if face.kind is Kind.START)
        self._goals = [name for name, face in deck.faces.items() if face.kind is Kind.GOAL]

    def keep(self, view: dict[str, Any]) -> None:
        """Makes the table agree with what the table screen shows."""
        lying = self._table.lying()
        if START_CELL not in lying:
            self._table.lay(self._start, START_CELL)
        board = {tuple(card["cell"]): parse_card(card) for card in view["board"]["cards"]}
        for cell in lying:
            if cell not in GOAL_CELLS and cell != START_CELL and cell not in board:
                self._move(cell, partial(self._table.lift, cell))
        for cell, holder in zip(GOAL_CELLS, self._goals, strict=True):
            if cell not in board and (cell not in lying or lying[cell].face_up):
                self._table.lay(holder, cell, face_up=False)
        for cell, laid in board.items():
            if cell != START_CELL and self.tunnels(cell) != laid.tunnels:
                self.lay(cell, laid)

    def tunnels(self, cell: Cell) -> tuple[Edges, ...] | None:
        """The tunnels of the card lying face up in a cell, as they lie."""
        lying = self._table.lying().get(cell)
        if lying is None or not lying.face_up:
            return None
        return self._laid(lying.card_id, lying.turned).tunnels

    def lay(self, cell: Cell, laid: Laid, card_id: str | None = None) -> None:
        """A hand lays a card; without a card of its own, any of the deck that is not on the table."""
        name, turned = self._card_of(laid) if card_id is None else (card_id, self._way(card_id, laid))
        self._move(cell, lambda: self._table.lay(name, cell, turned))

    def push(self, cell: Cell) -> None:
        """A hand straightens a card that the camera has not made out."""
        self._move(cell, lambda: self._table.slide(cell, 1.0, 1.0))

    def _move(self, cell: Cell, do: Callable[[], None]) -> None:
        steps = HAND_STEPS if self._hand_s >= UNHURRIED_S else HAND_STEPS[-1:]
        step = self._hand_s / (len(steps) + 1)
        for reach in steps:
            self._table.hand_over(cell, from_deg=90, reach=reach)
            self._stop.wait(step)
        do()
        self._stop.wait(step)
        self._table.hand_over(None)

    def _laid(self, card_id: str, turned: bool) -> Laid:
        face = self._deck.faces[card_id]
        return lay(Face.of_tunnels(face.kind, [letters(tunnel) for tunnel in face.tunnels]), turned)

    def _way(self, card_id: str, laid: Laid) -> bool:
        return self._laid(card_id, False).tunnels != laid.tunnels

    def _card_of(self, laid: Laid) -> tuple[str, bool]:
        on_table = {lying.card_id for lying in self._table.lying().values()}
        candidates = [
            (name, turned)
            for name, face in self._deck.faces.items()
            if face.kind is laid.face.kind
            for turned in (False, True)
            if self._laid(name, turned).tunnels == laid.tunnels
        ]
        # A door or a crystal does not show in the tunnels: the card of the same name first.
        same = str(laid.face)
        return min(candidates, key=lambda one: (one[0] in on_table, one[0].rpartition("-")[0] != same))


def parse_card(card: dict[str, Any]) -> Laid:
    """A card of a view as it lies."""
    return parse_laid(card["face"] + ("~" if card["turned"] else ""))
