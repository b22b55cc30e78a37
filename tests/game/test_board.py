"""Laying a path card on the board: next to a card, fitting on all four sides, joined to the start."""

import pytest

from companion.game.board import Board, UnreadableBoard, goal_as_reached
from companion.game.cards import BITS, Face, lay, letters, parse_laid, same_way

GOALS = "8,-2=? 8,0=? 8,2=?"


def verdict(board: str, placement: str) -> list[str]:
    """Codes, with the edge where there is one."""
    place, _, card = placement.partition("=")
    column, row = place.split(",")
    problems = Board.parse(board).verdict((int(column), int(row)), parse_laid(card))
    return [problem.code.value + (f" {problem.edge}" if problem.edge else "") for problem in problems]


def test_the_opening_is_the_start_card_and_three_goals_eight_columns_away() -> None:
    assert str(Board.opening()) == f"0,0=start {GOALS}"


def test_a_card_lies_next_to_a_card_already_laid() -> None:
    assert verdict("0,0=start", "1,0=EW") == []
    assert verdict("0,0=start", "2,0=EW") == ["not_beside"]
    assert verdict("0,0=start", "1,1=EW") == ["not_beside"]


def test_a_taken_cell_takes_no_second_card() -> None:
    assert verdict("0,0=start 1,0=EW", "1,0=NESW") == ["cell_taken"]
    assert verdict(f"0,0=start {GOALS}", "8,0=NESW") == ["cell_taken"]


@pytest.mark.parametrize(
    ("card", "problems"),
    [
        ("EW", []),
        ("NESW", ["tunnel_meets_rock N"]),
        ("NS", ["tunnel_meets_rock N", "rock_meets_tunnel W", "not_joined"]),
    ],
)
def test_rock_meets_rock_and_tunnel_meets_tunnel_on_every_side(card: str, problems: list[str]) -> None:
    assert verdict("0,0=start 1,0=EW 1,-1=NEW 0,-1=NESW 2,-1=EW", "2,0=" + card) == problems


def test_fitting_is_the_same_on_both_sides_not_open_on_both() -> None:
    """Rock against rock fits: a check with "and" would refuse it."""
    assert verdict("0,0=start 1,0=NEW 1,-1=ES 2,-1=EW", "2,0=EW") == []


def test_every_reason_is_given_at_once() -> None:
    assert verdict("0,0=start 1,0=EW 1,1=NW~ 0,1=NESW", "2,1=NS") == ["rock_meets_tunnel W", "not_joined"]


def test_a_dead_end_is_open_for_fitting() -> None:
    assert verdict("0,0=start 1,0=E.W", "2,0=NS") == ["rock_meets_tunnel W", "not_joined"]


def test_nothing_passes_through_a_dead_end() -> None:
    assert verdict("0,0=start 1,0=E.W", "2,0=EW") == ["not_joined"]


def test_a_card_with_one_open_edge_ends_the_way() -> None:
    assert verdict("0,0=start", "1,0=E~") == []
    assert verdict("0,0=start 1,0=E~", "1,-1=NS") == ["tunnel_meets_rock S", "not_joined"]


def test_a_card_cut_off_from_the_start_cannot_be_built_on() -> None:
    """After a rockfall at 1,0."""
    assert verdict("0,0=start 2,0=EW", "3,0=EW") == ["not_joined"]


def test_the_gap_of_a_rockfall_may_be_filled_again() -> None:
    assert verdict("0,0=start 2,0=EW", "1,0=EW") == []
    assert verdict("0,0=start 1,0=EW 2,0=EW", "3,0=EW") == []


def test_goals_face_down_do_not_count_for_fitting() -> None:
    board = f"0,0=start 1,0=EW 2,0=EW 3,0=EW 4,0=EW 5,0=EW 6,0=EW {GOALS}"
    assert verdict(board, "7,0=NW") == [] and verdict(board, "7,0=EW") == []


def test_a_card_cannot_hang_on_a_goal_face_down_alone() -> None:
    assert verdict(f"0,0=start {GOALS}", "7,0=EW") == ["not_beside"]


def test_a_turned_up_goal_constrains_its_neighbours() -> None:
    board = "0,0=start 7,0=NESW 8,0=stone-NE~"
    assert verdict(board, "8,-1=NS") == ["tunnel_meets_rock S", "not_joined"]
    assert verdict(board, "9,0=EW") == ["tunnel_meets_rock W", "not_joined"]


def test_the_way_goes_on_through_a_turned_up_stone() -> None:
    way = " ".join(f"{column},0=EW" for column in range(1, 8))
    assert verdict(f"0,0=start {way} 8,0=stone-NE~", "8,1=NS") == []


def test_the_board_has_no_bounds() -> None:
    assert verdict("0,0=start", "-1,0=EW") == []
    way = " ".join(f"0,{row}=NS" for row in range(1, 9))
    assert verdict(f"0,0=start {way}", "0,9=NS") == []


def test_a_bridge_has_two_ways_that_do_not_meet() -> None:
    assert verdict("0,0=start 1,0=NS.EW", "2,0=EW") == []
    assert verdict("0,0=start 1,0=NS.EW", "1,1=NS") == ["not_joined"]


