"""What has happened, as facts with their outcomes: a night is the list of these, and replays exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from companion.game.cards import Cell
from companion.game.state import Seat


class UnreadableEvent(ValueError):
    """A stored event that this version does not know."""


@dataclass(frozen=True, slots=True)
class Event:
    """One fact. Fields are plain numbers, texts and tuples of them, so that a log can hold them."""

    NAME: ClassVar[str] = ""
    REVEALS: ClassVar[bool] = False
    """Whether somebody was shown a secret by it: an undo past it is announced."""

    def to_json(self) -> dict[str, Any]:
        """The event as the log keeps it."""
        return {"event": self.NAME, **{field.name: getattr(self, field.name) for field in fields(self)}}


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """Somebody took a seat; `seat` is new."""

    NAME = "joined"
    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Left(Event):
    """A seat was given up, with its gold."""

    NAME = "left"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Renamed(Event):
    """A seat goes by another name; its gold stays."""

    NAME = "renamed"
    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """The order round the table, clockwise."""

    NAME = "seated"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class OptionsSet(Event):
    """The table's options, all of them, as (name, value) pairs."""

    NAME = "options_set"
    options: tuple[tuple[str, str | bool], ...]


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    """Cards and roles dealt. `roles` go by the order of the players; `goals`: none when kept physically."""

    NAME = "round_started"
    REVEALS = True
    round: int
    first: Seat
    roles: tuple[str, ...]
    left_over: tuple[str, ...]
    goals: tuple[tuple[Cell, str], ...]
    hand: int
    pile: int
    set_aside: int


@dataclass(frozen=True, slots=True)
class GameBegan(Event):
    """A game of three rounds begins: nobody has gold. `gold_deck` is in its shuffled order, top first."""

    NAME = "game_began"
    gold_deck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PathLaid(Event):
    """A path card from a hand; `against_rules` when the host let an illegal one lie."""

    NAME = "path_laid"
    seat: Seat
    cell: Cell
    card: str
    against_rules: bool = False


@dataclass(frozen=True, slots=True)
class GoalReached(Event):
    """A way opens onto a goal whose card the app does not know. `seat`: whose turn ends with the answer."""

    NAME = "goal_reached"
    seat: Seat
    cell: Cell


@dataclass(frozen=True, slots=True)
class GoalTurned(Event):
    """A goal lies face up, its way up decided."""

    NAME = "goal_turned"
    REVEALS = True
    seat: Seat
    cell: Cell
    card: str


@dataclass(frozen=True, slots=True)
class ActionPlayed(Event):
    """An action card from a hand; `out_of_game` when it does not come back next round."""

    NAME = "action_played"
    seat: Seat
    action: str
    tools: tuple[str, ...] = ()
    out_of_game: bool = False


@dataclass(frozen=True, slots=True)
class PutBefore(Event):
    """Something now lies before a player."""

    NAME = "put_before"
    seat: Seat
    token: str


@dataclass(frozen=True, slots=True)
class TakenFromBefore(Event):
    """Something no longer lies before a player."""

    NAME = "taken_from_before"
    seat: Seat
    token: str


@dataclass(frozen=True, slots=True)
class Fell(Event):
    """A rockfall took a path card off the table."""

    NAME = "fell"
    seat: Seat
    cell: Cell
    card: str


@dataclass(frozen=True, slots=True)
class Peeked(Event):
    """A map was played; `goal` is empty when the goals are kept physically."""

    NAME = "peeked"
    REVEALS = True
    seat: Seat
    cell: Cell
    goal: str


@dataclass(frozen=True, slots=True)
class Inspected(Event):
    """One player was shown the role of another."""

    NAME = "inspected"
    REVEALS = True
    seat: Seat
    target: Seat
    role: str


@dataclass(frozen=True, slots=True)
class HandsSwapped(Event):
    """Two players changed all their cards."""

    NAME = "hands_swapped"
    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class HatSwapped(Event):
    """A player has a new role; the old one lies aside."""

    NAME = "hat_swapped"
    REVEALS = True
    seat: Seat
    target: Seat
    role: str
    left_over: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Discarded(Event):
    """Cards laid aside face down."""

    NAME = "discarded"
    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """Cards drawn from the pile."""

    NAME = "drew"
    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class TurnPassed(Event):
    """Whose turn it is now."""

    NAME = "turn_passed"
    seat: Seat


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """The host set a cell right by hand; `card` is empty when nothing lies there."""

    NAME = "corrected"
    cell: Cell
    card: str


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """The round is over: all roles are shown. `winners` are the seats that get gold by it."""

    NAME = "round_ended"
    REVEALS = True
    winner: str
    ending: str
    by: Seat
    winners: tuple[Seat, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class GoldFanned(Event):
    """Gold cards drawn for the winners to pick from."""

    NAME = "gold_fanned"
    REVEALS = True
    cards: tuple[int, ...]
    picker: Seat


@dataclass(frozen=True, slots=True)
class GoldPicked(Event):
    """One card of the fan taken; `next` picks from the rest (0: all taken)."""

    NAME = "gold_picked"
    REVEALS = True
    seat: Seat
    card: int
    next: Seat


@dataclass(frozen=True, slots=True)
class Paid(Event):
    """Gold cards paid out, and the gold deck that is left."""

    NAME = "paid"
    REVEALS = True
    seat: Seat
    cards: tuple[int, ...]
    gold_deck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StealingBegan(Event):
    """Who may steal, in order."""

    NAME = "stealing_began"
    thieves: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Stolen(Event):
    """A thief took one gold (target 0: there was nobody to take from)."""

    NAME = "stolen"
    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    """The last round is settled: all gold is shown. Equal players share the win."""

    NAME = "match_ended"
    winners: tuple[Seat, ...]


EVENTS: dict[str, type[Event]] = {
    kind.NAME: kind
    for kind in list(vars().values())
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}


def from_json(data: Mapping[str, Any]) -> Event:
    """The event that was stored. Raises UnreadableEvent."""
    fields_ = {key: _tuples(value) for key, value in data.items() if key != "event"}
    try:
        return EVENTS[data["event"]](**fields_)
    except (KeyError, TypeError) as error:
        raise UnreadableEvent(str(data.get("event"))) from error


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value
