"""The gold of the base game: picking and passing, the saboteurs' pay, who wins."""

import pytest

from companion.game.commands import Discard, EndRound, Join, Pick, StartRound
from companion.game.gold import cards_worth, match_winners, pickers, without
from companion.game.state import HOST, JOINER, Match, Phase
from tests.game.table import do, place, refused, table

LAST_GAP = "0,0=start 1,0=EW 2,0=EW 3,0=NESW 4,0=NESW 5,0=NESW 6,0=NESW 8,-2=? 8,0=? 8,2=?"
FIVE = ("miner", "miner", "saboteur", "miner", "saboteur")
DECK = (3, 1, 2, 1, 1, 2, 1, 1, 1, 1, 3, 2)


def reached(roles: tuple[str, ...] = FIVE, by: int = 2, **settings: object) -> Match:
    """The gold reached by one player's card."""
    match = table(roles=roles, board=LAST_GAP, first=by, gold_deck=DECK, **settings)  # type: ignore[arg-type]
    return do(match, place(by, "7,0=EW"))


def pick_all(match: Match) -> list[int]:
    """Everybody takes the first card; the seats in order."""
    order = []
    while match.phase is Phase.PICKING:
        order.append(match.picker)
        match = do(match, Pick(match.picker, 0))
    return order


def test_as_many_gold_cards_are_drawn_as_there_are_players() -> None:
    assert reached().fan == (3, 1, 2, 1, 1)


def test_with_ten_players_nine_gold_cards_are_drawn() -> None:
    assert len(reached(roles=("miner",) * 7 + ("saboteur",) * 3).fan) == 9


def test_revised_edition_one_card_for_each_miner() -> None:
    assert reached(gold_drawn="miners").fan == (3, 1, 2)


def test_who_reached_the_gold_picks_first_and_the_rest_goes_counter_clockwise_to_miners() -> None:
    """Seats 3 and 5 are saboteurs; a miner may get more than one."""
    assert pick_all(reached()) == [2, 1, 4, 2, 1]


def test_the_gold_may_be_passed_clockwise() -> None:
    assert pick_all(reached(gold_passing="clockwise")) == [2, 4, 1, 2, 4]


def test_when_a_saboteur_laid_the_last_card_the_next_miner_starts() -> None:
    assert pick_all(reached(by=3))[:2] == [2, 1]
    assert pick_all(reached(by=3, gold_passing="clockwise"))[:2] == [4, 1]


def test_the_picker_chooses_and_the_rest_is_passed() -> None:
    match = do(reached(), Pick(2, 2))
    assert match.at(2).gold == (2,)
    assert (match.fan, match.picker) == ((3, 1, 1, 1), 1)


def test_only_the_picker_picks_a_card_that_is_there() -> None:
    match = reached()
    assert refused(match, Pick(1, 0)) == ["not_your_pick"]
    assert refused(match, Pick(2, 5)) == ["no_such_gold"]
    assert refused(match, Pick(2, -1)) == ["no_such_gold"]
    assert refused(match, StartRound(HOST)) == ["round_running"]


def test_miners_with_a_broken_tool_get_nothing_if_the_option_says_so() -> None:
    before = {1: ("cart",)}
    assert 1 in pickers(reached(before=before), 2)
    assert pick_all(reached(before=before, broken_get_nothing=True)) == [2, 4, 2, 4, 2]


def test_when_every_miner_is_barred_nobody_picks() -> None:
    match = table(
        roles=("saboteur", "miner", "miner"),
        board=LAST_GAP,
        before={2: ("cart",), 3: ("cart",)},
        broken_get_nothing=True,
    )
    match = do(match, place(1, "7,0=EW"))
    assert match.phase is Phase.BETWEEN
    assert match.outcome
    assert match.outcome.winner == "miners"


def test_one_miner_alone_takes_all() -> None:
    assert pick_all(reached(roles=("miner", "saboteur", "saboteur"), by=1)) == [1, 1, 1]


