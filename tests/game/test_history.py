"""A night as a list of steps: replay, undo, what is told of it."""

import json
import random

import pytest

from companion.game.cards import Face
from companion.game.commands import (
    Command,
    Correct,
    Discard,
    EndRound,
    Join,
    Leave,
    Map,
    Pick,
    SetOptions,
    StartRound,
    Undo,
)
from companion.game.events import EVENTS, UnreadableEvent, from_json
from companion.game.history import Batch, History
from companion.game.news import CODES, TELLERS
from companion.game.refusal import Refusal
from companion.game.state import HOST, JOINER, Phase
from tests.game.table import place


def told(*commands: Command, history: History | None = None) -> History:
    """A history after accepted commands."""
    history = history or History()
    for command in commands:
        batch = history.decide(command, random.Random(history.version))
        assert isinstance(batch, Batch), batch
        history = history.append(batch)
    return history


def begun() -> History:
    return told(*(Join(JOINER, name) for name in ("Ada", "Bo", "Cy")), StartRound(HOST))


def refusal(history: History, command: Command) -> list[str]:
    answer = history.decide(command, random.Random(0))
    assert isinstance(answer, Refusal)
    return [problem.code.value for problem in answer.problems]


def test_a_stored_night_replays_to_the_same_match_at_every_step() -> None:
    history = told(place(1, "1,0=EW"), Map(2, (8, 0)), Discard(3), Undo(HOST, 2), Discard(2), history=begun())
    stored = [json.loads(json.dumps(batch.to_json())) for batch in history.batches]
    for steps in range(len(stored) + 1):
        again = History.replay(Batch.from_json(data) for data in stored[:steps])
        assert again.version == steps
    assert again == history


def test_undo_is_replay_without_the_last_steps() -> None:
    before = told(place(1, "1,0=EW"), history=begun())
    after = told(Discard(2), Discard(3), Undo(HOST, 2), history=before)
    assert after.match == before.match
    assert after.version == before.version + 3


def test_any_number_of_steps_back_to_the_deal() -> None:
    history = told(place(1, "1,0=EW"), Discard(2), Undo(HOST), Undo(HOST), history=begun())
    assert history.match == begun().match
    assert told(Undo(HOST), history=history).match.phase is Phase.LOBBY


def test_undo_does_not_reach_past_a_change_of_seats_or_options() -> None:
    assert refusal(told(Join(JOINER, "Ada")), Undo(HOST)) == ["nothing_to_undo"]
    history = told(EndRound(HOST), Join(JOINER, "Di"), history=begun())
    assert refusal(history, Undo(HOST)) == ["nothing_to_undo"]
    assert refusal(begun(), Undo(HOST, 2)) == ["nothing_to_undo"]
    assert refusal(begun(), Undo(HOST, 0)) == ["nothing_to_undo"]


def test_only_the_host_undoes() -> None:
    assert refusal(begun(), Undo(1)) == ["not_host"]


def test_a_correction_can_be_undone() -> None:
    history = told(Correct(HOST, (1, 0), Face.parse("EW")), Undo(HOST), history=begun())
    assert history.match == begun().match


def test_an_undo_past_something_secretly_seen_is_announced() -> None:
    plain = told(Discard(1), Undo(HOST), history=begun())
    assert plain.news[-1].to_json() == {"code": "undone", "params": {"count": 1}}
    peeked = told(Map(1, (8, 0)), Discard(2), Undo(HOST, 2), history=begun())
    assert peeked.news[-1].to_json() == {"code": "undone_seen", "params": {"count": 2}}


def test_an_undo_of_a_rounds_end_is_announced_since_all_roles_were_shown() -> None:
    assert told(EndRound(HOST), Undo(HOST), history=begun()).news[-1].code == "undone_seen"


def test_the_host_is_told_which_step_an_undo_takes_back() -> None:
    history = told(Discard(1), place(2, "1,0=EW"), history=begun())
    assert history.undo_next
    assert (history.undo_next.code, history.undo_next.params["name"]) == ("path_laid", "Bo")
    history = told(Undo(HOST), history=history)
    assert history.undo_next
    assert history.undo_next.code == "discarded"
    assert told(Undo(HOST), Undo(HOST), history=history).undo_next is None


def test_after_undoing_a_deal_the_roles_are_dealt_anew() -> None:
    history = begun()
    again = told(Undo(HOST), StartRound(HOST), history=history)
    assert again.match.phase is Phase.ROUND
    assert again.news[-2].code == "undone_seen"


def test_the_news_name_who_did_what() -> None:
    history = told(place(1, "1,0=EW"), history=begun())
    assert [item.code for item in history.news] == ["joined"] * 3 + ["round_started", "path_laid"]
    assert history.news[-1].params == {"seat": 1, "name": "Ada", "cell": [1, 0], "card": "EW"}


def test_one_who_left_is_still_named() -> None:
    assert told(Join(JOINER, "Ada"), Leave(1, 1)).news[-1].params["name"] == "Ada"


def test_every_kind_of_event_is_told_or_left_out_on_purpose() -> None:
    assert set(TELLERS) == set(EVENTS.values())
    assert {"undone", "undone_seen"} <= CODES


def test_a_step_of_a_version_not_known_is_unreadable() -> None:
    for data in ({"event": "landslide"}, {"event": "drew", "seat": 1}, {}):
        with pytest.raises(UnreadableEvent):
            from_json(data)
    for step in ({"by": 1}, {"by": 1, "do": "x", "events": ["x"]}, {"by": "x", "do": "x", "events": []}):
        with pytest.raises(UnreadableEvent):
            Batch.from_json(step)
    options = from_json({"event": "options_set", "options": [["turns", "sideways"]]})
    with pytest.raises(UnreadableEvent):
        History().append(Batch(HOST, "set_options", (options,)))


def test_options_are_kept_in_the_log() -> None:
    history = told(SetOptions(HOST, {"goals": "physical"}))
    assert ["goals", "physical"] in json.loads(json.dumps(history.batches[0].to_json()))["events"][0][
        "options"
    ]


def test_a_pick_can_be_undone() -> None:
    history = begun()
    match = history.match
    assert refusal(history, Pick(match.to_move, 0)) == ["not_picking"]
