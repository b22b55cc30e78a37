"""Pictures kept of rendered tables, with what truly lies there: every board is read whole, and nothing wrong.

The pictures are path-traced from the printed deck's own pictures: household light, cards askew, a hand now
and then, the camera on any side. `frames/NAME.json` holds the truth, `frames/SCORES.txt` the score they were
kept with.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.game.cards import Cell, Edges, bits, turn
from vision.reader import Reader
from vision.reading import CardRead
from vision.tunnels.reader import TunnelsReader

FRAMES = Path(__file__).parent / "frames"
NAMES = sorted(path.stem for path in FRAMES.glob("*.json"))
VISIBLE = 0.6
"""Share of a card that must be in sight before missing it counts."""

Meaning = frozenset[Edges] | None
"""Tunnels as they lie; None face down. Two faces with the same tunnels may be taken for each other."""


def meant(card: dict[str, Any]) -> Meaning:
    if not card["face_up"]:
        return None
    groups = [bits("".join(group)) for group in card["tunnels"]]
    return frozenset(turn(group) if card["turned"] else group for group in groups)


def told(card: CardRead) -> Meaning:
    if not card.face_up:
        return None
    return frozenset(turn(group) if card.turned else group for group in card.tunnels)


def read_frame(
    reader: Reader | TunnelsReader, name: str
) -> tuple[dict[Cell, dict[str, Any]], dict[Cell, CardRead]]:
    picture = cv2.imread(str(FRAMES / f"{name}.jpg"))
    assert picture is not None
    truth = json.loads((FRAMES / f"{name}.json").read_text())
    cards = {(card["cell"][0], card["cell"][1]): card for card in truth["cards"]}
    return cards, {card.cell: card for card in reader.read(np.asarray(picture, np.uint8)).cards}


def test_there_are_frames_of_both_levels() -> None:
    assert sum(name.startswith("easy") for name in NAMES) >= 6
    assert sum(name.startswith("normal") for name in NAMES) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_the_board_is_read_exactly(reader: Reader, name: str) -> None:
    cards, read = read_frame(reader, name)
    wrong = {
        cell: card.face
        for cell, card in read.items()
        if cell not in cards or meant(cards[cell]) != told(card)
    }
    missed = {cell for cell, card in cards.items() if card["visible"] >= VISIBLE} - set(read)
    assert (wrong, missed) == ({}, set())


@pytest.mark.parametrize("name", NAMES)
def test_corners_lie_on_the_cards(reader: Reader, name: str) -> None:
    cards, read = read_frame(reader, name)
    for cell, card in read.items():
        true = np.array(cards[cell]["corners"])
        off = np.linalg.norm(np.array(card.corners) - true, axis=1).max()
        assert off < 0.1 * np.linalg.norm(true[0] - true[2])