def test_the_gold_deck_is_not_refilled_between_rounds() -> None:
    match = reached()
    while match.phase is Phase.PICKING:
        match = do(match, Pick(match.picker, 0))
    assert do(match, StartRound(HOST)).gold_deck == DECK[5:]


# ------------------------------------------------------------ saboteurs


def lost(roles: tuple[str, ...], deck: tuple[int, ...] = DECK, round_: int = 1) -> Match:
    """All cards used up without the gold."""
    hands = dict.fromkeys(range(2, len(roles) + 1), 0)
    return do(table(roles=roles, hands={1: 1, **hands}, pile=0, gold_deck=deck, round_=round_), Discard(1))


@pytest.mark.parametrize(("saboteurs", "pay"), [(1, 4), (2, 3), (3, 3), (4, 2)])
def test_each_saboteur_is_paid_by_how_many_there_are(saboteurs: int, pay: int) -> None:
    match = lost(("miner",) * 4 + ("saboteur",) * saboteurs)
    assert [player.nuggets for player in match.players] == [0] * 4 + [pay] * saboteurs


def test_pay_is_counted_in_nuggets_not_cards() -> None:
    match = lost(("miner", "miner", "saboteur"))
    assert match.at(3).gold == (3, 1)


def test_a_card_too_large_goes_back_under_the_deck() -> None:
    """For 2 nuggets the 3 on top does not do."""
    match = lost(("miner",) * 6 + ("saboteur",) * 4)
    assert [player.gold for player in match.players[6:]] == [(1, 1), (2,), (1, 1), (2,)]
    assert 3 in match.gold_deck


@pytest.mark.parametrize(
    ("deck", "nuggets", "cards"),
    [
        ((3, 1, 2), 4, (3, 1)),
        ((3, 3, 2, 2), 4, (2, 2)),
        ((2, 2), 3, (2,)),
        ((3, 3), 2, ()),
        ((), 4, ()),
        ((1,) * 9, 4, (1,) * 4),
        ((1, 1, 2, 2), 4, (1, 1, 2)),
    ],
)
def test_pay_adds_up_exactly_or_as_near_below_as_the_deck_allows(
    deck: tuple[int, ...], nuggets: int, cards: tuple[int, ...]
) -> None:
    assert cards_worth(deck, nuggets) == cards


def test_paid_cards_leave_the_deck() -> None:
    assert without((3, 1, 2, 1), (1, 2)) == (3, 1)


def test_without_a_saboteur_in_play_nobody_gets_anything() -> None:
    match = lost(("miner", "miner", "miner"))
    assert match.outcome
    assert match.outcome.winner == "nobody"
    assert [player.gold for player in match.players] == [(), (), ()]


# ------------------------------------------------------------ the end of the game


def test_after_the_third_round_the_game_is_over_once_the_gold_is_picked() -> None:
    match = reached(round_=3)
    assert match.phase is Phase.PICKING
    while match.phase is Phase.PICKING:
        match = do(match, Pick(match.picker, 0))
    assert match.phase is Phase.OVER


def test_most_nuggets_win_and_equal_players_share() -> None:
    assert match_winners(table(gold={1: (3,), 2: (1, 2), 3: (2,)})) == (1, 2)
    assert match_winners(Match()) == ()


def test_saboteurs_may_win_the_game() -> None:
    match = lost(("miner", "miner", "saboteur"), round_=3)
    assert match.phase is Phase.OVER
    assert match_winners(match) == (3,)


def test_what_each_round_brought_is_kept_for_who_sat_down_late_as_well() -> None:
    match = table(gold={1: (2,), 2: (1, 1)})
    match = do(match, EndRound(HOST), Join(JOINER, "Late"), StartRound(HOST))
    match = match.with_player(1, gold=(2, 3)).with_player(2, gold=(1,)).with_player(4, gold=(1,))
    assert [player.gains for player in match.players] == [(2, 3), (2, -1), (0, 0), (0, 1)]
