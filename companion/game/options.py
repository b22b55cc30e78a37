"""What a table may choose: one frozen set of options, the publisher's ruling as every default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any

from companion.game.refusal import Code, Problem, Refusal


class Game(StrEnum):
    """Which boxes are on the table."""

    BASE = "base"
    EXPANSION = "expansion"


class GoalsKept(StrEnum):
    """Whether the app deals the goals in secret, or the three cards are shuffled by hand."""

    DEALT = "dealt"
    PHYSICAL = "physical"


class Direction(StrEnum):
    """Which way round the table."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter_clockwise"


class GoldDrawn(StrEnum):
    """How many gold cards are drawn when miners win: first or revised edition."""

    PLAYERS = "players"
    MINERS = "miners"


class NextStarter(StrEnum):
    """Who begins the next round."""

    AFTER_LAST = "after_last"
    AFTER_STARTER = "after_starter"
    LAST_PATH = "last_path"


@dataclass(frozen=True)
class Options:
    """The rule set of one table."""

    game: Game = Game.BASE
    goals: GoalsKept = GoalsKept.DEALT
    turns: Direction = Direction.CLOCKWISE
    break_oneself: bool = True
    gold_drawn: GoldDrawn = GoldDrawn.PLAYERS
    gold_passing: Direction = Direction.COUNTER_CLOCKWISE
    broken_get_nothing: bool = False
    next_starter: NextStarter = NextStarter.AFTER_LAST
    own_doors_only: bool = False
    boss_always: bool = False

    def to_json(self) -> dict[str, str | bool]:
        """Every option by name."""
        return {
            name: value.value if isinstance(value, StrEnum) else value for name, value in asdict(self).items()
        }

    def changed(self, changes: Mapping[str, Any]) -> Options | Refusal:
        """These options with some changed; refuses unknown names and values, all of them at once."""
        read: dict[str, Any] = {}
        problems: list[Problem] = []
        for name, value in changes.items():
            kind = KINDS.get(name)
            choices = () if kind is None else (True, False) if kind is bool else tuple(kind)
            match = [choice for choice in choices if choice == value and isinstance(value, bool | str)]
            if match:
                read[name] = match[0]
            else:
                problems.append(Problem(Code.BAD_OPTION, params={"option": str(name)[:40]}))
        return Refusal(tuple(problems)) if problems else replace(self, **read)


DEFAULT = Options()
KINDS: dict[str, Any] = {field.name: type(getattr(DEFAULT, field.name)) for field in fields(Options)}


def choices() -> dict[str, list[str | bool]]:
    """Every option with the values it may take, the default first."""
    found: dict[str, list[str | bool]] = {}
    for name, kind in KINDS.items():
        values = [False, True] if kind is bool else [choice.value for choice in kind]
        default = DEFAULT.to_json()[name]
        found[name] = [default, *(value for value in values if value != default)]
    return found
