"""Drawn tables seen from above with cards of no deck on them, and where each card lies: for the finder.

What they share with real tables is what people do: cards lie in rows, a little askew, touching or some mm
apart, and round about lie tags, backs, cups, telephones, papers and arms. Tables are wood, cloth, checked
cloth, stone or plain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tests.bench.teaching.drawn_cards import HIGH, WIDE, Chance, Drawn, Floats, clouds, colour
from vision.markers import TAG_DICTIONARY, TAG_MM, TAG_SHEET_MM

SIDE_MM = 288
"""Side of a drawn piece of table."""
PITCH = np.array([58.3, 89.3])
CARD = np.array([(-28.0, -43.5), (28.0, -43.5), (28.0, 43.5), (-28.0, 43.5)])
"""(4, 2): corners in mm from the middle."""
COVERED = 0.45
"""Share of a card that may be hidden or beyond the picture before nobody need find it."""
UNDER = 0.2
"""Up to this share it must be found."""


@dataclass(frozen=True, eq=False)
class Laid:
    """A card on a drawn table."""

    corners: Floats
    """(4, 2) mm from the table's top left: the card's own, top-left first."""
    face_up: bool
    hidden: float
    """Share that is covered or lies beyond the picture."""


def draw_back(chance: Chance) -> Floats:
    """A back (HIGH, WIDE, 3), 0..1: frames, rounds and strokes on some colour."""
    picture = np.ones((HIGH, WIDE, 3), np.float32) * colour(
        chance, chance.uniform(0.05, 0.8), chance.uniform(0, 0.9)
    )
    picture *= np.exp(clouds(chance, (WIDE, HIGH), 1, 6) * chance.uniform(0, 0.3))[..., None]
    tones = [
        [float(one) for one in colour(chance, chance.uniform(0, 1), chance.uniform(0, 0.9))] for _ in "ab"
    ]
    for _ in range(int(chance.integers(0, 4))):
        inset = int(chance.uniform(2, 24))
        corner = (WIDE - inset, HIGH - inset)
        cv2.rectangle(picture, (inset, inset), corner, tones[0], int(chance.integers(1, 6)), cv2.LINE_AA)
    for _ in range(int(chance.integers(0, 3))):
        radius, thick = int(chance.uniform(8, 48)), int(chance.choice([-1, 2, 5]))
        cv2.circle(picture, (WIDE // 2, HIGH // 2), radius, tones[1], thick, cv2.LINE_AA)
    for _ in range(int(chance.integers(0, 8))):
        one, other = (tuple(int(x) for x in chance.uniform((20, 40), (92, 134))) for _ in "ab")
        cv2.line(picture, one, other, tones[int(chance.integers(2))], int(chance.integers(1, 9)), cv2.LINE_AA)
    return np.asarray(np.clip(picture, 0, 1), np.float32)


def draw_table(chance: Chance, cards: Sequence[Drawn], backs: Sequence[Floats]) -> tuple[Floats, list[Laid]]:
    """A piece of table (SIDE_MM, SIDE_MM, 3), 0..255 BGR, 1 px a mm, with some of the cards on it."""
    scene = _cover(chance)
    _clutter(chance, scene)
    laid = _deal(chance, scene, cards, backs)
    over = np.zeros(scene.shape[:2], np.float32)
    if chance.random() < 0.35:
        _arm(chance, scene, over)
    if chance.random() < 0.25:
        _cup(chance, scene, over)
    scene, bent = _bent(chance, scene)
    over = cv2.warpPerspective(over, bent, (SIDE_MM, SIDE_MM), borderValue=(1.0,))
    seen = [_seen(corners, face_up, piled, bent, over) for corners, face_up, piled in laid]
    return _photographed(chance, scene), seen


# The table


def _cover(chance: Chance) -> Floats:
    kind = chance.random()
    base = colour(chance, chance.uniform(0.04, 0.85), chance.uniform(0, 0.75))
    side = (SIDE_MM, SIDE_MM)
    scene = np.ones((SIDE_MM, SIDE_MM, 3), np.float32) * base
    tone = clouds(chance, side, 1, 7) * chance.uniform(0, 0.12)
    if kind < 0.45:
        tone = tone + _wood(chance)
    elif kind < 0.62:
        other = colour(chance, chance.uniform(0.04, 0.9), chance.uniform(0, 0.8))
        x, y = _turned_axes(chance)
        size = chance.uniform(8, 45)
        checks = ((np.sin(x / size * np.pi) > 0).astype(np.float32) + (np.sin(y / size * np.pi) > 0)) / 2
        if chance.random() < 0.4:
            checks = (np.sin(x / size * np.pi) > chance.uniform(-0.6, 0.8)).astype(np.float32)
        scene += (other - base) * (checks * chance.uniform(0.2, 1))[..., None]
    elif kind < 0.8:
        spots = chance.standard_normal((SIDE_MM, SIDE_MM)).astype(np.float32)
        tone = tone + cv2.GaussianBlur(spots, (0, 0), chance.uniform(0.4, 3)) * chance.uniform(0.02, 0.3)
    elif kind < 0.88:
        veins = np.abs(clouds(chance, side, 1, 6))
        tone = tone - np.exp(-veins / chance.uniform(0.03, 0.2)) * chance.uniform(0.1, 0.8)
    return np.asarray(np.clip(scene * np.exp(tone)[..., None], 0, 1), np.float32)


def _wood(chance: Chance) -> Floats:
    """Grain, rings as drawn by waves, and seams between boards, in any direction."""
    x, y = _turned_axes(chance)
    bend = clouds(chance, (SIDE_MM, SIDE_MM), 0, 3) * chance.uniform(0, 25)
    board_mm = chance.uniform(40, 260)
    board = np.floor((y + chance.uniform(0, 200)) / board_mm).astype(np.int64)
    shift = chance.uniform(0, 400, 64)[board % 64]
    period = chance.uniform(2.5, 30)
    waves = np.sin(
        (y + bend + shift) / period * 2 * np.pi + np.sin(x / chance.uniform(20, 90)) * chance.uniform(0, 4)
    )
    fine = chance.standard_normal((SIDE_MM, 8)).astype(np.float32)
    grain = cv2.resize(fine, (SIDE_MM, SIDE_MM), interpolation=cv2.INTER_CUBIC)
    tone = waves * chance.uniform(0, 0.28) + grain * chance.uniform(0, 0.08)
    tone = tone + chance.normal(0, chance.uniform(0, 0.2), 64)[board % 64]
    within = (y + 1e4) % board_mm
    seam = np.exp(-np.minimum(within, board_mm - within) / chance.uniform(0.3, 1.5))
    return np.asarray(tone - seam * chance.choice([0, chance.uniform(0.1, 1.2)]), np.float32)


def _turned_axes(chance: Chance) -> tuple[Floats, Floats]:
    angle = chance.uniform(0, np.pi) if chance.random() < 0.6 else chance.choice([0, np.pi / 2])
    angle += chance.normal(0, 0.1)
    x, y = np.meshgrid(np.arange(SIDE_MM, dtype=np.float32), np.arange(SIDE_MM, dtype=np.float32))
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return c * x + s * y, c * y - s * x


# What lies about


def _clutter(chance: Chance, scene: Floats) -> None:
    for _ in range(chance.poisson(0.5)):
        number = int(chance.integers(4))
        tag = cv2.aruco.generateImageMarker(
            cv2.aruco.getPredefinedDictionary(TAG_DICTIONARY), number, int(2 * TAG_MM)
        )
        edge = int(TAG_SHEET_MM - TAG_MM)
        sheet = cv2.copyMakeBorder(tag, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(245.0,))
        white = cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR).astype(np.float32) / 255 * 0.9
        _put(scene, white, (TAG_SHEET_MM, TAG_SHEET_MM), *_anywhere(chance), 0.0)
    for _ in range(chance.poisson(0.5)):
        size = chance.uniform((20, 20), (220, 220))
        if np.abs(np.sort(size) - (56, 87)).max() < 25:
            size = size * 2
        sheet = np.ones((40, 40, 3), np.float32) * colour(
            chance, chance.uniform(0.02, 0.95), chance.uniform(0, 0.8)
        )
        sheet *= np.exp(clouds(chance, (40, 40), 1, 4) * chance.uniform(0, 0.2))[..., None]
        _put(scene, sheet, (float(size[0]), float(size[1])), *_anywhere(chance), chance.uniform(0, 8))
    for _ in range(chance.poisson(0.4)):
        (x, y), _ = _anywhere(chance)
        radius, tone = (
            int(chance.uniform(4, 50)),
            [float(v) for v in colour(chance, chance.uniform(0, 0.9), 0.5)],
        )
        cv2.circle(scene, (int(x), int(y)), radius, tone, int(chance.choice([-1, -1, 3])), cv2.LINE_AA)


def _anywhere(chance: Chance) -> tuple[tuple[float, float], float]:
    x, y = chance.uniform(0, SIDE_MM, 2)
    return (float(x), float(y)), float(chance.uniform(-np.pi, np.pi))


def _deal(
    chance: Chance, scene: Floats, cards: Sequence[Drawn], backs: Sequence[Floats]
) -> list[tuple[Floats, bool, bool]]:
    """Lays cards in rows, and one or two far askew or in a pile."""
    laid: list[tuple[Floats, bool, bool]] = []
    origin = chance.uniform(0, PITCH)
    pitch = PITCH + chance.normal(0, 1.2, 2)
    lean = chance.normal(0, 1.5, 2)
    share = chance.choice([0.15, 0.5, 0.85])
    back = backs[int(chance.integers(len(backs)))]
    rounded = chance.uniform(2, 5)
    if chance.random() < 0.25:
        # A pile or cards in somebody's hand: nothing of the maze, but cards that need not be found.
        place, angle = _anywhere(chance)
        for _ in range(int(chance.integers(2, 5))):
            off = chance.normal(0, 14, 2)
            there = (place[0] + off[0], place[1] + off[1])
            _put(scene, back, (56, 87), there, angle + chance.normal(0, 0.2), rounded)
        laid.append((_corners(place, angle), False, True))
    squares = [(c, r) for r in range(-1, 5) for c in range(-1, 7)]
    for column, row in (squares[index] for index in chance.permutation(len(squares))):
        if chance.random() > share:
            continue
        cell = np.array([column, row])
        middle = origin + cell * pitch + cell[::-1] * lean + chance.normal(0, 1.0, 2)
        angle = float(chance.normal(0, 0.022))
        if share < 0.3 and chance.random() < 0.5:
            middle, angle = middle + chance.normal(0, 6, 2), float(chance.normal(0, 0.07))
        place = (float(middle[0]), float(middle[1]))
        face_up = chance.random() > (0.5 if share < 0.3 else 0.04)
        picture = cards[int(chance.integers(len(cards)))].picture if face_up else back
        _put(scene, picture, (56, 87), place, angle, rounded)
        laid.append((_corners(place, angle), bool(face_up), False))
    return laid


def _corners(place: tuple[float, float], angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(CARD @ np.array([(c, s), (-s, c)]) + place, np.float32)


def _put(
    scene: Floats,
    picture: Floats,
    size_mm: tuple[float, float],
    place: tuple[float, float],
    angle: float,
    rounded_mm: float,
) -> None:
    """Lays a picture with its middle at `place`, with the shade of its rim, where it is in sight."""
    high, wide = picture.shape[:2]
    alpha = np.zeros((high, wide), np.float32)
    k = rounded_mm * wide / size_mm[0]
    radius = max(1, round(k))
    cv2.rectangle(alpha, (0, radius), (wide, high - 1 - radius), 1.0, -1)
    cv2.rectangle(alpha, (radius, 0), (wide - 1 - radius, high), 1.0, -1)
    for x in (radius, wide - 1 - radius):
        for y in (radius, high - 1 - radius):
            cv2.circle(alpha, (x, y), radius, 1.0, -1)
    reach = int(np.hypot(*size_mm) / 2) + 4
    left, top = (max(0, int(one) - reach) for one in place)
    right, low = (min(SIDE_MM, int(one) + reach) for one in place)
    if right <= left or low <= top:
        return
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([(c, -s), (s, c)]) @ np.diag([size_mm[0] / wide, size_mm[1] / high])
    onto = np.column_stack([turn, np.array(place) - (left, top) - turn @ (wide / 2, high / 2)])
    size = (right - left, low - top)
    seen = cv2.warpAffine(picture, onto, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(alpha, onto, size, flags=cv2.INTER_LINEAR)[..., None]
    shade = cv2.GaussianBlur(cover, (0, 0), 1.2)[..., None]
    part = (slice(top, low), slice(left, right))
    under = scene[part] * (1 - 0.45 * shade)
    scene[part] = under + (seen - under) * cover


def _arm(chance: Chance, scene: Floats, over: Floats) -> None:
    """A hand and its sleeve from outside of the picture."""
    start = _anywhere(chance)[0]
    angle = chance.uniform(-np.pi, np.pi)
    end = (start[0] + 400 * np.cos(angle), start[1] + 400 * np.sin(angle))
    skin = [float(v) for v in colour(chance, chance.uniform(0.15, 0.75), chance.uniform(0.3, 0.6), (5, 30))]
    sleeve = [float(v) for v in colour(chance, chance.uniform(0.03, 0.8), chance.uniform(0, 0.9))]
    wrist = (int(start[0] + 70 * np.cos(angle)), int(start[1] + 70 * np.sin(angle)))
    for picture, skin_tone, sleeve_tone in ((scene, skin, sleeve), (over, 1.0, 1.0)):
        for finger in (-0.5, -0.2, 0.15, 0.5):
            tip = (int(start[0] - 45 * np.cos(angle + finger)), int(start[1] - 45 * np.sin(angle + finger)))
            cv2.line(picture, (int(start[0]), int(start[1])), tip, skin_tone, 15, cv2.LINE_AA)
        cv2.circle(picture, (int(start[0]), int(start[1])), 36, skin_tone, -1, cv2.LINE_AA)
        cv2.line(picture, wrist, (int(end[0]), int(end[1])), sleeve_tone, 70, cv2.LINE_AA)


def _cup(chance: Chance, scene: Floats, over: Floats) -> None:
    (x, y), angle = _anywhere(chance)
    tone = [float(v) for v in colour(chance, chance.uniform(0.05, 0.9), chance.uniform(0, 0.8))]
    dark = [0.6 * v for v in tone]
    radius = int(chance.uniform(28, 44))
    top = (int(x + radius * np.cos(angle)), int(y + radius * np.sin(angle)))
    for picture, one, other in ((scene, tone, dark), (over, 1.0, 1.0)):
        cv2.line(picture, (int(x), int(y)), top, one, 2 * radius, cv2.LINE_AA)
        cv2.circle(picture, top, radius - 4, other, -1, cv2.LINE_AA)


# The camera


def _bent(chance: Chance, scene: Floats) -> tuple[Floats, Floats]:
    """The table as it looks by a plane that is not known exactly: some per cent larger, leaning, turned."""
    rough = 2.5 if chance.random() < 0.3 else 1.0
    shape = np.eye(2) * (1 + chance.normal(0, 0.025 * rough)) + chance.normal(0, 0.012 * rough, (2, 2))
    angle = chance.normal(0, 0.025 * rough)
    c, s = np.cos(angle), np.sin(angle)
    shape = np.array([(c, -s), (s, c)]) @ shape
    middle = np.array([SIDE_MM / 2, SIDE_MM / 2])
    onto = np.eye(3)
    onto[:2, :2] = shape
    onto[:2, 2] = middle - shape @ middle
    far = np.eye(3)
    far[2, :2] = chance.normal(0, 1.5e-4 * rough, 2)
    back = np.eye(3)
    back[:2, 2] = -middle
    forth = np.eye(3)
    forth[:2, 2] = middle
    bent = (forth @ far @ back @ onto).astype(np.float32)
    seen = cv2.warpPerspective(scene, bent, (SIDE_MM, SIDE_MM), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32), bent


def _seen(corners: Floats, face_up: bool, piled: bool, bent: Floats, over: Floats) -> Laid:
    """A card as it lies in the bent picture, and how much of it is hidden."""
    moved = cv2.perspectiveTransform(corners[None], bent)[0]
    mask = np.zeros((3 * SIDE_MM, 3 * SIDE_MM), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(moved + SIDE_MM).astype(np.int32), 1)
    whole = max(1, int(mask.sum()))
    there = mask[SIDE_MM : 2 * SIDE_MM, SIDE_MM : 2 * SIDE_MM]
    free = float((there * (1 - over)).sum())
    hidden = 1 - free / whole
    return Laid(
        np.asarray(moved, np.float32), face_up, max(hidden, (UNDER + COVERED) / 2) if piled else hidden
    )


def _photographed(chance: Chance, scene: Floats) -> Floats:
    light = np.clip(scene, 0, None) ** 2.2
    x, y = np.meshgrid(np.linspace(-1, 1, SIDE_MM), np.linspace(-1, 1, SIDE_MM))
    light = light * np.exp(x * chance.normal(0, 0.25) + y * chance.normal(0, 0.25))[..., None]
    light = light * np.exp(chance.normal(0, 0.25, 3)) * np.exp(chance.normal(0, 0.6))
    if chance.random() < 0.35:
        (left, top), size = chance.uniform(-1, 1, 2), chance.uniform(0.1, 0.7)
        glare = np.exp(-((x - left) ** 2 + (y - top) ** 2) / size**2) * chance.uniform(0.05, 0.6)
        light = light + glare[..., None]
    if chance.random() < 0.3:
        shade = 1 / (1 + np.exp(-(clouds(chance, (SIDE_MM, SIDE_MM), 0, 2) - chance.normal(0, 0.7)) * 6))
        light = light * (1 - shade * chance.uniform(0.1, 0.6))[..., None]
    picture = np.clip(light + chance.uniform(0, 0.06), 0, 1).astype(np.float32) ** (1 / 2.2)
    soft = np.abs(chance.normal(0, (1.2, 1.2))) + 0.4
    picture = cv2.GaussianBlur(picture, (0, 0), float(soft[0]), sigmaY=float(soft[1]))
    noise = chance.standard_normal(picture.shape) * abs(chance.normal(0, 6)) / 255
    return np.asarray(np.clip(picture + noise, 0, 1) * 255, np.float32)
