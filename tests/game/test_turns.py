"""Setting up, taking turns, and how a round comes to an end."""

import random

import pytest

from companion.game.cards import GOAL_CELLS
from companion.game.commands import (
    Discard,
    EndRound,
    Join,
    Leave,
    Map,
    Order,
    Pick,
    Rename,
    SetOptions,
    StartRound,
)
from companion.game.decide import decide
from companion.game.events import RoundStarted
from companion.game.options import Options, choices
from companion.game.refusal import Refusal
from companion.game.state import HOST, JOINER, Ending, Match, Phase
from tests.game.table import do, events_of, place, refused, table


def seated(players: int, **options: object) -> Match:
    match = Match()
    if options:
        match = do(match, SetOptions(HOST, options))
    return do(match, *(Join(JOINER, f"Player {seat}") for seat in range(1, players + 1)))


def started(match: Match, seed: int = 0, first: int = 0) -> RoundStarted:
    return next(e for e in events_of(match, StartRound(HOST, first), seed) if isinstance(e, RoundStarted))


# ------------------------------------------------------------ set-up


@pytest.mark.parametrize(
    ("players", "saboteurs", "miners", "hand"),
    [
        (3, 1, 3, 6),
        (4, 1, 4, 6),
        (5, 2, 4, 6),
        (6, 2, 5, 5),
        (7, 3, 5, 5),
        (8, 3, 6, 4),
        (9, 3, 7, 4),
        (10, 4, 7, 4),
    ],
)
def test_roles_and_hands_by_the_number_of_players(
    players: int, saboteurs: int, miners: int, hand: int
) -> None:
    event = started(seated(players))
    dealt = [*event.roles, *event.left_over]
    assert (dealt.count("saboteur"), dealt.count("miner")) == (saboteurs, miners)
    assert (len(event.roles), len(event.left_over)) == (players, 1)
    assert (event.hand, event.pile) == (hand, 67 - hand * players)


def test_with_3_players_there_may_be_no_saboteur_at_all() -> None:
    left_over = {started(seated(3), seed).left_over for seed in range(20)}
    assert left_over == {("miner",), ("saboteur",)}


def test_chance_deals_every_role_to_every_seat_and_the_gold_to_every_goal() -> None:
    events = [started(seated(5), seed) for seed in range(60)]
    assert {seat for event in events for seat, role in enumerate(event.roles) if role == "saboteur"} == set(
        range(5)
    )
    assert {cell for event in events for cell, goal in event.goals if goal == "gold"} == set(GOAL_CELLS)


def test_physical_goals_are_dealt_by_hand() -> None:
    assert started(seated(3, goals="physical")).goals == ()


@pytest.mark.parametrize(("players", "code"), [(0, "too_few_players"), (2, "too_few_players")])
def test_fewer_than_3_players_cannot_start(players: int, code: str) -> None:
    assert refused(seated(players), StartRound(HOST)) == [code]


def test_an_eleventh_player_finds_the_table_full() -> None:
    assert refused(seated(10), Join(JOINER, "Late")) == ["table_full"]


def test_twelve_who_sat_down_for_the_expansion_are_too_many_for_the_base_game() -> None:
    match = do(seated(12, game="expansion"), SetOptions(HOST, {"game": "base"}))
    assert refused(match, StartRound(HOST)) == ["too_many_players"]


def test_the_agreed_player_begins_or_else_who_sits_first() -> None:
    assert started(seated(4)).first == 1
    assert started(seated(4), first=3).first == 3
    assert refused(seated(4), StartRound(HOST, 9)) == ["not_a_seat"]


def test_only_the_host_starts_orders_sets_options_and_ends() -> None:
    match = seated(3)
    for command in (StartRound(1), Order(1, (1, 2, 3)), SetOptions(1, {}), EndRound(1)):
        assert refused(match, command) == ["not_host"]


def test_names_are_tidied() -> None:
    match = do(Match(), Join(JOINER, "  Ada \n Lovelace\x00 "))
    assert match.players[0].name == "Ada Lovelace"


def test_names_may_repeat_and_are_told_apart() -> None:
    match = do(Match(), *(Join(JOINER, name) for name in ("Ada", "ADA", "Ben", "Ada", "Ada (2)")))
    assert [player.name for player in match.players] == ["Ada", "ADA (2)", "Ben", "Ada (3)", "Ada (2) (2)"]
    renamed = do(match, Rename(3, 3, "ada"), Rename(HOST, 1, "Zoe"))
    assert [renamed.at(seat).name for seat in (1, 3)] == ["Zoe", "ada (4)"]
    assert do(match, Rename(2, 2, "Ada")).at(2).name == "Ada (2)"


