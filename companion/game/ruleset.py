"""What a game brings to the table: its cards, roles, turns and its way of settling a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.game.cards import Cell, Face, Kind, Laid, lay
from companion.game.commands import Command
from companion.game.decks import ActionCard
from companion.game.options import Game
from companion.game.roles import Role
from companion.game.state import Match
from companion.game.story import Handler, Story


@dataclass(frozen=True)
class RuleSet:
    """One game as data and the few functions in which games differ."""

    players: range
    paths: Mapping[Face, int]
    actions: Mapping[ActionCard, int]
    role_deck: Callable[[int], tuple[Role, ...]]
    """Number of players -> the roles shuffled and dealt; what is not dealt is left over."""
    hand: Callable[[int], int]
    set_aside: int
    """Cards that go out of each round unseen."""
    gold_deck: tuple[int, ...]
    most_discards: int
    turns: Mapping[type[Command], Handler]
    """What a player may do in a turn."""
    gold_reached: Callable[[Story, Cell], None]
    """Ends the round: a way has reached the gold that lies in the cell."""
    cards_used_up: Callable[[Story], None]
    """Ends the round: nobody has a card left."""
    after_round: Mapping[type[Command], Handler]
    """What a player may do once the round is over: pick gold, or steal it."""
    by_shape: Mapping[tuple[tuple[int, ...], str], tuple[Face, bool]] = field(init=False)

    def __post_init__(self) -> None:
        shapes = {}
        for face in self.paths:
            for turned in (True, False):
                shapes[lay(face, turned).tunnels, marks(face)] = face, turned
        object.__setattr__(self, "by_shape", shapes)

    def of_deck(self, face: Face, turned: bool) -> Laid | None:
        """The deck's own card for a face named in either of its ways up (None: not in this deck)."""
        found = self.by_shape.get((lay(face, turned).tunnels, marks(face)))
        if found is None or face.kind is not Kind.PATH:
            return None
        own, own_turned = found
        return lay(own, turned if own == face else own_turned)

    def total(self) -> int:
        """Path and action cards in the deck."""
        return sum(self.paths.values()) + sum(self.actions.values())


def marks(face: Face) -> str:
    """What is drawn on a path card beside its tunnels."""
    return face.name.partition("+")[2]


RULES: dict[Game, RuleSet] = {}
"""Filled by the rooms of the games themselves (base, expansion)."""


def rules_of(match: Match) -> RuleSet:
    """The rule set in force at a table."""
    return RULES[match.options.game]
