"""A match at one moment. Only `evolve` makes the next one."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from companion.game.board import Board
from companion.game.cards import Cell, Face
from companion.game.decks import ActionCard, Tool
from companion.game.options import Options
from companion.game.roles import Role

Actor = int
"""A seat's number from 1, or HOST, or JOINER."""
HOST: Actor = 0
JOINER: Actor = -1
Seat = int

THEFT = "theft"
TRAPPED = "trapped"
NOBODY: Seat = 0


class Phase(StrEnum):
    """What the table is doing."""

    LOBBY = "lobby"
    ROUND = "round"
    ASKING = "asking"
    """A goal kept physically was reached: the table must say which one it is."""
    PICKING = "picking"
    STEALING = "stealing"
    BETWEEN = "between"
    OVER = "over"


class Winner(StrEnum):
    """Whose round it was."""

    MINERS = "miners"
    SABOTEURS = "saboteurs"
    NOBODY = "nobody"
    GREEN = "green"
    BLUE = "blue"
    BOTH = "both"


class Ending(StrEnum):
    """Why a round ended."""

    GOLD_REACHED = "gold_reached"
    CARDS_USED_UP = "cards_used_up"
    BY_HAND = "by_hand"


class Moment:
    """Something that is never changed, only followed by another with some fields changed."""

    def but(self, **changes: Any) -> Self:
        """This with some fields changed. Raises TypeError for a field that it does not have.

        `dataclasses.replace` asks for every field again, and there are many: with it half the time of a match
        would go into copying.
        """
        if not changes.keys() <= self.__dict__.keys():
            raise TypeError(f"no such field: {', '.join(changes.keys() - self.__dict__.keys())}")
        following = object.__new__(type(self))
        following.__dict__.update(self.__dict__, **changes)
        return following


@dataclass(frozen=True)
class Player(Moment):
    """One seat: who sits there, what lies before it, and its secrets of this round and this game."""

    seat: Seat
    name: str
    role: Role | None = None
    hand: int = 0
    before: tuple[str, ...] = ()
    """Broken tools and the expansion's cards lying before the player, oldest first."""
    peeks: tuple[tuple[Cell, str], ...] = ()
    inspections: tuple[tuple[Seat, str], ...] = ()
    gold: tuple[int, ...] = ()
    """Nuggets on each gold card held."""
    purse: tuple[int, ...] = ()
    """Nuggets held when each round of the game so far began."""

    @property
    def broken(self) -> tuple[Tool, ...]:
        """The broken tools before this player."""
        return tuple(Tool(token) for token in self.before if token in TOOLS)

    @property
    def nuggets(self) -> int:
        """All the gold of the game so far."""
        return sum(self.gold)

    @property
    def gains(self) -> tuple[int, ...]:
        """Nuggets won in each round of the game so far; less than none where more was stolen."""
        held = (*self.purse, self.nuggets)
        return tuple(after - before for before, after in itertools.pairwise(held))


TOOLS = frozenset(tool.value for tool in Tool)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round ended."""

    winner: Winner
    ending: Ending
    by: Seat
    """Who reached the gold, or NOBODY."""
    winners: tuple[Seat, ...] = ()
    note: str = ""
    """The host's own words when a round is ended by hand."""


@dataclass(frozen=True)
class Match(Moment):
    """Everything about one table's game, secrets included. Views decide who sees what."""

    options: Options = Options()
    players: tuple[Player, ...] = ()
    """In clockwise order round the table."""
    seats_given: int = 0
    phase: Phase = Phase.LOBBY
    round: int = 0
    board: Board = Board.opening()
    goals: tuple[tuple[Cell, str], ...] = ()
    """Which goal lies where, when dealt by the app: secret."""
    left_over: tuple[Role, ...] = ()
    pile: int = 0
    set_aside: int = 0
    """Cards out of this round unseen."""
    discarded: int = 0
    used_paths: tuple[Face, ...] = ()
    """Path cards taken off the table in this round."""
    used_actions: tuple[ActionCard, ...] = ()
    gone: tuple[ActionCard, ...] = ()
    """Action cards out of the whole game."""
    by_hand: int = 0
    """Path cards put on the table by correcting less those taken off: they came from nobody's hand."""
    to_move: Seat = NOBODY
    began: Seat = NOBODY
    last: Seat = NOBODY
    """Who laid or played the last card."""
    last_path: Seat = NOBODY
    last_cell: Cell | None = None
    """Where the last path card was laid: the way through it decides how a goal lies."""
    asking: tuple[Cell, ...] = ()
    """Goals kept physically that were reached and not yet told."""
    asked_of: Seat = NOBODY
    """Whose turn ends when they are told (NOBODY: a correction reached them)."""
    outcome: Outcome | None = None
    gold_deck: tuple[int, ...] = ()
    fan: tuple[int, ...] = ()
    picker: Seat = NOBODY
    thefts: tuple[Seat, ...] = ()
    """Before whom a theft lies, in the order in which they were played."""
    door_faults: tuple[tuple[Seat, Cell], ...] = ()
    """Doors laid by a miner of the other colour where only one's own are allowed: secret while roles are."""
    thieves: tuple[Seat, ...] = ()
    """Who may still steal, in order."""

    def player(self, seat: Seat) -> Player | None:
        """The player in a seat."""
        for player in self.players:
            if player.seat == seat:
                return player
        return None

    def at(self, seat: Seat) -> Player:
        """The player in a seat that is known to be taken. Raises KeyError."""
        player = self.player(seat)
        if player is None:
            raise KeyError(seat)
        return player

    def with_player(self, seat: Seat, **changes: Any) -> Match:
        """This match with one player changed."""
        return self.but(
            players=tuple(player.but(**changes) if player.seat == seat else player for player in self.players)
        )

    def after(self, seat: Seat, clockwise: bool) -> tuple[Seat, ...]:
        """All seats in order, beginning after one, which comes last."""
        seats = [player.seat for player in self.players]
        if not clockwise:
            seats.reverse()
        if seat not in seats:
            return tuple(seats)
        place = seats.index(seat) + 1
        return tuple(seats[place:] + seats[:place])

    @property
    def running(self) -> bool:
        """Whether a round is being played."""
        return self.phase in (Phase.ROUND, Phase.ASKING)
