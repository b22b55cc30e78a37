"""No view changes by a single byte when secrets change that its viewer may not know."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.events import Event
from companion.game.history import History
from companion.game.options import DEFAULT, Game, Options
from companion.game.refusal import Code, Refusal
from companion.game.roles import Role
from companion.game.state import Match, Phase, Seat
from companion.game.views import for_phone, for_table, secret
from tests.game.proof import players
from tests.game.proof.disguise import TABLE, disguised, retold

PROOF = settings.get_profile("proof")
SECRETS = ("role", "peek", "inspection", "gold", "fan", "nothing of the kind")
VARIANTS: list[dict[str, str | bool]] = [
    {},
    {"goals": "physical", "own_doors_only": True, "gold_drawn": "miners", "boss_always": True},
]
games = pytest.mark.parametrize("game", Game)
variants = pytest.mark.parametrize("variant", VARIANTS, ids=["dealt", "physical"])


def seen(history: History, viewer: Seat) -> str:
    """Everything that a viewer is sent, to the byte."""
    if viewer == TABLE:
        return json.dumps(for_table(history))
    told = [secret(history.match, viewer, what) for what in SECRETS]
    answers = [
        [each.to_json() for each in answer.problems] if isinstance(answer, Refusal) else answer
        for answer in told
    ]
    return json.dumps([for_phone(history, viewer), answers])


def seats(match: Match) -> list[Seat]:
    """Every seat taken."""
    return [player.seat for player in match.players]


def opening(game: Game, variant: dict[str, str | bool], number: int, chance: random.Random) -> History:
    """A table of so many players."""
    options = DEFAULT.changed({"game": game.value, **variant})
    assert isinstance(options, Options)
    return players.seated(options, number, chance)


@games
@variants
@given(seed=st.integers(0, 2**32), number=st.integers(3, 10))
@settings(PROOF, max_examples=3)
def test_a_view_is_the_same_whatever_its_viewer_does_not_know(
    game: Game, variant: dict[str, str | bool], seed: int, number: int
) -> None:
    chance = random.Random(seed)
    history = opening(game, variant, number, chance)
    while history.match.phase is not Phase.OVER:
        history = players.step(history, players.next_command(history, chance, 0.5), chance)
        if chance.random() < 0.15 or history.match.phase is not Phase.ROUND:
            for viewer in (TABLE, *seats(history.match)):
                other = replace(history, match=disguised(history.match, viewer, chance))
                assert seen(history, viewer) == seen(other, viewer)


@games
@variants
@given(seed=st.integers(0, 2**32), number=st.integers(3, 10))
@settings(PROOF, max_examples=2)
def test_a_refusal_tells_nothing_that_its_player_does_not_know(
    game: Game, variant: dict[str, str | bool], seed: int, number: int
) -> None:
    chance = random.Random(seed)
    history = opening(game, variant, number, chance)
    while history.match.phase is not Phase.OVER:
        history = players.step(history, players.next_command(history, chance, 0.5), chance)
        match = history.match
        if match.phase is Phase.ROUND and chance.random() < 0.2:
            other = replace(history, match=disguised(match, match.to_move, chance))
            for command in players.every_turn(history, match.to_move, chance):
                answers = [telling.decide(command, random.Random(seed)) for telling in (history, other)]
                refusals = [answer for answer in answers if isinstance(answer, Refusal)]
                assert len(refusals) in (0, 2)
                assert all(refusal == refusals[0] for refusal in refusals)


@games
@variants
@given(seed=st.integers(0, 2**32), number=st.integers(3, 10), digging=st.sampled_from([0.3, 0.8]))
@settings(PROOF, max_examples=4)
def test_a_night_dealt_otherwise_looks_the_same_step_by_step(
    game: Game, variant: dict[str, str | bool], seed: int, number: int, digging: float
) -> None:
    chance = random.Random(seed)
    history = opening(game, variant, number, chance)
    before = history
    length = chance.randint(1, 40) if chance.random() < 0.3 else 10_000
    while history.match.phase is not Phase.OVER and history.version < number + 1 + length:
        before = history
        history = players.step(history, players.next_command(history, chance, digging), chance)
    told = before.batches if history.match.phase is Phase.OVER else history.batches
    for viewer in (TABLE, chance.choice(seats(history.match)), chance.choice(seats(history.match))):
        # A prefix of any length: in the middle of a round roles are secret, between rounds only gold is.
        batches = told[: chance.randint(number + 2, len(told))]
        one, other = History(), History()
        for batch, otherwise in zip(batches, retold(batches, viewer, chance), strict=True):
            one, other = one.append(batch), other.append(otherwise)
            if viewer == TABLE or one.match.player(viewer):
                assert seen(one, viewer) == seen(other, viewer)


def test_the_nights_dealt_otherwise_do_differ() -> None:
    """Guards the proof itself: every kind of secret is among those that were changed."""
    changed: Counter[str] = Counter()
    for seed in range(16):
        chance = random.Random(seed)
        history = opening(list(Game)[seed % 2], {}, 5, chance)
        middle = chance.randint(30, 130)
        while history.match.phase is not Phase.OVER and history.version < middle:
            history = players.step(history, players.next_command(history, chance, 0.6), chance)
        if history.match.phase is Phase.OVER:
            continue
        for one, other in zip(events_of(history), events_of_retold(history, chance), strict=True):
            assert type(one) is type(other)
            if one != other:
                changed[one.NAME] += 1
    dealt, shown = {"game_began", "round_started"}, {"peeked", "inspected", "hat_swapped"}
    assert set(changed) == dealt | shown | {"gold_fanned", "gold_picked", "paid"}


def events_of(history: History) -> list[Event]:
    """All that happened."""
    return [event for batch in history.batches for event in batch.events]


def events_of_retold(history: History, chance: random.Random) -> list[Event]:
    """All that happened, with every secret that the table does not know dealt otherwise."""
    return [event for batch in retold(history.batches, TABLE, chance) for event in batch.events]


@games
def test_whoever_may_know_a_secret_does_see_it_change(game: Game) -> None:
    chance = random.Random(7)
    history = opening(game, {}, 5, chance)
    for _ in range(8):
        history = players.step(history, players.next_command(history, chance), chance)
    match, seat = history.match, 3
    role = Role.SABOTEUR if match.at(seat).role is not Role.SABOTEUR else Role.MINER
    for changes in (
        {"role": role},
        {"gold": (3, 1)},
        {"peeks": (((8, 0), "gold"),)},
        {"inspections": ((1, "boss"),)},
    ):
        other = replace(history, match=match.with_player(seat, **changes))
        assert seen(history, seat) != seen(other, seat)
        assert seen(history, TABLE) == seen(other, TABLE)


def test_a_seat_that_nobody_took_has_no_secrets() -> None:
    match = opening(Game.BASE, {}, 3, random.Random(0)).match
    for what in SECRETS:
        answer = secret(match, 4, what)
        assert isinstance(answer, Refusal)
        assert [problem.code for problem in answer.problems] == [Code.NOT_A_SEAT]