def test_another_name_is_taken_by_who_sits_there_or_the_host_and_not_during_a_round() -> None:
    assert refused(table(), Rename(1, 1, "Zoe")) == ["round_running"]
    lobby = do(Match(), Join(JOINER, "Ada"), Join(JOINER, "Ben"))
    assert refused(lobby, Rename(2, 1, "Zoe")) == ["not_host"]
    assert refused(lobby, Rename(HOST, 5, "Zoe")) == ["not_a_seat"]
    assert refused(lobby, Rename(1, 1, " ")) == ["bad_name"]


def test_the_invisible_letters_of_hindi_names_are_kept() -> None:
    match = do(Match(), Join(JOINER, "रा\u200dम\u200c"))
    assert match.players[0].name == "रा\u200dम\u200c"


@pytest.mark.parametrize("name", ["", "   ", "\u200d", "\x07", "x" * 25])
def test_a_name_has_1_to_24_characters(name: str) -> None:
    assert refused(Match(), Join(JOINER, name)) == ["bad_name"]


def test_nobody_sits_down_or_gets_up_in_the_middle_of_a_round() -> None:
    assert refused(table(), Join(JOINER, "Late")) == ["round_running"]
    assert refused(table(), Leave(1, 1)) == ["round_running"]
    assert refused(table(), Order(HOST, (3, 2, 1))) == ["round_running"]
    assert refused(table(), StartRound(HOST)) == ["round_running"]


def test_a_seat_is_given_up_by_its_player_or_the_host_and_not_given_again() -> None:
    match = seated(3)
    assert refused(match, Leave(1, 2)) == ["not_host"]
    assert refused(match, Leave(HOST, 7)) == ["not_a_seat"]
    match = do(match, Leave(2, 2), Leave(HOST, 3), Join(JOINER, "New"))
    assert [player.seat for player in match.players] == [1, 4]


def test_the_host_says_who_sits_where() -> None:
    match = do(seated(3), Order(HOST, (3, 1, 2)))
    assert [player.seat for player in match.players] == [3, 1, 2]
    assert refused(match, Order(HOST, (3, 1))) == ["bad_order"]
    assert refused(match, Order(HOST, (3, 1, 1))) == ["bad_order"]


def test_options_are_chosen_before_a_game_and_kept() -> None:
    match = do(seated(3), SetOptions(HOST, {"turns": "counter_clockwise", "broken_get_nothing": True}))
    assert (match.options.turns, match.options.broken_get_nothing) == ("counter_clockwise", True)
    assert refused(table(), SetOptions(HOST, {})) == ["game_running"]


def test_an_unknown_option_or_value_is_refused_with_all_others() -> None:
    bad = {"turns": "sideways", "nonsense": 1, "break_oneself": "yes", "boss_always": 1}
    assert refused(seated(3), SetOptions(HOST, bad)) == ["bad_option"] * 4


def test_every_option_has_the_publishers_ruling_as_its_default() -> None:
    assert {name: values[0] for name, values in choices().items()} == Options().to_json()
    assert all(len(values) == 2 or name == "next_starter" for name, values in choices().items())


# ------------------------------------------------------------ turns


def test_turns_go_clockwise_or_by_option_the_other_way() -> None:
    assert do(table(), Discard(1)).to_move == 2
    assert do(table(turns="counter_clockwise"), Discard(1)).to_move == 3


def test_one_card_is_discarded_and_one_drawn_while_the_pile_lasts() -> None:
    match = do(table(pile=1), Discard(1))
    assert (match.at(1).hand, match.pile, match.discarded) == (6, 0, 1)
    match = do(match, Discard(2))
    assert (match.at(2).hand, match.pile, match.discarded) == (5, 0, 2)


def test_in_the_base_game_only_one_card_is_discarded_at_a_time() -> None:
    assert refused(table(), Discard(1, 2)) == ["not_so_many_cards"]
    assert refused(table(), Discard(1, 0)) == ["not_so_many_cards"]


def test_a_player_without_cards_is_passed_over() -> None:
    assert do(table(hands={2: 0}), Discard(1)).to_move == 3


def test_the_last_player_with_cards_plays_on_alone() -> None:
    match = do(table(hands={1: 2, 2: 0, 3: 0}, pile=0), Discard(1))
    assert (match.to_move, match.at(1).hand) == (1, 1)


