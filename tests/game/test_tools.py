"""Action cards of the base game: broken tools, repairs, rockfall, map."""

from dataclasses import replace

from companion.game.actions import repairable
from companion.game.commands import Break, Map, Repair, Rockfall
from companion.game.decks import Action, Tool
from companion.game.events import Peeked
from companion.game.state import Match
from tests.game.table import do, events_of, refused, table

PICKAXE, LANTERN, CART = Tool.PICKAXE, Tool.LANTERN, Tool.CART
BOARD = "0,0=start 1,0=EW 8,-2=? 8,0=stone-NE~ 8,2=?"


def test_a_broken_tool_is_laid_before_any_player() -> None:
    match = do(table(), Break(1, 3, LANTERN))
    assert match.at(3).before == ("lantern",)
    assert (match.at(1).hand, match.pile, match.to_move) == (6, 19, 2)


def test_at_most_one_of_each_tool_lies_before_a_player_so_at_most_three() -> None:
    match = do(table(), Break(1, 3, LANTERN), Break(2, 3, CART), Break(3, 3, PICKAXE))
    assert match.at(3).before == ("lantern", "cart", "pickaxe")
    assert refused(match, Break(1, 3, CART)) == ["already_broken"]


def test_one_may_break_ones_own_tool_unless_the_option_forbids_it() -> None:
    assert refused(table(), Break(1, 1, CART)) == []
    assert refused(table(break_oneself=False), Break(1, 1, CART)) == ["not_oneself"]


def test_there_are_three_broken_tools_of_each_kind_in_a_round() -> None:
    match = do(table(roles=["miner"] * 4), Break(1, 1, CART), Break(2, 2, CART), Break(3, 3, CART))
    assert refused(match, Break(4, 4, CART)) == ["none_left"]


def test_nobody_breaks_the_tool_of_an_empty_seat_or_out_of_turn() -> None:
    assert refused(table(), Break(1, 9, CART)) == ["not_a_seat"]
    assert refused(table(), Break(2, 1, CART)) == ["not_your_turn"]


def test_a_repair_removes_one_matching_tool_from_any_player_oneself_included() -> None:
    match = table(before={1: ("cart",), 2: ("cart", "lantern")})
    assert do(match, Repair(1, 2, CART)).at(2).before == ("lantern",)
    assert do(match, Repair(1, 1, CART)).at(1).before == ()


def test_a_double_repair_removes_one_of_its_two_tools_never_both() -> None:
    match = do(table(before={2: ("lantern", "cart")}), Repair(1, 2, CART, (LANTERN, CART)))
    assert match.at(2).before == ("lantern",)


def test_a_repair_needs_something_to_repair() -> None:
    assert refused(table(), Repair(1, 2, CART)) == ["not_broken"]
    assert refused(table(before={2: ("lantern",)}), Repair(1, 2, CART)) == ["not_broken"]
    assert refused(table(), Repair(1, 9, CART)) == ["not_a_seat"]


def test_what_no_repair_card_is_left_for_is_not_offered() -> None:
    match = table(before={2: ("pickaxe", "cart")})
    used = [(Action.REPAIR, (PICKAXE,))] * 2 + [
        (Action.REPAIR, (PICKAXE, other)) for other in (LANTERN, CART)
    ]
    assert repairable(match) == {2: (PICKAXE, CART)}
    assert repairable(replace(match, used_actions=tuple(used))) == {2: (CART,)}


def test_the_repair_card_must_show_the_tool_and_exist() -> None:
    match = table(before={2: ("cart",)})
    assert refused(match, Repair(1, 2, CART, (PICKAXE, LANTERN))) == ["tool_not_on_card"]
    assert refused(match, Repair(1, 2, CART, (PICKAXE, LANTERN, CART))) == ["no_such_card"]


def test_one_who_repairs_cannot_also_dig() -> None:
    assert do(table(before={1: ("cart",)}), Repair(1, 1, CART)).to_move == 2


def test_a_rockfall_takes_one_path_card_off_the_table() -> None:
    match = do(table(board=BOARD), Rockfall(1, (1, 0)))
    assert str(match.board) == "0,0=start 8,-2=? 8,0=stone-NE~ 8,2=?"


def test_a_rockfall_never_takes_the_start_or_a_goal() -> None:
    match = table(board=BOARD)
    assert refused(match, Rockfall(1, (0, 0))) == ["start_or_goal"]
    assert refused(match, Rockfall(1, (8, 0))) == ["start_or_goal"]
    assert refused(match, Rockfall(1, (8, 2))) == ["start_or_goal"]
    assert refused(match, Rockfall(1, (5, 5))) == ["nothing_to_take"]


def test_there_are_three_rockfalls_in_the_base_game() -> None:
    board = "0,0=start 1,0=EW 2,0=EW 3,0=EW 0,1=NS"
    match = do(table(board=board), Rockfall(1, (3, 0)), Rockfall(2, (2, 0)), Rockfall(3, (1, 0)))
    assert refused(match, Rockfall(1, (0, 1))) == ["none_left"]


def test_a_map_shows_one_hidden_goal_to_its_player_alone() -> None:
    match = do(table(), Map(1, (8, 0)))
    assert match.at(1).peeks == (((8, 0), "gold"),)
    assert match.at(2).peeks == ()


def test_a_map_shows_only_goals_that_lie_face_down() -> None:
    assert refused(table(board=BOARD), Map(1, (8, 0))) == ["not_a_hidden_goal"]
    assert refused(table(), Map(1, (3, 3))) == ["not_a_hidden_goal"]


def test_with_physical_goals_a_map_is_a_look_under_the_card() -> None:
    match: Match = table(physical=True)
    assert Peeked(1, (8, 0), "") in events_of(match, Map(1, (8, 0)))
    assert do(match, Map(1, (8, 0))).at(1).peeks == ()


def test_there_are_six_maps_in_a_round() -> None:
    match = table()
    for turn in range(6):
        match = do(match, Map(turn % 3 + 1, (8, 0)))
    assert refused(match, Map(1, (8, 0))) == ["none_left"]
