"""Single words that sentences are filled with: sides, tools, cards, roles, actions."""

from __future__ import annotations

from companion.wording import N_

EDGES = {"N": N_("up"), "E": N_("right"), "S": N_("down"), "W": N_("left")}
"""Ways out of a card, as the board is seen with the start on the left."""
TOOLS = {"pickaxe": N_("pickaxe"), "lantern": N_("lantern"), "cart": N_("mine cart")}
TOKENS = {**TOOLS, "trapped": N_("trapped"), "theft": N_("theft")}
FACES = {
    "start": N_("start card"),
    "gold": N_("gold"),
    "stone-NE": N_("stone"),
    "stone-NW": N_("stone"),
}
ACTIONS = {
    "break": N_("broken tool"),
    "repair": N_("repair"),
    "rockfall": N_("rockfall"),
    "map": N_("map"),
    "theft": N_("theft"),
    "hands_off": N_("hands off"),
    "swap_hands": N_("swap hands"),
    "swap_hats": N_("swap hats"),
    "inspection": N_("inspection"),
    "trapped": N_("trapped"),
    "free": N_("free at last"),
}
ROLES = {
    "miner": N_("miner"),
    "saboteur": N_("saboteur"),
    "green_miner": N_("green miner"),
    "blue_miner": N_("blue miner"),
    "boss": N_("boss"),
    "profiteer": N_("profiteer"),
    "geologist": N_("geologist"),
}
CELL = N_("column %(column)s, row %(row)s")
DEAD_END = N_("dead end: %(edge)s")
"""One dead end among the tunnels of a card."""
BROKEN = N_("broken tool (%(tools)s)")
REPAIR = N_("repair (%(tools)s)")
TURNED = N_("%(card)s, turned")
CARD_BACK = N_("a card face down")
