"""The expansion's turns between players: thefts, traps, swaps, inspection, clearing the own place."""

from __future__ import annotations

from companion.game.commands import (
    DiscardToClear,
    Free,
    HandsOff,
    Inspect,
    SwapHands,
    SwapHats,
    Theft,
    Trap,
)
from companion.game.decks import Action, ActionCard
from companion.game.events import (
    Discarded,
    Drew,
    HandsSwapped,
    HatSwapped,
    Inspected,
    PutBefore,
    TakenFromBefore,
)
from companion.game.refusal import Code, Problem
from companion.game.state import THEFT, TRAPPED, Match, Seat
from companion.game.story import Problems, Story
from companion.game.turns import end_turn, play, why_no_card, why_no_turn

CARDS_TO_CLEAR = 2
"""Cards laid aside to remove one card lying before oneself; one is drawn."""


def _why_not(match: Match, actor: Seat, action: Action, target: Seat, oneself: bool) -> list[Problem]:
    problems = [*why_no_turn(match, actor), *why_no_card(match, (action, ()))]
    if match.player(target) is None:
        problems.append(Problem(Code.NOT_A_SEAT))
    elif target == actor and not oneself:
        problems.append(Problem(Code.NOT_ONESELF))
    return problems


def _lying(match: Match, target: Seat, token: str) -> bool:
    player = match.player(target)
    return player is not None and token in player.before


def _token(token: str, target: Seat) -> dict[str, str | int]:
    return {"seat": target, "token": token}


def discard_to_clear(story: Story, command: DiscardToClear) -> Problems:
    """Two cards laid aside remove one card lying before oneself; the hand stays one smaller."""
    match, seat = story.match, command.actor
    problems = list(why_no_turn(match, seat))
    player = match.player(seat)
    hand = 0 if player is None else player.hand
    if hand < CARDS_TO_CLEAR:
        params = {"count": CARDS_TO_CLEAR, "most": hand}
        problems.append(Problem(Code.NOT_SO_MANY_CARDS, params=params))
    if not _lying(match, seat, command.token):
        problems.append(Problem(Code.NOT_BEFORE, params=_token(command.token, seat)))
    if problems:
        return tuple(problems)
    story.tell(Discarded(seat, CARDS_TO_CLEAR))
    story.tell(TakenFromBefore(seat, command.token))
    end_turn(story, seat)
    return ()


def theft(story: Story, command: Theft) -> Problems:
    """A theft, laid before oneself by a player who is not trapped."""
    match, seat = story.match, command.actor
    problems = _why_not(match, seat, Action.THEFT, seat, oneself=True)
    if _lying(match, seat, TRAPPED):
        problems.append(Problem(Code.NO_THEFT_WHILE_TRAPPED, params={"seat": seat}))
    return _put(story, seat, problems, (Action.THEFT, ()), seat, THEFT)


def trap(story: Story, command: Trap) -> Problems:
    """Trapped, laid before another player."""
    problems = _why_not(story.match, command.actor, Action.TRAPPED, command.target, oneself=False)
    return _put(story, command.actor, problems, (Action.TRAPPED, ()), command.target, TRAPPED)


def hands_off(story: Story, command: HandsOff) -> Problems:
    """A theft removed from before any player."""
    problems = _why_not(story.match, command.actor, Action.HANDS_OFF, command.target, oneself=True)
    return _take(story, command.actor, problems, (Action.HANDS_OFF, ()), command.target, THEFT)


def free(story: Story, command: Free) -> Problems:
    """Trapped removed from before anyone."""
    problems = _why_not(story.match, command.actor, Action.FREE, command.target, oneself=True)
    return _take(story, command.actor, problems, (Action.FREE, ()), command.target, TRAPPED)


def _put(
    story: Story, seat: Seat, problems: list[Problem], card: ActionCard, target: Seat, token: str
) -> Problems:
    if _lying(story.match, target, token):
        problems.append(Problem(Code.ALREADY_BEFORE, params=_token(token, target)))
    if problems:
        return tuple(problems)
    play(story, seat, card)
    story.tell(PutBefore(target, token))
    end_turn(story, seat)
    return ()


def _take(
    story: Story, seat: Seat, problems: list[Problem], card: ActionCard, target: Seat, token: str
) -> Problems:
    if story.match.player(target) is not None and not _lying(story.match, target, token):
        problems.append(Problem(Code.NOT_BEFORE, params=_token(token, target)))
    if problems:
        return tuple(problems)
    play(story, seat, card)
    story.tell(TakenFromBefore(target, token))
    end_turn(story, seat)
    return ()


def swap_hands(story: Story, command: SwapHands) -> Problems:
    """All cards changed with another player, who then draws one. Out of the game."""
    problems = _why_not(story.match, command.actor, Action.SWAP_HANDS, command.target, oneself=False)
    if problems:
        return tuple(problems)
    play(story, command.actor, (Action.SWAP_HANDS, ()), out_of_game=True)
    story.tell(HandsSwapped(command.actor, command.target))
    if story.match.pile:
        story.tell(Drew(command.target, 1))
    end_turn(story, command.actor, draw=0)
    return ()


def swap_hats(story: Story, command: SwapHats) -> Problems:
    """Any player lays the role aside unseen and takes one of those left over. Out of the game."""
    match = story.match
    problems = _why_not(match, command.actor, Action.SWAP_HATS, command.target, oneself=True)
    if not match.left_over:
        problems.append(Problem(Code.NO_HATS_LEFT))
    old = None if match.player(command.target) is None else match.at(command.target).role
    if problems or old is None:
        return tuple(problems)
    play(story, command.actor, (Action.SWAP_HATS, ()), out_of_game=True)
    hats = story.shuffled(match.left_over)
    left_over = tuple(role.value for role in (*hats[1:], old))
    story.tell(HatSwapped(command.actor, command.target, hats[0].value, left_over))
    end_turn(story, command.actor)
    return ()


def inspect(story: Story, command: Inspect) -> Problems:
    """A look at another player's role. Out of the game."""
    problems = _why_not(story.match, command.actor, Action.INSPECTION, command.target, oneself=False)
    if problems:
        return tuple(problems)
    role = story.match.at(command.target).role
    play(story, command.actor, (Action.INSPECTION, ()), out_of_game=True)
    story.tell(Inspected(command.actor, command.target, role.value if role else ""))
    end_turn(story, command.actor)
    return ()
