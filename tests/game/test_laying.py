"""A path card as a turn, and the goals it reaches."""

from collections.abc import Iterable

from companion.game.cards import Face, parse_laid
from companion.game.commands import Accept, Break, Correct, Discard, EndRound, Map, RevealGoal, Rockfall
from companion.game.decks import Tool
from companion.game.events import Event, GoalTurned, PathLaid, RoundEnded
from companion.game.paths import verdict
from companion.game.state import HOST, Match, Phase
from tests.game.table import do, events_of, place, refused, table

WAY = "0,0=start 1,0=EW 2,0=EW 3,0=NESW 4,0=NESW 5,0=NESW 6,0=NESW"
GOALS = "8,-2=? 8,0=? 8,2=?"
NEAR = f"{WAY} {GOALS}"
"""One card short of the middle goal."""


def turned_up(events: Iterable[Event]) -> list[str]:
    goals = [event for event in events if isinstance(event, GoalTurned)]
    return [f"{goal.cell[0]},{goal.cell[1]}={goal.card}" for goal in goals]


def test_the_player_to_move_lays_a_card_draws_one_and_the_next_player_moves() -> None:
    match = do(table(), place(1, "1,0=EW"))
    assert str(match.board) == f"0,0=start 1,0=EW {GOALS}"
    assert (match.at(1).hand, match.pile, match.to_move, match.last_path) == (6, 19, 2, 1)


def test_the_host_taps_for_whoever_has_the_turn() -> None:
    match = do(table(first=2), place(HOST, "1,0=EW"))
    assert (match.last_path, match.to_move, match.at(2).hand) == (2, 3, 6)
    match = do(match, Rockfall(HOST, (1, 0)), Discard(HOST))
    assert (match.used_paths != (), match.discarded, match.to_move) == (True, 1, 2)
    assert refused(table(before={1: ("cart",)}), place(HOST, "1,0=EW")) == ["broken_tools"]


def test_nobody_lays_out_of_turn() -> None:
    assert refused(table(), place(2, "1,0=EW")) == ["not_your_turn"]


def test_an_illegal_card_is_refused_for_every_reason_at_once() -> None:
    match = table(before={2: ("lantern", "cart")})
    assert refused(match, place(2, "3,3=EW")) == ["not_your_turn", "broken_tools", "not_beside"]


def test_a_player_with_a_broken_tool_lays_no_path_card() -> None:
    match = table(before={1: ("lantern",)})
    assert refused(match, place(1, "1,0=EW")) == ["broken_tools"]


def test_a_player_with_a_broken_tool_may_do_everything_else() -> None:
    match = table(before={1: ("lantern",)})
    for command in (Discard(1), Map(1, (8, 0)), Break(1, 2, Tool.CART)):
        assert refused(match, command) == []


def test_a_card_named_in_its_other_way_up_is_the_same_card() -> None:
    match = do(table(board="0,0=start 1,0=EW"), place(1, "2,0=NSW"))
    assert str(match.board) == "0,0=start 1,0=EW 2,0=NES~"


def test_no_more_cards_of_a_face_are_laid_than_the_deck_has() -> None:
    board = "0,0=start 1,0=EW 2,0=EW 3,0=EW"
    assert refused(table(board=board), place(1, "4,0=EW")) == ["none_left"]


def test_a_card_that_is_in_no_box_is_no_path_card() -> None:
    assert refused(table(), place(1, "1,0=NS.EW")) == ["not_a_path_card"]
    assert refused(table(game="expansion"), place(1, "1,0=NS.EW")) == []


def test_a_card_of_a_rockfall_counts_as_used() -> None:
    match = do(table(board="0,0=start 1,0=EW 2,0=E"), Rockfall(1, (2, 0)))
    assert [str(face) for face in match.used_paths] == ["E"]
    assert refused(match, place(2, "2,0=E~")) == ["none_left"]


def test_the_host_may_let_an_illegal_card_lie() -> None:
    accept = Accept(HOST, (3, 3), Face.parse("EW"))
    match = do(table(), accept)
    assert str(match.board) == f"0,0=start 3,3=EW {GOALS}" and match.to_move == 2
    assert events_of(table(), accept)[0] == PathLaid(1, (3, 3), "EW", against_rules=True)
    assert refused(table(), Accept(HOST, (0, 0), Face.parse("EW"))) == ["cell_taken"]
    assert refused(table(), Accept(HOST, (8, 0), Face.parse("EW"))) == ["cell_taken"]
    assert refused(table(), Accept(HOST, (1, 0), Face.parse("NS.EW"))) == ["not_a_path_card"]
    assert refused(table(), Accept(1, (3, 3), Face.parse("EW"))) == ["not_host"]


