"""Many readings to one steady sight: cards count once they lie still, and go once bare table is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from companion.game.cards import CARD_MM, Cell, Edges, order, turn
from vision.bare import BareTable, samples
from vision.carry import as_corners, empty_places, moved, quad, recounted, view_motion
from vision.deckbook import Deck
from vision.looks import Look, Reals, as_known, blocks, least_likeness, likeness, pattern
from vision.pictures import Image
from vision.reading import CardRead, Reading
from vision.sight import Sight, SteadyCard

SETTLE_S = 0.25
"""How long a card must be seen to lie still in an empty cell before it counts: from the first look at it to
the last. It lay there for part of a period before the first look, so that it counts about 0.3 s after it came
to rest."""
SETTLE_OTHER_S = 0.4
"""The same where another card, or the same the other way round, is known to lie: that needs more witness."""
SETTLE_SAME_S = 1.0
"""The same where the difference is none for play: without markers a reader may waver between twins."""
LOOKS = 3
"""So many readings must agree; one less where they come slowly and so span twice the time."""
PATIENCE_S = 1.5
"""A card that is read well and lies still counts after this even if something seems to lie over it."""
GONE_S = 1.0
"""How long bare table must be seen in a card's place before the card is gone."""
GONE_LOOKS = 4
HIDDEN_S = 0.5
"""A known card unread for so long is reported as hidden."""

STILL_MM = 3.0
"""A card's corners may seem to move so far between two readings,"""
DRIFT_MM = 8.0
"""and so far since it came to rest."""
STILL_LIKENESS = 0.75
"""Between two frames: a hand drawn back over a card changes more."""
CLEAR_LIKENESS = 0.3
"""With the face as printed: what lies over a part of the card has nothing of its pattern."""
THERE_LIKENESS = 0.45
"""With how the card looked before: above this it lies there still, whatever the reader says."""
BARE_SHARE = 0.9
"""So much of a card's place must look like table (measured: table 1.0; hands and sleeves up to 0.75)."""
STILL_COLOUR = 6.0
"""Lab distance between two frames up to which a place shows the same."""

Key = tuple[str | tuple[Edges, ...] | None, bool, bool]


@dataclass
class _Lying:
    """A card that counts."""

    steady: SteadyCard
    look: Reals
    """Its pattern when last seen unchanged."""
    read_at: float
    bare_since: float | None = None
    bare_looks: int = 0
    place: Reals | None = None
    """Colours of its place in the last frame it was not read in."""


@dataclass
class _Coming:
    """A card that may be coming to rest."""

    card: CardRead
    first: Reals
    look: Reals
    still_since: float
    clear_since: float | None
    clear_looks: int
    missed: int = 0


