"""Which cards are printed: as many of each kind as the rules say, with numbers that never change."""

from collections import Counter

from companion.game.cards import E, Face, Kind, N, S, W, lay, same_way
from companion.game.decks import Action, Tool
from printables.cards import ACTIONS, DECK, EXPANSION, MORE_ACTIONS
from vision.markers import GOAL_BACK_MARKERS, MARKER_IDS

DEAD_ENDS = {(N,), (E,), (N, S), (E, W), (N, W), (N, E), (N, E, S), (N, E, W), (N, E, S, W)}


def paths_by_tunnels() -> Counter[tuple[int, ...]]:
    return Counter(card.face.tunnels for card in DECK if card.face.kind is Kind.PATH)


def test_forty_path_cards_a_start_card_and_three_goals() -> None:
    assert Counter(card.face.kind for card in DECK) == {Kind.PATH: 40, Kind.START: 1, Kind.GOAL: 3}


def test_through_ways_are_counted_as_in_the_rules() -> None:
    paths = paths_by_tunnels()
    assert paths[(N | S,)] == 4
    assert paths[(E | W,)] == 3
    assert paths[(N | W,)] == 4
    assert paths[(N | E,)] == 5
    assert paths[(N | E | S,)] == 5
    assert paths[(N | E | W,)] == 5
    assert paths[(N | E | S | W,)] == 5


def test_one_card_of_each_of_the_nine_dead_ends() -> None:
    dead = {shape: count for shape, count in paths_by_tunnels().items() if shape[0].bit_count() == 1}
    assert {tuple(sorted(shape)) for shape in dead} == DEAD_ENDS
    assert set(dead.values()) == {1}


def test_the_goals_are_the_gold_and_two_different_stones() -> None:
    goals = [card for card in DECK if card.face.kind is Kind.GOAL]
    assert [card.id for card in goals] == ["gold", "stone-NE", "stone-NW"]
    assert lay(goals[1].face, True).open == S | W


def test_ids_name_the_face_and_the_copy() -> None:
    assert DECK[0].id == "NS-1"
    assert "N.S-1" in {card.id for card in DECK}
    assert len({card.id for card in DECK + EXPANSION}) == 74


def test_numbers_run_on_through_both_decks_and_give_every_card_its_own_markers() -> None:
    cards = DECK + EXPANSION
    assert [card.number for card in cards] == list(range(74))
    markers = [marker for card in cards for marker in card.markers] + list(GOAL_BACK_MARKERS)
    assert len(set(markers)) == len(markers)
    assert max(markers) < MARKER_IDS


def test_printed_cards_stay_valid_since_their_numbers_never_change() -> None:
    numbers = {card.id: card.number for card in DECK}
    assert numbers["NS-1"] == 0
    assert numbers["NESW-5"] == 30
    assert numbers["N.E.S.W-1"] == 39
    assert numbers["start"] == 40
    assert numbers["stone-NW"] == 43


def test_twenty_seven_action_cards() -> None:
    kinds = Counter((card.action, len(card.tools)) for card in ACTIONS)
    assert kinds == {
        (Action.BREAK, 1): 9,
        (Action.REPAIR, 1): 6,
        (Action.REPAIR, 2): 3,
        (Action.ROCKFALL, 0): 3,
        (Action.MAP, 0): 6,
    }
    assert Counter(card.tools for card in ACTIONS if card.action is Action.BREAK) == {
        (tool,): 3 for tool in Tool
    }


def test_the_expansion_adds_thirty_paths_and_twenty_one_actions() -> None:
    assert len(EXPANSION) == 30
    assert len(MORE_ACTIONS) == 21
    assert len({card.id for card in ACTIONS + MORE_ACTIONS}) == 48


def test_every_card_but_the_even_ones_can_be_told_upright_from_turned_by_its_markers() -> None:
    """The pair is asymmetric, so even a straight tells which way up it lies."""
    straight = Face.parse("NS")
    assert same_way(straight)
    assert all(first != second for first, second in (card.markers for card in DECK))
