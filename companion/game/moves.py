"""What a player may do now, and why not, before anything is asked for."""

from __future__ import annotations

from collections.abc import Callable

from companion.game.actions import breakable, fallable, repairable
from companion.game.commands import (
    Break,
    Command,
    DiscardToClear,
    Free,
    HandsOff,
    Inspect,
    Map,
    Place,
    Repair,
    Rockfall,
    SwapHands,
    SwapHats,
    Theft,
    Trap,
)
from companion.game.dealings import CARDS_TO_CLEAR
from companion.game.decks import Action
from companion.game.paths import why_no_path
from companion.game.refusal import Code, Problem
from companion.game.ruleset import rules_of
from companion.game.state import THEFT, TRAPPED, Match, Player
from companion.game.story import Problems
from companion.game.turns import why_no_card, why_no_turn

CARDS: dict[type[Command], Action] = {
    Rockfall: Action.ROCKFALL,
    Map: Action.MAP,
    Theft: Action.THEFT,
    HandsOff: Action.HANDS_OFF,
    SwapHands: Action.SWAP_HANDS,
    SwapHats: Action.SWAP_HATS,
    Inspect: Action.INSPECTION,
    Trap: Action.TRAPPED,
    Free: Action.FREE,
}
"""The kinds of turn that play an action card of one kind only."""


def may(match: Match, player: Player) -> dict[str, Problems]:
    """Why not, for every kind of turn of the game in force (empty: it may be)."""
    turn = why_no_turn(match, player.seat)
    found = {}
    for kind in rules_of(match).turns:
        card = CARDS.get(kind)
        none_left = () if card is None else why_no_card(match, (card, ()))
        found["path" if kind is Place else kind.NAME] = (*turn, *none_left, *_why_not(match, player, kind))
    return found


def _why_not(match: Match, player: Player, kind: type[Command]) -> Problems:
    """Why the board and the players give no occasion for this kind of turn."""
    others = [other for other in match.players if other.seat != player.seat]
    if kind is Place:
        return why_no_path(player)
    if kind is Theft:
        return (
            *_unless(TRAPPED not in player.before, Code.NO_THEFT_WHILE_TRAPPED, seat=player.seat),
            *_unless(THEFT not in player.before, Code.ALREADY_BEFORE, seat=player.seat, token=THEFT),
        )
    if kind is DiscardToClear:
        enough = player.hand >= CARDS_TO_CLEAR
        return (
            *_unless(bool(player.before), Code.NOTHING_BEFORE_YOU),
            *_unless(enough, Code.NOT_SO_MANY_CARDS, count=CARDS_TO_CLEAR, most=player.hand),
        )
    occasions: dict[type[Command], Callable[[], Problems]] = {
        Break: lambda: _unless(bool(breakable(match, player.seat)), Code.NOBODY_TO_BREAK),
        Repair: lambda: _unless(bool(repairable(match)), Code.NOTHING_BROKEN),
        Rockfall: lambda: _unless(bool(fallable(match)), Code.NOTHING_TO_TAKE),
        Map: lambda: _unless(bool(match.board.face_down), Code.NOT_A_HIDDEN_GOAL),
        HandsOff: lambda: _unless(_lies(match, THEFT), Code.BEFORE_NOBODY, token=THEFT),
        Free: lambda: _unless(_lies(match, TRAPPED), Code.BEFORE_NOBODY, token=TRAPPED),
        Trap: lambda: _unless(
            any(TRAPPED not in other.before for other in others), Code.BEFORE_ALL_OTHERS, token=TRAPPED
        ),
        SwapHats: lambda: _unless(bool(match.left_over), Code.NO_HATS_LEFT),
    }
    return occasions[kind]() if kind in occasions else ()


def _unless(occasion: bool, code: Code, **params: object) -> Problems:
    return () if occasion else (Problem(code, params=params),)


def _lies(match: Match, token: str) -> bool:
    return any(token in player.before for player in match.players)
