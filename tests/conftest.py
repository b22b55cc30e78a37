"""For all tests: assertions in these modules, which hold no tests themselves, explain themselves too."""

import pytest

pytest.register_assert_rewrite("tests.game.proof.invariants", "tests.game.proof.players", "tests.game.table")
