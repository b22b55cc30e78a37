"""Why something is not to be: codes with parameters, never sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from companion.game.cards import Cell


class Code(StrEnum):
    """Every reason the rules can give; the words for each stand in the catalogues."""

    # laying a path card
    CELL_TAKEN = "cell_taken"
    NOT_BESIDE = "not_beside"
    ROCK_MEETS_TUNNEL = "rock_meets_tunnel"
    TUNNEL_MEETS_ROCK = "tunnel_meets_rock"
    NOT_JOINED = "not_joined"
    LADDER_BY_GOAL = "ladder_by_goal"
    NONE_LEFT = "none_left"
    NOT_A_PATH_CARD = "not_a_path_card"
    BROKEN_TOOLS = "broken_tools"
    TRAPPED = "trapped"
    NO_THEFT_WHILE_TRAPPED = "no_theft_while_trapped"
    # taking a turn
    NOT_YOUR_TURN = "not_your_turn"
    NO_ROUND = "no_round"
    GOAL_TO_TELL = "goal_to_tell"
    NOT_SO_MANY_CARDS = "not_so_many_cards"
    NOT_IN_THIS_GAME = "not_in_this_game"
    # action cards
    ALREADY_BROKEN = "already_broken"
    NOT_ONESELF = "not_oneself"
    NOT_BROKEN = "not_broken"
    TOOL_NOT_ON_CARD = "tool_not_on_card"
    NO_SUCH_CARD = "no_such_card"
    NOTHING_TO_TAKE = "nothing_to_take"
    START_OR_GOAL = "start_or_goal"
    NOT_A_HIDDEN_GOAL = "not_a_hidden_goal"
    NOBODY_TO_BREAK = "nobody_to_break"
    NOTHING_BROKEN = "nothing_broken"
    ALREADY_BEFORE = "already_before"
    NOT_BEFORE = "not_before"
    NOTHING_BEFORE_YOU = "nothing_before_you"
    BEFORE_NOBODY = "before_nobody"
    BEFORE_ALL_OTHERS = "before_all_others"
    NO_HATS_LEFT = "no_hats_left"
    # goals told by hand
    NOT_ASKED = "not_asked"
    NOT_A_GOAL = "not_a_goal"
    GOAL_IS_DEALT = "goal_is_dealt"
    GOAL_ALREADY_TOLD = "goal_already_told"
    # gold
    NOT_PICKING = "not_picking"
    NOT_YOUR_PICK = "not_your_pick"
    NO_SUCH_GOLD = "no_such_gold"
    NOT_STEALING = "not_stealing"
    NOTHING_TO_STEAL = "nothing_to_steal"
    # the table
    NOT_HOST = "not_host"
    NOT_A_SEAT = "not_a_seat"
    TABLE_FULL = "table_full"
    TOO_FEW_PLAYERS = "too_few_players"
    TOO_MANY_PLAYERS = "too_many_players"
    ROUND_RUNNING = "round_running"
    GAME_RUNNING = "game_running"
    BAD_NAME = "bad_name"
    BAD_OPTION = "bad_option"
    BAD_ORDER = "bad_order"
    BAD_COMMAND = "bad_command"
    BAD_FIELD = "bad_field"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_CORRECT = "nothing_to_correct"


@dataclass(frozen=True)
class Problem:
    """One reason: its code, where on the board it stands, and what the sentence needs."""

    code: Code
    cell: Cell | None = None
    edge: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The reason as a view carries it."""
        place = {} if self.cell is None else {"cell": list(self.cell)}
        side = {} if self.edge is None else {"edge": self.edge}
        return {"code": self.code.value, **place, **side, "params": dict(self.params)}


@dataclass(frozen=True)
class Refusal:
    """Nothing happens, for all of these reasons (at least one)."""

    problems: tuple[Problem, ...]


def refuse(code: Code, **params: Any) -> Refusal:
    """A refusal for one reason that has no place on the board."""
    return Refusal((Problem(code, params=params),))