def test_a_double_curve_joins_only_the_tunnel_that_is_met() -> None:
    assert verdict("0,0=start 1,0=NW.ES", "1,-1=NS") == []
    assert verdict("0,0=start 1,0=NW.ES", "2,0=EW") == ["not_joined"]


def test_a_mixed_card_is_neither_joined_nor_dead_as_a_whole() -> None:
    """EW goes through; N and S are dead ends."""
    assert verdict("0,0=start 1,0=EW.N.S", "2,0=EW") == []
    assert verdict("0,0=start 1,0=EW.N.S", "1,1=NS") == ["not_joined"]


def test_a_ladder_needs_a_neighbour_and_must_fit_but_need_not_be_joined() -> None:
    board = "0,0=start 2,0=EW 3,0=EW"
    assert verdict(board, "4,0=W+ladder") == []
    assert verdict(board, "4,0=S+ladder") == ["rock_meets_tunnel W"]
    assert verdict(board, "9,9=W+ladder") == ["not_beside"]


def test_a_ladder_may_not_be_laid_next_to_a_goal() -> None:
    assert verdict(f"0,0=start 6,0=EW {GOALS}", "7,0=W+ladder") == ["ladder_by_goal"]
    assert verdict("0,0=start 6,0=EW 8,0=gold", "7,0=W+ladder") == ["rock_meets_tunnel E", "ladder_by_goal"]


def test_a_ladder_is_joined_to_the_start_wherever_it_lies() -> None:
    assert verdict("0,0=start 2,0=EW 3,0=W+ladder", "1,0=EW") == []
    board = Board.parse("0,0=start 5,5=EW 6,5=W+ladder")
    assert letters(board.reached[5, 5]) == "EW"


def test_only_path_cards_are_laid() -> None:
    assert verdict("0,0=start", "1,0=gold") == ["not_a_path_card"]


def test_the_start_is_joined_on_all_four_sides() -> None:
    assert {verdict("0,0=start", f"{cell}=NESW") == [] for cell in ("1,0", "-1,0", "0,1", "0,-1")} == {True}


@pytest.mark.parametrize(
    ("way", "stone_ne", "stone_nw"),
    [("W", "SW", "NW"), ("N", "NE", "NW"), ("E", "NE", "ES"), ("S", "SW", "ES")],
)
def test_a_stone_lies_so_that_its_tunnel_takes_up_the_way(way: str, stone_ne: str, stone_nw: str) -> None:
    assert letters(goal_as_reached(Face.parse("stone-NE"), BITS[way]).open) == stone_ne
    assert letters(goal_as_reached(Face.parse("stone-NW"), BITS[way]).open) == stone_nw


def test_the_card_just_laid_decides_how_a_stone_lies_when_two_ways_arrive() -> None:
    face = Face.parse("stone-NE")
    assert letters(goal_as_reached(face, BITS["W"] | BITS["N"], towards=BITS["N"]).open) == "NE"
    assert letters(goal_as_reached(face, BITS["W"] | BITS["N"]).open) == "SW"
    with pytest.raises(ValueError, match="nothing arrives"):
        goal_as_reached(face, 0)


def test_a_dead_end_against_a_goal_does_not_reach_it() -> None:
    way = " ".join(f"{column},0=EW" for column in range(1, 7))
    assert Board.parse(f"0,0=start {way} 7,0=E.W {GOALS}").arrivals() == {}
    assert Board.parse(f"0,0=start {way} 7,0=EW {GOALS}").arrivals() == {(8, 0): BITS["W"]}


def test_one_card_may_reach_two_goals() -> None:
    board = Board.parse("0,0=start 1,0=EW 2,0=NESW 2,-1=? 3,0=?")
    assert set(board.arrivals()) == {(2, -1), (3, 0)}


@pytest.mark.parametrize(
    "text",
    [
        f"0,0=start {GOALS}",
        "-3,-1=NS~ 0,0=start 1,0=NW.ES 2,0=EW+blue 5,2=S+ladder~ 8,-2=stone-NW~ 8,0=? 8,2=gold",
    ],
)
def test_the_text_form_of_a_board_round_trips(text: str) -> None:
    assert str(Board.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1,0=EW",
        "0,0=gold",
        "0,0=start 1=EW",
        "0,0=start 1,0EW",
        "0,0=start a,0=EW",
        "0,0=start 1,0=XY",
        "0,0=start 1,0=EW 1,0=NS",
        "0,0=start 1,0=? 1,0=?",
    ],
)
def test_a_text_that_describes_no_board_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableBoard):
        Board.parse(text)


def test_legal_placements_agree_with_the_verdict() -> None:
    faces = [Face.parse(face) for face in ("EW", "NES", "NS.EW", "S+ladder", "N.E.S.W")]
    board = Board.parse(f"0,0=start 1,0=NESW 2,0=NS 1,1=NS.EW 4,4=EW {GOALS}")
    ways = [lay(face, turned) for face in faces for turned in ([False] if same_way(face) else [False, True])]
    legal = {(cell, laid) for cell in board.openings for laid in ways if not board.verdict(cell, laid)}
    assert set(board.placements(faces)) == legal
    assert len(legal) > 10
