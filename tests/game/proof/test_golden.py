"""Two matches as they were once played and read through: nothing about them may change unnoticed.

After a change that is meant, write them anew and read what is different:

    REGENERATE_GOLDEN=1 python -m pytest tests/game/proof/test_golden.py
    git diff tests/game/proof/golden
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.game.options import DEFAULT, Options
from tests.game.proof.playthrough import playthrough

GOLDEN = Path(__file__).parent / "golden"
MATCHES: dict[str, tuple[dict[str, str | bool], int, int]] = {
    "base_5_players": ({}, 5, 1916),
    "expansion_6_players": ({"game": "expansion", "goals": "physical"}, 6, 1914),
}
"""Name -> options other than the defaults, players, seed."""


@pytest.mark.parametrize("name", MATCHES)
def test_the_match_is_played_as_it_was(name: str) -> None:
    changes, number, seed = MATCHES[name]
    options = DEFAULT.changed(changes)
    assert isinstance(options, Options)
    text, file = playthrough(options, number, seed), GOLDEN / f"{name}.txt"
    if os.environ.get("REGENERATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    for number, (line, kept) in enumerate(
        zip(text.splitlines(), file.read_text(encoding="utf-8").splitlines(), strict=False), 1
    ):
        assert line == kept, f"{file.name}, line {number}"
    assert text == file.read_text(encoding="utf-8")
