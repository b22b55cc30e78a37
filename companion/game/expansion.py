"""The expansion as a rule set: 2 to 12 players, two teams of miners, doors, crystals and thefts."""

from __future__ import annotations

from companion.game import dealings, shares
from companion.game.base import BASE
from companion.game.commands import (
    DiscardToClear,
    Free,
    HandsOff,
    Inspect,
    Steal,
    SwapHands,
    SwapHats,
    Theft,
    Trap,
)
from companion.game.decks import BASE_ACTIONS, BASE_PATHS, EXPANSION_ACTIONS, EXPANSION_PATHS, faces, joined
from companion.game.options import Game
from companion.game.roles import EXPANSION_HAND, EXPANSION_PLAYERS, expansion_role_deck
from companion.game.ruleset import RULES, RuleSet

EXPANSION = RULES[Game.EXPANSION] = RuleSet(
    players=EXPANSION_PLAYERS,
    paths=faces(joined(BASE_PATHS, EXPANSION_PATHS)),
    actions=joined(BASE_ACTIONS, EXPANSION_ACTIONS),
    role_deck=expansion_role_deck,
    hand=lambda players: EXPANSION_HAND,
    set_aside=10,
    gold_deck=(),
    most_discards=3,
    turns={
        **BASE.turns,
        DiscardToClear: dealings.discard_to_clear,
        Theft: dealings.theft,
        HandsOff: dealings.hands_off,
        SwapHands: dealings.swap_hands,
        SwapHats: dealings.swap_hats,
        Inspect: dealings.inspect,
        Trap: dealings.trap,
        Free: dealings.free,
    },
    after_round={Steal: shares.steal},
    gold_reached=shares.gold_reached,
    cards_used_up=shares.cards_used_up,
)
