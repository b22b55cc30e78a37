"""The expansion: its set-up, its turns, doors, winners, pay and thefts."""

import pytest

from companion.game.commands import (
    Break,
    Discard,
    DiscardToClear,
    Free,
    HandsOff,
    Inspect,
    Join,
    Repair,
    Rockfall,
    SetOptions,
    StartRound,
    Steal,
    SwapHands,
    SwapHats,
    Theft,
    Trap,
)
from companion.game.decks import Tool
from companion.game.events import RoundStarted
from companion.game.moves import may
from companion.game.roles import EXPANSION_ROLES
from companion.game.state import HOST, JOINER, Match, Phase
from tests.game.table import do, events_of, place, refused, table

THREE = ("green_miner", "blue_miner", "saboteur")


def game(roles: tuple[str, ...] = THREE, **settings: object) -> Match:
    settings.setdefault("left_over", ("boss", "geologist"))
    return table(roles=roles, game="expansion", **settings)  # type: ignore[arg-type]


# ------------------------------------------------------------ set-up


def seated(players: int) -> Match:
    match = do(Match(), SetOptions(HOST, {"game": "expansion"}))
    return do(match, *(Join(JOINER, f"Player {seat}") for seat in range(1, players + 1)))


@pytest.mark.parametrize("players", [2, 7, 12])
def test_six_cards_each_ten_out_unseen_one_role_each_from_fifteen(players: int) -> None:
    started = next(e for e in events_of(seated(players), StartRound(HOST)) if isinstance(e, RoundStarted))
    assert (started.hand, started.set_aside, started.pile) == (6, 10, 118 - 10 - 6 * players)
    dealt = [*started.roles, *started.left_over]
    assert {role.value: dealt.count(role) for role in EXPANSION_ROLES} == {
        role.value: count for role, count in EXPANSION_ROLES.items()
    }
    assert len(started.roles) == players


def test_one_player_is_too_few_and_a_thirteenth_too_many() -> None:
    assert refused(seated(1), StartRound(HOST)) == ["too_few_players"]
    assert refused(seated(12), Join(JOINER, "Late")) == ["table_full"]


def test_cards_out_of_the_game_are_missing_from_the_next_deck() -> None:
    match = do(game(hands={1: 1, 2: 1, 3: 0}, pile=0), Inspect(1, 2), Discard(2), StartRound(HOST))
    assert match.pile == 118 - 1 - 10 - 18


# ------------------------------------------------------------ turns


def test_one_to_three_cards_are_discarded_and_as_many_drawn() -> None:
    match = do(game(), Discard(1, 3))
    assert (match.at(1).hand, match.pile, match.discarded) == (6, 17, 3)
    assert refused(game(), Discard(1, 4)) == ["not_so_many_cards"]
    assert refused(game(hands={1: 2}), Discard(1, 3)) == ["not_so_many_cards"]


def test_two_cards_remove_one_card_before_oneself_and_one_is_drawn() -> None:
    match = do(game(before={1: ("cart", "trapped")}), DiscardToClear(1, "trapped"))
    assert (match.at(1).before, match.at(1).hand, match.discarded) == (("cart",), 5, 2)
    assert refused(game(), DiscardToClear(1, "cart")) == ["not_before"]
    assert refused(game(before={1: ("cart",)}, hands={1: 1}), DiscardToClear(1, "cart")) == [
        "not_so_many_cards"
    ]


def test_a_theft_is_laid_before_oneself_and_not_twice() -> None:
    match = do(game(), Theft(1))
    assert match.at(1).before == ("theft",)
    assert refused(do(match, Discard(2), Discard(3)), Theft(1)) == ["already_before"]


def test_a_trapped_player_lays_neither_theft_nor_path_card() -> None:
    match = game(before={1: ("trapped",)})
    assert refused(match, Theft(1)) == ["no_theft_while_trapped"]
    assert refused(match, place(1, "1,0=EW")) == ["trapped"]
    assert refused(match, Discard(1)) == []


def test_hands_off_removes_a_theft() -> None:
    match = do(game(before={2: ("theft",)}), HandsOff(1, 2))
    assert match.at(2).before == ()
    assert refused(game(), HandsOff(1, 2)) == ["not_before"]
    assert refused(game(), HandsOff(1, 9)) == ["not_a_seat"]


def test_trapped_is_laid_before_another_player_once() -> None:
    match = do(game(), Trap(1, 2))
    assert match.at(2).before == ("trapped",)
    assert refused(game(), Trap(1, 1)) == ["not_oneself"]
    assert refused(match, Trap(2, 2)) == ["not_oneself", "already_before"]


