"""The referee: what the camera steadily sees against the board that the match keeps."""

from __future__ import annotations

from typing import Any

import pytest

from companion.game.board import parse_placement
from companion.game.cards import Kind, letters
from companion.game.commands import EndRound, Place, RevealGoal, Rockfall, StartRound
from companion.game.state import HOST, Match
from companion.referee import Lying, Review, Sight, UnreadableSight, carry, review
from tests.game.table import do, place, table

SET_UP = "0,0=start 8,-2=? 8,0=? 8,2=?"
NONE: Lying = frozenset()


def sight(cards: str, steady: bool = True, hidden: tuple[tuple[int, int], ...] = (), **since: float) -> Sight:
    """A sight in the text form of a board; `at_1_0=5.0` says since when the card in cell 1,0 lies there."""
    seen: list[dict[str, Any]] = []
    for part in cards.split():
        cell, laid = parse_placement(part)
        kind = Kind.GOAL if laid is None else laid.face.kind
        seen.append(
            {
                "cell": list(cell),
                "kind": kind.value,
                "tunnels": [] if laid is None else [list(letters(tunnel)) for tunnel in laid.face.tunnels],
                "turned": laid is not None and laid.turned,
                "face_up": laid is not None,
                "since": since.get(f"at_{cell[0]}_{cell[1]}", 1.0),
            }
        )
    return Sight.parse({"cards": seen, "hidden": [list(cell) for cell in hidden], "steady": steady})


def issues(answer: Review) -> list[tuple[str, tuple[int, int] | None]]:
    return [(found.code.value, found.cell) for found in answer.disagreements]


def test_a_table_that_agrees_with_the_game_needs_no_word() -> None:
    assert review(table(board=f"{SET_UP} 1,0=EW"), sight(f"{SET_UP} 1,0=EW")) == Review()


def test_a_new_legal_card_is_the_turn_of_the_player_to_move() -> None:
    answer = review(table(first=2), sight(f"{SET_UP} 1,0=NSW"))
    assert isinstance(answer.proposal, Place)
    assert (answer.proposal.actor, answer.proposal.cell, str(answer.proposal.face)) == (2, (1, 0), "NES")
    assert answer.verdict
    assert answer.verdict.problems == ()


def test_an_illegal_card_gets_its_reasons_and_nothing_is_done() -> None:
    answer = review(table(board=f"{SET_UP} 1,0=EW"), sight(f"{SET_UP} 1,0=EW 2,0=NS"))
    assert answer.proposal is None
    assert answer.verdict
    assert [(p.code.value, p.edge) for p in answer.verdict.problems] == [
        ("rock_meets_tunnel", "W"),
        ("not_joined", None),
    ]
    assert answer.verdict.to_json()["legal"] is False


def test_a_card_of_a_player_with_a_broken_lantern_is_illegal() -> None:
    answer = review(table(before={1: ("lantern",)}), sight(f"{SET_UP} 1,0=EW"))
    assert answer.verdict
    assert [problem.code.value for problem in answer.verdict.problems] == ["broken_tools"]


def test_an_illegal_card_that_is_moved_to_a_right_place_is_a_turn() -> None:
    match = table(board=f"{SET_UP} 1,0=EW")
    assert review(match, sight(f"{SET_UP} 1,0=EW 3,0=EW")).proposal is None
    assert review(match, sight(f"{SET_UP} 1,0=EW 2,0=EW")).proposal is not None


def test_of_two_new_cards_the_one_laid_first_is_judged_and_the_other_waits() -> None:
    seen = sight(f"{SET_UP} 1,0=EW 0,1=NS", at_1_0=9.0, at_0_1=4.0)
    answer = review(table(), seen)
    assert isinstance(answer.proposal, Place)
    assert answer.proposal.cell == (0, 1)
    assert issues(answer) == [("extra", (1, 0))]


def test_of_two_cards_laid_in_the_same_moment_the_one_that_fits_is_taken_first() -> None:
    seen = sight(f"{SET_UP} 1,0=EW 2,0=EW", at_1_0=5.5, at_2_0=5.0)
    answer = review(table(), seen)
    assert isinstance(answer.proposal, Place)
    assert answer.proposal.cell == (1, 0)


def test_an_earlier_illegal_card_is_not_passed_over_for_a_later_legal_one() -> None:
    answer = review(table(), sight(f"{SET_UP} 1,0=NS 0,1=NS", at_1_0=5.0, at_0_1=15.0))
    assert answer.proposal is None
    assert answer.verdict
    assert answer.verdict.cell == (1, 0)


def test_a_card_seen_otherwise_than_the_game_has_it_differs() -> None:
    board = table(board=f"{SET_UP} 1,0=NES")
    assert issues(review(board, sight(f"{SET_UP} 1,0=NES~"))) == [("differs", (1, 0))]
    assert issues(review(board, sight(f"{SET_UP} 1,0=EW"))) == [("differs", (1, 0))]


