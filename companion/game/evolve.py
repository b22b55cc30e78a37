"""From one moment of a match to the next, by one event. Decides nothing, refuses nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from companion.game import events as e
from companion.game.board import Board
from companion.game.cards import GOAL_CELLS, Face, parse_laid
from companion.game.decks import Action, Tool
from companion.game.options import Direction, Options
from companion.game.roles import FOREIGN_DOOR, Role
from companion.game.state import NOBODY, THEFT, Ending, Match, Outcome, Phase, Player, Winner

EventT = TypeVar("EventT", bound=e.Event)
Evolver = Callable[[Match, EventT], Match]
EVOLVERS: dict[type[e.Event], Evolver[Any]] = {}


def on(kind: type[EventT]) -> Callable[[Evolver[EventT]], Evolver[EventT]]:
    """Registers what one kind of event does."""

    def register(evolver: Evolver[EventT]) -> Evolver[EventT]:
        EVOLVERS[kind] = evolver
        return evolver

    return register


def evolve(match: Match, event: e.Event) -> Match:
    """The match after the event."""
    return EVOLVERS[type(event)](match, event)


def evolve_all(match: Match, events: Iterable[e.Event]) -> Match:
    """The match after all of the events, in order."""
    for event in events:
        match = evolve(match, event)
    return match


# ------------------------------------------------------------ the table


@on(e.Joined)
def _joined(match: Match, event: e.Joined) -> Match:
    player = Player(event.seat, event.name)
    return match.but(players=(*match.players, player), seats_given=max(match.seats_given, event.seat))


@on(e.Left)
def _left(match: Match, event: e.Left) -> Match:
    # The neighbours step in, so that whoever would have come after the one who left still does.
    around = match.after(event.seat, match.options.turns is Direction.CLOCKWISE)
    before, after = (around[-2], around[0]) if len(around) > 1 else (NOBODY, NOBODY)
    return match.but(
        players=tuple(player for player in match.players if player.seat != event.seat),
        last=before if match.last == event.seat else match.last,
        began=before if match.began == event.seat else match.began,
        last_path=after if match.last_path == event.seat else match.last_path,
    )


@on(e.Renamed)
def _renamed(match: Match, event: e.Renamed) -> Match:
    return match.with_player(event.seat, name=event.name)


@on(e.Seated)
def _seated(match: Match, event: e.Seated) -> Match:
    return match.but(players=tuple(match.at(seat) for seat in event.seats))


@on(e.OptionsSet)
def _options_set(match: Match, event: e.OptionsSet) -> Match:
    options = Options().changed(dict(event.options))
    if not isinstance(options, Options):
        raise e.UnreadableEvent(event.NAME)
    return match.but(options=options)


@on(e.GameBegan)
def _game_began(match: Match, event: e.GameBegan) -> Match:
    players = tuple(player.but(gold=(), purse=()) for player in match.players)
    return match.but(players=players, round=0, gone=(), gold_deck=event.gold_deck)


@on(e.RoundStarted)
def _round_started(match: Match, event: e.RoundStarted) -> Match:
    players = tuple(
        player.but(
            role=Role(role),
            hand=event.hand,
            before=(),
            peeks=(),
            inspections=(),
            # Who sat down late has won nothing in the rounds before.
            purse=(*player.purse, *(0,) * (event.round - 1 - len(player.purse)), player.nuggets),
        )
        for player, role in zip(match.players, event.roles, strict=True)
    )
    return match.but(
        players=players,
        phase=Phase.ROUND,
        round=event.round,
        board=Board.opening(),
        goals=event.goals,
        left_over=tuple(Role(role) for role in event.left_over),
        pile=event.pile,
        set_aside=event.set_aside,
        discarded=0,
        used_paths=(),
        used_actions=(),
        by_hand=0,
        to_move=event.first,
        began=event.first,
        last=NOBODY,
        last_path=NOBODY,
        last_cell=None,
        asking=(),
        outcome=None,
        fan=(),
        picker=NOBODY,
        thefts=(),
        door_faults=(),
        thieves=(),
    )


@on(e.Corrected)
def _corrected(match: Match, event: e.Corrected) -> Match:
    old = match.board.cards.get(event.cell)
    board, by_hand = match.board, match.by_hand
    if event.cell in GOAL_CELLS:
        board = (
            board.laid(event.cell, parse_laid(event.card))
            if event.card
            else Board(board.without(event.cell).cards, board.face_down | {event.cell})
        )
    else:
        by_hand += bool(event.card) - (old is not None)
        board = board.laid(event.cell, parse_laid(event.card)) if event.card else board.without(event.cell)
    arrivals = board.arrivals() if match.asking else {}
    asking = tuple(cell for cell in match.asking if cell in arrivals)
    phase = match.phase if asking or match.phase is not Phase.ASKING else Phase.ROUND
    return match.but(board=board, by_hand=by_hand, asking=asking, phase=phase)


# ------------------------------------------------------------ turns


@on(e.PathLaid)
def _path_laid(match: Match, event: e.PathLaid) -> Match:
    player, laid = match.at(event.seat), parse_laid(event.card)
    match = match.with_player(event.seat, hand=player.hand - 1)
    board, faults = match.board.laid(event.cell, laid), match.door_faults
    if (
        match.options.own_doors_only
        and laid.face.door
        and player.role
        and laid.face.door is FOREIGN_DOOR.get(player.role)
    ):
        faults = (*faults, (event.seat, event.cell))
    return match.but(
        board=board,
        last=event.seat,
        last_path=event.seat,
        last_cell=event.cell,
        door_faults=faults,
    )


@on(e.GoalReached)
def _goal_reached(match: Match, event: e.GoalReached) -> Match:
    return match.but(asking=(*match.asking, event.cell), asked_of=event.seat, phase=Phase.ASKING)


@on(e.GoalTurned)
def _goal_turned(match: Match, event: e.GoalTurned) -> Match:
    asking = tuple(cell for cell in match.asking if cell != event.cell)
    board = match.board.laid(event.cell, parse_laid(event.card))
    return match.but(board=board, asking=asking, phase=Phase.ASKING if asking else Phase.ROUND)


@on(e.ActionPlayed)
def _action_played(match: Match, event: e.ActionPlayed) -> Match:
    match = match.with_player(event.seat, hand=match.at(event.seat).hand - 1)
    card = Action(event.action), tuple(Tool(tool) for tool in event.tools)
    if event.out_of_game:
        return match.but(last=event.seat, gone=(*match.gone, card))
    return match.but(last=event.seat, used_actions=(*match.used_actions, card))


@on(e.PutBefore)
def _put_before(match: Match, event: e.PutBefore) -> Match:
    if event.token == THEFT:
        match = match.but(thefts=(*match.thefts, event.seat))
    return match.with_player(event.seat, before=(*match.at(event.seat).before, event.token))


@on(e.TakenFromBefore)
def _taken_from_before(match: Match, event: e.TakenFromBefore) -> Match:
    if event.token == THEFT:
        match = match.but(thefts=tuple(seat for seat in match.thefts if seat != event.seat))
    before = tuple(token for token in match.at(event.seat).before if token != event.token)
    return match.with_player(event.seat, before=before)


@on(e.Fell)
def _fell(match: Match, event: e.Fell) -> Match:
    face: Face = parse_laid(event.card).face
    return match.but(board=match.board.without(event.cell), used_paths=(*match.used_paths, face))


@on(e.Peeked)
def _peeked(match: Match, event: e.Peeked) -> Match:
    if not event.goal:
        return match
    return match.with_player(event.seat, peeks=(*match.at(event.seat).peeks, (event.cell, event.goal)))


@on(e.Inspected)
def _inspected(match: Match, event: e.Inspected) -> Match:
    seen = (*match.at(event.seat).inspections, (event.target, event.role))
    return match.with_player(event.seat, inspections=seen)


@on(e.HandsSwapped)
def _hands_swapped(match: Match, event: e.HandsSwapped) -> Match:
    mine, theirs = match.at(event.seat).hand, match.at(event.target).hand
    return match.with_player(event.seat, hand=theirs).with_player(event.target, hand=mine)


@on(e.HatSwapped)
def _hat_swapped(match: Match, event: e.HatSwapped) -> Match:
    match = match.with_player(event.target, role=Role(event.role))
    return match.but(left_over=tuple(Role(role) for role in event.left_over))


@on(e.Discarded)
def _discarded(match: Match, event: e.Discarded) -> Match:
    match = match.with_player(event.seat, hand=match.at(event.seat).hand - event.count)
    return match.but(discarded=match.discarded + event.count)


@on(e.Drew)
def _drew(match: Match, event: e.Drew) -> Match:
    match = match.with_player(event.seat, hand=match.at(event.seat).hand + event.count)
    return match.but(pile=match.pile - event.count)


@on(e.TurnPassed)
def _turn_passed(match: Match, event: e.TurnPassed) -> Match:
    return match.but(to_move=event.seat)


# ------------------------------------------------------------ the end of a round


@on(e.RoundEnded)
def _round_ended(match: Match, event: e.RoundEnded) -> Match:
    outcome = Outcome(Winner(event.winner), Ending(event.ending), event.by, event.winners, event.note)
    return match.but(phase=Phase.BETWEEN, outcome=outcome, to_move=NOBODY, asking=())


@on(e.GoldFanned)
def _gold_fanned(match: Match, event: e.GoldFanned) -> Match:
    rest = match.gold_deck[len(event.cards) :]
    return match.but(phase=Phase.PICKING, fan=event.cards, picker=event.picker, gold_deck=rest)


@on(e.GoldPicked)
def _gold_picked(match: Match, event: e.GoldPicked) -> Match:
    fan = list(match.fan)
    fan.remove(event.card)
    match = match.with_player(event.seat, gold=(*match.at(event.seat).gold, event.card))
    phase = Phase.PICKING if event.next else Phase.BETWEEN
    return match.but(fan=tuple(fan), picker=event.next, phase=phase)


@on(e.Paid)
def _paid(match: Match, event: e.Paid) -> Match:
    match = match.with_player(event.seat, gold=(*match.at(event.seat).gold, *event.cards))
    return match.but(gold_deck=event.gold_deck)


@on(e.StealingBegan)
def _stealing_began(match: Match, event: e.StealingBegan) -> Match:
    return match.but(phase=Phase.STEALING, thieves=event.thieves)


@on(e.Stolen)
def _stolen(match: Match, event: e.Stolen) -> Match:
    if event.target != NOBODY:
        *rest, piece = match.at(event.target).gold
        match = match.with_player(event.target, gold=(*rest, piece - 1) if piece > 1 else tuple(rest))
        match = match.with_player(event.seat, gold=(*match.at(event.seat).gold, 1))
    match = _taken_from_before(match, e.TakenFromBefore(event.seat, THEFT))
    thieves = match.thieves[1:]
    return match.but(thieves=thieves, phase=Phase.STEALING if thieves else Phase.BETWEEN)


@on(e.MatchEnded)
def _match_ended(match: Match, event: e.MatchEnded) -> Match:
    return match.but(phase=Phase.OVER)