class Tracker:
    """Turns the readings of one table's frames into its steady sight.

    It has no clock: time comes in with every frame. With the `deck` given it also sees whether something
    lies over part of a card that is read (a hand that has not let go), and waits for that.
    """

    def __init__(self, deck: Deck | None = None) -> None:
        faces = deck.faces if deck else {}
        self._faces = {name: as_known(face.picture) for name, face in faces.items()}
        self._lying: dict[Cell, _Lying] = {}
        self._coming: dict[Cell, _Coming] = {}
        self._table = BareTable()
        self._revision = 0
        self._px_per_mm = 0.0

    def update(self, reading: Reading, image: Image, at_s: float, still: bool = False) -> Sight:
        """The sight after one more reading: `image` is what was read, `at_s` (never falling) when taken.

        A `still` picture was taken by somebody who had waited for the table to come to rest: one look is
        enough, at what lies there and at what does not. What a hand lies over waits for the next one.
        """
        known = {cell: one.steady.card for cell, one in self._lying.items()}
        reading = recounted(reading, known)
        self._px_per_mm = reading.px_per_mm or self._px_per_mm
        look = Look(image, self._px_per_mm)
        read = {card.cell: card for card in reading.cards}
        motion = view_motion(known, read, still)
        if motion is not None:
            self._carry(motion, read)
        if still:
            # The last photo was taken in another light and from another place.
            self._table = BareTable()
            self._learn(read, frozenset(reading.hidden), look, at_s)
        for card in read.values():
            self._seen(card, look, at_s, still)
        for cell in [cell for cell in self._coming if cell not in read]:
            self._coming[cell].missed += 1
            if self._coming[cell].missed > 1:
                del self._coming[cell]
        # Without one card found where it was, nobody knows where the camera looks: then nothing is gone.
        if motion is not None:
            self._missing(read, frozenset(reading.hidden), look, at_s, still)
            if not still:
                self._learn(read, frozenset(reading.hidden), look, at_s)
        return self._sight(reading, read, at_s)

    def _carry(self, motion: Reals, read: Mapping[Cell, CardRead]) -> None:
        for cell, lying in self._lying.items():
            if cell not in read:
                card = lying.steady.card
                at = as_corners(moved(quad(card.corners), motion))
                lying.steady = replace(lying.steady, card=replace(card, corners=at))

    def _seen(self, card: CardRead, look: Look, at_s: float, still: bool) -> None:
        seen = pattern(look.place(quad(card.corners)))
        lying = self._lying.get(card.cell)
        if lying and _key(lying.steady.card) == _key(card):
            lying.steady = replace(lying.steady, card=card)
            lying.look, lying.read_at = seen, at_s
            lying.bare_since, lying.bare_looks, lying.place = None, 0, None
            self._coming.pop(card.cell, None)
            return
        clear = self._is_clear(card, seen)
        coming = self._coming.get(card.cell)
        if still and (clear or (coming is not None and _key(coming.card) == _key(card))):
            # Not clear in two photos one after the other: something has been left lying on it.
            self._coming.pop(card.cell, None)
            self._settle(card, seen, at_s)
            return
        if coming is None or not self._is_still(coming, card, seen):
            self._coming[card.cell] = _Coming(
                card, quad(card.corners), seen, at_s, at_s if clear else None, int(clear)
            )
            return
        coming.card, coming.look, coming.missed = card, seen, 0
        if not clear:
            coming.clear_since, coming.clear_looks = None, 0
        else:
            coming.clear_since = at_s if coming.clear_since is None else coming.clear_since
            coming.clear_looks += 1
        if self._has_settled(coming, lying, at_s):
            del self._coming[card.cell]
            self._settle(card, seen, at_s)

    def _is_still(self, coming: _Coming, card: CardRead, seen: Reals) -> bool:
        if _key(coming.card) != _key(card):
            return False
        at, limit = quad(card.corners), max(self._px_per_mm, 0.5)
        step = np.abs(at - quad(coming.card.corners)).max()
        drift = np.abs(at - coming.first).max()
        near = step <= max(2.0, STILL_MM * limit) and drift <= max(4.0, DRIFT_MM * limit)
        return bool(near) and likeness(seen, coming.look) >= STILL_LIKENESS

    def _is_clear(self, card: CardRead, seen: Reals) -> bool:
        known = self._faces.get(card.face) if card.face else None
        return known is None or least_likeness(seen, known) >= CLEAR_LIKENESS

    def _has_settled(self, coming: _Coming, lying: _Lying | None, at_s: float) -> bool:
        needed, looks = SETTLE_S, LOOKS
        if lying:
            same = _plays_like(lying.steady.card, coming.card)
            needed, looks = SETTLE_SAME_S if same else SETTLE_OTHER_S, LOOKS + 1
        # The tenth part is for frames that come a little early at an even pace.
        enough = needed - SETTLE_S / 10
        clear_s = at_s - coming.clear_since if coming.clear_since is not None else 0.0
        looks -= clear_s >= 2 * needed
        if clear_s >= enough and coming.clear_looks >= looks:
            return True
        return at_s - coming.still_since >= max(PATIENCE_S, needed)

    def _settle(self, card: CardRead, seen: Reals, at_s: float) -> None:
        for cell, other in list(self._lying.items()):
            # Pushed over into the next cell: the one card cannot lie in both, overlapping itself.
            if cell != card.cell and card.face and _key(other.steady.card)[0] == card.face:
                apart = quad(other.steady.card.corners).mean(0) - quad(card.corners).mean(0)
                if np.hypot(*apart) < 0.6 * CARD_MM[0] * max(self._px_per_mm, 0.5):
                    del self._lying[cell]
        self._lying[card.cell] = _Lying(SteadyCard(card, at_s), seen, at_s)
        self._revision += 1

    def _missing(
        self, read: Mapping[Cell, CardRead], hidden: frozenset[Cell], look: Look, at_s: float, still: bool
    ) -> None:
        missing = [cell for cell in self._lying if cell not in read]
        # Several cards vanish together when an arm lies over them more often than when they are taken.
        needed = GONE_S if len(missing) <= 1 else 2 * GONE_S
        for cell in missing:
            lying = self._lying[cell]
            if not self._is_bare(cell, lying, cell in hidden, look, still):
                lying.bare_since, lying.bare_looks = None, 0
                continue
            lying.bare_since = at_s if lying.bare_since is None else lying.bare_since
            lying.bare_looks += 1
            if still or (at_s - lying.bare_since >= needed and lying.bare_looks >= GONE_LOOKS):
                del self._lying[cell]
                self._revision += 1

    def _is_bare(self, cell: Cell, lying: _Lying, hidden: bool, look: Look, still: bool) -> bool:
        """Whether this frame shows table where the card lay, and so did the one before (if there was one)."""
        corners = quad(lying.steady.card.corners)
        if hidden or cell in self._coming or not look.holds(corners):
            return False
        place = look.place(corners)
        colours, before = blocks(place), lying.place
        lying.place = colours
        same = before is not None and np.abs(colours - before).mean(1).max() <= STILL_COLOUR
        if not (same or still):
            return False
        if likeness(pattern(place), lying.look) >= THERE_LIKENESS:
            return False
        return self._table.likeness(cell, colours) >= BARE_SHARE

    def _learn(self, read: Mapping[Cell, CardRead], hidden: frozenset[Cell], look: Look, at_s: float) -> None:
        cards = {cell: one.steady.card for cell, one in self._lying.items()} | dict(read)
        covered = look.covered([quad(card.corners) for card in cards.values()])
        places = {cell: at for cell, at in empty_places(cards).items() if cell not in hidden}
        self._table.learn(samples(look, places, covered), at_s)

    def _sight(self, reading: Reading, read: Mapping[Cell, CardRead], at_s: float) -> Sight:
        unread = {
            cell for cell, one in self._lying.items() if cell not in read and at_s - one.read_at >= HIDDEN_S
        }
        leaving = any(one.bare_looks for one in self._lying.values())
        # Before the first card has settled nothing is known, not even that the table is empty.
        steady = self._revision > 0 and not self._coming and not leaving
        return Sight(
            tuple(self._lying[cell].steady for cell in sorted(self._lying)),
            tuple(sorted(unread | set(reading.hidden))),
            steady,
            self._revision,
            at_s,
            reading.size,
            reading.problems,
        )


def _key(card: CardRead) -> Key:
    # Which way round a card lies face down says nothing, and a back without markers does not show it.
    # A card of a deck that nobody has shown is told from others by its tunnels alone.
    return card.face or card.tunnels or None, card.turned and card.face_up, card.face_up


def _plays_like(a: CardRead, b: CardRead) -> bool:
    """Whether two cards, as they lie, are the same to the game."""
    return (a.face_up, a.kind) == (b.face_up, b.kind) and _lying_tunnels(a) == _lying_tunnels(b)


def _lying_tunnels(card: CardRead) -> tuple[int, ...]:
    return order(turn(group) for group in card.tunnels) if card.turned else order(card.tunnels)
