"""Tables read by tunnels alone: where cards lie, what is none, and what is given out. No face is known.

The drawn tables are those the finder was taught with, from a chance of their own; the pictures are the kept
ones of the printed deck, whose art neither network was ever shown.
"""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.game.cards import GOAL_CELLS, START_CELL
from tests.bench.teaching.drawn_cards import draw_card
from tests.bench.teaching.drawn_tables import SIDE_MM, UNDER, draw_back, draw_table
from tests.vision.test_read_frames import FRAMES, VISIBLE, meant, read_frame, told
from vision.grid import Layout
from vision.pictures import Image
from vision.plane import BULGE, Plane
from vision.pointed import Pointed
from vision.tags import TagFinder, every_tag
from vision.tunnels.above import Drawer
from vision.tunnels.finder import MM, find_cards
from vision.tunnels.reader import TunnelsReader
from vision.tunnels.stuff import Stuff

KEPT = ("easy_0104", "easy_0105", "normal_0103", "normal_0104", "normal_0105")
"""Those with corner tags."""


def test_cards_of_no_deck_are_found_where_they_lie() -> None:
    chance = np.random.default_rng(2026)
    decks = [[draw_card(chance, art) for _ in range(6)] for art in range(4)]
    there = found = false = right_side = 0
    off: list[float] = []
    for number in range(16):
        scene, laid = draw_table(chance, decks[number % 4], [draw_back(chance)])
        side = int(SIDE_MM / MM)
        above = cv2.resize(scene, (side, side), interpolation=cv2.INTER_AREA).astype(np.uint8)
        spotted = [one for one in find_cards(above) if one.card > 0]
        for card in (one for one in laid if one.hidden < UNDER):
            there += 1
            away = [float(np.abs(one.corners - card.corners).mean()) for one in spotted]
            if away and min(away) < 10:
                found += 1
                off.append(min(away))
                right_side += (spotted[int(np.argmin(away))].face_up > 0) == card.face_up
        false += sum(
            all(np.abs(one.corners.mean(0) - card.corners.mean(0)).max() > 25 for card in laid)
            for one in spotted
            if one.card > 2
        )
    assert there > 50
    assert found >= 0.95 * there
    assert right_side >= 0.97 * found
    assert np.mean(off) < 3.5
    assert false <= 0.1 * there


def test_the_table_is_drawn_from_above_in_its_size() -> None:
    focal, distance = 900.0, 700.0
    tilt = np.radians(30)
    axes = np.array([(1, 0, 0), (0, np.cos(tilt), -np.sin(tilt)), (0, np.sin(tilt), np.cos(tilt))])
    plane = Plane(np.array([639.5, 359.5]), focal, BULGE, axes, distance)
    (middle,) = plane.to_mm(np.array([(639.5, 359.5)]))
    layout = Layout(0.1, middle, True)
    square = np.array([(-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0)])
    picture = np.zeros((720, 1280, 3), np.uint8)
    px = plane.to_px(layout.to_plane(square))
    cv2.fillConvexPoly(picture, np.rint(px * 16).astype(np.int32), (255, 255, 255), cv2.LINE_AA, 4)
    above = Drawer(picture).draw(plane, layout, np.array([-100.0, -80.0]), np.array([100.0, 80.0]))
    assert above is not None
    rows, columns = np.nonzero(above.picture[..., 0] > 127)
    corner = np.array([columns.min(), rows.min()]) * MM + above.low
    far = np.array([columns.max() + 1, rows.max() + 1]) * MM + above.low
    assert np.allclose(corner, (-40, -40), atol=1.5 * MM)
    assert np.allclose(far, (40, 40), atol=1.5 * MM)
    assert np.allclose(above.to_px(square - above.low), px)


def plain(colour: tuple[int, int, int], chance: np.random.Generator) -> Image:
    noisy = np.array(colour) + chance.normal(0, 6, (88, 56, 3))
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def test_what_has_the_colours_of_the_table_is_no_card() -> None:
    chance = np.random.default_rng(5)
    grey, red = (150, 140, 130), (40, 50, 160)
    stuff = Stuff([plain(grey, chance) for _ in range(4)], [plain(red, chance) for _ in range(4)])
    assert stuff.strangeness(plain(grey, chance)) < -0.8
    assert stuff.strangeness(plain(red, chance)) > 0.8
    assert Stuff([plain(grey, chance)], []).strangeness(plain(red, chance)) == 0


def test_kept_pictures_are_read_without_any_face() -> None:
    reader = TunnelsReader()
    visible = right = wrong = 0
    for name in KEPT:
        cards, read = read_frame(reader, name)
        assert read[START_CELL].face is None and read[START_CELL].face_up
        visible += sum(card["visible"] >= VISIBLE for card in cards.values())
        for cell, card in read.items():
            fits = cell in cards and meant(cards[cell]) == told(card)
            right += fits and cards[cell]["visible"] >= VISIBLE
            wrong += not fits
    assert right >= 0.9 * visible
    assert wrong <= 2


def test_markers_that_are_like_corner_tags_do_not_tell_where_the_board_lies() -> None:
    picture = cv2.imread(str(FRAMES / "easy_0101.jpg"))
    assert picture is not None
    tags = every_tag(TagFinder(), np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    # No tag is in this picture: if this fails, another picture has to show that false ones do no harm.
    assert len(tags.ids) >= 2
    read = TunnelsReader().read(np.asarray(picture, np.uint8))
    assert START_CELL in {card.cell for card in read.cards}


def test_pointed_corners_will_do_where_there_are_no_tags() -> None:
    truth = json.loads((FRAMES / "easy_0101.json").read_text())["cards"]
    cards = {(card["cell"][0], card["cell"][1]): card for card in truth}
    lying = {
        cell: np.roll(np.array(card["corners"]), 2 if card["turned"] else 0, 0)
        for cell, card in cards.items()
        if cell in (START_CELL, *GOAL_CELLS)
    }
    # The goal at the bottom may be hidden: its corner is where the lattice has it.
    end = lying.get((8, 2), 2 * lying[8, 0] - lying[8, -2])
    corners = [lying[START_CELL][0], lying[8, -2][1], end[2], lying[START_CELL][3]]
    a, b, c, d = ((float(x) + 5, float(y) - 4) for x, y in corners)
    picture = cv2.imread(str(FRAMES / "easy_0101.jpg"))
    assert picture is not None
    read = TunnelsReader().read(np.asarray(picture, np.uint8), Pointed((a, b, c, d)))
    fit = [card.cell in cards and meant(cards[card.cell]) == told(card) for card in read.cards]
    assert sum(fit) >= 0.9 * len(cards)
    assert fit.count(False) <= 1


@pytest.mark.parametrize("grey", [0, 120, 255])
def test_a_picture_without_a_table_gets_a_clear_word(grey: int) -> None:
    read = TunnelsReader().read(np.full((720, 1280, 3), grey, np.uint8))
    assert not read.cards
    assert "no_table" in {problem.code for problem in read.problems}