def test_the_referee_may_ask_about_a_card_that_is_no_path_card() -> None:
    for card in ("gold", "NS.EW"):
        problems = verdict(table(), 1, (1, 0), parse_laid(card))
        assert [problem.code.value for problem in problems] == ["not_a_path_card"]


def test_nothing_is_accepted_between_rounds() -> None:
    match = do(table(), EndRound(HOST))
    assert refused(match, Accept(HOST, (3, 3), Face.parse("EW"))) == ["no_round"]


# ------------------------------------------------------------ reaching a goal


def test_whoever_reaches_the_gold_ends_the_round_for_the_miners() -> None:
    match = do(table(board=NEAR), place(1, "7,0=EW~"))
    assert match.phase is Phase.PICKING
    assert match.outcome and (match.outcome.winner, match.outcome.by) == ("miners", 1)


def test_a_stone_is_laid_so_that_its_tunnel_takes_up_the_way() -> None:
    events = events_of(table(board=NEAR, goals=("gold", "stone-NE", "stone-NW")), place(1, "7,0=NEW"))
    assert turned_up(events) == ["8,0=stone-NE~"]


def test_a_dead_end_does_not_turn_a_goal_up() -> None:
    assert turned_up(events_of(table(board=NEAR), place(1, "7,0=E.W"))) == []


def test_misfits_are_allowed_around_a_goal_only() -> None:
    """The stone turned up at 8,0 opens W and S; the card north of it opens onto its rock."""
    board = f"{NEAR} 8,-1=NS 7,-1=ES 6,-1=NW"
    match = do(table(board=board, goals=("gold", "stone-NE", "stone-NW")), place(1, "7,0=NEW"))
    assert "8,0=stone-NE~" in str(match.board) and "8,-1=NS" in str(match.board)


def test_one_card_may_reach_two_goals_and_both_are_turned_up() -> None:
    board = f"0,0=start 1,0=ES 1,1=EW~ 2,1=EW 3,1=EW 7,1=W+ladder~ {GOALS}"
    match = table(
        board=board, goals=("gold", "stone-NW", "stone-NE"), game="expansion", roles=["saboteur"] * 3
    )
    assert turned_up(events_of(match, place(1, "8,1=NSW"))) == ["8,0=stone-NW~", "8,2=stone-NE"]


def test_the_way_through_a_stone_reaches_the_next_goal() -> None:
    """Turning up the stone at 8,0 opens the way south onto 8,1 and so to the gold at 8,2."""
    board = f"{NEAR} 8,1=NS"
    events = events_of(table(board=board, goals=("stone-NW", "stone-NE", "gold")), place(1, "7,0=EW"))
    assert turned_up(events) == ["8,0=stone-NE~", "8,2=gold"]
    assert [event.by for event in events if isinstance(event, RoundEnded)] == [1]


def test_goals_are_looked_for_on_the_whole_board_not_only_beside_the_new_card() -> None:
    """The gap of a rockfall at 3,0 is refilled; the goal far away is reached."""
    board = f"0,0=start 1,0=EW 2,0=EW 4,0=NESW 5,0=NESW 6,0=NESW 7,0=NESW {GOALS}"
    assert turned_up(events_of(table(board=board), place(1, "3,0=EW"))) == ["8,0=gold"]


def test_a_ladder_far_away_reaches_a_goal() -> None:
    board = f"0,0=start 5,0=EW 6,0=EW 7,0=EW {GOALS}"
    match = table(board=board, game="expansion", roles=("green_miner", "blue_miner", "saboteur"))
    assert turned_up(events_of(match, place(1, "4,0=W+ladder~"))) == ["8,0=gold"]


def test_a_rockfall_beside_a_turned_up_goal_does_not_turn_it_down_again() -> None:
    board = f"{WAY} 7,0=EW 8,-2=? 8,0=stone-NE~ 8,2=?"
    match = do(table(board=board), Rockfall(1, (7, 0)))
    assert "8,0=stone-NE~" in str(match.board)


# ------------------------------------------------------------ goals kept physically


def asking() -> Match:
    """Player 1 has reached the goal at 8,0, and nobody has said yet which it is."""
    return do(table(board=NEAR, physical=True), place(1, "7,0=EW"))


def reveal(face: str, actor: int = HOST, cell: tuple[int, int] = (8, 0)) -> RevealGoal:
    return RevealGoal(actor, cell, Face.parse(face))


