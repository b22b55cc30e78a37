"""The simulated table shows what was laid on it, where it was laid, and different pictures every time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np
import pytest

from companion.game.cards import GOAL_CELLS
from tests.vision.watching import SCENE
from vision.deckbook import Deck
from vision.looks import Look, as_known, likeness, pattern
from vision.reader import Reader
from vision.scene import Cover, Nudge, Pinhole, Scene
from vision.simulate import SimulatedSource, SimulatedTable

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def table(deck: Deck) -> SimulatedTable:
    """A table with the start card, three goals and two path cards, one of them turned."""
    table = SimulatedTable(deck, 4, SIZE, SCENE)
    table.lay("start", (0, 0))
    for card, cell in zip(("gold", "stone-NE", "stone-NW"), GOAL_CELLS, strict=True):
        table.lay(card, cell, face_up=False)
    table.lay("NEW-1", (1, 0), turned=True)
    table.lay("NE-2", (4, 2))
    return table


def test_a_card_looks_as_printed_where_the_table_says_that_it_lies(deck: Deck, table: SimulatedTable) -> None:
    look = Look(table.frame(), 1.4)
    for cell, at in table.lying().items():
        picture = deck.faces[at.card_id].picture if at.face_up else deck.goal_back
        seen = look.place(table.corners(cell).astype(np.float32))
        assert likeness(pattern(seen), as_known(picture)) > 0.8, cell


@pytest.mark.parametrize("scene", [Scene(), Scene(tilt_deg=25, cover=Cover.CLOTH), Scene.drawn(8)])
def test_the_real_reader_reads_every_card(deck: Deck, reader: Reader, scene: Scene) -> None:
    table = SimulatedTable(deck, 2, (1920, 1080), scene)
    table.lay("start", (0, 0))
    for card, cell in zip(("stone-NE", "gold", "stone-NW"), GOAL_CELLS, strict=True):
        table.lay(card, cell, face_up=False)
    for i, (card, turned) in enumerate(
        [("EW-1", False), ("NESW-2", True), ("NES-4", True), ("N.S-1", False)]
    ):
        table.lay(card, (i + 1, 0), turned)
    read = {card.cell: card for card in reader.read(table.frame()).cards}
    assert set(read) == set(table.lying())
    for cell, at in table.lying().items():
        assert read[cell].face_up == at.face_up
        if at.face_up:
            assert (read[cell].face, read[cell].turned) == (at.card_id, at.turned)
        assert np.abs(np.array(read[cell].corners) - table.corners(cell)).max() < 5 or not at.face_up


def test_the_same_seed_draws_the_same_table_and_no_two_frames_are_alike(deck: Deck) -> None:
    tables = [SimulatedTable(deck, 6, (640, 360)) for _twice in range(2)]
    for one in tables:
        one.lay("start", (0, 0))
    first = [one.frame() for one in tables]
    assert np.array_equal(first[0], first[1])
    assert not np.array_equal(first[0], tables[0].frame())


def test_a_hand_covers_the_card_it_lays(table: SimulatedTable) -> None:
    assert table.visible((1, 0)) == 1
    table.hand_over((1, 0), from_deg=90)
    assert table.visible((1, 0)) < 0.4 and table.visible((4, 2)) == 1
    table.hand_over((1, 0), from_deg=90, reach=0)
    assert table.visible((1, 0)) == 1
    table.hand_over(None)


def test_what_is_done_to_the_table_shows(table: SimulatedTable) -> None:
    before = table.frame().astype(int)
    changes: tuple[tuple[Callable[[], None], Callable[[], None]], ...] = (
        (lambda: table.lamp(0.5), lambda: table.lamp(1)),
        (lambda: table.shadow((1, 0)), lambda: table.shadow(None)),
        (lambda: table.nudge(20, 0), lambda: table.nudge(0, 0)),
        (lambda: table.slide((1, 0), 10, 0), lambda: table.slide((1, 0), -10, 0)),
    )
    for change, undo in changes:
        change()
        assert (np.abs(table.frame().astype(int) - before).max(2) > 25).mean() > 0.002
        undo()
    assert (np.abs(table.frame().astype(int) - before).max(2) > 40).mean() < 0.001


def test_what_cannot_be_done_is_refused(deck: Deck) -> None:
    table = SimulatedTable(deck, 1, (320, 180))
    with pytest.raises(KeyError):
        table.lay("no such card", (1, 0))
    for act in (table.lift, table.corners, table.visible):
        with pytest.raises(KeyError):
            act((1, 0))
    with pytest.raises(KeyError):
        table.slide((1, 0), 1, 1)


@pytest.mark.parametrize("tilt", [0, 15, 35])
@pytest.mark.parametrize("azimuth", [60, 90, 120])
def test_the_camera_holds_the_whole_playing_area(tilt: float, azimuth: float) -> None:
    scene = Scene(tilt_deg=tilt, azimuth_deg=azimuth)
    camera = Pinhole(scene, SIZE)
    corners = np.array([scene.centre_mm(cell) for cell in ((0, -2), (8, -2), (8, 2), (0, 2))])
    px = camera.project(corners)
    assert (px > 0).all() and (px < SIZE).all()
    # The start card is on the left and rows grow downwards: no mirror image.
    assert px[0][0] < px[1][0] and px[0][1] < px[3][1]


def test_projecting_undoes_looking() -> None:
    camera = Pinhole(Scene(tilt_deg=20, k1=-0.08), (320, 180), Nudge(5, -3, 2))
    seen = camera.seen_points(1)
    for x, y in ((0, 0), (160, 90), (319, 179), (40, 150)):
        assert camera.project(seen[y, x][None].astype(float))[0] == pytest.approx((x, y), abs=0.05)


def test_many_threads_may_play_while_one_looks(deck: Deck) -> None:
    table = SimulatedTable(deck, 3, (320, 180))
    failures: list[BaseException] = []

    def plays(row: int) -> None:
        try:
            for _again in range(5):
                table.lay("EW-1", (1, row))
                table.hand_over((1, row))
                table.slide((1, row), 2, 2)
                table.lift((1, row))
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=plays, args=(row,)) for row in range(3)]
    for thread in threads:
        thread.start()
    for _frame in range(10):
        assert table.frame().shape == (180, 320, 3)
    for thread in threads:
        thread.join()
    assert failures == [] and table.lying() == {}


def test_a_simulated_source_says_that_it_is_one_and_keeps_its_pace(deck: Deck) -> None:
    told: list[str] = []
    source = SimulatedSource(
        SimulatedTable(deck, 3, (320, 180)), fps=20, tell=lambda code, params: told.append(code)
    )
    begun, frames = time.monotonic(), []
    for frame in source.frames():
        frames.append(frame)
        if time.monotonic() - begun > 0.5:
            source.close()
    assert source.simulated and told == ["opened"]
    assert 5 <= len(frames) <= 12
    assert all(a.number < b.number and a.at_s < b.at_s for a, b in pairwise(frames))
    assert cv2.countNonZero(cv2.cvtColor(frames[0].image, cv2.COLOR_BGR2GRAY)) > 0
