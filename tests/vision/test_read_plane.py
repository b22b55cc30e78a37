"""One plane holds the table, and cells are counted on it from card to card."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.grid import Grid, board_angle, find_layout, layout_by_tags
from vision.plane import Plane, Rigid, fit_plane, poses

CARD_MM = (56.0, 87.0)
SIZE = (1280, 720)
UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)


def plane(
    tilt: float, about: float, focal: float = 1000.0, bulge: float = -0.05, distance: float = 900.0
) -> Plane:
    """A table seen `tilt` degrees from straight above, leaning towards `about` degrees."""
    lean, way = math.radians(tilt), math.radians(about)
    away = np.array([math.sin(lean) * math.cos(way), math.sin(lean) * math.sin(way), math.cos(lean)])
    along = np.array([1.0, 0, 0]) - away[0] * away
    along /= np.linalg.norm(along)
    return Plane(
        np.array([639.5, 359.5]), focal, bulge, np.array([along, np.cross(away, along), away]), distance
    )


@given(
    tilt=st.floats(0, 50),
    about=st.floats(0, 360),
    bulge=st.floats(-0.14, 0.04),
    x=st.floats(0, 1279),
    y=st.floats(0, 719),
)
def test_a_point_of_the_picture_comes_back_from_the_table(
    tilt: float, about: float, bulge: float, x: float, y: float
) -> None:
    seen = plane(tilt, about, bulge=bulge)
    assert seen.to_px(seen.to_mm(np.array([x, y]))) == pytest.approx([x, y], abs=0.01)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 45.0])
@pytest.mark.parametrize("about", [0.0, 100.0, 250.0])
def test_squares_of_known_size_tell_the_plane(tilt: float, about: float) -> None:
    true = plane(tilt, about)
    chance = np.random.default_rng(3)
    middle = true.to_mm(np.array([640.0, 360.0]))
    known = np.repeat((UNIT * 17.5)[None], 24, 0)
    found = []
    for _ in known:
        angle, place = chance.uniform(0, 2 * np.pi), middle + chance.uniform(-200, 200, 2)
        c, s = np.cos(angle), np.sin(angle)
        corners = true.to_px(UNIT * 17.5 @ np.array([(c, s), (-s, c)]) + place)
        found.append(corners + chance.normal(0, 0.15, (4, 2)))
    # One of them is no marker at all, or lies in a hand.
    found[0] = found[0] * 1.0 + (UNIT - 0.5) * 25
    fitted = fit_plane(SIZE, Rigid(np.array(found), known, np.ones((24, 4))))
    assert fitted is not None
    seen, residual = fitted
    assert residual[0] > 3 > residual[1:].max()
    assert seen.tilt() == pytest.approx(tilt, abs=4)
    ends = seen.to_mm(true.to_px(middle + np.array([(-200.0, -150.0), (200.0, 150.0)])))
    assert float(np.linalg.norm(ends[1] - ends[0])) == pytest.approx(500, rel=0.015)


def test_nothing_known_tells_no_plane() -> None:
    assert fit_plane(SIZE, Rigid(np.empty((0, 4, 2)), np.empty((0, 4, 2)), np.empty((0, 4)))) is None


def test_a_things_place_and_angle_are_those_of_its_own_frame() -> None:
    seen = plane(0, 0, bulge=0.0)
    turned = np.array([(50, 70), (50, 90), (30, 90), (30, 70)], np.float64)
    places, angles = poses(seen, Rigid(seen.to_px(turned)[None], UNIT[None] * 20, np.ones((1, 4))))
    assert places[0] == pytest.approx([50, 70], abs=0.01)
    assert angles[0] == pytest.approx(math.pi / 2, abs=1e-3)


def grid_of(*cells: tuple[int, int], pitch: tuple[float, float] = (58.0, 89.0)) -> Grid:
    grid = Grid(CARD_MM)
    for cell in cells:
        grid.add(cell, np.array(cell) * pitch)
    return grid


def test_cells_are_counted_from_the_nearest_card() -> None:
    grid = grid_of((0, 0), (1, 0))
    assert grid.cell_of(np.array([119.0, 6.0]))[0] == (2, 0)
    assert grid.cell_of(np.array([-55.0, -92.0]))[0] == (-1, -1)


def test_what_lies_between_cells_has_none() -> None:
    grid = grid_of((0, 0))
    assert grid.spread(np.array([(29.0, 0.0), (58.0, 44.0)]), lambda _, cell: True) == {}


def test_a_drifting_row_is_followed_card_by_card() -> None:
    grid = grid_of((0, 0))
    places = np.array([(58.0 * column, 9.0 * column) for column in range(1, 8)])
    assert grid.spread(places, lambda _, cell: True) == {column - 1: (column, 0) for column in range(1, 8)}


def test_two_cards_cannot_lie_in_one_cell() -> None:
    grid = grid_of((0, 0))
    given_cells = grid.spread(np.array([(58.0, 0.0), (61.0, 2.0)]), lambda _, cell: True)
    assert list(given_cells.values()) == [(1, 0)]


def test_the_pitch_is_learned_from_the_cards() -> None:
    grid = grid_of(*((column, 0) for column in range(6)), pitch=(60.0, 92.0))
    assert grid.middle((8, 0))[0] == pytest.approx(480, abs=4)


def test_cards_either_way_up_show_one_direction() -> None:
    angles = [0.3, 0.3 + math.pi, 0.33, 0.27 - math.pi, 1.6]
    assert board_angle(angles, [1.0] * 5) == pytest.approx(0.3, abs=0.03)


def test_columns_grow_from_the_start_to_the_goals() -> None:
    start, goals = np.array([(500.0, 0.0)]), np.array([(500.0 - 464, row * 89.0) for row in (-2, 0, 2)])
    layout = find_layout(0.0, start, goals, np.empty((0, 2)), {}, CARD_MM)[0]
    assert layout.whole
    assert layout.to_board(goals[0]) == pytest.approx([464, 178], abs=1)


def test_a_start_card_alone_leaves_both_directions_open() -> None:
    layouts = find_layout(0.0, np.zeros((1, 2)), np.empty((0, 2)), np.empty((0, 2)), {}, CARD_MM)
    assert len(layouts) == 2
    assert not any(layout.sure for layout in layouts)


def test_two_tags_tell_where_the_board_lies() -> None:
    pitch = (58.3, 89.3)
    tags = {
        0: np.array([(-1.17 * pitch[0], -2.95 * pitch[1])])[0],
        2: np.array([9.17 * pitch[0], 2.95 * pitch[1]]),
    }
    layout = layout_by_tags(tags, CARD_MM)
    assert layout is not None
    assert layout.to_board(np.zeros(2)) == pytest.approx([0, 0], abs=2)
    assert layout_by_tags({0: tags[0]}, CARD_MM) is None
