"""What is true at every moment of every match."""

from __future__ import annotations

import json
from collections import Counter

from companion.game.board import Board
from companion.game.cards import GOAL_CELLS, GOALS, Kind
from companion.game.decks import GOLD_CARDS
from companion.game.history import Batch, History
from companion.game.options import Game
from companion.game.ruleset import rules_of
from companion.game.state import NOBODY, Match, Phase
from companion.game.views import for_phone, for_table

PLAYED = (Phase.ROUND, Phase.ASKING, Phase.PICKING, Phase.STEALING)
"""Phases in which nobody can leave, so that all cards are known to be somewhere."""


def check(history: History) -> None:
    """Everything that must hold after a step."""
    match = history.match
    if match.phase in PLAYED:
        cards_conserved(match)
    gold_conserved(match)
    hands_add_up(match)
    one_to_move(match)
    goals_stay(match)
    assert Board.parse(str(match.board)) == match.board


def cards_conserved(match: Match) -> None:
    """Every path and action card is in the pile, in a hand, on the table, used, laid aside or gone."""
    lying = sum(laid.face.kind is Kind.PATH for laid in match.board.cards.values())
    out_of_play = match.set_aside + match.discarded + len(match.used_paths) + len(match.used_actions)
    somewhere = (
        match.pile + sum(player.hand for player in match.players) + lying - match.by_hand + out_of_play
    )
    assert somewhere + len(match.gone) == rules_of(match).total()
    assert min(match.pile, match.discarded, match.set_aside) >= 0


def gold_conserved(match: Match) -> None:
    """Base: each of the 28 gold cards is once in a hand, in the fan or in the deck. Expansion: no debts."""
    if match.options.game is Game.EXPANSION:
        assert all(player.nuggets >= 0 for player in match.players)
    elif match.round:
        held = [card for player in match.players for card in player.gold]
        assert Counter([*held, *match.fan, *match.gold_deck]) == Counter(GOLD_CARDS)
    for player in match.players:
        assert player.nuggets == sum(player.gold)


def hands_add_up(match: Match) -> None:
    """Nobody holds more than was dealt, and only an empty pile leaves a base hand short after a turn."""
    if match.phase not in PLAYED:
        return
    dealt = rules_of(match).hand(len(match.players))
    assert all(0 <= player.hand <= dealt for player in match.players)
    if match.options.game is Game.BASE and match.phase is Phase.ROUND and match.pile:
        assert all(player.hand == dealt for player in match.players)


def one_to_move(match: Match) -> None:
    """While a round runs exactly one player is to move, with cards; afterwards nobody is."""
    moving = [player for player in match.players if player.seat == match.to_move]
    assert len(moving) == (1 if match.running else 0)
    assert match.running or match.to_move == NOBODY
    if match.phase is Phase.ROUND:
        assert moving[0].hand > 0
    assert bool(match.asking) == (match.phase is Phase.ASKING)
    assert (match.picker != NOBODY and bool(match.fan)) == (match.phase is Phase.PICKING)
    assert bool(match.thieves) == (match.phase is Phase.STEALING)


def goals_stay(match: Match) -> None:
    """The three goals lie in their cells, face down or each once face up."""
    lying = {cell: laid.face for cell, laid in match.board.cards.items() if laid.face.kind is Kind.GOAL}
    assert set(lying) | match.board.face_down == set(GOAL_CELLS)
    assert not set(lying) & match.board.face_down
    assert len(set(lying.values())) == len(lying)
    assert set(lying.values()) <= set(GOALS)


def nobody_is_told_lies(history: History) -> None:
    """Every viewer's page agrees with the match, as far as it shows it."""
    match = history.match
    table = for_table(history)
    assert [seat["seat"] for seat in table["seats"] if seat["to_move"]] == [match.to_move] * match.running
    assert Board.parse(table["board"]["text"]) == match.board
    for player in match.players:
        phone = for_phone(history, player.seat)
        assert phone["seats"] == table["seats"]
        assert phone["board"] == table["board"]
        assert phone["me"]["hand"] == player.hand
        ready = [name for name, answer in phone["me"]["may"].items() if answer["ok"]]
        assert not ready or (match.phase is Phase.ROUND and player.seat == match.to_move)
        json.dumps(phone, allow_nan=False)


def through_text(batch: Batch) -> Batch:
    """The step as it comes back from the log."""
    return Batch.from_json(json.loads(json.dumps(batch.to_json())))
