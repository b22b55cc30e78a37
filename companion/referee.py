"""Holds what the camera steadily sees against the board that the match keeps. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from companion.game.cards import Cell, Edges, Face, Kind, Laid, UnreadableCard, lay, turn
from companion.game.commands import Command, Place, RevealGoal
from companion.game.options import GoalsKept
from companion.game.paths import verdict as verdict_of
from companion.game.refusal import Problem
from companion.game.ruleset import rules_of
from companion.game.state import HOST, Match, Phase, Seat

SWEPT = 4
"""So many cards out of the game are told in one sentence: nobody reads a list of what is to be swept away."""
SAME_MOMENT_S = 2.0
"""Cards that came to rest within so many seconds of each other may have been laid in either order."""

Lying = frozenset[tuple[Cell, tuple[Edges, ...]]]
"""Path cards on the table, by cell and tunnels as they lie, that are no longer part of the game."""


class UnreadableSight(ValueError):
    """A report from the camera that is not one."""


class Issue(StrEnum):
    """What camera and game can disagree on; each has a sentence in the catalogues."""

    MISSING = "missing"
    """The game has a card where bare table is seen."""
    DIFFERS = "differs"
    """Another card lies there, or the other way up."""
    EXTRA = "extra"
    """A further new card, while an earlier one is not settled."""
    CLEAR_AWAY = "clear_away"
    """A card that is out of the game still lies there."""
    OLD_MAZE = "old_maze"
    """Several such cards: most of the last round's maze."""
    GOAL_TO_LAY = "goal_to_lay"
    """A goal was reached: its card is to be laid on the place holder."""
    GOAL_DIFFERS = "goal_differs"
    """Another goal card was laid than the app dealt, or the wrong way up."""
    GOAL_UP_EARLY = "goal_up_early"
    """A goal lies face up that was not reached."""
    NO_START_CARD = "no_start_card"
    GOALS_MISSING = "goals_missing"


@dataclass(frozen=True)
class Seen:
    """One card of a sight, as play knows it. `laid` is None for a card face down or of no known shape."""

    cell: Cell
    kind: Kind
    laid: Laid | None
    since: float


@dataclass(frozen=True)
class Sight:
    """What lies on the table for the camera, steadily: one card a cell, and cells it cannot see."""

    cards: Mapping[Cell, Seen] = field(default_factory=dict)
    hidden: frozenset[Cell] = frozenset()
    steady: bool = False

    @staticmethod
    def parse(data: Mapping[str, Any]) -> Sight:
        """The sight that a camera reports. Raises UnreadableSight."""
        try:
            cards = [_seen(card) for card in data["cards"]]
            hidden = frozenset((int(column), int(row)) for column, row in data["hidden"])
            return Sight({card.cell: card for card in cards}, hidden, bool(data["steady"]))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise UnreadableSight(str(error)) from error


def _seen(data: Mapping[str, Any]) -> Seen:
    kind, turned = Kind(data["kind"]), bool(data["turned"])
    laid = None
    if data["face_up"]:
        try:
            laid = _as_printed(kind, data["tunnels"], turned)
        except UnreadableCard:
            laid = None
    column, row = data["cell"]
    return Seen((int(column), int(row)), kind, laid, float(data["since"]))


def _as_printed(kind: Kind, groups: Any, turned: bool) -> Laid:
    face = Face.of_tunnels(kind, groups)
    if kind is Kind.GOAL:
        printed = Face.of_tunnels(Kind.PATH, groups).tunnels
        turned ^= printed != face.tunnels and printed == tuple(turn(group) for group in face.tunnels)
    return lay(face, turned)


