"""Tunnels read from the picture alone. The art is our own without markers: the reader was never shown it."""

import cv2
import numpy as np
import pytest

from companion.game.cards import Face, lay
from companion.game.decks import BASE_PATHS
from tests.vision.laid_apart import BACK, pictures
from vision.pictures import Image
from vision.tunnels.patch import HIGH, WIDE, cut
from vision.tunnels.read import read_all
from vision.tunnels.shapes import GOAL_SHAPES, hypotheses

NAMES = tuple(BASE_PATHS)


def seen(picture: Image, turned: bool, chance: np.random.Generator) -> Image:
    """A card as a camera sees it: misplaced by 1 mm, askew by a degree, dim or bright, soft, noisy."""
    if turned:
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    h, w = picture.shape[:2]
    corners = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float64)
    off = chance.normal(0, 4, 2) + chance.normal(0, 3, (4, 2))
    patch = cut(picture, corners + off).astype(np.float32)
    light = chance.uniform(0.4, 1.2) * chance.uniform(0.85, 1.15, 3)
    patch = cv2.GaussianBlur(patch * light, (0, 0), 0.7) + chance.normal(0, 5, patch.shape)
    return np.clip(patch, 0, 255).astype(np.uint8)


def test_every_path_card_of_the_box_is_read_both_ways_up() -> None:
    chance = np.random.default_rng(1)
    cases = [(name, turned) for name in NAMES for turned in (False, True) for _ in range(3)]
    by_name = dict(zip(NAMES, pictures(NAMES), strict=True))
    reads = read_all([seen(by_name[name], turned, chance) for name, turned in cases])
    right = [
        read.tunnels == lay(Face.parse(name), turned).tunnels
        for (name, turned), read in zip(cases, reads, strict=True)
    ]
    wrong = [case for case, read, fine in zip(cases, reads, right, strict=True) if read.sure and not fine]
    assert np.mean(right) >= 0.98
    assert len(wrong) <= 1, wrong


def test_a_dead_end_is_told_from_a_way_through() -> None:
    through, ended = read_all(list(pictures(("NS", "N.S"))))
    assert through.tunnels == Face.parse("NS").tunnels
    assert ended.tunnels == Face.parse("N.S").tunnels


def test_a_back_and_a_bare_table_are_no_face() -> None:
    back, way = read_all(list(pictures((BACK, "NESW"))))
    (grey,) = read_all([np.full((HIGH, WIDE, 3), 120, np.uint8)])
    assert back.card < 0 and not back.sure
    assert not grey.sure
    assert way.card > 0 and way.sure


def test_a_goal_is_read_among_goals_only() -> None:
    (stone,) = read_all(list(pictures(("stone-NE",))), among=GOAL_SHAPES)
    assert stone.tunnels == Face.parse("NE").tunnels


def test_shapes_hold_every_card_of_both_boxes_once() -> None:
    shapes = hypotheses(None).shapes
    assert len(shapes) == len(set(shapes))
    assert {lay(Face.parse(name), turned).tunnels for name in NAMES for turned in (False, True)} <= set(
        shapes
    )


@pytest.mark.parametrize("size", [(28, 44), (56, 87), (224, 348)])
def test_a_patch_of_any_size_is_taken(size: tuple[int, int]) -> None:
    (picture,) = pictures(("NEW",))
    patch = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    assert read_all([patch])[0].tunnels == Face.parse("NEW").tunnels
