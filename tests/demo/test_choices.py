"""Simulated players: simple sense with a hand of cards."""

from __future__ import annotations

import random

from companion.demo import is_demo, settings
from companion.demo.choices import HandCard, Mind, choose, distance
from companion.game.board import Board
from companion.game.cards import Face
from companion.game.decks import Action, Tool
from companion.game.history import Batch, History
from companion.game.state import Match
from companion.game.views import for_phone
from tests.game.table import table

EAST, CROSS, END = ("EW-1", Face.parse("EW")), ("NESW-1", Face.parse("NESW")), ("N-1", Face.parse("N"))
BREAK: HandCard = (Action.BREAK, (Tool.CART,))
REPAIR: HandCard = (Action.REPAIR, (Tool.CART, Tool.LANTERN))
MAP: HandCard = (Action.MAP, ())
FALL: HandCard = (Action.ROCKFALL, ())
FAR = "0,0=start 1,0=EW 2,0=EW 3,0=NESW 4,0=NESW 8,-2=? 8,0=? 8,2=?"


def turn(
    match: Match, *hand: HandCard, saboteur: bool = False, stones: frozenset[tuple[int, int]] = frozenset()
):  # type: ignore[no-untyped-def]
    me = for_phone(History((Batch(0, "set up"),), (1,), match), 1)["me"]
    return choose(Mind(1, saboteur, stones), me, match.board, list(hand), random.Random(1))


def test_a_miner_digs_towards_the_goals() -> None:
    chosen = turn(table(), END, MAP, EAST)
    assert chosen.card == EAST
    assert chosen.lay == ((1, 0), chosen.lay[1])


def test_a_miner_with_a_broken_cart_repairs_it_first() -> None:
    chosen = turn(table(before={1: ("cart",)}), EAST, REPAIR)
    assert (chosen.do, chosen.fields["target"], chosen.fields["tool"]) == ("repair", 1, "cart")


def test_a_miner_who_cannot_dig_looks_at_a_goal_or_lays_a_dead_end_aside() -> None:
    assert turn(table(before={1: ("cart",)}), EAST, MAP).do == "map"
    chosen = turn(table(before={1: ("cart",)}), EAST, END)
    assert (chosen.do, chosen.card) == ("discard", END)


def test_a_saboteur_digs_along_at_first_and_then_makes_trouble() -> None:
    assert turn(table(), EAST, BREAK, saboteur=True).card == EAST
    assert turn(table(board=FAR), EAST, BREAK, FALL, saboteur=True).do in ("break", "rockfall")


def test_the_distance_is_from_the_nearest_open_end_to_a_goal_that_may_be_gold() -> None:
    board = Board.parse(FAR)
    assert distance(board, frozenset()) == 3
    assert distance(board, frozenset({(8, 0)})) == 5
    assert distance(board, frozenset({(8, -2), (8, 0), (8, 2)})) == 0


def test_a_source_may_say_how_many_players_and_how_fast() -> None:
    assert is_demo("demo")
    assert is_demo("demo:10")
    assert not is_demo("demo.mp4")
    assert settings("demo:10:0.1") == (10, 0.1)
    assert settings("demo:1:-3") == (3, 0.0)
    assert settings("demo:many") == settings("demo")