@dataclass(frozen=True)
class Disagreement:
    """One thing that camera and game do not agree on, until it is settled."""

    code: Issue
    cell: Cell | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The disagreement as a view carries it."""
        place = {} if self.cell is None else {"cell": list(self.cell)}
        return {"code": self.code.value, **place, "params": dict(self.params)}


@dataclass(frozen=True)
class Verdict:
    """What the referee says of the card just laid."""

    seat: Seat
    cell: Cell
    laid: Laid
    problems: tuple[Problem, ...]

    def to_json(self) -> dict[str, Any]:
        """The verdict as a view carries it."""
        return {
            "seat": self.seat,
            "cell": list(self.cell),
            "face": self.laid.face.name,
            "turned": self.laid.turned,
            "legal": not self.problems,
            "problems": [problem.to_json() for problem in self.problems],
        }


@dataclass(frozen=True)
class Review:
    """What follows from a sight: a command to give, or what is wrong, and what is not settled."""

    proposal: Command | None = None
    verdict: Verdict | None = None
    disagreements: tuple[Disagreement, ...] = ()


def review(match: Match, sight: Sight, lying: Lying = frozenset()) -> Review:
    """Compares. `lying` are cards that everybody knows are out of the game (see `carry`)."""
    if not match.running:
        return Review(disagreements=_not_set_up(match, sight))
    found = list(_goals(match, sight))
    proposal = _goal_told(match, sight)
    new: list[tuple[float, Cell, Laid]] = []
    left: list[Disagreement] = []
    for cell, seen in sorted(sight.cards.items()):
        laid = _of_deck(match, seen)
        if laid is None:
            continue
        known = match.board.cards.get(cell)
        if known is not None and known.tunnels == laid.tunnels:
            continue
        if (cell, laid.tunnels) in lying:
            left.append(Disagreement(Issue.CLEAR_AWAY, cell, {"card": str(laid)}))
        elif known is not None:
            params = {"card": str(known), "seen": str(laid)}
            found.append(Disagreement(Issue.DIFFERS, cell, params))
        else:
            new.append((seen.since, cell, laid))
    in_game = sum(card.face.kind is Kind.PATH for card in match.board.cards.values())
    many = len(left) >= SWEPT and len(left) > in_game
    found += [Disagreement(Issue.OLD_MAZE, params={"count": len(left)})] if many else left
    found += _missing(match, sight)
    if not new or proposal is not None:
        return Review(proposal, None, tuple(found))
    first, others = _judge(match, sorted(new, key=lambda card: card[0]))
    found += [Disagreement(Issue.EXTRA, cell, {"card": str(laid)}) for cell, laid in others]
    if first.problems:
        return Review(None, first, tuple(found))
    place = Place(first.seat, first.cell, first.laid.face, first.laid.turned)
    return Review(place, first, tuple(found))


def carry(lying: Lying, before: Match, after: Match, sight: Sight) -> Lying:
    """The cards out of the game that still lie on the table after a step of the match, or after a new sight.

    A card that a step took off the board (rockfall, undo, correction) is not a new card merely because it has
    not been picked up yet; nor is the maze of the last round when the next one starts.
    """
    seen = {(cell, laid.tunnels) for cell, card in sight.cards.items() if (laid := _of_deck(after, card))}
    was = {(cell, laid.tunnels) for cell, laid in before.board.cards.items()}
    now = {(cell, laid.tunnels) for cell, laid in after.board.cards.items()}
    new_round = (
        (before.round, before.phase) != (after.round, after.phase) and not before.running and after.running
    )
    dropped = seen if new_round else seen & was
    # What is not seen is gone only when it could be: not behind a hand, not before the camera has settled.
    unseen = {card for card in lying if card[0] in sight.hidden or not sight.steady}
    still = (lying & seen) | unseen
    return frozenset((still | dropped) - now)


def _of_deck(match: Match, seen: Seen) -> Laid | None:
    if seen.laid is None or seen.kind is not Kind.PATH:
        return None
    return rules_of(match).of_deck(seen.laid.face, seen.laid.turned) or seen.laid


def _judge(match: Match, new: list[tuple[float, Cell, Laid]]) -> tuple[Verdict, list[tuple[Cell, Laid]]]:
    """The verdict on the first new card; of those laid in the same moment, on the first that is legal."""
    earliest = new[0][0]
    verdicts = [
        Verdict(match.to_move, cell, laid, verdict_of(match, match.to_move, cell, laid))
        for since, cell, laid in new
        if since - earliest <= SAME_MOMENT_S
    ]
    first = next((verdict for verdict in verdicts if not verdict.problems), verdicts[0])
    return first, [(cell, laid) for _, cell, laid in new if cell != first.cell]


def _missing(match: Match, sight: Sight) -> list[Disagreement]:
    if not sight.steady:
        return []
    return [
        Disagreement(Issue.MISSING, cell, {"card": str(laid)})
        for cell, laid in sorted(match.board.cards.items())
        if laid.face.kind is Kind.PATH and cell not in sight.cards and cell not in sight.hidden
    ]


def _goals(match: Match, sight: Sight) -> list[Disagreement]:
    found = []
    dealt = match.options.goals is GoalsKept.DEALT
    for cell, seen in sorted(sight.cards.items()):
        if seen.kind is not Kind.GOAL:
            continue
        known = match.board.cards.get(cell)
        if known is None:
            if seen.laid is not None and cell in match.board.face_down and cell not in match.asking:
                found.append(Disagreement(Issue.GOAL_UP_EARLY, cell))
        elif seen.laid is None:
            if dealt:
                found.append(Disagreement(Issue.GOAL_TO_LAY, cell, {"card": str(known)}))
        elif seen.laid.tunnels != known.tunnels:
            params = {"card": str(known), "seen": str(seen.laid)}
            found.append(Disagreement(Issue.GOAL_DIFFERS, cell, params))
    return found


def _goal_told(match: Match, sight: Sight) -> Command | None:
    """A goal kept physically that was reached and now lies face up."""
    if match.phase is not Phase.ASKING:
        return None
    for cell in match.asking:
        seen = sight.cards.get(cell)
        if seen is not None and seen.kind is Kind.GOAL and seen.laid is not None:
            return RevealGoal(HOST, cell, seen.laid.face)
    return None


def _not_set_up(match: Match, sight: Sight) -> tuple[Disagreement, ...]:
    """Before a round, once the last one's maze is cleared away: whether start card and goals lie ready."""
    maze = any(seen.kind is Kind.PATH for seen in sight.cards.values())
    if not sight.steady or maze or match.phase not in (Phase.LOBBY, Phase.BETWEEN):
        return ()
    found = []
    if not any(seen.kind is Kind.START for seen in sight.cards.values()):
        found.append(Disagreement(Issue.NO_START_CARD))
    goals = sum(seen.kind is Kind.GOAL for seen in sight.cards.values())
    if goals < 3:
        found.append(Disagreement(Issue.GOALS_MISSING, params={"count": goals}))
    return tuple(found)
