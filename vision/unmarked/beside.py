"""Cards of a marked deck that no marker told: from those that markers did tell, by their faces.

Small in the picture, blurred or burnt out, a marker is lost long before the tunnels of its card are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.game.cards import Cell
from vision.grid import Layout
from vision.plane import Plane
from vision.reading import CardRead
from vision.tags import Tags
from vision.unmarked.growing import settle
from vision.unmarked.judging import hear
from vision.unmarked.known import KnownFaces
from vision.unmarked.maze import ANCHOR, Found, Maze
from vision.unmarked.view import View

LIKE_ITSELF = 0.7
"""Strength of a witness from which on a card told by markers helps to find the others."""
SAME_CARD_MM = 28.0
"""What lies so near to a card told already is that card, whatever it is like."""


def maze_beside(
    known: KnownFaces, view: View, plane: Plane, layout: Layout, tags: Tags, told: Sequence[CardRead]
) -> Maze | None:
    """The maze grown from cards `told` in a plane and layout; None when none of them is like its face."""
    if not told:
        return None
    ways = [known.way_of[card.face, card.turned] for card in told]
    printed = np.array([card.corners for card in told])
    corners = [np.roll(one, 2, 0) if card.turned else one for one, card in zip(printed, told, strict=True)]
    maze = Maze(known, view, plane, layout, tags)
    everything = np.arange(len(known.ways))
    seeds = []
    for card, way, one in zip(told, ways, settle(known, view, np.array(corners), ways), strict=True):
        witness = hear(known, one, everything, placed=False)
        if known.same[witness.way, way] and witness.strength >= LIKE_ITSELF:
            seeds.append(Found(card.cell, one, witness))
    if not seeds:
        return None
    maze.put(seeds)
    maze.anchor(ANCHOR)
    maze.fill()
    return maze


def untold(maze: Maze, found: Mapping[Cell, Found], told: Sequence[CardRead]) -> list[Found]:
    """What was found in a maze beside the cards told: each card exists once, and none lies on another."""
    cells, faces = {card.cell for card in told}, {card.face for card in told if card.face}
    plane = maze.board.plane
    places = plane.to_mm(np.array([card.corners for card in told]).reshape(-1, 4, 2)).mean(1)
    new = []
    for cell, one in found.items():
        face = maze.known.ways[one.witness.way].face
        place = plane.to_mm(one.settled.corners).mean(0)
        on_another = bool((np.abs(places - place).max(1) < SAME_CARD_MM).any())
        if cell not in cells and face not in faces and not on_another:
            new.append(one)
    return new
