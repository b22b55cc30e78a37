"""What lies in the boxes: every deck as a table that a player can check against the rule book."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from companion.game.cards import Face

Card = TypeVar("Card")


class Tool(StrEnum):
    """What a miner needs to dig; a broken one lies before its player."""

    PICKAXE = "pickaxe"
    LANTERN = "lantern"
    CART = "cart"


class Action(StrEnum):
    """The action cards of both games by what they do."""

    BREAK = "break"
    REPAIR = "repair"
    ROCKFALL = "rockfall"
    MAP = "map"
    THEFT = "theft"
    HANDS_OFF = "hands_off"
    SWAP_HANDS = "swap_hands"
    SWAP_HATS = "swap_hats"
    INSPECTION = "inspection"
    TRAPPED = "trapped"
    FREE = "free"


BASE_PATHS: dict[str, int] = {
    "NS": 4,
    "EW": 3,
    "NW": 4,
    "NE": 5,
    "NES": 5,
    "NEW": 5,
    "NESW": 5,
    "N": 1,
    "E": 1,
    "N.S": 1,
    "E.W": 1,
    "N.W": 1,
    "N.E": 1,
    "N.E.S": 1,
    "N.E.W": 1,
    "N.E.S.W": 1,
}
"""Face -> how many; 40 cards. Counted on scans of the printed deck."""

EXPANSION_PATHS: dict[str, int] = {
    "NS.EW": 2,
    "NW.ES": 1,
    "NE.SW": 1,
    "S+ladder": 1,
    "W+ladder": 1,
    "NW+ladder": 1,
    "NE+ladder": 1,
    "ES+green": 1,
    "EW+green": 1,
    "NS.E+green": 1,
    "NS+blue": 1,
    "EW+blue": 1,
    "SW+blue": 1,
    "ESW+crystal": 3,
    "NES+crystal": 1,
    "NESW+crystal": 1,
    "EW.S+crystal": 1,
    "NSW.E+crystal": 1,
    "ESW.N+crystal": 1,
    "S+crystal": 1,
    "W+crystal": 1,
    "EW.N.S": 1,
    "NS.E.W": 1,
    "NS.E": 1,
    "NE.S": 1,
    "ES.N": 2,
}
"""Face -> how many; 30 cards more."""

ActionCard = tuple[Action, tuple[Tool, ...]]
"""An action card: what it does, and the tools drawn on it."""

BASE_ACTIONS: dict[ActionCard, int] = {
    (Action.BREAK, (Tool.PICKAXE,)): 3,
    (Action.BREAK, (Tool.LANTERN,)): 3,
    (Action.BREAK, (Tool.CART,)): 3,
    (Action.REPAIR, (Tool.PICKAXE,)): 2,
    (Action.REPAIR, (Tool.LANTERN,)): 2,
    (Action.REPAIR, (Tool.CART,)): 2,
    (Action.REPAIR, (Tool.PICKAXE, Tool.LANTERN)): 1,
    (Action.REPAIR, (Tool.PICKAXE, Tool.CART)): 1,
    (Action.REPAIR, (Tool.LANTERN, Tool.CART)): 1,
    (Action.ROCKFALL, ()): 3,
    (Action.MAP, ()): 6,
}
"""27 action cards."""

EXPANSION_ACTIONS: dict[ActionCard, int] = {
    (Action.THEFT, ()): 4,
    (Action.HANDS_OFF, ()): 3,
    (Action.SWAP_HANDS, ()): 2,
    (Action.SWAP_HATS, ()): 2,
    (Action.INSPECTION, ()): 2,
    (Action.TRAPPED, ()): 3,
    (Action.FREE, ()): 4,
    (Action.ROCKFALL, ()): 1,
}
"""21 action cards more."""

GOLD_CARDS: dict[int, int] = {1: 16, 2: 8, 3: 4}
"""Nuggets on a gold card -> how many; 28 cards."""


def joined(*decks: dict[Card, int]) -> dict[Card, int]:
    """Several decks shuffled into one."""
    both: dict[Card, int] = {}
    for deck in decks:
        for card, count in deck.items():
            both[card] = both.get(card, 0) + count
    return both


def faces(deck: dict[str, int]) -> dict[Face, int]:
    """The same deck by face."""
    return {Face.parse(text): count for text, count in deck.items()}
