"""A night over a simulated table, frame by frame: placements, hands, and all that is no placement."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.game.cards import GOAL_CELLS, START_CELL, Cell, Kind
from tests.vision.watching import Night
from vision.deckbook import Deck
from vision.scene import Scene
from vision.watch import Reads

Laid = tuple[str | None, bool, bool]
LATE_S = 0.5
TICK_S = 0.1


@dataclass
class Placement:
    """One card laid, and when the sight told it."""

    cell: Cell
    laid: Laid
    free_at: float
    """When it lay still with no hand over it."""
    told_at: list[float] = field(default_factory=list)

    @property
    def late_s(self) -> float:
        """From its coming to rest to the first word about it."""
        return self.told_at[0] - self.free_at


class Evening(Night):
    """Plays a script drawn from a seed and keeps book of all that the sight tells."""

    def __init__(self, deck: Deck, reader: Reads | None, seed: int, scene: Scene | None = None) -> None:
        # A reader that knows the truth needs no fine picture.
        size = (1280, 720) if reader else (640, 360)
        super().__init__(deck, scene or Scene.drawn(seed), seed, size, reader, tick_s=TICK_S)
        self.chance = random.Random(seed)
        self.frames = 0
        self.placements: list[Placement] = []
        self.invented: list[tuple[float, Cell, Laid | None]] = []
        """What the sight told that nobody had done."""
        self.lifted: set[Cell] = set()
        paths = [name for name, face in deck.faces.items() if face.kind is Kind.PATH]
        self.hand = self.chance.sample(paths, len(paths))

    def plays(self, frames: int) -> Evening:
        """Goes on until about so many frames have been read, and lets the last card settle."""
        self.lay_out()
        ways: list[tuple[Callable[[], None], int]] = [
            (self.places_a_card, 10),
            (self.rests_a_hand, 2),
            (self.reaches_across, 2),
            (self.takes_a_card, 1),
            (self.throws_a_shadow, 1),
            (self.switches_a_lamp, 1),
            (self.nudges, 1),
            (self.slides_a_card, 1),
            (self.lays_a_phone, 1),
            (self.swaps_a_card, 1),
        ]
        doings, weights = [way for way, _ in ways], [weight for _, weight in ways]
        while self.frames < frames and self.hand:
            self.chance.choices(doings, weights)[0]()
        self.goes_on(1.5)
        return self

    def goes_on(self, seconds: float) -> None:
        """Time passes; every change of the sight is held against what has been done."""
        for _tick in range(max(1, round(seconds / self.tick_s))):
            before = self.cards()
            self.passes(self.tick_s)
            self.frames += 1
            after = self.cards()
            for cell in sorted(before.keys() | after.keys()):
                if before.get(cell) != after.get(cell):
                    self.told(cell, after.get(cell))

    def told(self, cell: Cell, laid: Laid | None) -> None:
        """The sight says that another card, or none, lies in a cell."""
        if laid is None and cell in self.lifted:
            self.lifted.discard(cell)
            return
        for placement in reversed(self.placements):
            if placement.cell == cell:
                if placement.laid == laid:
                    placement.told_at.append(self.now)
                    return
                break
        self.invented.append((self.now, cell, laid))

    # What people do

    def spot(self) -> Cell:
        """A free cell beside a card, as far as the picture goes."""
        lying = self.table.lying()
        free = {
            (x + dx, y + dy) for x, y in lying for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)) if x < 8
        } - lying.keys()
        return self.chance.choice(sorted(cell for cell in free if 0 <= cell[0] < 8 and -2 <= cell[1] <= 2))

    def path_cards(self) -> list[Cell]:
        """Where path cards lie."""
        return sorted(self.table.lying().keys() - {START_CELL, *GOAL_CELLS})

    def comes(self, cell: Cell) -> float:
        """A hand comes from somebody's side; which."""
        from_deg = self.chance.uniform(45, 135)
        for reach in self.chance.choice([(0.4, 1.0), (0.3, 0.6, 1.0), (1.0,)]):
            self.table.hand_over(cell, from_deg, reach)
            self.goes_on(self.tick_s)
        return from_deg

    def leaves(self, cell: Cell, from_deg: float) -> float:
        """The hand is drawn back; when the cell's card was free of it."""
        free = 0.0
        for reach in self.chance.choice([(0.7, 0.3), (0.5,), (0.8, 0.5, 0.2)]):
            self.table.hand_over(cell, from_deg, reach)
            if cell in self.table.lying() and self.table.visible(cell) > 0.99:
                free = free or self.now
            self.goes_on(self.tick_s)
        self.table.hand_over(None)
        return free or self.now

    def lays(self, cell: Cell, name: str, turned: bool) -> None:
        """A hand lays a card, pushes it straight, and goes."""
        from_deg = self.comes(cell)
        self.table.lay(name, cell, turned)
        placement = Placement(cell, (name, turned, True), 1e9)
        self.placements.append(placement)
        if self.chance.random() < 0.6:
            x, y, deg = (self.chance.uniform(-9, 9) for _axis in range(3))
            self.table.slide(cell, x, y, deg / 2)
            self.goes_on(self.tick_s)
            self.table.slide(cell, -x, -y, -deg / 2)
        self.goes_on(self.chance.choice([1, 2, 4]) * self.tick_s)
        placement.free_at = self.leaves(cell, from_deg)
        self.goes_on(self.chance.uniform(0.6, 1.4))

    def places_a_card(self) -> None:
        """The turn of the game."""
        self.lays(self.spot(), self.hand.pop(), self.chance.random() < 0.5)

    def swaps_a_card(self) -> None:
        """Somebody takes their card back and lays another."""
        if cells := self.path_cards():
            self.lays(self.chance.choice(cells), self.hand.pop(), self.chance.random() < 0.5)

    def takes_a_card(self) -> None:
        """A rockfall."""
        if len(cells := self.path_cards()) > 3:
            cell = self.chance.choice(cells)
            from_deg = self.comes(cell)
            self.table.lift(cell)
            self.lifted.add(cell)
            self.leaves(cell, from_deg)
            self.goes_on(2.0)

    def rests_a_hand(self) -> None:
        """Somebody explains something with a finger on the table."""
        cell = self.chance.choice(sorted(self.table.lying()))
        from_deg = self.comes(cell)
        self.goes_on(self.chance.uniform(0.5, 3.0))
        self.leaves(cell, from_deg)
        self.goes_on(0.3)

    def reaches_across(self) -> None:
        """A sleeve is drawn over the maze on its way to the crisps."""
        column, from_deg = self.chance.randrange(1, 7), self.chance.uniform(60, 120)
        for row in (1, -1, -2, -1, 1):
            self.table.hand_over((column, row), from_deg)
            self.goes_on(2 * self.tick_s)
        self.table.hand_over(None)
        self.goes_on(0.3)

    def throws_a_shadow(self) -> None:
        """Somebody leans before the lamp."""
        self.table.shadow(self.chance.choice(sorted(self.table.lying())), self.chance.uniform(0.2, 0.5))
        self.goes_on(self.chance.uniform(0.5, 1.5))
        self.table.shadow(None)
        self.goes_on(0.3)

    def switches_a_lamp(self) -> None:
        """A lamp is switched on or off."""
        self.table.lamp(self.chance.choice([0.7, 0.85, 1.0, 1.15]))
        self.goes_on(0.6)

    def nudges(self) -> None:
        """A knee against the table, an elbow against the camera."""
        self.table.nudge(*(self.chance.uniform(-8, 8) for _axis in range(2)), self.chance.uniform(-1, 1))
        self.goes_on(0.6)

    def slides_a_card(self) -> None:
        """A card is pushed by a centimetre and back where it belongs a little later."""
        if cells := self.path_cards():
            cell, way = self.chance.choice(cells), self.chance.choice([-10.0, 10.0])
            for by in (way, -way):
                self.table.slide(cell, by, 0)
                self.goes_on(0.7)

    def lays_a_phone(self) -> None:
        """A phone lies on the maze for a while."""
        cell = self.chance.choice(sorted(self.table.lying()))
        self.table.phone_over(cell, self.chance.uniform(0, 180))
        self.goes_on(self.chance.uniform(1, 5))
        self.table.phone_over(None)
        self.goes_on(0.8)


def faults(evening: Evening) -> list[str]:
    """Everything that should not have been, in words."""
    said = [f"{at:.1f} s: {laid} in {cell} was told and not done" for at, cell, laid in evening.invented]
    for placement in evening.placements:
        what = f"{placement.laid} in {placement.cell}, free at {placement.free_at:.1f} s,"
        if len(placement.told_at) != 1:
            said.append(f"{what} was told {len(placement.told_at)} times: {placement.told_at}")
        elif placement.late_s > LATE_S + 1e-6:
            said.append(f"{what} was told {placement.late_s:.2f} s later")
    said += [f"the card lifted from {cell} was never told to be gone" for cell in evening.lifted]
    if evening.cards() != evening.truth():
        said.append("in the end the sight differs from the table")
    return said