def test_a_straight_turned_round_is_the_same_straight() -> None:
    assert review(table(board=f"{SET_UP} 1,0=EW"), sight(f"{SET_UP} 1,0=EW~")) == Review()


def test_a_card_that_is_gone_is_missed_once_the_table_is_quiet_and_its_place_in_sight() -> None:
    match = table(board=f"{SET_UP} 1,0=EW")
    assert issues(review(match, sight(SET_UP))) == [("missing", (1, 0))]
    assert issues(review(match, sight(SET_UP, steady=False))) == []
    assert issues(review(match, sight(SET_UP, hidden=((1, 0),)))) == []


def test_a_card_in_a_goals_place_is_illegal_there() -> None:
    answer = review(table(), sight("0,0=start 8,-2=? 8,0=EW 8,2=?"))
    assert answer.verdict
    assert [problem.code.value for problem in answer.verdict.problems] == ["cell_taken"]


def test_a_card_of_no_known_shape_is_no_card_of_the_game() -> None:
    answer = review(table(), sight(f"{SET_UP} 1,0=NS.EW"))
    assert answer.verdict
    assert [problem.code.value for problem in answer.verdict.problems] == ["not_a_path_card"]


# ------------------------------------------------------------ goals


def test_a_goal_turned_up_before_it_was_reached_is_told() -> None:
    assert issues(review(table(), sight("0,0=start 8,-2=? 8,0=gold 8,2=?"))) == [("goal_up_early", (8, 0))]


def test_a_dealt_goal_that_was_reached_is_to_be_laid_the_right_way_up() -> None:
    match = table(board="0,0=start 8,-2=? 8,0=stone-NE~ 8,2=?")
    answer = review(match, sight(SET_UP))
    assert issues(answer) == [("goal_to_lay", (8, 0))]
    assert answer.disagreements[0].params == {"card": "stone-NE~"}
    assert issues(review(match, sight("0,0=start 8,-2=? 8,0=stone-NE 8,2=?"))) == [("goal_differs", (8, 0))]
    assert issues(review(match, sight("0,0=start 8,-2=? 8,0=gold 8,2=?"))) == [("goal_differs", (8, 0))]
    assert issues(review(match, sight("0,0=start 8,-2=? 8,0=stone-NE~ 8,2=?"))) == []


def test_a_physical_goal_that_was_reached_is_told_by_the_camera() -> None:
    way = "0,0=start 1,0=EW 2,0=EW 3,0=NESW 4,0=NESW 5,0=NESW 6,0=NESW 8,-2=? 8,0=? 8,2=?"
    match = do(table(board=way, physical=True), place(1, "7,0=EW"))
    lying = f"{way} 7,0=EW"
    assert review(match, sight(lying)).proposal is None
    answer = review(match, sight(lying.replace("8,0=?", "8,0=stone-NE~")))
    assert isinstance(answer.proposal, RevealGoal)
    assert (answer.proposal.actor, answer.proposal.cell, str(answer.proposal.face)) == (
        HOST,
        (8, 0),
        "stone-NE",
    )
    assert do(match, answer.proposal).to_move == 2


def test_a_stone_is_known_whichever_way_up_the_deck_prints_it() -> None:
    """A deck folder may print the stone as {S,W}: upright it lies as ours does when turned."""
    entry = {
        "cell": [8, 0],
        "kind": "goal",
        "tunnels": [["S", "W"]],
        "turned": False,
        "face_up": True,
        "since": 0,
    }
    seen = Sight.parse({"cards": [entry], "hidden": [], "steady": True})
    laid = seen.cards[8, 0].laid
    assert laid
    assert str(laid) == "stone-NE~"


# ------------------------------------------------------------ out of the game, still on the table


def stepped(lying: Lying, before: Match, after: Match, seen: Sight) -> tuple[Lying, Review]:
    lying = carry(lying, before, after, seen)
    return lying, review(after, seen, lying)


def test_after_a_rockfall_the_card_is_to_be_cleared_away_and_is_no_new_turn() -> None:
    before = table(board=f"{SET_UP} 1,0=EW")
    after = do(before, Rockfall(1, (1, 0)))
    lying, answer = stepped(NONE, before, after, sight(f"{SET_UP} 1,0=EW"))
    assert issues(answer) == [("clear_away", (1, 0))]
    assert answer.proposal is None
    lying = carry(lying, after, after, sight(SET_UP))
    assert lying == NONE
    assert review(after, sight(f"{SET_UP} 1,0=EW"), lying).proposal is not None


def test_the_maze_of_the_last_round_is_cleared_away_before_the_next_begins() -> None:
    before = do(table(board=f"{SET_UP} 1,0=EW"), EndRound(HOST))
    after = do(before, StartRound(HOST))
    _, answer = stepped(NONE, before, after, sight(f"{SET_UP} 1,0=EW 5,5=NS"))
    assert issues(answer) == [("clear_away", (1, 0)), ("clear_away", (5, 5))]
    assert answer.proposal is None