def test_a_physical_goal_that_is_reached_must_be_told_before_play_goes_on() -> None:
    match = asking()
    assert (match.phase, match.asking, match.to_move) == (Phase.ASKING, ((8, 0),), 1)
    assert refused(match, Discard(1)) == ["goal_to_tell"]


def test_a_physical_stone_lies_by_the_way_that_reached_it_and_the_turn_ends() -> None:
    match = do(asking(), reveal("stone-NE", actor=1))
    assert "8,0=stone-NE~" in str(match.board)
    assert (match.phase, match.to_move, match.at(1).hand) == (Phase.ROUND, 2, 6)


def test_physical_gold_ends_the_round_for_who_laid_the_card() -> None:
    match = do(asking(), reveal("gold"))
    assert match.outcome and (match.outcome.winner, match.outcome.by) == ("miners", 1)


def test_the_way_through_a_told_stone_asks_for_the_next_goal() -> None:
    match = do(table(board=f"{NEAR} 8,1=NS", physical=True), place(1, "7,0=EW"), reveal("stone-NE"))
    assert (match.phase, match.asking) == (Phase.ASKING, ((8, 2),))
    match = do(match, reveal("stone-NW", cell=(8, 2)))
    assert (match.phase, match.to_move) == (Phase.ROUND, 2)


def test_only_a_goal_that_was_asked_for_is_told_by_the_mover_or_the_host() -> None:
    assert refused(asking(), reveal("stone-NE", actor=2)) == ["not_your_turn"]
    assert refused(asking(), reveal("stone-NE", cell=(8, 2))) == ["not_asked"]
    assert refused(asking(), reveal("EW")) == ["not_a_goal"]
    assert refused(table(physical=True), reveal("gold")) == ["not_asked"]


def test_each_goal_is_told_once() -> None:
    match = do(table(board=f"{NEAR} 8,1=NS", physical=True), place(1, "7,0=EW"), reveal("stone-NE"))
    assert refused(match, reveal("stone-NE", cell=(8, 2))) == ["goal_already_told"]


# ------------------------------------------------------------ correcting by hand


def correct(where: str) -> Correct:
    cell, _, card = where.partition("=")
    column, row = cell.split(",")
    face = Face.parse(card.removesuffix("~")) if card else None
    return Correct(HOST, (int(column), int(row)), face, card.endswith("~"))


def test_the_host_sets_a_misread_card_right() -> None:
    match = do(table(board=f"0,0=start 1,0=EW {GOALS}"), correct("1,0=E.W"))
    assert str(match.board) == f"0,0=start 1,0=E.W {GOALS}"
    assert (match.to_move, match.by_hand, match.at(1).hand) == (1, 0, 6)


def test_the_host_puts_a_card_on_the_board_or_takes_it_off() -> None:
    match = do(table(), correct("1,0=EW"))
    assert match.by_hand == 1
    match = do(match, correct("1,0="))
    assert (match.by_hand, str(match.board)) == (0, f"0,0=start {GOALS}")


def test_a_correction_that_joins_a_way_to_a_goal_turns_it_up() -> None:
    board = f"0,0=start 1,0=EW 2,0=NS 3,0=EW 4,0=NESW 5,0=NESW 6,0=NESW 7,0=NESW {GOALS}"
    match = table(board=board, goals=("gold", "stone-NE", "stone-NW"))
    assert turned_up(events_of(match, correct("2,0=EW"))) == ["8,0=stone-NE~"]
    assert do(match, correct("2,0=EW")).to_move == 1


def test_gold_reached_by_corrections_alone_is_nobodys_and_the_first_miner_picks() -> None:
    board = f"0,0=start 1,0=EW 2,0=NS 3,0=EW 4,0=NESW 5,0=NESW 6,0=NESW 7,0=NESW {GOALS}"
    match = do(table(board=board, roles=("saboteur", "miner", "miner")), correct("2,0=EW"))
    assert match.outcome
    assert (match.outcome.winner, match.outcome.by) == ("miners", 0)
    assert match.at(match.picker).role == "miner"


def test_a_correction_may_tell_the_goal_that_was_asked_for() -> None:
    match = do(asking(), correct("8,0=stone-NE~"))
    assert (match.phase, match.to_move, match.at(1).hand) == (Phase.ROUND, 2, 6)


def test_a_goal_turned_up_by_mistake_is_turned_down_again() -> None:
    match = do(table(physical=True), correct("8,2=stone-NW"), correct("8,2="))
    assert str(match.board) == f"0,0=start {GOALS}"


