"""Decks that players enrolled themselves: drafts being looked over, and deck folders kept under a name.

A deck being enrolled is a folder with draft.json and one picture a card; once it says which card is what,
deck.json is written beside it and the folder is a deck folder like any other.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from companion.game.cards import (
    CARD_MM,
    GOALS_BY_TUNNELS,
    Edges,
    Face,
    UnreadableCard,
    bits,
    letters,
    order,
    turn,
)
from companion.game.decks import BASE_PATHS
from companion.trouble import Trouble

DECKS = "decks"
DRAFT, DECK = "draft.json", "deck.json"
NAME = re.compile(r"[\w][\w .-]{0,39}")
MOST_CARDS = 400
"""A draft with so many takes no more photographs: both boxes have 200 cards, and some are cut out twice."""
SURE = 0.9
"""Tunnels that were read less surely than that are asked about."""

Tunnels = tuple[Edges, ...]


class Part(StrEnum):
    """What a card is in its deck."""

    PATH = "path"
    START = "start"
    GOAL = "goal"
    GOAL_BACK = "goal_back"
    BACK = "back"
    NONE = "none"
    """An action card, a role, a thing that is no card: not part of the deck folder."""


@dataclass(frozen=True)
class OwnCard:
    """One card of a deck being enrolled."""

    id: str
    file: str
    part: Part
    tunnels: Tunnels
    sure: float
    """0..1: how sure its tunnels were read; 1 once a person has said them."""
    pictures: int = 1
    troubles: tuple[str, ...] = ()

    @property
    def unsure(self) -> bool:
        """Whether a person should look at how its tunnels were read."""
        return bool(self.tunnels) and self.sure < SURE

    def to_json(self) -> dict[str, Any]:
        """The card as plain data."""
        return {
            "id": self.id,
            "file": self.file,
            "part": self.part.value,
            "tunnels": [list(letters(group)) for group in self.tunnels],
            "sure": round(self.sure, 3),
            "pictures": self.pictures,
            "troubles": list(self.troubles),
        }

    @staticmethod
    def parse(data: Mapping[str, Any]) -> OwnCard:
        """The card in plain data. Raises ValueError, KeyError or TypeError."""
        file = str(data["file"])
        if Path(file).name != file:
            raise ValueError(file)
        return OwnCard(
            str(data["id"]),
            file,
            Part(data["part"]),
            parse_tunnels(data["tunnels"]),
            float(data["sure"]),
            int(data["pictures"]),
            tuple(str(one) for one in data["troubles"]),
        )


@dataclass(frozen=True)
class Draft:
    """A deck being enrolled."""

    cards: tuple[OwnCard, ...] = ()

    def of(self, part: Part) -> tuple[OwnCard, ...]:
        """The cards that are this part of the deck."""
        return tuple(card for card in self.cards if card.part is part)

    def take_more(self) -> None:
        """Whether photographs may be added. Raises Trouble `enrol_full` for a draft with MOST_CARDS."""
        if len(self.cards) >= MOST_CARDS:
            raise Trouble("enrol_full", most=MOST_CARDS)

    def change(self, id: str, part: Part | None = None, tunnels: Tunnels | None = None) -> Draft:
        """The draft with one card set right. Raises Trouble `enrol_no_such_card`.

        There is one start card and one back of each kind: naming another makes a path card, or nothing,
        of the one before.
        """
        if all(card.id != id for card in self.cards):
            raise Trouble("enrol_no_such_card", card=id)
        cards = []
        for card in self.cards:
            if card.id == id:
                card = replace(card, part=part or card.part, sure=1.0 if tunnels is not None else card.sure)
                card = replace(card, tunnels=card.tunnels if tunnels is None else tunnels)
            elif part is card.part and part in (Part.START, Part.GOAL_BACK, Part.BACK):
                card = replace(card, part=Part.PATH if part is Part.START else Part.NONE)
            cards.append(card)
        return replace(self, cards=tuple(cards))

    def missing(self) -> tuple[str, ...]:
        """Codes of what must be said before the deck can be written."""
        codes = []
        if len(self.of(Part.START)) != 1:
            codes.append("enrol_needs_start")
        goals = self.of(Part.GOAL)
        if not goals or any(_canonical(goal.tunnels) not in GOALS for goal in goals):
            codes.append("enrol_needs_goals")
        if len(self.of(Part.GOAL_BACK)) != 1:
            codes.append("enrol_needs_goal_back")
        if any(not card.tunnels for card in self.of(Part.PATH)):
            codes.append("enrol_needs_tunnels")
        return tuple(codes)

    def composition(self) -> list[tuple[Tunnels, int, int]]:
        """Tunnels, how many there are and how many the base box has, in the order of the rule book;
        then what the box does not have."""
        there = Counter(_canonical(card.tunnels) for card in self.of(Part.PATH) if card.tunnels)
        rows = []
        for text, count in BASE_PATHS.items():
            tunnels = Face.parse(text).tunnels
            rows.append((tunnels, there.pop(_canonical(tunnels), 0), count))
        return rows + [(tunnels, count, 0) for tunnels, count in sorted(there.items())]


def parse_tunnels(groups: Any) -> Tunnels:
    """Tunnels from groups of edge letters. Raises ValueError when an edge is named twice."""
    if not isinstance(groups, list):
        raise ValueError("tunnels are groups of edges")
    tunnels = order(bits("".join(group)) for group in groups)
    if not all(tunnels) or sum(tunnels).bit_count() != sum(group.bit_count() for group in tunnels):
        raise UnreadableCard(str(groups))
    used = 0
    for group in tunnels:
        if used & group:
            raise UnreadableCard(str(groups))
        used |= group
    return tunnels


def _canonical(tunnels: Tunnels) -> Tunnels:
    return min(order(tunnels), order(turn(group) for group in tunnels))


GOALS = frozenset(GOALS_BY_TUNNELS)


def draft_of(folder: Path) -> Draft:
    """The draft in a folder; an empty one where there is none. Raises Trouble `enrol_draft_damaged`."""
    try:
        data = json.loads((folder / DRAFT).read_text(encoding="utf-8"))
        return Draft(tuple(OwnCard.parse(card) for card in data["cards"]))
    except FileNotFoundError:
        return Draft()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Trouble("enrol_draft_damaged", folder=folder.name) from error


def keep_draft(folder: Path, draft: Draft) -> None:
    """Writes a draft by a rename: nothing is lost on the way. Raises Trouble `folder_not_writable`."""
    _write(folder / DRAFT, {"cards": [card.to_json() for card in draft.cards]})


def write_deck(folder: Path, draft: Draft) -> None:
    """Makes the folder of a draft a deck folder. Raises Trouble with the first of `draft.missing()`."""
    for code in draft.missing():
        raise Trouble(code)
    goal_back = draft.of(Part.GOAL_BACK)[0]
    back = (*draft.of(Part.BACK), goal_back)[0]
    kinds = (Part.PATH, Part.START, Part.GOAL)
    book = {
        "card_mm": [round(side) for side in CARD_MM],
        "back": back.file,
        "goal_back": goal_back.file,
        "faces": {
            card.id: {
                "file": card.file,
                "kind": card.part.value,
                "tunnels": [list(letters(group)) for group in card.tunnels],
            }
            for card in draft.cards
            if card.part in kinds
        },
    }
    _write(folder / DECK, book)


def _write(path: Path, data: Any) -> None:
    fresh = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        os.replace(fresh, path)
    except OSError as error:
        raise Trouble(
            "folder_not_writable", folder=str(path.parent), system=error.strerror or str(error)
        ) from error


def kept_decks(data: Path) -> list[str]:
    """Names of the decks that are ready, in order."""
    try:
        return sorted(one.name for one in (data / DECKS).iterdir() if (one / DECK).is_file())
    except OSError:
        return []


def named_folder(data: Path, name: str) -> Path:
    """Where a deck of this name is kept. Raises Trouble `enrol_bad_name`."""
    cleaned = name.strip()
    if not NAME.fullmatch(cleaned) or cleaned.strip(". ") != cleaned:
        raise Trouble("enrol_bad_name")
    return data / DECKS / cleaned
