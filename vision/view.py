"""How well a camera sees the table: measured on the cards it reads, each aspect with what is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import CARD_MM, GOAL_CELLS, START_CELL, Cell
from vision import troubles
from vision.carry import cell_quads
from vision.pictures import Image
from vision.plane import Rigid, fit_plane
from vision.reading import CardRead, Reading

ROWS = range(-2, 3)
DARK = 70
"""Grey level that the white of cards must reach (measured: below, noise eats their markers)."""
BURNT = 252
GLARE_SHARE = 0.3
"""Share of a card that may be burnt out: a marker under it is lost."""
GLARE_CELLS = 2
"""So many cards with a shine on them are more than the one that somebody will shift."""
SHARP = 0.1
"""Steepest slopes per px, as a share of the contrast on the cards (as `troubles.SHARP`)."""
FEWEST_FOR_TILT = 2
WORKED_ON_PX = 1280
"""Light and sharpness are measured at this width at most."""

Mask = NDArray[np.bool_]
Grey = NDArray[np.uint8]


class Aspect(StrEnum):
    """What a person can do something about."""

    BOARD = "board"
    """Start card and goals are read."""
    SIZE = "size"
    FOCUS = "focus"
    LIGHT = "light"
    GLARE = "glare"
    TILT = "tilt"
    FRAME = "frame"
    """All of the board is within the picture."""


@dataclass(frozen=True)
class Measure:
    """One aspect of a view: whether it is good enough, and the figures."""

    aspect: Aspect
    well: bool
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The measure as plain data, with the code that gets its sentence."""
        return {"code": f"view_{self.aspect.value}", "well": self.well, "params": dict(self.params)}


def measures(image: Image, reading: Reading) -> tuple[Measure, ...]:
    """Every aspect that can be measured in this picture (height, width, 3) with what was read in it.

    Without one card read only the board's absence, light and focus can be told.
    """
    read = {card.cell: card for card in reading.cards}
    factor = min(1.0, WORKED_ON_PX / image.shape[1])
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    places = [np.asarray(card.corners, np.float32) * factor for card in reading.cards]
    found: list[Measure | None] = [_board(read)]
    if read:
        found += [_size(reading.cards), _tilt(reading), _frame(read, reading.size)]
        found.append(_glare(np.asarray(small, np.uint8), places))
    found += [_light(grey, places), _focus(grey, places)]
    order = list(Aspect)
    return tuple(sorted((one for one in found if one is not None), key=lambda one: order.index(one.aspect)))


def _board(read: Mapping[Cell, CardRead]) -> Measure:
    start, goals = START_CELL in read, sum(cell in read for cell in GOAL_CELLS)
    return Measure(Aspect.BOARD, start and goals == 3, {"start": int(start), "goals": goals})


def _size(cards: tuple[CardRead, ...]) -> Measure:
    """By the smallest card: the far side of a table seen at a slant decides."""
    areas = [cv2.contourArea(np.asarray(card.corners, np.float32)) for card in cards]
    px = round(CARD_MM[0] * (min(areas) / (CARD_MM[0] * CARD_MM[1])) ** 0.5)
    return Measure(Aspect.SIZE, px >= troubles.NEEDED_PX, {"px": px, "needed": troubles.NEEDED_PX})


def _tilt(reading: Reading) -> Measure | None:
    if len(reading.cards) < FEWEST_FOR_TILT:
        return None
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2
    found = np.array([card.corners for card in reading.cards], np.float64)
    known = np.broadcast_to(half, found.shape)
    fitted = fit_plane(reading.size, Rigid(found, known, np.ones(found.shape[:2])))
    if fitted is None:
        return None
    degrees, most = round(fitted[0].tilt()), round(troubles.STEEPEST)
    return Measure(Aspect.TILT, degrees <= most, {"degrees": degrees, "most": most})


def _frame(read: Mapping[Cell, CardRead], size: tuple[int, int]) -> Measure | None:
    """Whether start card, goals and every cell between them lie within the picture; else where not."""
    columns = range(START_CELL[0], GOAL_CELLS[0][0] + 1)
    quads = cell_quads(read, [(column, row) for column in columns for row in ROWS])
    if not quads:
        return None
    points = np.concatenate(list(quads.values()))
    beyond = {
        "W": -float(points[:, 0].min()),
        "E": float(points[:, 0].max()) - size[0],
        "N": -float(points[:, 1].min()),
        "S": float(points[:, 1].max()) - size[1],
    }
    edge, px = max(beyond.items(), key=lambda side: side[1])
    # The margin is for rows that drift: the cells are reckoned and not seen.
    card_px = float(np.linalg.norm(np.diff(next(iter(quads.values())), axis=0), axis=1).max())
    well = px <= 0.2 * card_px
    return Measure(Aspect.FRAME, well, {} if well else {"edge": edge})


def _glare(image: Image, places: list[NDArray[np.float32]]) -> Measure:
    """By the card that shines most."""
    burnt = image.min(2) >= BURNT
    shares = sorted((float(burnt[_within([place], burnt.shape)].mean()) for place in places), reverse=True)
    shining = sum(share > GLARE_SHARE for share in shares)
    return Measure(Aspect.GLARE, shining < GLARE_CELLS, {"cards": shining, "percent": round(100 * shares[0])})


def _light(grey: Grey, places: list[NDArray[np.float32]]) -> Measure:
    """By the whites of the cards; without one card read, by the brightest of the picture."""
    whites = grey[_within(places, grey.shape)] if places else grey[::4, ::4]
    level = round(float(np.percentile(whites, 95)))
    needed = DARK if places else troubles.DARK
    return Measure(Aspect.LIGHT, level >= needed, {"level": level, "needed": needed})


def _focus(grey: Grey, places: list[NDArray[np.float32]]) -> Measure | None:
    """How steep the steepest edges on the cards are."""
    soft = cv2.GaussianBlur(grey, (0, 0), 1.5)
    mask = _within(places, grey.shape) if places else np.ones(grey.shape, bool)
    low, high = np.percentile(soft[mask], (1, 99))
    if high - low < 25:
        return None
    across, down = cv2.spatialGradient(soft)
    slope = np.hypot(across[mask].astype(np.float32), down[mask].astype(np.float32)) / 8
    sharpness = float(np.percentile(slope, 99)) / float(high - low)
    # In per cent of what is needed: a figure that people can watch while they turn the ring of a lens.
    return Measure(Aspect.FOCUS, sharpness >= SHARP, {"percent": round(100 * sharpness / SHARP)})


def _within(places: list[NDArray[np.float32]], shape: tuple[int, ...]) -> Mask:
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(place).astype(np.int32) for place in places], (255,))
    # A card may lie (almost) outside: then nothing of it can be measured, and the whole picture speaks.
    return np.asarray(mask > 0) if mask.any() else np.ones(shape[:2], bool)
