"""The rules of laying once more, deliberately plain, to hold the real board against.

Written from the rule book alone: sets of letters, every cell of the table tried, every way walked anew.
Nothing here is shared with companion.game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

Cell = tuple[int, int]
Tunnels = frozenset[frozenset[str]]

STEPS: dict[str, Cell] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}
SPECIAL = {"start": ["NESW"], "gold": ["NESW"], "stone-NE": ["NE"], "stone-NW": ["NW"]}
SIDES = "WNES"
"""Which side decides how a stone lies when several ways arrive and none comes from the card just laid."""


def beside(cell: Cell, edge: str) -> Cell:
    """The cell on the other side of an edge."""
    return cell[0] + STEPS[edge][0], cell[1] + STEPS[edge][1]


@dataclass(frozen=True)
class Card:
    """A card as it lies: groups of edges joined inside it, a group of one being a dead end."""

    name: str
    tunnels: Tunnels
    ladder: bool = False

    @staticmethod
    def read(text: str) -> Card:
        """The card of a text such as "N.S+green~"."""
        name = text.removesuffix("~")
        shape, *marks = name.split("+")
        groups = SPECIAL.get(shape) or shape.split(".")
        card = Card(name, frozenset(frozenset(group) for group in groups), "ladder" in marks)
        return card.turned() if text.endswith("~") else card

    def turned(self) -> Card:
        """The card the other way up."""
        tunnels = frozenset(frozenset(OPPOSITE[edge] for edge in group) for group in self.tunnels)
        return Card(self.name, tunnels, self.ladder)

    @property
    def edges(self) -> frozenset[str]:
        """All open edges."""
        return frozenset().union(*self.tunnels)

    @property
    def is_goal(self) -> bool:
        """Whether this is a goal card."""
        return self.name in ("gold", "stone-NE", "stone-NW")

    @property
    def joins_by_itself(self) -> bool:
        """The start, and ladders, which are always joined to it."""
        return self.name == "start" or self.ladder


Placement = tuple[Cell, str, Tunnels]


@dataclass(frozen=True)
class Table:
    """What lies on the table: cards face up, and goals still face down."""

    cards: Mapping[Cell, Card]
    hidden: frozenset[Cell]

    @staticmethod
    def read(text: str) -> Table:
        """The table of a board's text form."""
        cards, hidden = {}, set()
        for part in text.split():
            place, name = part.split("=")
            column, row = place.split(",")
            if name == "?":
                hidden.add((int(column), int(row)))
            else:
                cards[int(column), int(row)] = Card.read(name)
        return Table(cards, frozenset(hidden))

    def with_card(self, cell: Cell, card: Card) -> Table:
        """The table after laying a card, or turning up a goal."""
        return Table({**self.cards, cell: card}, self.hidden - {cell})

    @cached_property
    def joined(self) -> set[tuple[Cell, str]]:
        """Every (cell, open edge) from which an unbroken way leads to the start."""
        found = {
            (cell, edge) for cell, card in self.cards.items() if card.joins_by_itself for edge in card.edges
        }
        while True:
            more = set(found)
            for cell, edge in found:
                other = beside(cell, edge)
                for group in self.cards[other].tunnels if other in self.cards else ():
                    if OPPOSITE[edge] in group:
                        more |= {(other, each) for each in group}
            if more == found:
                return found
            found = more

    def may_lie(self, cell: Cell, card: Card) -> bool:
        """Whether a path card may be laid in a cell, just as it is."""
        if cell in self.cards or cell in self.hidden:
            return False
        around = {edge: beside(cell, edge) for edge in STEPS}
        laid = {edge: place for edge, place in around.items() if place in self.cards}
        if not laid:
            return False
        for edge, place in laid.items():
            if (edge in card.edges) != (OPPOSITE[edge] in self.cards[place].edges):
                return False
        if card.ladder:
            return not any(
                place in self.hidden or (place in self.cards and self.cards[place].is_goal)
                for place in around.values()
            )
        return any(edge in card.edges and (laid[edge], OPPOSITE[edge]) in self.joined for edge in laid)

    def cells(self) -> Iterator[Cell]:
        """Every cell of the table, and one more all round."""
        places = [*self.cards, *self.hidden]
        for column in range(min(c for c, _ in places) - 1, max(c for c, _ in places) + 2):
            for row in range(min(r for _, r in places) - 1, max(r for _, r in places) + 2):
                yield column, row

    def legal(self, names: Iterable[str]) -> set[Placement]:
        """Every way in which one of these cards may be laid, ways up that look alike being one."""
        ways = {way for name in names for way in (Card.read(name), Card.read(name).turned())}
        return {
            (cell, way.name, way.tunnels) for cell in self.cells() for way in ways if self.may_lie(cell, way)
        }

    def arrivals(self) -> dict[Cell, set[str]]:
        """Goals face down onto which a joined way opens, with the sides at which it arrives."""
        sides = {
            goal: {edge for edge in STEPS if (beside(goal, edge), OPPOSITE[edge]) in self.joined}
            for goal in self.hidden
        }
        return {goal: found for goal, found in sides.items() if found}

    def turn_up(self, dealt: Mapping[Cell, str], last: Cell) -> Table:
        """The table once every goal reached is turned up, again and again until nothing changes."""
        table = self
        while arrivals := table.arrivals():
            for goal, sides in arrivals.items():
                from_last = [edge for edge in SIDES if edge in sides and beside(goal, edge) == last]
                side = [*from_last, *(edge for edge in SIDES if edge in sides)][0]
                card = Card.read(dealt[goal])
                table = table.with_card(goal, card if side in card.edges else card.turned())
        return table

    @property
    def gold_reached(self) -> bool:
        """Whether the gold lies open with a way to it."""
        return any(self.cards[cell].name == "gold" for cell, _ in self.joined)


def lay(table: Table, placement: Placement, dealt: Mapping[Cell, str]) -> Table:
    """The table after a placement and all that it turns up."""
    cell, name, tunnels = placement
    card = Card.read(name)
    return table.with_card(cell, card if card.tunnels == tunnels else card.turned()).turn_up(dealt, cell)


def count(table: Table, dealt: Mapping[Cell, str], hand: tuple[str, ...], depth: int) -> int:
    """In how many ways `depth` cards of the hand can be laid one after the other; gold ends the round."""
    if table.gold_reached:
        return 0
    placements = table.legal(set(hand))
    if depth == 1:
        return len(placements)
    total = 0
    for placement in placements:
        rest = list(hand)
        rest.remove(placement[1])
        total += count(lay(table, placement, dealt), dealt, tuple(rest), depth - 1)
    return total
