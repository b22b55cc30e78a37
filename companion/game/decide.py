"""From a command to what happens, or to why nothing does."""

from __future__ import annotations

import random
from collections.abc import Mapping

from companion.game import base, expansion, host, paths
from companion.game.commands import (
    Accept,
    Command,
    Correct,
    EndRound,
    Join,
    Leave,
    Order,
    RevealGoal,
    SetOptions,
    StartRound,
)
from companion.game.events import Event
from companion.game.refusal import Code, Problem, Refusal
from companion.game.ruleset import rules_of
from companion.game.state import HOST, Match
from companion.game.story import Handler, Story

HOST_ONLY: Mapping[type[Command], Handler] = {
    Order: host.order,
    SetOptions: host.set_options,
    StartRound: host.start_round,
    EndRound: host.end_round,
    Accept: paths.accept,
    Correct: paths.correct,
}
ANYBODY: Mapping[type[Command], Handler] = {
    Join: host.join,
    Leave: host.leave,
    RevealGoal: paths.reveal_goal,
}
GAMES = (base.BASE, expansion.EXPANSION)


def decide(match: Match, command: Command, chance: random.Random) -> tuple[Event, ...] | Refusal:
    """What the command brings about, at least one event, or why it is refused.

    What chance decides (roles, goals, gold) is written into the events, so that they replay exactly.
    """
    kind = type(command)
    handler = HOST_ONLY.get(kind)
    if handler is not None:
        if command.actor != HOST:
            return Refusal((Problem(Code.NOT_HOST),))
    else:
        rules = rules_of(match)
        handler = ANYBODY.get(kind) or rules.turns.get(kind) or rules.after_round.get(kind)
    if handler is None:
        return Refusal((Problem(Code.NOT_IN_THIS_GAME, params={"command": command.NAME}),))
    story = Story(match, chance)
    problems = handler(story, command)
    return Refusal(problems) if problems else tuple(story.events)
