"""Cards as play sees them: edges, tunnels, faces, and a face as it lies on the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property

Edges = int
"""A set of edges as bits, 0..15. Bits and not a set, since fitting is asked millions of times."""

Cell = tuple[int, int]
"""(column, row): the start card lies at (0, 0), columns grow towards the goals, rows grow downwards."""

N: Edges = 1
E: Edges = 2
S: Edges = 4
W: Edges = 8
EDGES: tuple[Edges, ...] = (N, E, S, W)
LETTERS: dict[Edges, str] = {N: "N", E: "E", S: "S", W: "W"}
BITS: dict[str, Edges] = {letter: edge for edge, letter in LETTERS.items()}
STEP: dict[Edges, Cell] = {N: (0, -1), E: (1, 0), S: (0, 1), W: (-1, 0)}

START_CELL: Cell = (0, 0)
GOAL_CELLS: tuple[Cell, ...] = ((8, -2), (8, 0), (8, 2))
CARD_MM: tuple[float, float] = (56.0, 87.0)
"""Width and height of every card, in mm."""


class UnreadableCard(ValueError):
    """A text that names no card."""


def turn(edges: Edges) -> Edges:
    """The edges after turning the card by 180 degrees.

    >>> turn(N | E) == S | W
    True
    """
    return (edges << 2 | edges >> 2) & 15


OPPOSITE: dict[Edges, Edges] = {edge: turn(edge) for edge in EDGES}


def neighbour(cell: Cell, edge: Edges) -> Cell:
    """The cell on the other side of one edge.

    >>> neighbour((0, 0), E)
    (1, 0)
    """
    return cell[0] + STEP[edge][0], cell[1] + STEP[edge][1]


def letters(edges: Edges) -> str:
    """The edges as letters, always in the order N, E, S, W.

    >>> letters(W | N)
    'NW'
    """
    return "".join(LETTERS[edge] for edge in EDGES if edges & edge)


def bits(text: str) -> Edges:
    """The edges named by letters.

    >>> bits("WN") == W | N
    True
    """
    edges = 0
    for letter in text:
        if letter not in BITS or edges & BITS[letter]:
            raise UnreadableCard(text)
        edges |= BITS[letter]
    return edges


class Kind(StrEnum):
    """What a path-type card is for."""

    PATH = "path"
    START = "start"
    GOAL = "goal"


class Door(StrEnum):
    """The colour of a door: the other colour's miners do not get through."""

    GREEN = "green"
    BLUE = "blue"


@dataclass(frozen=True)
class Face:
    """One path-type card as play knows it, in one of its two ways up.

    `tunnels` are groups of edges joined inside the card, the larger groups first; an edge alone in its
    group is a dead end. The text form names a face and round-trips:

    >>> str(Face.parse("NS.E+green")), Face.parse("NS.E+green").door
    ('NS.E+green', <Door.GREEN: 'green'>)
    >>> Face.parse("gold").kind
    <Kind.GOAL: 'goal'>
    """

    tunnels: tuple[Edges, ...]
    kind: Kind = Kind.PATH
    ladder: bool = False
    door: Door | None = None
    crystal: bool = False
    name: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.name

    @cached_property
    def open(self) -> Edges:
        """All open edges of the card, dead ends included."""
        return sum(self.tunnels)

    @cached_property
    def is_gold(self) -> bool:
        """Whether this is the goal with the treasure: the only goal open on all four sides."""
        return self.kind is Kind.GOAL and self.open == N | E | S | W

    @staticmethod
    @cache
    def parse(text: str) -> Face:
        """The face named by a text form. Raises UnreadableCard."""
        if text in SPECIAL:
            return SPECIAL[text]
        shape, *marks = text.split("+")
        tunnels = order(bits(group) for group in shape.split("."))
        if not all(tunnels) or sum(tunnels) != _union(tunnels):
            raise UnreadableCard(text)
        doors = [mark for mark in marks if mark in ("green", "blue")]
        if (
            len(doors) > 1
            or set(marks) - {"ladder", "crystal", "green", "blue"}
            or len(set(marks)) < len(marks)
        ):
            raise UnreadableCard(text)
        face = Face(
            tunnels,
            ladder="ladder" in marks,
            door=Door(doors[0]) if doors else None,
            crystal="crystal" in marks,
        )
        return Face(face.tunnels, face.kind, face.ladder, face.door, face.crystal, _name(face))

    @staticmethod
    def of_tunnels(kind: Kind, groups: Iterable[Iterable[str]]) -> Face:
        """The plain face of a deck folder's entry: groups of edge letters. Raises UnreadableCard."""
        text = ".".join("".join(group) for group in groups)
        if kind is Kind.START:
            return START
        if kind is Kind.GOAL:
            goal = GOALS_BY_TUNNELS.get(_canonical(Face.parse(text).tunnels))
            if goal is None:
                raise UnreadableCard(text)
            return goal
        return Face.parse(text)


