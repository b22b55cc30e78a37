"""Where the board lies in a picture when no face of the deck is known, and where every card on it lies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.game.cards import CARD_MM
from vision.grid import GAP_MM, TAG_CELLS, Layout, board_angle, layout_by_tags
from vision.outlines import find_outlines
from vision.pictures import Image
from vision.plane import Plane, Reals, Rigid, poses
from vision.pointed import Pointed
from vision.pointing import Pointing
from vision.steady import steady_plane
from vision.tags import TagFinder, Tags, every_tag, plane_by_tags
from vision.tunnels.above import Drawer
from vision.tunnels.finder import CORNERS, find_cards
from vision.tunnels.guessing import guesses

PITCH = np.array(CARD_MM) + GAP_MM
LOW, HIGH = np.array([-3.5, -4.5]) * PITCH, np.array([11.5, 4.5]) * PITCH
"""Corners of what is looked at, in mm on the board."""
ANYWHERE_MM = 700.0
"""The same to all sides of what lies in the middle, when only the plane is known."""
MIDDLE_MM = 380.0
"""The same while planes are only tried: many are, and a maze reaches into the middle of its picture."""
ROUNDS = 5
"""How often a table is drawn at most. What the finder says of sizes is a third of the truth each time."""
ENOUGH = 3
"""So many tags tell the plane better than cards do."""
CARD_WEIGHT, FAINT_WEIGHT = 0.15, 0.03
"""How much a card's corners count beside those of few tags and outlines, and of several: those are sharp."""
MOST, ENOUGH_CARDS = 6.0, 36.0
"""Log-odds up to which a card counts, and what all cards must have together for a table to be believed."""
ASKEW = 0.05
"""Radians off the way the table was drawn from which on it is drawn anew."""
SURELY = 2.0
"""Log-odds from which on a card helps to tell which way the board runs."""
BY_EYE_MM = 60.0
"""How far a tag may lie from where it is meant to; what is further off was no tag, but like one."""
FITS_PX = 5.0
"""Residual in the common plane above which an outline is no card's, in a picture 1280 px wide."""
PLAIN = 3.0
"""Standard deviation of the grey levels below which nothing at all is to be seen."""
NONE = np.empty((0, 4, 2))


@dataclass(frozen=True, eq=False)
class Lying:
    """A card somewhere on the table."""

    corners: Reals
    """(4, 2) px, the upper left one on the board first."""
    card: float
    """Log-odds that a card lies here."""
    face_up: float
    """Log-odds that it lies face up."""


@dataclass(frozen=True, eq=False)
class Table:
    """The table in one picture: its plane, which way the cards lie, and about where the board is."""

    plane: Plane
    layout: Layout
    """Its origin is where the start card should be only when it is `sure`."""
    tags: Tags
    outlines: Reals
    """(n, 4, 2) px: cards that lie apart, by their sharp outlines, where those told of the plane."""
    cards: tuple[Lying, ...] = ()
    """All that may be cards, the surest first."""


def find_table(image: Image, finder: TagFinder, pointed: Pointed | None = None) -> Table | None:
    """The table in a picture (height, width, 3), BGR, with its cards; None if nothing tells where it lies."""
    size = image.shape[1], image.shape[0]
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    if grey.std() < PLAIN:
        return None
    tags = every_tag(finder, grey)
    # Whoever drags the corners sees that what was found by itself is wrong.
    guess = (_by_corners(size, pointed) if pointed else None) or _by_tags(size, tags)
    drawer = Drawer(image)
    if guess is not None:
        return _settled(drawer, guess)
    # Tags that do not lie about a board are none.
    tags = tags if len(tags.ids) < 2 else Tags((), NONE)
    outlined = _by_outlines(image, tags)
    table = _settled(drawer, outlined) if outlined else None
    if table is None or _much(table) < ENOUGH_CARDS:
        guess = _guessed(drawer, tags)
        again = _settled(drawer, guess) if guess else None
        table = max((one for one in (table, again) if one), key=_much, default=None)
    return table


def _by_tags(size: tuple[int, int], tags: Tags) -> Table | None:
    fitted = plane_by_tags(size, tags, steady_plane)
    if fitted is None:
        return None
    plane, kept = fitted
    middles = plane.to_mm(kept.corners.mean(1))
    layout = layout_by_tags(dict(zip(kept.ids, middles, strict=True)), CARD_MM)
    if layout is None:
        return None
    meant = np.array([TAG_CELLS[one] for one in kept.ids]) * PITCH
    off = np.abs(layout.to_board(middles) - meant).max()
    return Table(plane, layout, kept, NONE) if off < BY_EYE_MM else None


def _by_corners(size: tuple[int, int], pointed: Pointed) -> Table | None:
    pointing = Pointing(pointed, CARD_MM)
    fitted = steady_plane(size, pointing.thing)
    return Table(fitted[0], pointing.layout(fitted[0]), Tags((), NONE), NONE) if fitted else None


