"""Drawn cards as a camera sees them, among others and in any light, and things that are no card."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.game.cards import EDGES
from tests.bench.teaching.drawn_cards import HIGH, PX, SIZE, WIDE, Chance, Drawn, Floats, clouds, colour
from vision.tunnels.patch import HIGH as PATCH_HIGH
from vision.tunnels.patch import WIDE as PATCH_WIDE
from vision.tunnels.shapes import PAIRS

RIM = 24
"""Surroundings of a card that are pictured with it, in px."""
NO_CARD = 0.13
"""Share of pictures that show a back, a bare table, or a card far off its place."""


def example(chance: Chance, cards: Sequence[Drawn]) -> tuple[Floats, Floats, Floats]:
    """A patch (88, 56, 3) 0..255, its ways (22, 14) 0..1, and 11 answers 0 or 1 as the witness gives them."""
    if chance.random() < NO_CARD:
        patch, _ = pictured(chance, _nothing(chance), cards)
        if chance.random() < 0.3:
            other, _ = pictured(chance, cards[int(chance.integers(len(cards)))], cards)
            patch = np.roll(
                other, int(chance.choice([-1, 1]) * chance.uniform(12, 28)), int(chance.integers(2))
            )
        return patch, np.zeros((22, 14), np.float32), np.zeros(11, np.float32)
    card = cards[int(chance.integers(len(cards)))]
    patch, way = pictured(chance, card, cards)
    return patch, np.asarray(cv2.resize(way, (14, 22), interpolation=cv2.INTER_AREA)), _answers(card)


def _answers(card: Drawn) -> Floats:
    opened = [any(edge & group for group in card.tunnels) for edge in EDGES]
    pairs = [EDGES[one] | EDGES[other] for one, other in PAIRS]
    joined = [any(group & both == both for group in card.tunnels) for both in pairs]
    return np.array([*opened, *joined, True], np.float32)


def _nothing(chance: Chance) -> Drawn:
    picture = np.ones((HIGH, WIDE, 3), np.float32) * colour(
        chance, chance.uniform(0.03, 0.9), chance.uniform(0, 0.9)
    )
    picture *= np.exp(clouds(chance, SIZE, 1, 6) * chance.uniform(0, 0.3))[..., None]
    for _ in range(int(chance.integers(0, 5))):
        tone = [float(one) for one in colour(chance, chance.uniform(0, 1), chance.uniform(0, 0.9))]
        inset = int(chance.uniform(2, 40))
        cv2.rectangle(picture, (inset, inset), (WIDE - inset, HIGH - inset), tone, int(chance.integers(1, 6)))
        cv2.circle(
            picture, (WIDE // 2, HIGH // 2), int(chance.uniform(12, 48)), tone, int(chance.choice([-1, 2, 5]))
        )
    return Drawn(picture, np.zeros((HIGH, WIDE), np.float32), ())


def pictured(chance: Chance, card: Drawn, others: Sequence[Drawn]) -> tuple[Floats, Floats]:
    """A patch 0..255 and its ways 0..1 (88, 56): misplaced, askew, soft, noisy, in some lamp's light."""
    around = (WIDE + 2 * RIM, HIGH + 2 * RIM)
    scene = np.ones((around[1], around[0], 3), np.float32)
    scene *= colour(chance, chance.uniform(0.03, 0.9), chance.uniform(0, 0.6))
    scene *= np.exp(clouds(chance, around, 2, 6) * chance.uniform(0, 0.2))[..., None]
    for right, down in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        if chance.random() < 0.55:
            other = others[int(chance.integers(len(others)))].picture
            gap = int(max(0, chance.normal(0.7, 0.8)) * PX)
            _lay(scene, other, RIM + right * (WIDE + gap), RIM + down * (HIGH + gap))
    _lay(scene, card.picture, RIM, RIM)
    ways = np.pad(card.way, RIM)
    angle, scale = np.radians(chance.normal(0, 2)), (1 + chance.normal(0, 0.015)) * PX
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))]) * scale
    middle = np.array(around) / 2 + chance.normal(0, 1.2, 2) * PX
    onto = np.column_stack([turn, middle - turn @ (PATCH_WIDE / 2, PATCH_HIGH / 2)]).astype(np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    soft = cv2.GaussianBlur(scene, (0, 0), 0.8 + abs(chance.normal(0, 1.3)))
    seen = cv2.warpAffine(soft, onto, (PATCH_WIDE, PATCH_HIGH), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    way = cv2.warpAffine(ways, onto, (PATCH_WIDE, PATCH_HIGH), flags=flags)
    return _lit(chance, np.asarray(seen, np.float32)), np.asarray(way, np.float32)


def _lay(scene: Floats, picture: Floats, left: int, top: int) -> None:
    high, wide = scene.shape[:2]
    x, y = max(0, left), max(0, top)
    far_x, far_y = min(wide, left + WIDE), min(high, top + HIGH)
    if far_x > x and far_y > y:
        scene[y:far_y, x:far_x] = picture[y - top : far_y - top, x - left : far_x - left]


def _lit(chance: Chance, seen: Floats) -> Floats:
    x, y = np.meshgrid(np.linspace(-1, 1, PATCH_WIDE), np.linspace(-1, 1, PATCH_HIGH))
    light = np.clip(seen, 0, None) ** 2.2
    light = light * np.exp(x * chance.normal(0, 0.15) + y * chance.normal(0, 0.15))[..., None]
    light = light * np.exp(chance.normal(0, 0.22, 3))
    light = light * np.exp(chance.normal(0, 0.7) if chance.random() < 0.7 else chance.uniform(0.3, 1.6))
    if chance.random() < 0.25:
        (left, top), size = chance.uniform(-1, 1, 2), chance.uniform(0.15, 0.6)
        glare = np.exp(-((x - left) ** 2 + 2.3 * (y - top) ** 2) / size**2) * chance.uniform(0.05, 0.6)
        light = light + glare[..., None]
    picture = np.clip(light + chance.uniform(0, 0.06), 0, 1) ** (1 / 2.2)
    noisy = picture + chance.standard_normal(picture.shape) * abs(chance.normal(0, 6)) / 255
    return np.asarray(np.clip(noisy, 0, 1) * 255, np.float32)
