"""Cards of a marked deck that no marker told: from those that markers did tell, by their faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.game.cards import Cell
from vision.grid import Layout
from vision.plane import Plane
from vision.reading import CardRead
from vision.survey import SAME_CARD_MM
from vision.tags import Tags
from vision.unmarked.growing import settle
from vision.unmarked.judging import hear
from vision.unmarked.known import KnownFaces
from vision.unmarked.maze import ANCHOR, Found, Maze
from vision.unmarked.view import View

LIKE_ITSELF = 0.7
"""Strength of a witness from which on a card told by markers helps to find the others."""


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
    plane, known = maze.board.plane, maze.known
    cells, faces = {card.cell for card in told}, {card.face for card in told if card.face}
    places = [plane.to_mm(np.array(card.corners)).mean(0) for card in told]
    new = []
    for cell, one in sorted(found.items(), key=lambda item: -item[1].witness.strength):
        face = known.ways[one.witness.way].face
        place = plane.to_mm(one.settled.corners).mean(0)
        on_another = any(np.abs(place - other).max() < SAME_CARD_MM for other in places)
        if cell not in cells and face not in faces and not on_another:
            new.append(one)
            places.append(place)
            faces |= {face} if face else set()
    return new
