"""What somebody asks for. The actor comes from who is asking (a token), never from the request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar

from companion.game.cards import Cell, Face, UnreadableCard
from companion.game.decks import Tool
from companion.game.refusal import Code, Problem, Refusal
from companion.game.state import Actor, Seat

NAME_LENGTH = 24
"""Longest name of a player, in characters: what a phone of 320 px shows on one line."""
NOTE_LENGTH = 200
FAR = 100
"""Cells further from the start than this are typing errors: 70 path cards reach no further."""


class BadField(ValueError):
    """A field of a request that does not say what it should."""


@dataclass(frozen=True)
class Command:
    """One request, by whom."""

    NAME: ClassVar[str] = ""
    actor: Actor


def is_writable(text: str) -> bool:
    """Whether a text can be written down: JSON may carry halves of letters that nothing can encode."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 1_000_000:
        raise BadField
    return value


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadField
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > NOTE_LENGTH or not is_writable(value):
        raise BadField
    return value


def _cell(value: Any) -> Cell:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise BadField
    column, row = _integer(value[0]), _integer(value[1])
    if max(abs(column), abs(row)) > FAR:
        raise BadField
    return column, row


def _face(value: Any) -> Face:
    try:
        return Face.parse(_text(value))
    except UnreadableCard as error:
        raise BadField from error


def _face_or_none(value: Any) -> Face | None:
    return None if value is None else _face(value)


def _tool(value: Any) -> Tool:
    try:
        return Tool(_text(value))
    except ValueError as error:
        raise BadField from error


def _tools(value: Any) -> tuple[Tool, ...]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= 2:
        raise BadField
    return tuple(sorted({_tool(item) for item in value}, key=list(Tool).index))


def _seats(value: Any) -> tuple[Seat, ...]:
    if not isinstance(value, list | tuple) or len(value) > 50:
        raise BadField
    return tuple(_integer(item) for item in value)


def _options(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict) or len(value) > 50:
        raise BadField
    return value


def _optional_seat(value: Any) -> Seat:
    return 0 if value is None else _integer(value)


def _reads(reader: Callable[[Any], Any], **settings: Any) -> Any:
    return field(metadata={"reader": reader}, **settings)


@dataclass(frozen=True)
class Join(Command):
    """A seat for a new player."""

    NAME = "join"
    name: str = _reads(_text)


@dataclass(frozen=True)
class Leave(Command):
    """A seat is given up, by the player or the host."""

    NAME = "leave"
    seat: Seat = _reads(_integer)


@dataclass(frozen=True)
class Rename(Command):
    """Another name for a seat: a mistyped one, or somebody else who goes on with it."""

    NAME = "rename"
    seat: Seat = _reads(_integer)
    name: str = _reads(_text)


@dataclass(frozen=True)
class Order(Command):
    """Who sits where: all seats, clockwise."""

    NAME = "order"
    seats: tuple[Seat, ...] = _reads(_seats)


@dataclass(frozen=True)
class SetOptions(Command):
    """Some options changed."""

    NAME = "set_options"
    options: Mapping[str, Any] = _reads(_options)


@dataclass(frozen=True)
class StartRound(Command):
    """Deal. `first` begins (0: by the rules)."""

    NAME = "start_round"
    first: Seat = _reads(_optional_seat, default=0)


@dataclass(frozen=True)
class Place(Command):
    """Lay a path card."""

    NAME = "place"
    cell: Cell = _reads(_cell)
    face: Face = _reads(_face)
    turned: bool = _reads(_boolean, default=False)


@dataclass(frozen=True)
class Accept(Command):
    """The host lets a card of the player to move lie although it breaks a rule."""

    NAME = "accept"
    cell: Cell = _reads(_cell)
    face: Face = _reads(_face)
    turned: bool = _reads(_boolean, default=False)


@dataclass(frozen=True)
class Break(Command):
    """A broken tool before a player."""

    NAME = "break"
    target: Seat = _reads(_integer)
    tool: Tool = _reads(_tool)


@dataclass(frozen=True)
class Repair(Command):
    """One broken tool removed; `card` is what is drawn on the repair card (empty: just that tool)."""

    NAME = "repair"
    target: Seat = _reads(_integer)
    tool: Tool = _reads(_tool)
    card: tuple[Tool, ...] = _reads(_tools, default=())