def test_free_at_last_removes_trapped_from_anyone() -> None:
    match = do(game(before={1: ("trapped",), 2: ("trapped",)}), Free(1, 1), Free(2, 2))
    assert (match.at(1).before, match.at(2).before) == ((), ())
    assert refused(game(), Free(1, 2)) == ["not_before"]


def test_swap_hands_changes_all_cards_and_the_other_player_draws_one() -> None:
    match = do(game(hands={1: 3, 2: 6}), SwapHands(1, 2))
    assert (match.at(1).hand, match.at(2).hand, match.pile) == (6, 3, 19)
    assert refused(game(), SwapHands(1, 1)) == ["not_oneself"]
    assert do(game(hands={1: 3, 2: 6}, pile=0), SwapHands(1, 2)).at(2).hand == 2


def test_swap_hats_gives_a_role_left_over_to_any_player_oneself_included() -> None:
    match = do(game(left_over=("boss",)), SwapHats(1, 1))
    assert (match.at(1).role, match.left_over) == ("boss", ("green_miner",))
    match = do(game(left_over=("boss",)), SwapHats(1, 3))
    assert (match.at(3).role, match.left_over) == ("boss", ("saboteur",))
    assert refused(game(left_over=()), SwapHats(1, 1)) == ["no_hats_left"]
    assert refused(game(), SwapHats(1, 9)) == ["not_a_seat"]


def test_inspection_is_a_look_at_another_players_role() -> None:
    match = do(game(), Inspect(1, 3))
    assert match.at(1).inspections == ((3, "saboteur"),)
    assert refused(game(), Inspect(1, 1)) == ["not_oneself"]


def test_swaps_and_inspections_go_out_of_the_game() -> None:
    match = do(game(), Inspect(1, 3), SwapHats(2, 2), SwapHands(3, 1))
    assert [action.value for action, _ in match.gone] == ["inspection", "swap_hats", "swap_hands"]
    assert match.used_actions == ()
    match = do(match, Inspect(1, 2))
    assert refused(match, Inspect(2, 1)) == ["none_left"]


def test_there_is_a_fourth_rockfall() -> None:
    board = "0,0=start 1,0=EW 2,0=EW 3,0=EW 0,1=NS"
    match = do(
        game(board=board), Rockfall(1, (3, 0)), Rockfall(2, (2, 0)), Rockfall(3, (1, 0)), Rockfall(1, (0, 1))
    )
    assert str(match.board) == "0,0=start"


def test_the_base_game_knows_none_of_these_turns() -> None:
    for command in (Theft(1), Trap(1, 2), Inspect(1, 2), DiscardToClear(1, "cart"), Steal(1, 2)):
        assert refused(table(), command) == ["not_in_this_game"]
    assert "theft" not in may(table(), table().at(1))


def test_a_player_is_told_why_not_before_asking() -> None:
    why = {name: [p.code.value for p in problems] for name, problems in may(game(), game().at(1)).items()}
    assert why["theft"] == why["trap"] == why["inspect"] == why["swap_hands"] == why["swap_hats"] == []
    assert why["hands_off"] == why["free"] == ["before_nobody"]
    assert why["discard_to_clear"] == ["nothing_before_you"]
    match = game(before=dict.fromkeys((1, 2, 3), ("trapped", "theft")), left_over=(), hands={1: 1})
    why = {name: [p.code.value for p in problems] for name, problems in may(match, match.at(1)).items()}
    assert why["theft"] == ["no_theft_while_trapped", "already_before"]
    assert (why["trap"], why["swap_hats"]) == (["before_all_others"], ["no_hats_left"])
    assert why["discard_to_clear"] == ["not_so_many_cards"]
    assert why["hands_off"] == why["free"] == []


def test_broken_tools_and_repairs_are_as_in_the_base_game() -> None:
    match = do(game(), Break(1, 2, Tool.CART), Repair(2, 2, Tool.CART))
    assert match.at(2).before == ()


# ------------------------------------------------------------ doors and winners

SEVEN = ("boss", "blue_miner", "green_miner", "green_miner", "profiteer", "saboteur", "saboteur")
END = "6,0=NESW 8,-2=? 8,0=? 8,2=?"
PLAIN = f"0,0=start 1,0=EW 2,0=EW 3,0=NESW 4,0=NESW 5,0=NESW {END}"
BLUE_DOOR = f"0,0=start 1,0=EW+blue 2,0=EW 3,0=NESW 4,0=NESW 5,0=NESW {END}"
GREEN_DOOR = f"0,0=start 1,0=EW+green 2,0=EW 3,0=NESW 4,0=NESW 5,0=NESW {END}"
BOTH_DOORS = f"0,0=start 1,0=EW+green 2,0=EW+blue 3,0=NESW 4,0=NESW 5,0=NESW {END}"


