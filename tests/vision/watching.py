"""What tests of the watch share: the printed deck, a table with a clock, a reader that knows the truth."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.game.cards import GOAL_CELLS, Cell
from vision.carry import as_corners
from vision.deckbook import Deck
from vision.pictures import Image
from vision.pointed import Pointed
from vision.reading import CardRead, Reading
from vision.scene import Cover, Scene
from vision.sight import Sight
from vision.simulate import SimulatedTable
from vision.tracker import Tracker
from vision.watch import Reads

SCENE = Scene(tilt_deg=10, azimuth_deg=80, cover=Cover.WOOD, noise=3)
GOALS = ("gold", "stone-NE", "stone-NW")


@dataclass
class Witness:
    """Reads the truth off a simulated table, less the cards in `unread`, `hidden` and under a hand."""

    deck: Deck
    table: SimulatedTable
    needs: float = 0.9
    """Share of a card that must be free of a hand for it to be read."""
    unread: set[Cell] = field(default_factory=set)
    hidden: set[Cell] = field(default_factory=set)

    def read(self, image: Image, pointed: Pointed | None = None) -> Reading:
        cards = []
        for cell, at in self.table.lying().items():
            if cell in self.unread | self.hidden or self.table.visible(cell) < self.needs:
                continue
            face = self.deck.faces[at.card_id]
            corners = as_corners(self.table.corners(cell).astype(np.float32))
            name, tunnels = (at.card_id, face.tunnels) if at.face_up else (None, ())
            cards.append(CardRead(cell, name, tunnels, face.kind, at.turned, at.face_up, 0.99, corners))
        size = image.shape[1], image.shape[0]
        return Reading(tuple(cards), (), size, 0.0, self.table.px_per_mm(), tuple(sorted(self.hidden)))


class Night:
    """A table, a reader and a tracker, with time that passes only when told to."""

    def __init__(
        self,
        deck: Deck,
        scene: Scene = SCENE,
        seed: int = 5,
        size: tuple[int, int] = (640, 360),
        reader: Reads | None = None,
        tick_s: float = 0.1,
    ) -> None:
        self.tick_s = tick_s
        self.table = SimulatedTable(deck, seed, size, scene)
        self.witness = Witness(deck, self.table)
        self.reader: Reads = reader or self.witness
        self.tracker = Tracker(deck)
        self.now = 0.0
        self.sight = Sight((), (), True, 0)
        self.news: list[tuple[float, dict[Cell, tuple[str | None, bool, bool]]]] = []

    def lay_out(self, *cards: tuple[str, Cell]) -> Night:
        """Lays the start card, the goals face down and some path cards, and waits until all is steady."""
        self.table.lay("start", (0, 0))
        for goal, cell in zip(GOALS, GOAL_CELLS, strict=True):
            self.table.lay(goal, cell, face_up=False)
        for card, cell in cards:
            self.table.lay(card, cell)
        self.passes(0.8)
        assert self.cards() == self.truth()
        self.news.clear()
        return self

    def passes(self, seconds: float) -> Sight:
        """So much time passes, with a reading every `tick_s`."""
        for _tick in range(round(seconds / self.tick_s)):
            self.now = round(self.now + self.tick_s, 3)
            image = self.table.frame()
            before = self.sight
            self.sight = self.tracker.update(self.reader.read(image), image, self.now)
            if self.sight.revision != before.revision:
                self.news.append((self.now, self.cards()))
        return self.sight

    def cards(self) -> dict[Cell, tuple[str | None, bool, bool]]:
        """What the sight says lies where."""
        return {one.card.cell: (one.card.face, one.card.turned, one.card.face_up) for one in self.sight.cards}

    def truth(self) -> dict[Cell, tuple[str | None, bool, bool]]:
        """What lies where."""
        return {
            cell: (at.card_id if at.face_up else None, at.turned, at.face_up)
            for cell, at in self.table.lying().items()
        }

    def until_news(self, limit_s: float) -> float:
        """Seconds until the sight changes; AssertionError after `limit_s`."""
        begun, revision = self.now, self.sight.revision
        while self.now - begun < limit_s:
            if self.passes(self.tick_s).revision != revision:
                return round(self.now - begun, 3)
        raise AssertionError(f"nothing changed in {limit_s} s")


@dataclass(frozen=True)
class Placed:
    """One placement as the test saw it."""

    cell: Cell
    lay_free_at: float
    """When the card lay still and no hand was over it any more."""
    told_at: tuple[float, ...]
    """When the sight changed from the hand's coming to the end of the placement's pause."""


PLACEMENTS: tuple[tuple[str, Cell, bool], ...] = (
    ("NESW-1", (1, 0), False),
    ("EW-1", (2, 0), False),
    ("NEW-1", (3, 0), True),
    ("NS-1", (3, 1), False),
    ("NE-2", (3, 2), True),
    ("NES-3", (1, -1), True),
    ("NESW-2", (4, 0), False),
    ("E.W-1", (0, -1), False),
    ("NW-1", (4, -1), True),
    ("EW-3", (5, 0), True),
    ("NES-1", (6, 0), False),
    ("N.E.S.W-1", (2, 1), False),
    ("NS-4", (6, -1), True),
    ("NEW-5", (6, 1), False),
    ("NESW-5", (7, 0), True),
)
"""An evening's path cards; whether they fit is the referee's business, not the tracker's."""


def places(night: Night, card: str, cell: Cell, turned: bool, from_deg: float) -> Placed:
    """A hand comes, lays a card, pushes it into place, stays a moment, and goes."""
    table, tick, count = night.table, night.tick_s, len(night.news)
    for reach in (0.4, 1.0):
        table.hand_over(cell, from_deg, reach)
        night.passes(tick)
    table.lay(card, cell, turned)
    table.slide(cell, 9, -6, 4)
    night.passes(tick)
    table.slide(cell, -9, 6, -4)
    night.passes(2 * tick)
    free = 0.0
    for reach in (0.7, 0.3):
        table.hand_over(cell, from_deg, reach)
        free = free or (night.now + tick if table.visible(cell) > 0.99 else 0.0)
        night.passes(tick)
    table.hand_over(None)
    free = free or night.now + tick
    night.passes(0.75)
    return Placed(cell, free, tuple(at for at, _cards in night.news[count:]))
