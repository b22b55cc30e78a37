"""How well a camera sees the table: each aspect measured on drawn tables that lack just that."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.game.cards import GOAL_CELLS, Cell
from tests.vision.watching import GOALS, SCENE, Witness
from vision.deckbook import Deck
from vision.pictures import Image
from vision.reading import Reading
from vision.scene import Scene
from vision.simulate import SimulatedTable
from vision.view import Aspect, Measure, measures

SIZE = (960, 540)


def table(deck: Deck, scene: Scene = SCENE, size: tuple[int, int] = SIZE) -> SimulatedTable:
    """The opening layout and two path cards."""
    table = SimulatedTable(deck, 4, size, scene)
    table.lay("start", (0, 0))
    for card, cell in zip(GOALS, GOAL_CELLS, strict=True):
        table.lay(card, cell, face_up=False)
    table.lay("NESW-1", (1, 0))
    table.lay("EW-1", (2, 0), turned=True)
    return table


@pytest.fixture(scope="module")
def ready(deck: Deck) -> SimulatedTable:
    """A table that is well seen; whoever nudges it puts it back."""
    return table(deck)


def seen(deck: Deck, table: SimulatedTable, image: Image | None = None) -> dict[Aspect, Measure]:
    image = table.frame() if image is None else image
    return {one.aspect: one for one in measures(image, Witness(deck, table).read(image))}


def poor(found: dict[Aspect, Measure]) -> set[Aspect]:
    return {aspect for aspect, measure in found.items() if not measure.well}


def test_a_table_that_is_well_seen_is_well_in_every_aspect(deck: Deck, ready: SimulatedTable) -> None:
    found = seen(deck, ready)
    assert list(found) == list(Aspect) and poor(found) == set()
    assert found[Aspect.TILT].params["degrees"] == pytest.approx(SCENE.tilt_deg, abs=2)
    assert found[Aspect.BOARD].params == {"start": 1, "goals": 3}


def test_cards_too_small(deck: Deck) -> None:
    found = seen(deck, table(deck, size=(480, 270)))
    assert Aspect.SIZE in poor(found)
    assert found[Aspect.SIZE].params["px"] < found[Aspect.SIZE].params["needed"]


def test_a_picture_out_of_focus(deck: Deck, ready: SimulatedTable) -> None:
    found = seen(deck, ready, np.asarray(cv2.GaussianBlur(ready.frame(), (0, 0), 4.5), np.uint8))
    assert poor(found) == {Aspect.FOCUS} and found[Aspect.FOCUS].params["percent"] < 100


def test_too_little_light(deck: Deck, ready: SimulatedTable) -> None:
    ready.lamp(0.22)
    found = seen(deck, ready)
    ready.lamp(1.0)
    assert Aspect.LIGHT in poor(found)


def test_a_lamp_mirrored_in_the_cards(deck: Deck, ready: SimulatedTable) -> None:
    image = ready.frame()
    for cell in ((1, 0), (2, 0)):
        x, y = ready.corners(cell).mean(0)
        cv2.circle(image, (round(x), round(y)), 40, (255, 255, 255), -1)
    found = seen(deck, ready, image)
    assert poor(found) == {Aspect.GLARE} and found[Aspect.GLARE].params["cards"] == 2


def test_a_camera_that_looks_from_the_side(deck: Deck) -> None:
    found = seen(deck, table(deck, replace(SCENE, tilt_deg=62)))
    assert Aspect.TILT in poor(found)
    assert found[Aspect.TILT].params["degrees"] == pytest.approx(62, abs=3)


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "edge"), [(220, 0, "W"), (-220, 0, "E"), (0, 200, "N"), (0, -200, "S")]
)
def test_a_board_that_leaves_the_picture_says_where(
    deck: Deck, ready: SimulatedTable, x_mm: float, y_mm: float, edge: str
) -> None:
    ready.nudge(x_mm, y_mm)
    found = seen(deck, ready)
    ready.nudge(0, 0)
    assert Aspect.FRAME in poor(found) and found[Aspect.FRAME].params == {"edge": edge}


def test_goals_that_are_not_seen(deck: Deck, ready: SimulatedTable) -> None:
    ready.lift((8, 0))
    found = seen(deck, ready)
    ready.lay(GOALS[1], (8, 0), face_up=False)
    assert poor(found) == {Aspect.BOARD} and found[Aspect.BOARD].params == {"start": 1, "goals": 2}


def test_without_a_card_in_sight_board_light_and_focus_are_told(deck: Deck) -> None:
    image = SimulatedTable(deck, 4, SIZE, SCENE).frame()
    found = {one.aspect: one for one in measures(image, Reading((), (), SIZE, 0.0))}
    assert set(found) == {Aspect.BOARD, Aspect.LIGHT, Aspect.FOCUS} and poor(found) == {Aspect.BOARD}
    black = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    found = {one.aspect: one for one in measures(black, Reading((), (), SIZE, 0.0))}
    assert poor(found) == {Aspect.BOARD, Aspect.LIGHT}


def test_a_card_half_outside_is_measured_all_the_same(deck: Deck, ready: SimulatedTable) -> None:
    ready.nudge(-520, 0)
    image = ready.frame()
    reading = Witness(deck, ready).read(image)
    ready.nudge(0, 0)
    outside: list[Cell] = [
        card.cell for card in reading.cards if not 0 <= np.mean([x for x, _y in card.corners]) < SIZE[0]
    ]
    assert outside
    assert Aspect.FRAME in poor({one.aspect: one for one in measures(image, reading)})