def _by_outlines(image: Image, tags: Tags) -> Table | None:
    """From cards that lie apart and the tag there may be."""
    size = image.shape[1], image.shape[0]
    quads = np.array(find_outlines(image).quads).reshape(-1, 4, 2)
    fitted = steady_plane(size, _cards(quads, 1.0).joined(tags.things()))
    if fitted is None:
        return None
    plane, residual = fitted
    fits = residual[: len(quads)] < FITS_PX * max(size) / 1280
    if not fits.any():
        return None
    middles, angles = poses(plane, _cards(quads[fits], 1.0))
    angle = board_angle([float(one) for one in angles], [1.0] * len(angles))
    return Table(plane, Layout(angle, np.median(middles, 0), False), tags, quads[fits])


def _settled(drawer: Drawer, guess: Table) -> Table | None:
    """The table with its cards, drawn again while they turn out to lie another way than it was drawn.

    With fewer than three tags the plane is fitted to the cards, too.
    """
    table, size = guess, drawer.size
    for number in range(ROUNDS):
        seen = _seen(drawer, table)
        if seen is None:
            return None
        sure = _corners(one for one in seen.cards if one.card > SURELY)
        turned = _turned(seen, sure)
        if len(table.tags.ids) >= ENOUGH or not len(sure) or number == ROUNDS - 1:
            if abs(turned.angle - table.layout.angle) < ASKEW:
                return replace(seen, layout=turned)
            table = replace(seen, layout=turned)
            continue
        sharp = _cards(table.outlines, 1.0).joined(table.tags.things())
        weight = CARD_WEIGHT if len(sharp.found) < ENOUGH else FAINT_WEIGHT
        things = _cards(sure, weight).joined(sharp)
        fitted = steady_plane(size, things, table.plane)
        if fitted is None:
            return seen
        table = _moved(seen, fitted[0], sure)
    return _seen(drawer, table)


def _seen(drawer: Drawer, table: Table, reach_mm: float = ANYWHERE_MM) -> Table | None:
    """The table with the cards that are found on it as it is drawn by its plane and layout."""
    far = np.full(2, reach_mm)
    low, high = (LOW, HIGH) if table.layout.sure else (-far, far)
    above = drawer.draw(table.plane, table.layout, low, high)
    if above is None:
        return None
    spotted = find_cards(above.picture)
    corners = above.to_px(np.array([one.corners for one in spotted]).reshape(-1, 4, 2))
    cards = tuple(
        Lying(there, one.card, one.face_up)
        for there, one in zip(corners, spotted, strict=True)
        if np.isfinite(there).all()
    )
    return replace(table, cards=cards)


def _moved(table: Table, plane: Plane, sure: Reals) -> Table:
    """The table in another plane, running the way its cards do, about where it was in the picture."""
    middles, angles = poses(plane, _cards(sure, 1.0))
    angle = board_angle([float(one) for one in angles], [1.0] * len(angles))
    before = table.plane.to_px(table.layout.to_plane(np.array([(0.0, 0.0), (100.0, 0.0)])))
    origin, along = plane.to_mm(before)
    if not np.isfinite(before).all():
        origin = middles.mean(0)
        along = origin + np.array([np.cos(angle), np.sin(angle)])
    if (along - origin) @ (np.cos(angle), np.sin(angle)) < 0:
        angle += np.pi
    return replace(table, plane=plane, layout=Layout(angle, origin, table.layout.sure))


def _turned(table: Table, sure: Reals) -> Layout:
    """The layout, running the way its sure cards (n, 4, 2) lie."""
    layout = table.layout
    if not len(sure):
        return layout
    _, angles = poses(table.plane, _cards(sure, 1.0))
    angle = board_angle([float(one) for one in angles], [1.0] * len(angles))
    off = (angle - layout.angle + np.pi / 2) % np.pi - np.pi / 2
    return Layout(layout.angle + float(off), layout.origin, layout.sure)


def _guessed(drawer: Drawer, tags: Tags) -> Table | None:
    """The table by whichever usual plane shows the most cards."""
    best: Table | None = None
    for plane, layout in guesses(drawer.size):
        seen = _seen(drawer, Table(plane, layout, tags, NONE), MIDDLE_MM)
        if seen is not None and (best is None or _much(seen) > _much(best)):
            best = seen
        if best is not None and _much(best) > 2 * ENOUGH_CARDS:
            break
    return best


def _much(table: Table) -> float:
    """How much of a table is seen: its cards, as sure as they are."""
    return sum(min(one.card, MOST) for one in table.cards if one.card > SURELY)


def _corners(cards: Iterable[Lying]) -> Reals:
    return np.array([one.corners for one in cards]).reshape(-1, 4, 2)


def _cards(corners: Reals, weight: float) -> Rigid:
    """Cards with these corners (n, 4, 2) in px as rigid things."""
    return Rigid(corners, np.repeat(CORNERS[None], len(corners), 0), np.full(corners.shape[:2], weight))


def placed(table: Table, layout: Layout) -> tuple[Lying, ...]:
    """The table's cards with their corners from the upper left one by another layout of the same plane."""
    if np.cos(layout.angle - table.layout.angle) > 0:
        return table.cards
    return tuple(Lying(np.roll(one.corners, 2, 0), one.card, one.face_up) for one in table.cards)


def far_from(places: Reals, middle: Reals) -> Reals:
    """How far places (n, 2) are from one, across or down, whichever is more."""
    return np.asarray(np.abs(places - middle).max(-1), np.float64)