@dataclass(frozen=True)
class Rockfall(Command):
    """A path card taken off the table."""

    NAME = "rockfall"
    cell: Cell = _reads(_cell)


@dataclass(frozen=True)
class Map(Command):
    """A look at one goal."""

    NAME = "map"
    cell: Cell = _reads(_cell)


@dataclass(frozen=True)
class Discard(Command):
    """Cards laid aside face down: one in the base game, up to three in the expansion."""

    NAME = "discard"
    count: int = _reads(_integer, default=1)


@dataclass(frozen=True)
class DiscardToClear(Command):
    """Two cards laid aside to remove one card lying before oneself (a tool, "theft" or "trapped")."""

    NAME = "discard_to_clear"
    token: str = _reads(_text)


@dataclass(frozen=True)
class Theft(Command):
    """A theft laid before oneself."""

    NAME = "theft"


@dataclass(frozen=True)
class HandsOff(Command):
    """A theft removed from before a player."""

    NAME = "hands_off"
    target: Seat = _reads(_integer)


@dataclass(frozen=True)
class SwapHands(Command):
    """All cards changed with another player."""

    NAME = "swap_hands"
    target: Seat = _reads(_integer)


@dataclass(frozen=True)
class SwapHats(Command):
    """A player takes another role."""

    NAME = "swap_hats"
    target: Seat = _reads(_integer)


@dataclass(frozen=True)
class Inspect(Command):
    """A look at one player's role."""

    NAME = "inspect"
    target: Seat = _reads(_integer)


@dataclass(frozen=True)
class Trap(Command):
    """Trapped, laid before another player."""

    NAME = "trap"
    target: Seat = _reads(_integer)


@dataclass(frozen=True)
class Free(Command):
    """Trapped removed from before a player."""

    NAME = "free"
    target: Seat = _reads(_integer)


@dataclass(frozen=True)
class Steal(Command):
    """One gold taken from a player after the share-out."""

    NAME = "steal"
    target: Seat = _reads(_integer)


@dataclass(frozen=True)
class RevealGoal(Command):
    """Which goal card it is that was reached, told by the camera, a player or the host."""

    NAME = "reveal_goal"
    cell: Cell = _reads(_cell)
    face: Face = _reads(_face)


@dataclass(frozen=True)
class Pick(Command):
    """One gold card of the fan, by its place 0.. in it."""

    NAME = "pick"
    index: int = _reads(_integer)


@dataclass(frozen=True)
class Correct(Command):
    """The host sets a cell right; no face: nothing lies there (a goal: face down)."""

    NAME = "correct"
    cell: Cell = _reads(_cell)
    face: Face | None = _reads(_face_or_none, default=None)
    turned: bool = _reads(_boolean, default=False)


@dataclass(frozen=True)
class EndRound(Command):
    """The host ends the round by hand; nobody gets gold."""

    NAME = "end_round"
    reason: str = _reads(_text, default="")


@dataclass(frozen=True)
class Undo(Command):
    """The host takes back so many steps."""

    NAME = "undo"
    steps: int = _reads(_integer, default=1)


COMMANDS: dict[str, type[Command]] = {kind.NAME: kind for kind in Command.__subclasses__()}
FROM_OUTSIDE = {name: kind for name, kind in COMMANDS.items() if kind is not Join}
"""What a request may ask for; joining has a page of its own."""


def parse_command(body: Mapping[str, Any], actor: Actor) -> Command | Refusal:
    """The command in a request's body `{"do": NAME, field: value...}`; other fields are ignored."""
    name = body.get("do")
    kind = FROM_OUTSIDE.get(name) if isinstance(name, str) else None
    if kind is None:
        return Refusal((Problem(Code.BAD_COMMAND, params={"command": ascii(name)[:40]}),))
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for known in fields(kind):
        optional = known.default is not MISSING
        if known.name == "actor" or (optional and known.name not in body):
            continue
        try:
            values[known.name] = known.metadata["reader"](body.get(known.name))
        except BadField:
            problems.append(Problem(Code.BAD_FIELD, params={"command": kind.NAME, "field": known.name}))
    return Refusal(tuple(problems)) if problems else kind(actor, **values)
