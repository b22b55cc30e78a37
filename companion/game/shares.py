"""The expansion's end of a round: which team won by ways and doors, who gets how much, who steals."""

from __future__ import annotations

from companion.game.board import reach
from companion.game.cards import Cell
from companion.game.commands import Steal
from companion.game.events import Paid, RoundEnded, StealingBegan, Stolen
from companion.game.gold import end_match
from companion.game.refusal import Code, Problem
from companion.game.roles import FOREIGN_DOOR, Role
from companion.game.state import NOBODY, TRAPPED, Ending, Match, Phase, Seat, Winner
from companion.game.story import Problems, Story

SHARE: dict[int, int] = {1: 5, 2: 4, 3: 3, 4: 2}
"""Winners -> gold for each; SHARE_OF_MANY for more."""
SHARE_OF_MANY = 1
LESS: dict[Role, int] = {Role.BOSS: 1, Role.PROFITEER: 2}
"""How much less than a share some roles get, though never less than nothing."""
TEAM_WON: dict[frozenset[Role], Winner] = {
    frozenset(): Winner.NOBODY,
    frozenset({Role.GREEN_MINER}): Winner.GREEN,
    frozenset({Role.BLUE_MINER}): Winner.BLUE,
    frozenset({Role.GREEN_MINER, Role.BLUE_MINER}): Winner.BOTH,
}


def winning_teams(match: Match, gold: Cell, by: Role | None) -> frozenset[Role]:
    """The teams that win the round when the gold in a cell was reached by a player of role `by`.

    A team needs a way from start to gold that is free of the other colour's doors. A dwarf who makes the
    connection wins for his own team, and only if that has no free way for the other.
    """
    free = frozenset(team for team, door in FOREIGN_DOOR.items() if reach(match.board.cards, door).get(gold))
    return free & {by} or free if by in FOREIGN_DOOR else free


def gold_reached(story: Story, cell: Cell) -> None:
    """Settles a round in which a way has reached the gold."""
    match = story.match
    by = match.player(match.last_path)
    teams = winning_teams(match, cell, by.role if by else None)
    roles = teams | {Role.PROFITEER}
    if teams or match.options.boss_always:
        roles |= {Role.BOSS}
    _settle(story, TEAM_WON[teams], Ending.GOLD_REACHED, match.last_path, roles)


def cards_used_up(story: Story) -> None:
    """Settles a round in which the gold was not reached: the saboteurs and the profiteer win."""
    saboteurs = any(player.role is Role.SABOTEUR for player in story.match.players)
    winner = Winner.SABOTEURS if saboteurs else Winner.NOBODY
    _settle(story, winner, Ending.CARDS_USED_UP, NOBODY, frozenset({Role.SABOTEUR, Role.PROFITEER}))


def _settle(story: Story, winner: Winner, ending: Ending, by: Seat, roles: frozenset[Role]) -> None:
    match = story.match
    untrapped = [player for player in match.players if TRAPPED not in player.before]
    winners = tuple(player.seat for player in untrapped if player.role in roles)
    story.tell(RoundEnded(winner.value, ending.value, by, winners))
    for seat in winners:
        share = SHARE.get(len(winners), SHARE_OF_MANY)
        role = match.at(seat).role
        _pay(story, seat, max(0, share - (LESS.get(role, 0) if role else 0)))
    geologists = [player.seat for player in untrapped if player.role is Role.GEOLOGIST]
    crystals = sum(laid.face.crystal for laid in match.board.cards.values())
    for seat in geologists:
        _pay(story, seat, crystals // len(geologists))
    thieves = thieves_in_order(match)
    if thieves:
        story.tell(StealingBegan(thieves))
    _skip_needless(story)
    end_match(story)


def _pay(story: Story, seat: Seat, gold: int) -> None:
    if gold:
        story.tell(Paid(seat, (gold,), ()))


def thieves_in_order(match: Match) -> tuple[Seat, ...]:
    """Who steals: untrapped players with a theft, who played the last one first, then clockwise."""
    thieves = [seat for seat in match.thefts if TRAPPED not in match.at(seat).before]
    if not thieves:
        return ()
    first = thieves[-1]
    around = match.after(first, clockwise=True)
    return (first, *(seat for seat in around[:-1] if seat in thieves))


def victims(match: Match, thief: Seat) -> tuple[Seat, ...]:
    """Players who have any gold to take."""
    return tuple(player.seat for player in match.players if player.seat != thief and player.nuggets > 0)


def _skip_needless(story: Story) -> None:
    """A thief with nobody to take from takes nothing."""
    while story.match.phase is Phase.STEALING and not victims(story.match, story.match.thieves[0]):
        story.tell(Stolen(story.match.thieves[0], NOBODY))


def steal(story: Story, command: Steal) -> Problems:
    """One gold taken from a player who has any."""
    match = story.match
    if match.phase is not Phase.STEALING or match.thieves[0] != command.actor:
        return (Problem(Code.NOT_STEALING),)
    if match.player(command.target) is None:
        return (Problem(Code.NOT_A_SEAT),)
    if command.target == command.actor:
        return (Problem(Code.NOT_ONESELF),)
    if command.target not in victims(match, command.actor):
        return (Problem(Code.NOTHING_TO_STEAL, params={"seat": command.target}),)
    story.tell(Stolen(command.actor, command.target))
    _skip_needless(story)
    end_match(story)
    return ()
