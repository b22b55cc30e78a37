"""The rules that a table chooses, as questions with the answers to choose from."""

from __future__ import annotations

from companion.wording import N_

OPTIONS: dict[str, tuple[str, dict[str, str]]] = {
    "game": (
        N_("Which game lies on the table?"),
        {"base": N_("The base game"), "expansion": N_("The base game with the expansion")},
    ),
    "goals": (
        N_("Who shuffles the three goal cards?"),
        {
            "dealt": N_("Pithead does. Maps are looked at on the phone."),
            "physical": N_("We do, with our hands. Maps are looked at on the table."),
        },
    ),
    "turns": (
        N_("Which way round do the turns go?"),
        {"clockwise": N_("Clockwise"), "counter_clockwise": N_("Counter-clockwise")},
    ),
    "break_oneself": (
        N_("May players break their own tools?"),
        {"true": N_("Yes"), "false": N_("No")},
    ),
    "gold_drawn": (
        N_("How many gold cards are shared out when the miners win?"),
        {
            "players": N_("As many as there are players (first edition)"),
            "miners": N_("One for each miner (revised edition)"),
        },
    ),
    "gold_passing": (
        N_("Which way round is the gold passed on?"),
        {"clockwise": N_("Clockwise"), "counter_clockwise": N_("Counter-clockwise")},
    ),
    "broken_get_nothing": (
        N_("Do miners with a broken tool get gold?"),
        {"false": N_("Yes"), "true": N_("No")},
    ),
    "next_starter": (
        N_("Who begins the next round?"),
        {
            "after_last": N_("The player after the one who played the last card"),
            "after_starter": N_("The player after the one who began this round"),
            "last_path": N_("The player who laid the last path card"),
        },
    ),
    "own_doors_only": (
        N_("Expansion: which doors may miners lay?"),
        {"false": N_("Both colours"), "true": N_("Only their own colour")},
    ),
    "boss_always": (
        N_("Expansion: when does the boss win?"),
        {"false": N_("When a team of miners wins"), "true": N_("Whenever the gold is reached")},
    ),
}
"""Option -> (question, value as text -> answer)."""

OF_THE_BASE_GAME = frozenset({"gold_drawn", "gold_passing", "broken_get_nothing"})
"""Options that mean nothing with the expansion."""
OF_THE_EXPANSION = frozenset({"own_doors_only", "boss_always"})
"""Options that mean nothing without it."""