def connected(board: str, by: int, roles: tuple[str, ...] = SEVEN, **settings: object) -> Match:
    return do(game(roles=roles, board=board, first=by, **settings), place(by, "7,0=EW"))


def paid(match: Match) -> dict[str, int]:
    return {f"{player.seat} {player.role}": player.nuggets for player in match.players if player.nuggets}


def test_the_rule_books_example() -> None:
    """The boss connects, the way has a blue door: blue, boss and profiteer get 3, 2 and 1."""
    match = connected(BLUE_DOOR, by=1)
    assert match.outcome
    assert match.outcome.winner == "blue"
    assert paid(match) == {"1 boss": 2, "2 blue_miner": 3, "5 profiteer": 1}


def test_a_free_saboteur_with_a_theft_takes_one_a_trapped_one_nothing() -> None:
    match = game(roles=SEVEN, board=BLUE_DOOR, before={7: ("trapped",)})
    match = do(match, *(Discard(seat) for seat in range(1, 6)))
    match = do(match, Theft(6), Discard(7), place(1, "7,0=EW"))
    assert (match.phase, match.thieves) == (Phase.STEALING, (6,))
    assert refused(match, Steal(7, 2)) == ["not_stealing"]
    assert refused(match, Steal(6, 3)) == ["nothing_to_steal"]
    assert refused(match, Steal(6, 6)) == ["not_oneself"]
    assert refused(match, Steal(6, 9)) == ["not_a_seat"]
    match = do(match, Steal(6, 2))
    assert match.phase is Phase.BETWEEN
    assert paid(match) == {"1 boss": 2, "2 blue_miner": 2, "5 profiteer": 1, "6 saboteur": 1}


def test_without_doors_a_neutral_connection_wins_for_both_teams() -> None:
    match = connected(PLAIN, by=6)
    assert match.outcome
    assert match.outcome.winner == "both"
    assert paid(match) == {"2 blue_miner": 1, "3 green_miner": 1, "4 green_miner": 1}


@pytest.mark.parametrize(
    ("board", "by", "winner"),
    [
        (PLAIN, 2, "blue"),
        (PLAIN, 3, "green"),
        (PLAIN, 1, "both"),
        (PLAIN, 5, "both"),
        (PLAIN, 6, "both"),
        (BLUE_DOOR, 2, "blue"),
        (BLUE_DOOR, 3, "blue"),
        (GREEN_DOOR, 2, "green"),
        (GREEN_DOOR, 3, "green"),
        (GREEN_DOOR, 1, "green"),
        (BOTH_DOORS, 1, "nobody"),
        (BOTH_DOORS, 2, "nobody"),
    ],
)
def test_a_team_wins_by_its_own_connection_or_anothers_if_its_way_is_free(
    board: str, by: int, winner: str
) -> None:
    match = connected(board, by)
    assert match.outcome
    assert match.outcome.winner == winner


def test_a_way_round_the_door_is_free() -> None:
    """The green door on 1,0 can be walked round by row 1."""
    board = f"0,0=start 1,0=EW+green 2,0=NESW 0,1=NE 1,1=EW 2,1=NW 3,0=NESW 4,0=NESW 5,0=NESW {END}"
    match = connected(board, by=1)
    assert match.outcome
    assert match.outcome.winner == "both"


def test_the_profiteer_always_wins_the_boss_only_with_a_team() -> None:
    assert paid(connected(BOTH_DOORS, by=1)) == {"5 profiteer": 3}
    match = connected(BOTH_DOORS, by=1, boss_always=True)
    assert paid(match) == {"1 boss": 3, "5 profiteer": 2}


@pytest.mark.parametrize(
    ("roles", "pay"),
    [
        (("blue_miner",), 5),
        (("blue_miner",) * 2, 4),
        (("blue_miner",) * 3, 3),
        (("blue_miner",) * 4, 2),
        (("blue_miner",) * 4 + ("boss",), 1),
    ],
)
def test_each_winner_gets_by_how_many_winners_there_are(roles: tuple[str, ...], pay: int) -> None:
    match = connected(BLUE_DOOR, by=1, roles=(*roles, "saboteur"))
    assert match.at(1).nuggets == pay