def test_a_whole_maze_to_clear_away_is_told_in_one_sentence() -> None:
    maze = f"{SET_UP} 1,0=EW 2,0=EW 3,0=EW"
    before = do(table(board=maze), EndRound(HOST))
    after = do(before, StartRound(HOST))
    lying, answer = stepped(NONE, before, after, sight(f"{maze} 5,5=NS"))
    assert issues(answer) == [("old_maze", None)]
    assert answer.disagreements[0].params == {"count": 4}
    assert answer.proposal is None
    # The last one is pointed out, and a card laid meanwhile is a turn.
    answer = review(after, sight(f"{SET_UP} 2,0=EW 1,0=NESW"), lying)
    assert issues(answer) == [("clear_away", (2, 0))]
    assert isinstance(answer.proposal, Place) and answer.proposal.cell == (1, 0)


def test_cards_that_an_undo_took_back_are_pointed_out_beside_a_maze_that_stays() -> None:
    way = " ".join(f"{column},0=EW" for column in range(1, 6))
    undone = " ".join(f"{column},1=EW" for column in range(1, 5))
    before, after = table(board=f"{SET_UP} {way} {undone}"), table(board=f"{SET_UP} {way}")
    _, answer = stepped(NONE, before, after, sight(f"{SET_UP} {way} {undone}"))
    assert issues(answer) == [("clear_away", (column, 1)) for column in range(1, 5)]


def test_a_camera_that_has_just_begun_to_look_makes_nothing_gone() -> None:
    before = table(board=f"{SET_UP} 1,0=EW")
    after = do(before, Rockfall(1, (1, 0)))
    lying = carry(NONE, before, after, sight(f"{SET_UP} 1,0=EW"))
    lying = carry(lying, after, after, sight("", steady=False))
    assert review(after, sight(f"{SET_UP} 1,0=EW"), lying).proposal is None
    assert carry(lying, after, after, sight(SET_UP)) == NONE


def test_a_fallen_card_under_a_hand_still_lies_there() -> None:
    before = table(board=f"{SET_UP} 1,0=EW")
    after = do(before, Rockfall(1, (1, 0)))
    lying = carry(NONE, before, after, sight(f"{SET_UP} 1,0=EW"))
    assert carry(lying, after, after, sight(SET_UP, hidden=((1, 0),))) == lying


def test_a_card_that_waits_for_its_verdict_still_waits_after_another_step() -> None:
    before = table(board=f"{SET_UP} 1,0=EW")
    seen = sight(f"{SET_UP} 1,0=EW 3,0=NS")
    after = do(before, Rockfall(1, (1, 0)))
    _, answer = stepped(NONE, before, after, seen)
    assert answer.verdict
    assert answer.verdict.cell == (3, 0)


def test_a_card_laid_out_of_the_game_again_by_the_game_is_part_of_it() -> None:
    before = table(board=f"{SET_UP} 1,0=EW")
    fallen = do(before, Rockfall(1, (1, 0)))
    seen = sight(f"{SET_UP} 1,0=EW")
    lying = carry(NONE, before, fallen, seen)
    assert carry(lying, fallen, do(fallen, place(2, "1,0=EW")), seen) == NONE


# ------------------------------------------------------------ before a round


def test_before_a_round_the_start_card_and_three_goals_are_looked_for() -> None:
    lobby = do(table(), EndRound(HOST))
    assert issues(review(lobby, sight(SET_UP))) == []
    assert issues(review(lobby, sight("8,0=? 8,2=?"))) == [("no_start_card", None), ("goals_missing", None)]
    assert issues(review(lobby, sight("", steady=False))) == []


def test_nobody_is_told_to_set_up_while_the_last_maze_still_lies_there() -> None:
    between = do(table(board=f"{SET_UP} 1,0=EW"), EndRound(HOST))
    assert issues(review(between, sight("0,0=start 1,0=EW 8,0=?"))) == []


# ------------------------------------------------------------ bad reports


CARD = {"cell": [0, 0], "kind": "path", "tunnels": [], "turned": False, "face_up": False, "since": 0}


@pytest.mark.parametrize(
    "report",
    [
        {},
        {"cards": 3, "hidden": [], "steady": True},
        {"cards": [{}], "hidden": [], "steady": True},
        {"cards": [], "hidden": [[1]], "steady": True},
        {"cards": [{**CARD, "cell": [0]}], "hidden": [], "steady": True},
        {"cards": [{**CARD, "kind": "tarot"}], "hidden": [], "steady": True},
    ],
)
def test_a_report_that_is_none_is_unreadable(report: dict[str, Any]) -> None:
    with pytest.raises(UnreadableSight):
        Sight.parse(report)


def test_a_card_whose_tunnels_make_no_sense_is_of_no_known_shape() -> None:
    entry = {
        "cell": [1, 0],
        "kind": "path",
        "tunnels": [["N", "N"]],
        "turned": False,
        "face_up": True,
        "since": 0,
    }
    seen = Sight.parse({"cards": [entry], "hidden": [], "steady": True})
    assert seen.cards[1, 0].laid is None
    assert review(table(), seen).verdict is None