def test_a_correction_that_reaches_a_physical_goal_asks_but_ends_no_turn() -> None:
    board = f"0,0=start 1,0=EW 2,0=NS 3,0=EW 4,0=NESW 5,0=NESW 6,0=NESW 7,0=NESW {GOALS}"
    match = do(table(board=board, physical=True), correct("2,0=EW"))
    assert match.phase is Phase.ASKING
    match = do(match, reveal("stone-NE"))
    assert (match.phase, match.to_move, match.at(1).hand) == (Phase.ROUND, 1, 6)


def test_a_correction_that_reaches_another_goal_leaves_the_turn_whose_end_is_waited_for() -> None:
    board = (
        "0,0=start 1,0=NEW 2,0=NEW 3,0=NEW 4,0=NESW 5,0=NEW 6,0=NEW 4,1=NS 4,2=NES 5,2=NESW 6,2=NESW "
        "8,-2=? 8,0=? 8,2=?"
    )
    match = do(table(board=board, physical=True), place(1, "7,0=EW"), correct("7,2=EW"))
    assert match.asking == ((8, 0), (8, 2))
    match = do(match, reveal("stone-NE"), reveal("stone-NW", cell=(8, 2)))
    assert (match.phase, match.to_move, match.at(1).hand) == (Phase.ROUND, 2, 6)


def test_a_stone_lies_by_the_card_just_laid_dealt_or_physical() -> None:
    """The card at 8,1 opens onto the goal's south side and, round by 9,1 and 9,0, onto its east side."""
    board = f"0,0=start 7,1=W+ladder~ 9,1=NW 9,0=SW {GOALS}"
    settings = {"board": board, "game": "expansion", "roles": ["saboteur"] * 3}
    dealt = do(table(goals=("gold", "stone-NE", "stone-NW"), **settings), place(1, "8,1=NEW"))
    told = do(table(physical=True, **settings), place(1, "8,1=NEW"), reveal("stone-NE"))
    assert "8,0=stone-NE~" in str(dealt.board)
    assert str(told.board) == str(dealt.board)


def test_a_goal_that_the_app_dealt_is_never_told_by_hand() -> None:
    """Whether the host guessed right would tell where the gold lies."""
    for face in ("gold", "stone-NE", "stone-NW"):
        assert refused(table(), correct(f"8,0={face}")) == ["goal_is_dealt"]
    match = table(board=f"{WAY} 7,0=EW 8,-2=? 8,0=stone-NE~ 8,2=?", goals=("gold", "stone-NE", "stone-NW"))
    assert refused(match, correct("8,0=stone-NW")) == ["goal_is_dealt"]
    assert refused(match, correct("8,0=stone-NE")) == []


def test_when_a_correction_cuts_the_way_off_the_goal_is_not_asked_for_any_more() -> None:
    match = do(asking(), correct("7,0="))
    assert (match.phase, match.asking, match.to_move) == (Phase.ROUND, (), 2)


def test_a_goal_found_by_correcting_alone_was_found_by_whoever_has_the_turn() -> None:
    board = f"0,0=start 1,0=EW 2,0=NS 3,0=EW 4,0=NESW 5,0=NESW 6,0=NESW 7,0=NESW {GOALS}"
    match = do(table(board=board, physical=True, first=2), correct("2,0=EW"))
    turned = [event for event in events_of(match, reveal("stone-NE")) if isinstance(event, GoalTurned)]
    assert [event.seat for event in turned] == [2]


def test_a_goal_that_is_asked_for_cannot_be_turned_down() -> None:
    assert refused(asking(), correct("8,0=")) == ["nothing_to_correct"]


def test_only_what_can_lie_there_is_corrected() -> None:
    match = table(board="0,0=start 1,0=EW 8,-2=? 8,0=? 8,2=stone-NE")
    assert refused(match, correct("1,0=gold")) == ["not_a_path_card"]
    assert refused(match, correct("1,0=NS.EW")) == ["not_a_path_card"]
    assert refused(match, correct("8,0=EW")) == ["not_a_goal"]
    assert refused(match, correct("8,0=stone-NE")) == ["goal_already_told"]
    assert refused(match, correct("0,0=EW")) == ["start_or_goal"]
    assert refused(match, correct("1,0=EW")) == ["nothing_to_correct"]
    assert refused(match, correct("5,5=")) == ["nothing_to_correct"]
    assert refused(match, Correct(1, (1, 0))) == ["not_host"]
    assert refused(do(match, EndRound(HOST)), correct("1,0=NS")) == ["no_round"]