def test_the_round_is_lost_by_the_miners_when_all_cards_are_used_up() -> None:
    match = do(table(hands={1: 1, 2: 0, 3: 0}, pile=0), Discard(1))
    assert match.phase is Phase.BETWEEN
    assert match.outcome
    assert (match.outcome.winner, match.outcome.ending, match.outcome.by) == ("saboteurs", "cards_used_up", 0)


def test_a_base_round_has_67_turns_in_all() -> None:
    match = do(seated(5), StartRound(HOST))
    turns = 0
    while match.phase is Phase.ROUND:
        match, turns = do(match, Discard(match.to_move)), turns + 1
    assert turns == 67


def test_the_host_ends_a_round_by_hand_and_nobody_gets_gold() -> None:
    match = do(table(), EndRound(HOST, " the cat \n sat on it "))
    assert match.outcome
    assert (match.outcome.ending, match.outcome.note) == (Ending.BY_HAND, "the cat sat on it")
    assert [player.gold for player in match.players] == [(), (), ()]
    assert refused(match, EndRound(HOST)) == ["no_round"]
    assert refused(match, Discard(1)) == ["no_round"]
    assert refused(match, place(1, "1,0=EW")) == ["no_round"]


def test_an_empty_seat_has_no_player() -> None:
    with pytest.raises(KeyError):
        table().at(9)


def test_an_empty_seat_lays_nothing() -> None:
    assert refused(table(), place(9, "1,0=EW")) == ["not_a_seat"]


# ------------------------------------------------------------ the next round


@pytest.mark.parametrize(("option", "starter"), [("after_last", 1), ("after_starter", 3), ("last_path", 2)])
def test_who_begins_the_next_round(option: str, starter: int) -> None:
    """Player 2 began and laid the last path card; player 3 played the last card."""
    match = table(first=2, next_starter=option)
    match = do(match, place(2, "1,0=EW"))
    match = do(match, Map(3, (8, 0)), EndRound(HOST))
    assert started(match).first == starter


def test_a_discard_is_not_a_card_played() -> None:
    match = do(table(), place(1, "1,0=EW"), Discard(2), EndRound(HOST))
    assert started(match).first == 2


def test_when_nobody_played_a_card_the_player_after_the_beginner_begins() -> None:
    assert started(do(table(first=2), EndRound(HOST))).first == 3


@pytest.mark.parametrize("option", ["after_last", "after_starter", "last_path"])
@pytest.mark.parametrize(("turns", "starter"), [("clockwise", 3), ("counter_clockwise", 1)])
def test_when_one_has_left_who_comes_after_begins_as_if_nobody_had(
    option: str, turns: str, starter: int
) -> None:
    """Player 2 began, laid the last card and left."""
    match = table(roles=["miner"] * 4, first=2, next_starter=option, turns=turns)
    match = do(match, place(2, "1,0=EW"), EndRound(HOST), Leave(2, 2))
    assert started(match).first == starter


def test_the_last_of_all_may_leave() -> None:
    match = do(table(), EndRound(HOST), Leave(1, 1), Leave(2, 2), Leave(3, 3))
    assert match.players == ()


def test_a_new_round_starts_with_a_bare_table_whole_tools_and_kept_gold() -> None:
    match = table(before={2: ("cart",)}, gold={2: (3,)}, board="0,0=start 1,0=EW")
    match = do(match, EndRound(HOST), StartRound(HOST))
    assert (match.round, match.at(2).before, match.at(2).gold) == (2, (), (3,))
    assert str(match.board) == "0,0=start 8,-2=? 8,0=? 8,2=?"


def test_after_three_rounds_most_nuggets_win_and_equal_players_share() -> None:
    match = do(table(round_=3, gold={1: (2, 2), 2: (1, 3), 3: (3,)}), EndRound(HOST))
    assert match.phase is Phase.OVER
    assert refused(match, EndRound(HOST)) == ["no_round"]
    events = decide(do(table(round_=2), EndRound(HOST)), StartRound(HOST), random.Random(0))
    assert not isinstance(events, Refusal)


def test_the_same_people_play_again_from_nothing() -> None:
    match = do(table(round_=3, gold={1: (2, 2)}), EndRound(HOST), StartRound(HOST))
    assert (match.round, match.phase, match.at(1).gold, len(match.gold_deck)) == (1, Phase.ROUND, (), 28)


def test_gold_is_not_picked_when_there_is_none_to_pick() -> None:
    assert refused(table(), Pick(1, 0)) == ["not_picking"]


def test_a_moment_has_only_the_fields_it_has() -> None:
    with pytest.raises(TypeError, match="no such field: hats"):
        table().but(hats=3)
