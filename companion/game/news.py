"""What everybody at the table may hear of each event, named item by item: nothing secret goes in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game import events as e
from companion.game.cards import parse_laid
from companion.game.state import Match, Seat


@dataclass(frozen=True)
class News:
    """One sentence's code and what it needs."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The item as a view carries it."""
        return {"code": self.code, "params": dict(self.params)}


def _who(match: Match, seat: Seat, role: str = "") -> dict[str, Any]:
    player = match.player(seat)
    return {role + "seat": seat, role + "name": player.name if player else ""}


def _target(match: Match, seat: Seat) -> dict[str, Any]:
    return _who(match, seat, "target_")


def _goal_turned(match: Match, event: e.GoalTurned) -> News:
    face = parse_laid(event.card).face
    code = "gold_found" if face.is_gold else "stone_found"
    return News(code, {**_who(match, event.seat), "cell": list(event.cell), "face": face.name})


def _path_laid(match: Match, event: e.PathLaid) -> News:
    code = "path_laid_against_rules" if event.against_rules else "path_laid"
    return News(code, {**_who(match, event.seat), "cell": list(event.cell), "card": event.card})


def _action_played(match: Match, event: e.ActionPlayed) -> News | None:
    if event.action not in ("theft",):
        return None
    return News("theft_played", _who(match, event.seat))


def _put_before(match: Match, event: e.PutBefore) -> News | None:
    if event.token == "theft":
        return None
    said = {**_who(match, match.to_move), **_target(match, event.seat), "token": event.token}
    return News("put_before", said)


def _taken_from_before(match: Match, event: e.TakenFromBefore) -> News:
    """By whom: the one whose turn it still is."""
    own = event.seat == match.to_move
    said = {**_who(match, match.to_move), **_target(match, event.seat), "token": event.token}
    return News("taken_from_before" if own else "helped", said)


def _stolen(match: Match, event: e.Stolen) -> News:
    if not event.target:
        return News("nothing_stolen", _who(match, event.seat))
    return News("stolen", {**_who(match, event.seat), **_target(match, event.target)})


TELLERS: dict[type[e.Event], Callable[[Match, Any], News | None]] = {
    e.Joined: lambda m, x: News("joined", _who(m, x.seat)),
    e.Left: lambda m, x: News("left", _who(m, x.seat)),
    e.Renamed: lambda m, x: News("renamed", {"seat": x.seat, "name": x.name, "old_name": m.at(x.seat).name}),
    e.GameBegan: lambda m, x: None,
    e.Seated: lambda m, x: News("seated"),
    e.OptionsSet: lambda m, x: News("options_set"),
    e.RoundStarted: lambda m, x: News("round_started", {"round": x.round, **_who(m, x.first)}),
    e.PathLaid: _path_laid,
    e.GoalReached: lambda m, x: News("goal_reached", {"cell": list(x.cell)}),
    e.GoalTurned: _goal_turned,
    e.ActionPlayed: _action_played,
    e.PutBefore: _put_before,
    e.TakenFromBefore: _taken_from_before,
    e.Fell: lambda m, x: News("fell", {**_who(m, x.seat), "cell": list(x.cell), "card": x.card}),
    e.Peeked: lambda m, x: News("map_played", {**_who(m, x.seat), "cell": list(x.cell)}),
    e.Inspected: lambda m, x: News("inspected", {**_who(m, x.seat), **_target(m, x.target)}),
    e.HandsSwapped: lambda m, x: News("hands_swapped", {**_who(m, x.seat), **_target(m, x.target)}),
    e.HatSwapped: lambda m, x: News("hat_swapped", {**_who(m, x.seat), **_target(m, x.target)}),
    e.Discarded: lambda m, x: News("discarded", {**_who(m, x.seat), "count": x.count}),
    e.Drew: lambda m, x: None,
    e.TurnPassed: lambda m, x: None,
    e.Corrected: lambda m, x: News("corrected", {"cell": list(x.cell), "card": x.card}),
    e.RoundEnded: lambda m, x: News("round_ended", {"winner": x.winner, "ending": x.ending}),
    e.GoldFanned: lambda m, x: News("gold_fanned", {"count": len(x.cards), **_who(m, x.picker)}),
    e.GoldPicked: lambda m, x: News("gold_picked", _who(m, x.seat)),
    e.Paid: lambda m, x: None,
    e.StealingBegan: lambda m, x: None,
    e.Stolen: _stolen,
    e.MatchEnded: lambda m, x: News("match_ended"),
}


def news_of(before: Match, match: Match, event: e.Event) -> News | None:
    """What is told of an event; `before` and `match` are the match on either side of it."""
    known = before if isinstance(event, e.Left | e.Renamed) else match
    return TELLERS[type(event)](known, event)


CODES = frozenset(
    [
        "joined",
        "left",
        "renamed",
        "seated",
        "options_set",
        "round_started",
        "path_laid",
        "path_laid_against_rules",
        "goal_reached",
        "gold_found",
        "stone_found",
        "theft_played",
        "put_before",
        "taken_from_before",
        "helped",
        "fell",
        "map_played",
        "inspected",
        "hands_swapped",
        "hat_swapped",
        "discarded",
        "corrected",
        "round_ended",
        "gold_fanned",
        "gold_picked",
        "nothing_stolen",
        "stolen",
        "match_ended",
        "undone",
        "undone_seen",
    ]
)
"""Every code that news can carry; each has a sentence in the catalogues."""
