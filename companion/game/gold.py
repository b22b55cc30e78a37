"""The base game's gold: drawn, picked and passed on by the miners, or paid out to the saboteurs."""

from __future__ import annotations

from companion.game.cards import Cell
from companion.game.commands import Pick
from companion.game.events import GoldFanned, GoldPicked, MatchEnded, Paid, RoundEnded
from companion.game.options import Direction, GoldDrawn
from companion.game.refusal import Code, Problem
from companion.game.roles import Role
from companion.game.state import NOBODY, Ending, Match, Phase, Player, Seat, Winner
from companion.game.story import Problems, Story

ROUNDS = 3
MOST_GOLD_DRAWN = 9
"""With ten players only nine gold cards are drawn."""
SABOTEURS_PAY: dict[int, int] = {1: 4, 2: 3, 3: 3, 4: 2}
"""Saboteurs in play -> nuggets for each."""


def may_pick(match: Match, player: Player) -> bool:
    """Whether the player has a share in the gold of a round that the miners won."""
    barred = match.options.broken_get_nothing and player.broken
    return player.role is Role.MINER and not barred


def pickers(match: Match, first: Seat) -> tuple[Seat, ...]:
    """Who picks, in order: from `first` on round the table, those with a share."""
    clockwise = match.options.gold_passing is Direction.CLOCKWISE
    order = match.after(first, clockwise)
    return tuple(seat for seat in (*order[-1:], *order[:-1]) if may_pick(match, match.at(seat)))


def gold_reached(story: Story, cell: Cell) -> None:
    """The miners win: a fan of gold cards goes round, beginning with who reached the gold."""
    match, by = story.match, story.match.last_path
    sharers = pickers(match, by)
    story.tell(RoundEnded(Winner.MINERS.value, Ending.GOLD_REACHED.value, by, sharers))
    drawn = {
        GoldDrawn.PLAYERS: min(len(match.players), MOST_GOLD_DRAWN),
        GoldDrawn.MINERS: len(sharers),
    }[match.options.gold_drawn]
    if sharers and match.gold_deck:
        story.tell(GoldFanned(match.gold_deck[:drawn], sharers[0]))
    end_match(story)


def cards_used_up(story: Story) -> None:
    """The saboteurs win, if there are any; each is paid in cards that add up exactly."""
    saboteurs = tuple(player.seat for player in story.match.players if player.role is Role.SABOTEUR)
    winner = Winner.SABOTEURS if saboteurs else Winner.NOBODY
    story.tell(RoundEnded(winner.value, Ending.CARDS_USED_UP.value, NOBODY, saboteurs))
    for seat in saboteurs:
        cards = cards_worth(story.match.gold_deck, SABOTEURS_PAY[len(saboteurs)])
        story.tell(Paid(seat, cards, without(story.match.gold_deck, cards)))
    end_match(story)


def cards_worth(deck: tuple[int, ...], nuggets: int) -> tuple[int, ...]:
    """The first cards from the top of the deck that add up exactly; one too large goes back under it.

    Where no cards of the deck add up, the most that they can be worth below it.

    >>> cards_worth((3, 1, 2, 1), 4)
    (3, 1)
    >>> cards_worth((3, 2, 2, 2), 4)
    (2, 2)
    """
    for worth in range(nuggets, 0, -1):
        cards = _exactly(deck, worth)
        if cards:
            return cards
    return ()


def _exactly(deck: tuple[int, ...], worth: int) -> tuple[int, ...]:
    for place, card in enumerate(deck):
        if card == worth:
            return (card,)
        if card < worth and (rest := _exactly(deck[place + 1 :], worth - card)):
            return (card, *rest)
    return ()


def without(deck: tuple[int, ...], cards: tuple[int, ...]) -> tuple[int, ...]:
    """The deck after taking some cards out of it."""
    rest = list(deck)
    for card in cards:
        rest.remove(card)
    return tuple(rest)


def pick(story: Story, command: Pick) -> Problems:
    """One card of the fan; the rest is passed on until all are taken."""
    match = story.match
    if match.phase is not Phase.PICKING:
        return (Problem(Code.NOT_PICKING),)
    if match.picker != command.actor:
        return (Problem(Code.NOT_YOUR_PICK, params={"seat": match.picker}),)
    if not 0 <= command.index < len(match.fan):
        return (Problem(Code.NO_SUCH_GOLD, params={"left": len(match.fan)}),)
    following = NOBODY if len(match.fan) == 1 else [*pickers(match, command.actor), command.actor][1]
    story.tell(GoldPicked(command.actor, match.fan[command.index], following))
    end_match(story)
    return ()


def end_match(story: Story) -> None:
    """After the last round is settled: who has most gold wins; equal players share."""
    match = story.match
    if match.round >= ROUNDS and match.phase is Phase.BETWEEN:
        story.tell(MatchEnded(match_winners(match)))


def match_winners(match: Match) -> tuple[Seat, ...]:
    """The seats with most nuggets."""
    most = max((player.nuggets for player in match.players), default=0)
    return tuple(player.seat for player in match.players if player.nuggets == most)
