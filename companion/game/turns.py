"""Whose turn it is: what a turn needs, and how it ends."""

from __future__ import annotations

from companion.game.decks import ActionCard
from companion.game.events import ActionPlayed, Drew, TurnPassed
from companion.game.options import Direction
from companion.game.refusal import Code, Problem
from companion.game.ruleset import rules_of
from companion.game.state import NOBODY, Match, Phase, Seat
from companion.game.story import Problems, Story


def why_no_turn(match: Match, seat: Seat) -> Problems:
    """Why the seat cannot take a turn now."""
    if match.phase is Phase.ASKING:
        return (Problem(Code.GOAL_TO_TELL),)
    if match.phase is not Phase.ROUND:
        return (Problem(Code.NO_ROUND),)
    if match.to_move != seat:
        return (Problem(Code.NOT_YOUR_TURN, params={"seat": match.to_move}),)
    return ()


def why_no_card(match: Match, card: ActionCard) -> Problems:
    """Why no action card of this kind can be left in anybody's hand."""
    count = rules_of(match).actions.get(card)
    action, tools = card
    params = {"action": action.value, "tools": [tool.value for tool in tools]}
    if count is None:
        return (Problem(Code.NO_SUCH_CARD, params=params),)
    if match.used_actions.count(card) + match.gone.count(card) >= count:
        return (Problem(Code.NONE_LEFT, params={**params, "count": count}),)
    return ()


def play(story: Story, seat: Seat, card: ActionCard, out_of_game: bool = False) -> None:
    """An action card leaves a hand."""
    action, tools = card
    story.tell(ActionPlayed(seat, action.value, tuple(tool.value for tool in tools), out_of_game))


def next_seat(match: Match, seat: Seat) -> Seat:
    """Who takes the next turn: the next player with cards, or NOBODY."""
    clockwise = match.options.turns is Direction.CLOCKWISE
    for other in match.after(seat, clockwise):
        if match.at(other).hand:
            return other
    return NOBODY


def end_turn(story: Story, seat: Seat, draw: int = 1) -> None:
    """Draw while the pile lasts, then the next player with cards; the round ends when nobody has any."""
    count = min(draw, story.match.pile)
    if count:
        story.tell(Drew(seat, count))
    following = next_seat(story.match, seat)
    if following == NOBODY:
        rules_of(story.match).cards_used_up(story)
    else:
        story.tell(TurnPassed(following))
