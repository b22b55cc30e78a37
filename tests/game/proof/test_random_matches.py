"""Random matches for every number of players and every option: what must hold, holds after every step."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.commands import Command, Leave, Undo
from companion.game.evolve import evolve_all
from companion.game.history import Batch, History
from companion.game.moves import CARDS
from companion.game.options import DEFAULT, Game, Options, choices
from companion.game.refusal import Refusal
from companion.game.ruleset import RULES, rules_of
from companion.game.state import HOST, Match, Phase
from companion.game.turns import why_no_card
from companion.game.views import for_phone
from tests.game.proof import invariants, players

PROOF = settings.get_profile("proof")
TABLES = [(game, number) for game in Game for number in RULES[game].players]
VARIANTS = [(name, value) for name, values in choices().items() if name != "game" for value in values[1:]]
LONGEST_NIGHT = 1500
"""Steps that no match of three rounds can need: each turn uses up a card, and undos are few."""

OPTIONS = st.fixed_dictionaries(
    {name: st.sampled_from(values) for name, values in choices().items() if name != "game"}
)


@dataclass
class Night:
    """One match as it is played: by commands, and once more from the text of its log."""

    options: Options
    number: int
    chance: random.Random
    history: History = field(init=False)
    replayed: History = field(default_factory=History)

    def __post_init__(self) -> None:
        self.history = players.seated(self.options, self.number, self.chance)
        for batch in self.history.batches:
            self.replayed = self.replayed.append(invariants.through_text(batch))

    def take(self, command: Command) -> None:
        """One step, and everything that must hold after it."""
        before = self.history
        batch = before.decide(command, self.chance)
        assert isinstance(batch, Batch), (command, batch, str(before.match.board))
        assert batch.events or batch.undone
        self.history = before.append(batch)
        self.replayed = self.replayed.append(invariants.through_text(batch))
        assert self.replayed.batches[-1] == batch
        assert self.replayed.match == self.history.match
        assert (self.replayed.live, self.replayed.news) == (self.history.live, self.history.news)
        if batch.undone:
            self.undone(before, len(batch.undone))
        invariants.check(self.history)

    def undone(self, before: History, steps: int) -> None:
        """An undo leaves the match that the remaining steps lead to."""
        live = before.live[:-steps]
        assert self.history.live == live
        kept = [event for step in live for event in before.batches[step - 1].events]
        assert self.history.match == evolve_all(Match(), kept)

    def play(self, digging: float, interventions: float = 0.0) -> None:
        """Three rounds to the end."""
        while self.history.match.phase is not Phase.OVER:
            assert self.history.version < LONGEST_NIGHT
            command: Command | None = None
            if self.history.match.running and self.chance.random() < interventions:
                command = players.intervention(self.history, self.chance)
            self.take(command or players.next_command(self.history, self.chance, digging))


@pytest.mark.parametrize(("game", "number"), TABLES)
@given(changes=OPTIONS, seed=st.integers(0, 2**32), digging=st.sampled_from([0.3, 0.75]))
@settings(PROOF, max_examples=2)
def test_a_match_of_any_size_is_sound_at_every_step(
    game: Game, number: int, changes: dict[str, str | bool], seed: int, digging: float
) -> None:
    night = Night(chosen(game, changes), number, random.Random(seed))
    night.play(digging)
    match = night.history.match
    assert match.round == 3
    ended = [
        event for batch in night.history.batches for event in batch.events if event.NAME == "round_ended"
    ]
    assert len(ended) == 3
    most = max(player.nuggets for player in match.players)
    assert for_phone(night.history, match.players[0].seat)["winners"] == [
        player.seat for player in match.players if player.nuggets == most
    ]
    assert History.replay(map(invariants.through_text, night.history.batches)) == night.history


@pytest.mark.parametrize(("name", "value"), VARIANTS)
@pytest.mark.parametrize("game", Game)
def test_a_match_is_sound_with_any_option_chosen(game: Game, name: str, value: str | bool) -> None:
    night = Night(chosen(game, {name: value}), 5, random.Random(f"{game} {name} {value}"))
    night.play(0.6)


@pytest.mark.parametrize("game", Game)
@given(changes=OPTIONS, seed=st.integers(0, 2**32), number=st.integers(3, 10))
@settings(PROOF, max_examples=3)
def test_a_match_stays_sound_however_the_host_intervenes(
    game: Game, changes: dict[str, str | bool], seed: int, number: int
) -> None:
    night = Night(chosen(game, changes), number, random.Random(seed))
    night.play(0.6, interventions=0.1)


@pytest.mark.parametrize("game", Game)
@given(changes=OPTIONS, seed=st.integers(0, 2**32), number=st.integers(3, 10))
@settings(PROOF, max_examples=3)
def test_what_a_phone_offers_is_never_refused_and_what_it_denies_always_is(
    game: Game, changes: dict[str, str | bool], seed: int, number: int
) -> None:
    chance = random.Random(seed)
    history = players.seated(chosen(game, changes), number, chance)
    while history.match.phase is not Phase.OVER:
        if chance.random() < 0.15:
            offers_hold(history, chance)
            denials_hold(history, chance)
            invariants.nobody_is_told_lies(history)
        history = players.step(history, players.next_command(history, chance, 0.5), chance)


def offers_hold(history: History, chance: random.Random) -> None:
    """The player to move is refused nothing that the phone offers."""
    match = history.match
    if match.phase is not Phase.ROUND:
        return
    view = for_phone(history, match.to_move)
    commands: list[Command] = list(players.offered(view))
    if view["me"]["may"]["path"]["ok"]:
        laying = players.placings(match, match.to_move)
        commands += chance.sample(laying, min(5, len(laying)))
    for command in commands:
        assert isinstance(history.decide(command, chance), Batch), command


def denials_hold(history: History, chance: random.Random) -> None:
    """Nobody succeeds with a kind of turn that the phone denies, whatever the target."""
    match = history.match
    for player in match.players:
        denied = {name for name, may in for_phone(history, player.seat)["me"]["may"].items() if not may["ok"]}
        for command in players.every_turn(history, player.seat, chance):
            if ("path" if command.NAME == "place" else command.NAME) in denied:
                assert isinstance(history.decide(command, chance), Refusal), command


@pytest.mark.parametrize("game", Game)
@given(changes=OPTIONS, seed=st.integers(0, 2**32), number=st.integers(3, 10))
@settings(PROOF, max_examples=2)
def test_nonsense_is_refused_for_a_reason_or_leads_to_a_sound_match(
    game: Game, changes: dict[str, str | bool], seed: int, number: int
) -> None:
    chance = random.Random(seed)
    history = players.seated(chosen(game, changes), number, chance)
    while history.match.phase is not Phase.OVER:
        for _ in range(6):
            command = players.nonsense(chance)
            if isinstance(command, Refusal):
                assert command.problems
                continue
            answer = history.decide(command, chance)
            if isinstance(answer, Refusal):
                assert answer.problems
                continue
            assert answer.events or answer.undone
            if not isinstance(command, Leave):
                invariants.check(history.append(answer))
        history = players.step(history, players.next_command(history, chance), chance)


@given(seed=st.integers(0, 2**32))
@settings(PROOF, max_examples=2)
def test_everything_since_the_seats_changed_can_be_undone(seed: int) -> None:
    chance = random.Random(seed)
    opening = history = players.seated(DEFAULT, 4, chance)
    while history.match.phase is not Phase.OVER:
        history = players.step(history, players.next_command(history, chance), chance)
    steps = len(history.undoable())
    assert steps == history.version - opening.version
    history = players.step(history, Undo(HOST, steps), chance)
    assert history.match == opening.match
    assert history.news[-1].code == "undone_seen"
    assert isinstance(history.decide(Undo(HOST), chance), Refusal)


def test_every_action_card_of_a_kind_has_a_turn_of_that_kind() -> None:
    for game in Game:
        match = Match(options=chosen(game, {}))
        for kind, action in CARDS.items():
            in_game = kind in rules_of(match).turns
            assert in_game == (not why_no_card(match, (action, ())))


def chosen(game: Game, changes: dict[str, str | bool]) -> Options:
    """The options of a table."""
    options = DEFAULT.changed({"game": game.value, **changes})
    assert isinstance(options, Options)
    return options
