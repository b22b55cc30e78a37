"""All that reading one marked deck needs and that is the same for every picture."""

from __future__ import annotations

from companion.game.cards import Kind
from vision.deckbook import Deck
from vision.decode import Patterns
from vision.faces import Faces
from vision.faint import FaintFinder
from vision.in_place import InPlace
from vision.markers import DICTIONARY, TAG_DICTIONARY, TAG_IDS
from vision.search import Searcher
from vision.spots import Anatomy
from vision.verdict import NEAR, Judge

CURSORY = 0.5
"""px per mm at which the art of a card with both markers read is looked at, and cards are settled."""


class Eyes:
    """All that reading one deck needs and that is the same for every picture."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.anatomy = Anatomy(deck)
        self.cards = Patterns(DICTIONARY, self.anatomy.ids)
        self.faint = FaintFinder(self.cards)
        self.in_place = InPlace(deck, self.anatomy, Patterns(DICTIONARY, self.anatomy.ids, levelled=True))
        self.tags = Patterns(TAG_DICTIONARY, TAG_IDS)
        self.faces = Faces(deck)
        self.searcher = Searcher(self.faces)
        self.judge = Judge(self.faces, self.anatomy.outline)
        small = Faces(deck, CURSORY)
        small.prepare(NEAR)
        self.cursory = Judge(small, self.anatomy.outline)
        """The same at half the scale: for two markers that agree, for settling, and for a first look."""

    def kind(self, face: str | None) -> Kind:
        """The kind of a face; None is a goal's back."""
        return Kind.GOAL if face is None else self.deck.faces[face].kind

    def is_goal(self, face: str | None) -> bool:
        """Whether a face, or a back (None), is a goal's."""
        return self.kind(face) is Kind.GOAL
