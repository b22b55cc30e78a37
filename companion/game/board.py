"""The maze on the table: what fits where, what is joined to the start, which goals are reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.game.cards import (
    EDGES,
    GOAL_CELLS,
    LETTERS,
    OPPOSITE,
    START,
    START_CELL,
    Cell,
    Door,
    E,
    Edges,
    Face,
    Kind,
    Laid,
    N,
    S,
    UnreadableCard,
    W,
    lay,
    neighbour,
    parse_laid,
    same_way,
)
from companion.game.refusal import Code, Problem

FACE_DOWN = "?"
ARRIVAL_ORDER: tuple[Edges, ...] = (W, N, E, S)
"""Which way in decides how a stone lies when several reach it at once: as in the rules."""


class UnreadableBoard(ValueError):
    """A text that describes no board."""


@dataclass(frozen=True)
class Requirement:
    """What a free cell asks of a card: edges that must be open, must be rock, and lead to the start."""

    open: Edges
    rock: Edges
    joined: Edges
    by_goal: bool


@dataclass(frozen=True)
class Board:
    """All path-type cards on the table. Unbounded; never changed, only followed by another board.

    The text form lists every card by column and row, `~` meaning turned and `?` a goal still face down:

    >>> board = Board.parse("0,0=start 1,0=NEW~ 8,-2=? 8,0=? 8,2=?")
    >>> [problem.code.value for problem in board.verdict((2, 0), parse_laid("NS"))]
    ['rock_meets_tunnel', 'not_joined']
    >>> str(board.laid((2, 0), parse_laid("EW")))
    '0,0=start 1,0=NEW~ 2,0=EW 8,-2=? 8,0=? 8,2=?'
    """

    cards: Mapping[Cell, Laid]
    face_down: frozenset[Cell]

    @staticmethod
    def opening() -> Board:
        """The start card and three goals face down."""
        return Board({START_CELL: lay(START)}, frozenset(GOAL_CELLS))

    # ------------------------------------------------------------ text

    def __str__(self) -> str:
        texts = {
            **{cell: str(laid) for cell, laid in self.cards.items()},
            **dict.fromkeys(self.face_down, FACE_DOWN),
        }
        return " ".join(f"{column},{row}={texts[column, row]}" for column, row in sorted(texts))

    @staticmethod
    def parse(text: str) -> Board:
        """The board described by a text form. Raises UnreadableBoard with the part that is not understood."""
        cards: dict[Cell, Laid] = {}
        face_down: set[Cell] = set()
        for part in text.split():
            try:
                cell, laid = parse_placement(part)
            except UnreadableCard as error:
                raise UnreadableBoard(part) from error
            if cell in cards or cell in face_down:
                raise UnreadableBoard(part)
            if laid is None:
                face_down.add(cell)
            else:
                cards[cell] = laid
        if START_CELL not in cards or cards[START_CELL].face is not START:
            raise UnreadableBoard(text)
        return Board(cards, frozenset(face_down))

    # ------------------------------------------------------------ changing

    def laid(self, cell: Cell, laid: Laid) -> Board:
        """This board with one card more (or a goal turned up)."""
        return Board({**self.cards, cell: laid}, self.face_down - {cell})

    def without(self, cell: Cell) -> Board:
        """This board with one card less."""
        return Board({place: laid for place, laid in self.cards.items() if place != cell}, self.face_down)

    # ------------------------------------------------------------ the way

    @cached_property
    def reached(self) -> Mapping[Cell, Edges]:
        """For every card with a tunnel joined to the start: the open edges that are so joined."""
        return reach(self.cards)

    def arrivals(self) -> dict[Cell, Edges]:
        """Goals face down onto which a joined tunnel opens, with the sides at which it arrives."""
        found: dict[Cell, Edges] = {}
        for goal in self.face_down:
            for edge in EDGES:
                if self.reached.get(neighbour(goal, edge), 0) & OPPOSITE[edge]:
                    found[goal] = found.get(goal, 0) | edge
        return found

    # ------------------------------------------------------------ laying

    def verdict(self, cell: Cell, laid: Laid) -> tuple[Problem, ...]:
        """Every reason why the card may not lie in the cell; empty when it may."""
        if cell in self.cards or cell in self.face_down:
            return (Problem(Code.CELL_TAKEN, cell),)
        if laid.face.kind is not Kind.PATH:
            return (Problem(Code.NOT_A_PATH_CARD, cell),)
        asks = self._requirement(cell)
        problems = [
            Problem(
                Code.TUNNEL_MEETS_ROCK if laid.open & edge else Code.ROCK_MEETS_TUNNEL, cell, LETTERS[edge]
            )
            for edge in EDGES
            if edge & (asks.rock & laid.open | asks.open & ~laid.open)
        ]
        if not asks.open | asks.rock:
            problems.append(Problem(Code.NOT_BESIDE, cell))
        elif laid.face.ladder:
            if asks.by_goal:
                problems.append(Problem(Code.LADDER_BY_GOAL, cell))
        elif not laid.open & asks.joined:
            problems.append(Problem(Code.NOT_JOINED, cell))
        return tuple(problems)

    @cached_property
    def openings(self) -> Mapping[Cell, Requirement]:
        """Every free cell next to a card, with what it asks of a card laid there."""
        cells = {neighbour(cell, edge) for cell in self.cards for edge in EDGES}
        return {cell: self._requirement(cell) for cell in cells - self.cards.keys() - self.face_down}

    def _requirement(self, cell: Cell) -> Requirement:
        open_, rock, joined, by_goal = 0, 0, 0, False
        for edge in EDGES:
            place = neighbour(cell, edge)
            by_goal |= place in self.face_down
            other = self.cards.get(place)
            if other is None:
                continue
            by_goal |= other.face.kind is Kind.GOAL
            if not other.open & OPPOSITE[edge]:
                rock |= edge
                continue
            open_ |= edge
            if self.reached.get(place, 0) & OPPOSITE[edge]:
                joined |= edge
        return Requirement(open_, rock, joined, by_goal)

    def placements(self, faces: Iterable[Face]) -> Iterator[tuple[Cell, Laid]]:
        """All legal placements of these faces, either way up (once where both ways are the same for play)."""
        ways = [
            lay(face, turned) for face in faces for turned in ((False,) if same_way(face) else (False, True))
        ]
        for cell, asks in self.openings.items():
            for laid in ways:
                if laid.open & asks.open != asks.open or laid.open & asks.rock:
                    continue
                if not asks.by_goal if laid.face.ladder else laid.open & asks.joined:
                    yield cell, laid


def reach(cards: Mapping[Cell, Laid], shut: Door | None = None) -> dict[Cell, Edges]:
    """Open edges joined to the start, by cell. `shut`: doors of this colour let nothing through.

    Walked by (cell, tunnel) to the end, so bridges, double curves and mixed cards come out right. A ladder is
    always joined to the start.
    """
    reached: dict[Cell, Edges] = {}
    todo = [(cell, tunnel) for cell, laid in cards.items() if laid.face.ladder for tunnel in laid.tunnels]
    while todo:
        cell, edges = todo.pop()
        if reached.get(cell, 0) & edges == edges:
            continue
        reached[cell] = reached.get(cell, 0) | edges
        for edge in EDGES:
            if not edges & edge:
                continue
            place, arrival = neighbour(cell, edge), OPPOSITE[edge]
            other = cards.get(place)
            if other is None or not other.open & arrival:
                continue
            passable = shut is None or other.face.door is not shut
            todo.append((place, other.tunnel(arrival) if passable else arrival))
    return reached


def goal_as_reached(face: Face, arrivals: Edges, towards: Edges = 0) -> Laid:
    """The way up in which a goal is laid so that its tunnel takes up the way that reached it.

    `arrivals` are the goal's sides at which ways arrive; `towards`, the side of the card just laid, decides.

    >>> str(goal_as_reached(Face.parse("stone-NE"), W))
    'stone-NE~'
    """
    for edge in (towards, *ARRIVAL_ORDER):
        if arrivals & edge:
            return lay(face, not face.open & edge)
    raise ValueError("nothing arrives at this goal")


def parse_placement(text: str) -> tuple[Cell, Laid | None]:
    """One part of a board's text, such as "1,0=NW~" (None: a goal face down). Raises UnreadableCard."""
    place, equals, card = text.partition("=")
    column, comma, row = place.partition(",")
    if not equals or not comma:
        raise UnreadableCard(text)
    try:
        cell = int(column), int(row)
    except ValueError as error:
        raise UnreadableCard(text) from error
    return cell, None if card == FACE_DOWN else parse_laid(card)
