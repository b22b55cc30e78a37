"""Who is who: the role decks by number of players."""

from __future__ import annotations

from enum import StrEnum

from companion.game.cards import Door


class Role(StrEnum):
    """The roles of both games."""

    MINER = "miner"
    SABOTEUR = "saboteur"
    GREEN_MINER = "green_miner"
    BLUE_MINER = "blue_miner"
    BOSS = "boss"
    PROFITEER = "profiteer"
    GEOLOGIST = "geologist"


BASE_ROLES: dict[int, tuple[int, int]] = {
    3: (1, 3),
    4: (1, 4),
    5: (2, 4),
    6: (2, 5),
    7: (3, 5),
    8: (3, 6),
    9: (3, 7),
    10: (4, 7),
}
"""Players -> (saboteurs, miners) in the role deck: one card more than players."""

BASE_HANDS: dict[int, int] = {3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4}
"""Players -> cards dealt to each."""

EXPANSION_ROLES: dict[Role, int] = {
    Role.GREEN_MINER: 4,
    Role.BLUE_MINER: 4,
    Role.BOSS: 1,
    Role.PROFITEER: 1,
    Role.GEOLOGIST: 2,
    Role.SABOTEUR: 3,
}
"""15 roles that replace the base roles, whatever the number of players."""

FOREIGN_DOOR: dict[Role, Door] = {Role.GREEN_MINER: Door.BLUE, Role.BLUE_MINER: Door.GREEN}
"""Team -> the doors that stop it: those of the other colour."""

EXPANSION_PLAYERS = range(2, 13)
EXPANSION_HAND = 6


def base_role_deck(players: int) -> tuple[Role, ...]:
    """The role cards shuffled for so many players."""
    saboteurs, miners = BASE_ROLES[players]
    return (Role.SABOTEUR,) * saboteurs + (Role.MINER,) * miners


def expansion_role_deck(players: int) -> tuple[Role, ...]:
    """All fifteen, for any number of players."""
    return tuple(role for role, count in EXPANSION_ROLES.items() for _ in range(count))