def order(groups: Iterable[Edges]) -> tuple[Edges, ...]:
    """Tunnels in their one canonical order: by their edges N, E, S, W, through ways before dead ends."""
    return tuple(sorted(groups, key=lambda group: (group.bit_count() == 1, letters_key(group))))


def letters_key(edges: Edges) -> tuple[int, ...]:
    """Sorts sets of edges by their first edge in the order N, E, S, W."""
    return tuple(index for index, edge in enumerate(EDGES) if edges & edge)


def _union(groups: Iterable[Edges]) -> Edges:
    union = 0
    for group in groups:
        union |= group
    return union


def _canonical(tunnels: tuple[Edges, ...]) -> tuple[Edges, ...]:
    return min(tunnels, order(turn(group) for group in tunnels))


def _name(face: Face) -> str:
    marks = [mark for mark, there in (("ladder", face.ladder), ("crystal", face.crystal)) if there]
    if face.door:
        marks.append(face.door.value)
    return "+".join([".".join(letters(group) for group in face.tunnels), *marks])


START = Face((N | E | S | W,), Kind.START, ladder=True, name="start")
GOLD = Face((N | E | S | W,), Kind.GOAL, name="gold")
STONE_NE = Face((N | E,), Kind.GOAL, name="stone-NE")
STONE_NW = Face((N | W,), Kind.GOAL, name="stone-NW")
GOALS: tuple[Face, ...] = (GOLD, STONE_NE, STONE_NW)
SPECIAL: dict[str, Face] = {face.name: face for face in (START, *GOALS)}
GOALS_BY_TUNNELS = {_canonical(goal.tunnels): goal for goal in GOALS}


@dataclass(frozen=True)
class Laid:
    """A face as it lies on the table, upright or turned by 180 degrees.

    >>> laid = lay(Face.parse("NW"), turned=True)
    >>> letters(laid.open), str(laid)
    ('ES', 'NW~')
    """

    face: Face
    turned: bool
    tunnels: tuple[Edges, ...]
    open: Edges

    def __str__(self) -> str:
        return self.face.name + ("~" if self.turned else "")

    def tunnel(self, edge: Edges) -> Edges:
        """The tunnel that one open edge belongs to (0 where the edge is rock)."""
        for group in self.tunnels:
            if group & edge:
                return group
        return 0


@cache
def lay(face: Face, turned: bool = False) -> Laid:
    """The one `Laid` of a face and a way up (one object each, so that comparing is cheap)."""
    tunnels = order(turn(group) for group in face.tunnels) if turned else face.tunnels
    return Laid(face, turned, tunnels, _union(tunnels))


@cache
def parse_laid(text: str) -> Laid:
    """The card named by a text such as "NW" or "NW~" (turned). Raises UnreadableCard."""
    return lay(Face.parse(text.removesuffix("~")), text.endswith("~"))


def same_way(face: Face) -> bool:
    """Whether turning the card by 180 degrees changes nothing for play."""
    return lay(face, True).tunnels == lay(face, False).tunnels
