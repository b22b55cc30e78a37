"""What a request may ask for, and how a bad one is answered."""

import pytest

from companion.game.cards import Face
from companion.game.commands import (
    FROM_OUTSIDE,
    Command,
    Correct,
    Discard,
    Place,
    Repair,
    StartRound,
    parse_command,
)
from companion.game.decks import Tool
from companion.game.refusal import Problem, Refusal
from companion.game.state import HOST


def refused(**body: object) -> list[tuple[str, object]]:
    answer = parse_command(body, 1)
    assert isinstance(answer, Refusal)
    return [(problem.code.value, problem.params.get("field")) for problem in answer.problems]


def test_the_actor_comes_from_who_asks_never_from_the_request() -> None:
    body = {"do": "discard", "actor": 3, "seat": 3}
    assert parse_command(body, 1) == Discard(1)


@pytest.mark.parametrize(
    ("body", "command"),
    [
        (
            {"do": "place", "cell": [2, -1], "face": "NW", "turned": True},
            Place(1, (2, -1), Face.parse("NW"), True),
        ),
        ({"do": "place", "cell": [2, -1], "face": "NW"}, Place(1, (2, -1), Face.parse("NW"))),
        (
            {"do": "repair", "target": 2, "tool": "cart", "card": ["cart", "pickaxe"]},
            Repair(1, 2, Tool.CART, (Tool.PICKAXE, Tool.CART)),
        ),
        ({"do": "correct", "cell": [1, 1], "face": None}, Correct(1, (1, 1))),
        ({"do": "start_round", "first": None}, StartRound(1)),
    ],
)
def test_a_request_says_what_to_do(body: dict[str, object], command: Command) -> None:
    assert parse_command(body, 1) == command


@pytest.mark.parametrize("do", [None, 7, "\ud800", "", "join", "explode", ["place"], "x" * 1000])
def test_an_unknown_request_is_refused(do: object) -> None:
    assert refused(do=do) == [("bad_command", None)]


@pytest.mark.parametrize(
    "cell", [None, 3, [1], [1, 2, 3], ["1", "2"], [1.5, 0], [True, 0], [101, 0], [0, -(10**9)], "ab"]
)
def test_a_cell_is_a_column_and_a_row_not_far_away(cell: object) -> None:
    assert refused(do="place", cell=cell, face="EW") == [("bad_field", "cell")]


def test_all_bad_fields_are_named_at_once() -> None:
    fields = [("bad_field", "cell"), ("bad_field", "face"), ("bad_field", "turned")]
    assert refused(do="place", face="XY", turned="no") == fields


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"do": "break", "target": 1, "tool": "spoon"}, "tool"),
        ({"do": "break", "target": "1", "tool": "cart"}, "target"),
        ({"do": "break", "target": 10**9, "tool": "cart"}, "target"),
        ({"do": "repair", "target": 1, "tool": "cart", "card": []}, "card"),
        ({"do": "repair", "target": 1, "tool": "cart", "card": ["cart"] * 3}, "card"),
        ({"do": "order", "seats": "123"}, "seats"),
        ({"do": "order", "seats": list(range(51))}, "seats"),
        ({"do": "set_options", "options": []}, "options"),
        ({"do": "end_round", "reason": "x" * 201}, "reason"),
        ({"do": "end_round", "reason": 5}, "reason"),
        ({"do": "end_round", "reason": "half a letter: \ud800"}, "reason"),
        ({"do": "correct", "cell": [1, 0], "face": 5}, "face"),
    ],
)
def test_a_field_that_does_not_say_what_it_should_is_named(body: dict[str, object], field: str) -> None:
    assert refused(**body) == [("bad_field", field)]


def test_every_command_but_joining_can_be_asked_for() -> None:
    assert "join" not in FROM_OUTSIDE
    assert {"place", "break", "undo", "theft", "steal"} <= FROM_OUTSIDE.keys()


def test_a_reason_says_where_it_stands() -> None:
    answer = parse_command({"do": "place", "cell": 1, "face": "EW"}, HOST)
    assert isinstance(answer, Refusal)
    assert answer.problems[0].to_json() == {
        "code": "bad_field",
        "params": {"command": "place", "field": "cell"},
    }
    assert Problem(answer.problems[0].code, (1, 2), "N").to_json()["cell"] == [1, 2]
