"""Cards: edges, tunnels, the decks of both boxes."""

import pytest

from companion.game.cards import GOALS, Face, Kind, UnreadableCard, lay, letters, parse_laid, same_way
from companion.game.decks import (
    BASE_ACTIONS,
    BASE_PATHS,
    EXPANSION_ACTIONS,
    EXPANSION_PATHS,
    GOLD_CARDS,
    Action,
)


def test_the_base_deck_has_40_path_cards_and_27_action_cards() -> None:
    assert sum(BASE_PATHS.values()) == 40
    assert sum(BASE_ACTIONS.values()) == 27


def test_straights_are_4_upright_and_3_across() -> None:
    assert (BASE_PATHS["NS"], BASE_PATHS["EW"]) == (4, 3)


def test_curves_t_pieces_and_crosses_are_counted_as_on_the_printed_deck() -> None:
    assert [BASE_PATHS[face] for face in ("NW", "NE", "NES", "NEW", "NESW")] == [4, 5, 5, 5, 5]


def test_there_is_one_of_each_dead_end() -> None:
    dead_ends = [face for face in BASE_PATHS if all(len(tunnel) == 1 for tunnel in face.split("."))]
    assert dead_ends == ["N", "E", "N.S", "E.W", "N.W", "N.E", "N.E.S", "N.E.W", "N.E.S.W"]
    assert {BASE_PATHS[face] for face in dead_ends} == {1}


def test_actions_are_9_broken_tools_6_single_and_3_double_repairs_3_rockfalls_6_maps() -> None:
    def count(action: Action, tools: int) -> int:
        return sum(n for (kind, shown), n in BASE_ACTIONS.items() if kind is action and len(shown) == tools)

    assert count(Action.BREAK, 1) == 9
    assert (count(Action.REPAIR, 1), count(Action.REPAIR, 2)) == (6, 3)
    assert (count(Action.ROCKFALL, 0), count(Action.MAP, 0)) == (3, 6)


def test_28_gold_cards_hold_one_two_or_three_nuggets() -> None:
    assert GOLD_CARDS == {1: 16, 2: 8, 3: 4}


def test_the_expansion_adds_30_path_cards_and_21_actions() -> None:
    assert sum(EXPANSION_PATHS.values()) == 30
    assert sum(EXPANSION_ACTIONS.values()) == 21


def test_ten_cards_of_the_expansion_show_a_crystal() -> None:
    assert sum(count for face, count in EXPANSION_PATHS.items() if Face.parse(face).crystal) == 10


def test_a_card_turned_by_180_degrees_opens_on_the_opposite_edges() -> None:
    assert letters(parse_laid("NW~").open) == "ES"
    assert parse_laid("NES~").tunnels == parse_laid("NSW").tunnels


def test_a_straight_and_a_bridge_are_the_same_either_way_up() -> None:
    assert same_way(Face.parse("NS")) and same_way(Face.parse("NS.EW")) and same_way(Face.parse("NW.ES"))
    assert not same_way(Face.parse("NES")) and not same_way(Face.parse("N"))


@pytest.mark.parametrize("face", [*BASE_PATHS, *EXPANSION_PATHS, "start", "gold", "stone-NE", "stone-NW"])
def test_the_text_form_of_a_face_round_trips(face: str) -> None:
    assert str(Face.parse(face)) == face
    assert str(lay(Face.parse(face), True)) == face + "~"


@pytest.mark.parametrize(
    "text", ["", "NN", "X", "N.N", "NS.SE", "NS+purple", "NS+green+blue", "NS+green+green", "."]
)
def test_a_text_that_names_no_card_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableCard):
        Face.parse(text)


def test_a_goal_of_a_deck_folder_is_known_by_its_tunnels_either_way_up() -> None:
    assert [str(goal) for goal in GOALS] == ["gold", "stone-NE", "stone-NW"]
    assert str(Face.of_tunnels(Kind.GOAL, [["W", "S"]])) == "stone-NE"
    assert str(Face.of_tunnels(Kind.GOAL, [["S", "E"]])) == "stone-NW"
    assert Face.of_tunnels(Kind.GOAL, [["N", "E", "S", "W"]]).is_gold
    assert Face.of_tunnels(Kind.START, [["N", "E", "S", "W"]]).kind is Kind.START
    with pytest.raises(UnreadableCard):
        Face.of_tunnels(Kind.GOAL, [["N", "S"]])


def test_a_path_card_of_a_deck_folder_is_known_by_its_tunnels() -> None:
    assert str(Face.of_tunnels(Kind.PATH, [["E"], ["S", "N"]])) == "NS.E"


def test_an_edge_that_stands_alone_is_a_tunnel_of_its_own_and_rock_is_none() -> None:
    laid = parse_laid("NS.E")
    assert [letters(laid.tunnel(edge)) for edge in (1, 2, 4, 8)] == ["NS", "E", "NS", ""]