def test_nobody_gets_less_than_nothing() -> None:
    """Six winners: one gold each, the boss and the profiteer none."""
    roles = ("blue_miner",) * 4 + ("boss", "profiteer")
    assert [player.nuggets for player in connected(BLUE_DOOR, by=1, roles=roles).players] == [
        1,
        1,
        1,
        1,
        0,
        0,
    ]


def test_a_trapped_winner_is_none_and_gets_no_share() -> None:
    match = connected(BLUE_DOOR, by=1, before={2: ("trapped",)})
    assert paid(match) == {"1 boss": 3, "5 profiteer": 2}


def used_up(roles: tuple[str, ...], board: str = "", **settings: object) -> Match:
    hands = {1: 1, **dict.fromkeys(range(2, len(roles) + 1), 0)}
    return do(game(roles=roles, board=board, hands=hands, pile=0, **settings), Discard(1))


def test_gold_not_reached_the_saboteurs_and_the_profiteer_win() -> None:
    match = used_up(SEVEN)
    assert match.outcome
    assert match.outcome.winner == "saboteurs"
    assert paid(match) == {"5 profiteer": 1, "6 saboteur": 3, "7 saboteur": 3}
    match = used_up(("boss", "profiteer"))
    assert match.outcome
    assert (match.outcome.winner, paid(match)) == ("nobody", {"2 profiteer": 3})


CRYSTALS = "0,0=start 1,0=ESW+crystal 2,0=EW.S+crystal 3,3=S+crystal"


def test_a_geologist_gets_one_for_each_crystal_whoever_won() -> None:
    assert paid(used_up(("geologist", "boss", "boss"), CRYSTALS)) == {"1 geologist": 3}


def test_two_geologists_share_rounded_down_and_a_trapped_one_gets_nothing() -> None:
    roles = ("geologist", "geologist", "boss")
    assert paid(used_up(roles, CRYSTALS)) == {"1 geologist": 1, "2 geologist": 1}
    assert paid(used_up(roles, CRYSTALS, before={2: ("trapped",)})) == {"1 geologist": 3}


def test_geologists_do_not_count_as_winners() -> None:
    match = connected(BLUE_DOOR, by=1, roles=("blue_miner", "geologist", "geologist"))
    assert match.at(1).nuggets == 5


# ------------------------------------------------------------ thefts


def test_the_last_theft_played_goes_first_then_clockwise() -> None:
    match = game(roles=("blue_miner",) * 4, board=BLUE_DOOR)
    match = do(match, Theft(1), Theft(2), Discard(3), Theft(4), Discard(1), Discard(2), place(3, "7,0=EW"))
    assert match.thieves == (4, 1, 2)
    match = do(match, Steal(4, 1), Steal(1, 4))
    assert (match.at(1).gold, match.at(4).gold) == ((1, 1), (2,))
    assert match.thieves == (2,)
    assert (match.at(1).before, match.at(4).before) == ((), ())


def test_a_theft_removed_by_hands_off_does_not_count() -> None:
    match = game(roles=("blue_miner",) * 3, board=BLUE_DOOR)
    match = do(match, Theft(1), HandsOff(2, 1), place(3, "7,0=EW"))
    assert match.phase is Phase.BETWEEN


def test_where_nobody_has_gold_there_is_nothing_to_steal() -> None:
    match = game(roles=("geologist", "geologist"), hands={1: 1, 2: 1}, pile=0)
    match = do(match, Theft(1), Discard(2))
    assert match.phase is Phase.BETWEEN
    assert paid(match) == {}


def test_after_three_rounds_the_game_ends_when_the_stealing_is_done() -> None:
    match = game(roles=("blue_miner",) * 3, board=BLUE_DOOR, round_=3)
    match = do(match, Theft(1), Discard(2), place(3, "7,0=EW"))
    assert match.phase is Phase.STEALING
    assert do(match, Steal(1, 2)).phase is Phase.OVER


# ------------------------------------------------------------ doors by option


def test_a_door_of_the_other_colour_is_a_fault_that_is_shown_with_the_roles() -> None:
    match = do(game(own_doors_only=True), place(1, "1,0=EW+blue"))
    assert match.door_faults == ((1, (1, 0)),)
    assert do(game(own_doors_only=True), place(1, "1,0=EW+green")).door_faults == ()
    assert do(game(own_doors_only=True), place(1, "1,0=EW")).door_faults == ()
    assert do(game(), place(1, "1,0=EW+blue")).door_faults == ()
    assert do(game(own_doors_only=True, first=3), place(3, "1,0=EW+blue")).door_faults == ()
