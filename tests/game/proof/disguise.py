"""The same match with other secrets: whatever one viewer cannot know is dealt differently.

`disguised` changes a match as it stands; `retold` changes the whole log from which it grew, so that every
secret was another one from the moment it was dealt, and everything the viewer has been shown is the same.
The viewer is a seat, or TABLE for the screen that everybody sees.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from companion.game import events as e
from companion.game.cards import Cell
from companion.game.history import Batch
from companion.game.state import Match, Phase, Player, Seat

TABLE: Seat = 0


def shuffled(items: Iterable[str], chance: random.Random) -> list[str]:
    """The texts in another order."""
    mixed = list(items)
    chance.shuffle(mixed)
    return mixed


# ------------------------------------------------------------ a match as it stands


def disguised(match: Match, viewer: Seat, chance: random.Random) -> Match:
    """The match with all secrets changed that this viewer may not know now."""
    match = _other_goals(match, viewer, chance)
    if match.running:
        match = _other_roles(match, viewer, chance)
    if match.phase is not Phase.OVER:
        match = _other_gold(match, viewer, chance)
    players = tuple(
        player if player.seat == viewer else _other_looks(player, chance) for player in match.players
    )
    return replace(match, players=players)


def _other_goals(match: Match, viewer: Seat, chance: random.Random) -> Match:
    seen = {cell for player in match.players if player.seat == viewer for cell, _ in player.peeks}
    hidden = [cell for cell, _ in match.goals if cell in match.board.face_down - seen]
    dealt = dict(match.goals)
    dealt |= dict(zip(hidden, shuffled([dealt[cell] for cell in hidden], chance), strict=True))
    return replace(match, goals=tuple(dealt.items()))


def _other_roles(match: Match, viewer: Seat, chance: random.Random) -> Match:
    others = [player for player in match.players if player.seat != viewer]
    pool = [*(player.role for player in others), *match.left_over]
    chance.shuffle(pool)
    for player in others:
        match = match.with_player(player.seat, role=pool.pop())
    return replace(match, left_over=tuple(role for role in pool if role))


def _other_gold(match: Match, viewer: Seat, chance: random.Random) -> Match:
    others = [player for player in match.players if player.seat != viewer]
    fan = () if match.picker == viewer else match.fan
    pool = [*(card for player in others for card in player.gold), *fan, *match.gold_deck]
    chance.shuffle(pool)
    for player in others:
        purse = tuple(chance.randrange(9) for _ in player.purse)
        match = match.with_player(player.seat, gold=tuple(pool.pop() for _ in player.gold), purse=purse)
    new_fan = tuple(pool.pop() for _ in fan)
    return replace(match, fan=new_fan if fan else match.fan, gold_deck=tuple(pool))


def _other_looks(player: Player, chance: random.Random) -> Player:
    goals = ["gold", "stone-NE", "stone-NW"]
    peeks = tuple((cell, chance.choice(goals)) for cell, _ in player.peeks)
    inspections = tuple((seat, chance.choice(["saboteur", "boss"])) for seat, _ in player.inspections)
    return replace(player, peeks=peeks, inspections=inspections)


# ------------------------------------------------------------ the log from which it grew


def retold(batches: Sequence[Batch], viewer: Seat, chance: random.Random) -> list[Batch]:
    """The same steps with other secrets in their events. No undos and no leaving, the match not over."""
    events = [event for batch in batches for event in batch.events]
    for change in (_retell_goals, _retell_roles, _retell_gold):
        events = change(events, viewer, chance)
    told = iter(events)
    return [replace(batch, events=tuple(next(told) for _ in batch.events)) for batch in batches]


def _rounds(events: list[e.Event]) -> list[tuple[int, int]]:
    starts = [place for place, event in enumerate(events) if isinstance(event, e.RoundStarted)]
    return list(zip(starts, [*starts[1:], len(events)], strict=True))


def _retell_goals(events: list[e.Event], viewer: Seat, chance: random.Random) -> list[e.Event]:
    """Goals that were never turned up in their round, nor seen by the viewer, lie otherwise."""
    events = list(events)
    for start, end in _rounds(events):
        opening, rest = events[start], events[start + 1 : end]
        assert isinstance(opening, e.RoundStarted)
        known = {event.cell for event in rest if isinstance(event, e.GoalTurned)}
        known |= {event.cell for event in rest if isinstance(event, e.Peeked) and event.seat == viewer}
        dealt: dict[Cell, str] = dict(opening.goals)
        free = [cell for cell in dealt if cell not in known]
        dealt |= dict(zip(free, shuffled([dealt[cell] for cell in free], chance), strict=True))
        events[start] = replace(opening, goals=tuple(dealt.items()))
        for place in range(start + 1, end):
            event = events[place]
            if isinstance(event, e.Peeked) and event.goal:
                events[place] = replace(event, goal=dealt[event.cell])
    return events


@dataclass
class Hats:
    """Role cards of one round, each with a number of its own: who has which, and which lie aside."""

    roles: list[str]
    worn: dict[Seat, int]
    aside: list[int]
    known: set[int] = field(default_factory=set)

    def swap(self, event: e.HatSwapped) -> int:
        """The target takes one that lies aside; its number. What lies aside then is in the event's order."""
        old = self.worn[event.target]
        new = next(card for card in self.aside if self.roles[card] == event.role)
        heap = [*(card for card in self.aside if card != new), old]
        self.worn[event.target], self.aside = new, []
        for role in event.left_over:
            card = next(card for card in heap if self.roles[card] == role)
            heap.remove(card)
            self.aside.append(card)
        return new


