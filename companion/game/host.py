"""Round the game itself: seats, options, starting a round and ending one by hand."""

from __future__ import annotations

from companion.game.cards import GOAL_CELLS, GOALS
from companion.game.commands import NAME_LENGTH, EndRound, Join, Leave, Order, Rename, SetOptions, StartRound
from companion.game.events import (
    GameBegan,
    Joined,
    Left,
    OptionsSet,
    Renamed,
    RoundEnded,
    RoundStarted,
    Seated,
)
from companion.game.gold import end_match
from companion.game.options import Direction, GoalsKept, NextStarter
from companion.game.refusal import Code, Problem, Refusal
from companion.game.ruleset import rules_of
from companion.game.state import HOST, NOBODY, Ending, Match, Phase, Seat, Winner
from companion.game.story import Problems, Story

JOINERS = "\u200c\u200d"
"""Invisible, but letters of Hindi names are written with them."""
BETWEEN_GAMES = (Phase.LOBBY, Phase.OVER)
BETWEEN_ROUNDS = (Phase.LOBBY, Phase.BETWEEN, Phase.OVER)


def join(story: Story, command: Join) -> Problems:
    """A new player, while no round is played."""
    match = story.match
    if match.phase not in BETWEEN_ROUNDS:
        return (Problem(Code.ROUND_RUNNING),)
    name = tidy_name(command.name)
    if not name:
        return (Problem(Code.BAD_NAME, params={"most": NAME_LENGTH}),)
    most = rules_of(match).players[-1]
    if len(match.players) >= most:
        return (Problem(Code.TABLE_FULL, params={"most": most}),)
    story.tell(Joined(match.seats_given + 1, name_apart(name, [player.name for player in match.players])))
    return ()


def name_apart(name: str, taken: list[str]) -> str:
    """The name, with a number behind it when somebody at the table is called the same already.

    >>> name_apart("ada", ["Ada", "Ada (2)"])
    'ada (3)'
    """
    known = {other.casefold() for other in taken}
    numbered = (name if count == 1 else f"{name} ({count})" for count in range(1, len(taken) + 2))
    return next(apart for apart in numbered if apart.casefold() not in known)


def tidy_name(name: str) -> str:
    """The name without control characters and needless blanks; empty when none is left or it is too long."""
    printable = "".join(letter if letter.isprintable() or letter in JOINERS else " " for letter in name)
    tidy = " ".join(printable.split())
    return tidy if len(tidy) <= NAME_LENGTH and tidy.strip(JOINERS) else ""


def not_to_be_changed(match: Match, command: Leave | Rename) -> Problems:
    """Why this actor may not give up or rename this seat now."""
    if command.actor not in (HOST, command.seat):
        return (Problem(Code.NOT_HOST),)
    if match.player(command.seat) is None:
        return (Problem(Code.NOT_A_SEAT),)
    if match.phase not in BETWEEN_ROUNDS:
        return (Problem(Code.ROUND_RUNNING),)
    return ()


def leave(story: Story, command: Leave) -> Problems:
    """A seat given up by its player or taken away by the host, while no round is played."""
    problems = not_to_be_changed(story.match, command)
    if not problems:
        story.tell(Left(command.seat))
    return problems


def rename(story: Story, command: Rename) -> Problems:
    """Another name for a seat, while no round is played."""
    match, name = story.match, tidy_name(command.name)
    problems = not_to_be_changed(match, command)
    if problems:
        return problems
    if not name:
        return (Problem(Code.BAD_NAME, params={"most": NAME_LENGTH}),)
    others = [player.name for player in match.players if player.seat != command.seat]
    story.tell(Renamed(command.seat, name_apart(name, others)))
    return ()


def order(story: Story, command: Order) -> Problems:
    """Who sits where."""
    match = story.match
    if match.phase not in BETWEEN_ROUNDS:
        return (Problem(Code.ROUND_RUNNING),)
    if sorted(command.seats) != sorted(player.seat for player in match.players):
        return (Problem(Code.BAD_ORDER),)
    story.tell(Seated(command.seats))
    return ()


def set_options(story: Story, command: SetOptions) -> Problems:
    """Another rule set for this table, before a game."""
    match = story.match
    if match.phase not in BETWEEN_GAMES:
        return (Problem(Code.GAME_RUNNING),)
    options = match.options.changed(command.options)
    if isinstance(options, Refusal):
        return options.problems
    story.tell(OptionsSet(tuple(sorted(options.to_json().items()))))
    return ()


def start_round(story: Story, command: StartRound) -> Problems:
    """Shuffle and deal: roles, hands, and the goals when the app keeps them."""
    match, rules = story.match, rules_of(story.match)
    if match.phase not in BETWEEN_ROUNDS:
        return (Problem(Code.ROUND_RUNNING),)
    players, counts = len(match.players), {"players": len(match.players)}
    if players < rules.players[0]:
        return (Problem(Code.TOO_FEW_PLAYERS, params={**counts, "least": rules.players[0]}),)
    if players > rules.players[-1]:
        return (Problem(Code.TOO_MANY_PLAYERS, params={**counts, "most": rules.players[-1]}),)
    if command.first != NOBODY and match.player(command.first) is None:
        return (Problem(Code.NOT_A_SEAT),)
    first = command.first or next_starter(match)
    if match.phase in BETWEEN_GAMES:
        story.tell(GameBegan(story.shuffled(rules.gold_deck)))
    roles = [role.value for role in story.shuffled(rules.role_deck(players))]
    goals: tuple[tuple[tuple[int, int], str], ...] = ()
    if match.options.goals is GoalsKept.DEALT:
        goals = tuple(zip(GOAL_CELLS, (goal.name for goal in story.shuffled(GOALS)), strict=True))
    hand = rules.hand(players)
    pile = rules.total() - len(story.match.gone) - rules.set_aside - hand * players
    story.tell(
        RoundStarted(
            round=story.match.round + 1,
            first=first,
            roles=tuple(roles[:players]),
            left_over=tuple(roles[players:]),
            goals=goals,
            hand=hand,
            pile=pile,
            set_aside=rules.set_aside,
        )
    )
    return ()


def next_starter(match: Match) -> Seat:
    """Who begins the next round; the first round is begun by whoever sits first, unless the host says who."""
    if match.phase in BETWEEN_GAMES:
        return match.players[0].seat
    clockwise = match.options.turns is Direction.CLOCKWISE
    last, last_path = match.last or match.began, match.last_path or match.began
    return {
        NextStarter.AFTER_LAST: match.after(last, clockwise)[0],
        NextStarter.AFTER_STARTER: match.after(match.began, clockwise)[0],
        NextStarter.LAST_PATH: last_path,
    }[match.options.next_starter]


def end_round(story: Story, command: EndRound) -> Problems:
    """A round ended by hand: roles are shown, nobody gets gold."""
    match = story.match
    if not match.running:
        return (Problem(Code.NO_ROUND),)
    note = " ".join(command.reason.split())
    story.tell(RoundEnded(Winner.NOBODY.value, Ending.BY_HAND.value, NOBODY, (), note))
    end_match(story)
    return ()
