"""The base game as a rule set: 3 to 10 players."""

from __future__ import annotations

from companion.game import actions, gold, paths
from companion.game.commands import Break, Discard, Map, Pick, Place, Repair, Rockfall
from companion.game.decks import BASE_ACTIONS, BASE_PATHS, GOLD_CARDS, faces
from companion.game.options import Game
from companion.game.roles import BASE_HANDS, BASE_ROLES, base_role_deck
from companion.game.ruleset import RULES, RuleSet

BASE = RULES[Game.BASE] = RuleSet(
    players=range(min(BASE_ROLES), max(BASE_ROLES) + 1),
    paths=faces(BASE_PATHS),
    actions=BASE_ACTIONS,
    role_deck=base_role_deck,
    hand=BASE_HANDS.__getitem__,
    set_aside=0,
    gold_deck=tuple(value for value, count in GOLD_CARDS.items() for _ in range(count)),
    most_discards=1,
    turns={
        Place: paths.place,
        Break: actions.break_tool,
        Repair: actions.repair,
        Rockfall: actions.rockfall,
        Map: actions.look_at_map,
        Discard: actions.discard,
    },
    after_round={Pick: gold.pick},
    gold_reached=gold.gold_reached,
    cards_used_up=gold.cards_used_up,
)
