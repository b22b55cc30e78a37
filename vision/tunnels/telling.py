"""What is told of the cards on a board when no face of the deck is known: each one's tunnels, or nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.game.cards import CARD_MM, EDGES, GOAL_CELLS, OPPOSITE, START_CELL, Cell, Kind, neighbour
from vision.grid import kind_in
from vision.pictures import Image
from vision.plane import Reals
from vision.reading import CardRead
from vision.squares import Floats
from vision.tunnels.board import CARD_LIKE, PLAINLY, SPECIAL, Board, Seen
from vision.tunnels.patch import cut
from vision.tunnels.read import SURE, TunnelsRead, judged, testimony
from vision.tunnels.shapes import GOAL_SHAPES, START_SHAPES, Tunnels, hypotheses, open_edges

GIVEN, GIVEN_FAINT = 0.76, 0.95
"""Confidence from which on a reading is given out, and that of a card that both networks see faintly."""
BACK_SURE = 0.9
"""Confidence of a goal face down: none was ever another card."""
NEIGHBOUR = 1.2
"""Log-odds that a neighbour's edge lends to ours: a prior, since wrong cards must be read as they lie."""
PLAIN, ASIDE_MM = 0.95, 1.5
"""Confidence below which a card is looked at again from places so far aside."""
AROUND = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)


def tell(board: Board) -> tuple[list[CardRead], list[Cell]]:
    """What may be given out, and the cells that hold something nobody can tell."""
    faces = {cell: one for cell, one in board.seen.items() if one.face_up}
    alone = {cell: _judged(cell, one, one.told) for cell, one in faces.items()}
    for cell, read in alone.items():
        if read.confidence < PLAIN:
            faces[cell] = replace(faces[cell], told=_told_again(board.image, faces[cell]))
            alone[cell] = _judged(cell, faces[cell], faces[cell].told)
    cards, hidden = [], []
    for cell, one in (board.seen | faces).items():
        if cell not in faces:
            cards.append(_card(cell, Kind.GOAL, (), False, BACK_SURE, one.lying.corners))
            continue
        read = _judged(cell, one, one.told + _neighbours(cell, alone))
        if read.confidence < (GIVEN if one.sure > CARD_LIKE else GIVEN_FAINT) or _astray(board, cell, one):
            hidden.append(cell)
            continue
        cards.append(_card(cell, kind_in(cell), read.tunnels, True, read.confidence, one.lying.corners))
    return sorted(cards, key=lambda card: card.cell), sorted(hidden)


def _astray(board: Board, cell: Cell, one: Seen) -> bool:
    """Whether a card is neither plain to see nor beside another: the grain of a table may be like one."""
    beside = any((cell[0] + x, cell[1] + y) in board.seen for x, y in AROUND)
    return not beside and cell not in SPECIAL and one.sure < PLAINLY


def _told_again(image: Image, one: Seen) -> Floats:
    """The mean of what the witness says of a card and of looks at it a little to all sides."""
    across, down = (one.lying.corners[to] - one.lying.corners[0] for to in (1, 3))
    looks = [
        one.lying.corners + ASIDE_MM * (x * across / CARD_MM[0] + y * down / CARD_MM[1]) for x, y in AROUND
    ]
    told = [heard for heard, _ in testimony([cut(image, look) for look in looks])]
    return np.asarray(np.mean([one.told, *told], 0), np.float32)


def _judged(cell: Cell, one: Seen, told: Floats) -> TunnelsRead:
    among: tuple[Tunnels, ...] | None = None
    if cell in GOAL_CELLS:
        among = GOAL_SHAPES
    elif cell == START_CELL:
        among = START_SHAPES
    return judged(told, one.card, hypotheses(among))


def _neighbours(cell: Cell, alone: dict[Cell, TunnelsRead]) -> Floats:
    lent = np.zeros(10, np.float32)
    for index, edge in enumerate(EDGES):
        other = alone.get(neighbour(cell, edge))
        if other is not None and other.confidence > SURE:
            there = open_edges(other.tunnels) & OPPOSITE[edge]
            lent[index] = NEIGHBOUR if there else -NEIGHBOUR
    return lent


def _card(
    cell: Cell, kind: Kind, tunnels: Tunnels, face_up: bool, confidence: float, corners: Reals
) -> CardRead:
    return CardRead.lying(cell, None, tunnels, kind, False, face_up, min(confidence, 0.99), corners)
