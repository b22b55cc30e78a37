"""Photographs of a deck laid out -> its cards, each once: what `pithead enrol` gives to be looked over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.game.cards import N, order, turn
from vision.enrolment.found import Found, best_of, find_cards, likeness, turned
from vision.pictures import Image, SourceError, load_picture
from vision.reading import Problem
from vision.tunnels.shapes import Tunnels

SAME = 0.945
"""Likeness from which on cards of two photographs are one and the same (measured: the same card in other
light from 0.95, another card of a published deck, drawn on the same rock, up to 0.94)."""
LIKELY, LEAD = 0.88, 0.08
"""Or from here on, if no other card comes so near."""
SAME_BACK = 0.7
"""The same among backs: they are printed alike, and need not be told apart."""


@dataclass(eq=False)
class Enrolled:
    """A card of the deck, in all photographs that show it."""

    pictures: list[Found] = field(default_factory=list)

    @property
    def best(self) -> Found:
        """The picture that is kept."""
        return best_of(self.pictures)

    @property
    def face_up(self) -> bool:
        """Whether it shows ways, as most of the pictures say."""
        return float(np.mean([found.read.card for found in self.pictures])) > 0

    @property
    def read(self) -> tuple[Tunnels, float]:
        """Its tunnels as its best picture stands, and how sure they are: the surest of its pictures tells."""
        surest = max(self.pictures, key=lambda found: found.read.confidence)
        return surest.read.tunnels, surest.read.confidence


@dataclass(frozen=True)
class Photographed:
    """What became of one photograph."""

    name: str
    cards: int
    problems: tuple[Problem, ...]


def enrol(paths: Sequence[Path]) -> tuple[list[Enrolled], list[Photographed]]:
    """The cards in photographs, each once, in the order in which they were met.

    A photograph that cannot be read, or shows no card, is told of and costs nothing else.
    """
    cards: list[Enrolled] = []
    photographs = []
    for number, (name, image, problem) in enumerate(_opened(paths)):
        if image is None:
            photographs.append(Photographed(name, 0, (problem,) if problem else ()))
            continue
        found, outlines = find_cards(image, number)
        problems = []
        if not found:
            problems.append(Problem("enrol_no_cards", {"file": name}))
        if outlines.touching:
            problems.append(Problem("enrol_touching", {"file": name, "count": outlines.touching}))
        photographs.append(Photographed(name, len(found), tuple(problems)))
        _gather(cards, found)
    return cards, photographs


def _opened(paths: Sequence[Path]) -> Iterator[tuple[str, Image | None, Problem | None]]:
    for path in paths:
        try:
            yield path.name, load_picture(path), None
        except SourceError as error:
            yield path.name, None, Problem(error.code, error.params)


def _gather(cards: list[Enrolled], found: Sequence[Found]) -> None:
    """Adds the cards of one photograph: each to the card it shows again, or as a new one.

    Two cards in one photograph are two cards, however alike (but backs: one is enough).
    """
    before = [card for card in cards if card.face_up]
    grown: set[int] = set()
    faces = [one for one in found if one.read.card >= 0]
    alike = [[likeness(known.best, one) for known in before] for one in faces]
    for row in sorted(range(len(faces)), key=lambda row: -max((like for like, _ in alike[row]), default=0)):
        ranked = sorted(range(len(before)), key=lambda known: -alike[row][known][0])
        like, other_way = alike[row][ranked[0]] if ranked else (0.0, False)
        lead = like - alike[row][ranked[1]][0] if len(ranked) > 1 else like
        same = like > SAME or (like > LIKELY and lead > LEAD)
        if same and ranked[0] not in grown:
            grown.add(ranked[0])
            before[ranked[0]].pictures.append(turned(faces[row]) if other_way else faces[row])
        else:
            cards.append(Enrolled([_upright(faces[row])]))
    for one in found:
        if one.read.card < 0:
            _gather_back(cards, one)


def _gather_back(cards: list[Enrolled], back: Found) -> None:
    for known in cards:
        like, other_way = likeness(known.best, back)
        if not known.face_up and like > SAME_BACK:
            known.pictures.append(turned(back) if other_way else back)
            return
    cards.append(Enrolled([back]))


def _upright(card: Found) -> Found:
    """The card in the one of its two ways up that comes first: two with the same tunnels stand alike."""
    tunnels = card.read.tunnels
    other = order(turn(group) for group in tunnels)
    if other == tunnels:
        return card
    return card if _rank(tunnels) <= _rank(other) else turned(card)


def _rank(tunnels: Tunnels) -> tuple[int, ...]:
    """North before south, then west before east: how the boxes' lists name cards."""
    opened = sum(tunnels)
    return (0 if opened & N else 1, *tunnels)