def _retell_roles(events: list[e.Event], viewer: Seat, chance: random.Random) -> list[e.Event]:
    """In the round that still runs, roles are others: all but those that the viewer has had or inspected."""
    start, end = _rounds(events)[-1]
    opening = events[start]
    assert isinstance(opening, e.RoundStarted)
    if any(isinstance(event, e.RoundEnded) for event in events[start:end]):
        return events
    seats = _seats(events[:start])
    cards = [*opening.roles, *opening.left_over]

    def dealt() -> Hats:
        hats = Hats(cards, dict(zip(seats, range(len(seats)), strict=True)), [*range(len(seats), len(cards))])
        if viewer in hats.worn:
            hats.known.add(hats.worn[viewer])
        return hats

    hats = dealt()
    for event in events[start:end]:
        if isinstance(event, e.HatSwapped):
            hats.swap(event)
            if viewer in hats.worn:
                hats.known.add(hats.worn[viewer])
        if isinstance(event, e.Inspected) and event.seat == viewer:
            hats.known.add(hats.worn[event.target])
    free = [card for card in range(len(cards)) if card not in hats.known]
    new = list(cards)
    for card, role in zip(free, shuffled([cards[card] for card in free], chance), strict=True):
        new[card] = role

    events, hats = list(events), dealt()
    events[start] = replace(opening, roles=tuple(new[: len(seats)]), left_over=tuple(new[len(seats) :]))
    for place in range(start, end):
        event = events[place]
        if isinstance(event, e.HatSwapped):
            taken = hats.swap(event)
            left_over = tuple(new[card] for card in hats.aside)
            events[place] = replace(event, role=new[taken], left_over=left_over)
        if isinstance(event, e.Inspected):
            events[place] = replace(event, role=new[hats.worn[event.target]])
    return events


def _seats(events: list[e.Event]) -> list[Seat]:
    return [event.seat for event in events if isinstance(event, e.Joined)]


def _retell_gold(events: list[e.Event], viewer: Seat, chance: random.Random) -> list[e.Event]:
    """Gold cards that the viewer never saw have other values; who took which of those seen last, too."""
    opening = next((event for event in events if isinstance(event, e.GameBegan)), None)
    if opening is None or not opening.gold_deck:
        return events
    told = Gold(opening.gold_deck, viewer)
    for event in events:
        told.follow(event)
    new = list(opening.gold_deck)
    free = [card for card in range(len(new)) if card not in told.known]
    values = [new[card] for card in free]
    chance.shuffle(values)
    for card, value in zip(free, values, strict=True):
        new[card] = value
    return told.with_values(events, new, chance)


class Gold:
    """Gold cards, each with a number of its own, followed through a base game."""

    def __init__(self, deck: tuple[int, ...], viewer: Seat) -> None:
        self.values, self.viewer = deck, viewer
        self.deck = list(range(len(deck)))
        self.fan: list[int] = []
        self.known: set[int] = set()
        self.fans: list[list[int]] = []
        """Every fan that went round, as it is to lie: cards gone before the viewer saw it come first."""
        self.picks: list[list[tuple[Seat, int]]] = []
        self.paid: list[tuple[list[int], list[int]]] = []
        """Cards paid out, and the deck that was left."""

    def _take(self, heap: list[int], value: int) -> int:
        card = next(card for card in heap if self.values[card] == value)
        heap.remove(card)
        return card

    def follow(self, event: e.Event) -> None:
        """Where the cards go, and what the viewer sees of them."""
        if isinstance(event, e.GoldFanned):
            self.fan, self.deck = self.deck[: len(event.cards)], self.deck[len(event.cards) :]
            self.fans.append(list(self.fan))
            self.picks.append([])
            self._look(event.picker)
        elif isinstance(event, e.GoldPicked):
            self.picks[-1].append((event.seat, self._take(self.fan, event.card)))
            self._look(event.next)
        elif isinstance(event, e.Paid):
            cards = [self._take(self.deck, value) for value in event.cards]
            self.paid.append((cards, list(self.deck)))
            if event.seat == self.viewer:
                self.known |= set(cards)

    def _look(self, picker: Seat) -> None:
        if picker == self.viewer and not self.known >= set(self.fan):
            gone = [card for _, card in self.picks[-1]]
            self.fans[-1] = [*gone, *self.fan]
            self.known |= set(self.fan)

    def with_values(self, events: list[e.Event], new: list[int], chance: random.Random) -> list[e.Event]:
        """The events as they are when every card has its new value."""
        fans, paid = iter(self.fans), iter(self.paid)
        picks = iter([card for round_ in self.picks for card in self._picked(round_, chance)])
        retold: list[e.Event] = []
        for event in events:
            if isinstance(event, e.GameBegan):
                event = replace(event, gold_deck=tuple(new))
            elif isinstance(event, e.GoldFanned):
                event = replace(event, cards=tuple(new[card] for card in next(fans)))
            elif isinstance(event, e.GoldPicked):
                event = replace(event, card=new[next(picks)])
            elif isinstance(event, e.Paid):
                cards, deck = next(paid)
                event = replace(
                    event,
                    cards=tuple(new[card] for card in cards),
                    gold_deck=tuple(new[card] for card in deck),
                )
            retold.append(event)
        return retold

    def _picked(self, picks: list[tuple[Seat, int]], chance: random.Random) -> list[int]:
        """The cards picked in one round, those after the viewer's last pick in any order."""
        mine = [place for place, (seat, _) in enumerate(picks) if seat == self.viewer]
        cards = [card for _, card in picks]
        after = cards[mine[-1] + 1 :] if mine else cards
        return [*cards[: len(cards) - len(after)], *chance.sample(after, len(after))]
