"""From a command to what happens, or to why nothing does."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from companion.game import base, expansion, host, paths
from companion.game.commands import (
    Accept,
    Command,
    Correct,
    EndRound,
    Join,
    Leave,
    Order,
    Rename,
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
    Rename: host.rename,
    RevealGoal: paths.reveal_goal,
}
GAMES = (base.BASE, expansion.EXPANSION)


def decide(match: Match, command: Command, chance: random.Random) -> tuple[Event, ...] | Refusal:
    """What the command brings about, at least one event, or why it is refused.

    What chance decides (roles, goals, gold) is written into the events, so that they replay exactly.
    """
    kind, rules = type(command), rules_of(match)
    if kind in HOST_ONLY and command.actor != HOST:
        return Refusal((Problem(Code.NOT_HOST),))
    if kind in rules.turns and command.actor == HOST:
        # The table screen is tapped for whoever has the turn, as for players without a phone.
        command = replace(command, actor=match.to_move)
    handler = next(
        (room[kind] for room in (HOST_ONLY, ANYBODY, rules.turns, rules.after_round) if kind in room), None
    )
    if handler is None:
        return Refusal((Problem(Code.NOT_IN_THIS_GAME, params={"command": command.NAME}),))
    story = Story(match, chance)
    problems = handler(story, command)
    return Refusal(problems) if problems else tuple(story.events)
