"""Simulated players at a simulated table: they join, hold cards, take turns, pick gold."""

from __future__ import annotations

import json
import logging
import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.demo.choices import HandCard, Mind, Turn, choose
from companion.demo.phone import Away, Phone, Visitor
from companion.demo.tabletop import Tabletop, parse_card
from companion.game.board import Board
from companion.game.cards import Cell, Face, Kind, letters
from companion.game.decks import BASE_ACTIONS
from vision.deckbook import Deck

log = logging.getLogger(__name__)

NAMES = ("Agnes", "Bela", "Cem", "Diya", "Emre", "Fen", "Gita", "Hanna", "Ilze", "Jonas")
LOOK_S = 0.25
HURRIED_LOOK_S = 0.05
"""How often a player looks up; players who do not think look up more often."""
READ_WITHIN_S = 6.0
"""A card that the camera has not read for so long is straightened, and then told on the phone."""
LATER_S = 2.0


@dataclass
class Sitter:
    """One simulated player."""

    name: str
    phone: Phone
    seat: int = 0
    hand: list[HandCard] = field(default_factory=list)


class Evening:
    """Plays along until `stop` is set. Runs in a thread of its own."""

    def __init__(
        self,
        server: str,
        code: str,
        keys: Path,
        deck: Deck,
        tabletop: Tabletop,
        stop: threading.Event,
        players: int,
        think_s: float,
        seed: int,
    ) -> None:
        """`keys`: the file where the simulated players' links are kept, so that they come back."""
        self._server, self._code, self._keys = server, code, keys
        self._deck, self._tabletop, self._stop = deck, tabletop, stop
        self._players, self._think_s = players, think_s
        self._look_s = LOOK_S if think_s else HURRIED_LOOK_S
        self._chance = random.Random(seed)
        self._watcher = Visitor(server, code)
        self.sitters: list[Sitter] = []
        self._all_cards: list[HandCard] = []
        self._draw_pile: list[HandCard] = []
        self._played: list[HandCard] = []
        self._dealt_for: tuple[int, int] | None = None

    def run(self) -> None:
        """The evening."""
        while not self._stop.wait(self._look_s):
            try:
                self._step()
            except Away as away:
                log.info("the server is away (%s)", away.status)
                self._stop.wait(LATER_S)

    def _step(self) -> None:
        if not self.sitters:
            self._come_back()
        view = self._watcher.table()
        if view["phase"] == "lobby":
            self._sit_down(view)
        self._tabletop.keep(view)
        mine = {sitter.seat: sitter for sitter in self.sitters}
        if view["phase"] == "picking" and view["picking"]["seat"] in mine:
            self._pick(mine[view["picking"]["seat"]])
        elif view["phase"] == "round" and view["to_move"] in mine:
            self._deal(view)
            self._take_turn(mine[view["to_move"]])
        elif view["phase"] == "asking" and view["to_move"] in mine:
            self._tell_goal(mine[view["to_move"]], view)

    # ------------------------------------------------------------ seats

    def _come_back(self) -> None:
        """Takes the seats of an earlier run at the same table."""
        if not self._keys.exists():
            return
        kept = json.loads(self._keys.read_text())
        for name, link in kept.get(self._code, {}).items():
            phone = Phone(self._server, self._code)
            try:
                phone.come_back(link)
                self.sitters.append(Sitter(name, phone, phone.view()["me"]["seat"]))
            except Away as away:
                if away.status == 0:
                    self.sitters.clear()
                    raise

    def _sit_down(self, view: dict[str, Any]) -> None:
        """Fills the table up to the wished number of players while there is room."""
        taken = {entry["name"] for entry in view["seats"]}
        missing = min(self._players, view["players"]["most"]) - len(view["seats"])
        for name in [name for name in NAMES if name not in taken][: max(0, missing)]:
            phone = Phone(self._server, self._code)
            phone.join(name)
            self.sitters.append(Sitter(name, phone, phone.view()["me"]["seat"]))
            links = {sitter.name: sitter.phone.link() for sitter in self.sitters}
            beside = self._keys.with_suffix(".new")
            beside.touch(mode=0o600)
            beside.write_text(json.dumps({self._code: links}))
            beside.replace(self._keys)

    # ------------------------------------------------------------ cards

    def _deal(self, view: dict[str, Any]) -> None:
        """Deals real cards once a round; fills or empties hands that undo or a restart has changed."""
        if self._dealt_for != (view["round"], len(view["seats"])):
            self._dealt_for = view["round"], len(view["seats"])
            on_table = [tuple(card["cell"]) for card in view["board"]["cards"]]
            self._all_cards = self._full_deck(frozenset(view["faces"]))
            self._draw_pile = list(self._all_cards)
            self._played.clear()
            for cell in on_table:
                self._take_out(cell)
            self._chance.shuffle(self._draw_pile)
            for sitter in self.sitters:
                sitter.hand.clear()
        held = {entry["seat"]: entry["hand"] for entry in view["seats"]}
        for sitter in self.sitters:
            while len(sitter.hand) < held.get(sitter.seat, 0):
                sitter.hand.append(self._draw_pile.pop() if self._draw_pile else self._other_card())
            del sitter.hand[held.get(sitter.seat, 0) :]

    def _other_card(self) -> HandCard:
        """A card that nobody holds and nobody has played, as far as is known."""
        gone = [*self._played, *(card for sitter in self.sitters for card in sitter.hand)]
        left = [card for card in self._all_cards if card not in gone]
        return self._chance.choice(left or self._all_cards)

    def _full_deck(self, faces: frozenset[str]) -> list[HandCard]:
        """All path cards of these faces in the deck folder, and the base game's action cards."""
        paths: list[HandCard] = []
        for name, face in self._deck.faces.items():
            if face.kind is Kind.PATH:
                printed = Face.of_tunnels(Kind.PATH, [letters(tunnel) for tunnel in face.tunnels])
                if printed.name in faces:
                    paths.append((name, printed))
        return [*paths, *(card for card, count in BASE_ACTIONS.items() for _ in range(count))]

    def _take_out(self, cell: Cell) -> None:
        """A card that already lies on the table is in nobody's hand."""
        tunnels = self._tabletop.tunnels(cell)
        for card in self._draw_pile:
            if isinstance(card[1], Face) and card[1].tunnels == tunnels:
                self._draw_pile.remove(card)
                return

    # ------------------------------------------------------------ turns

    def _take_turn(self, sitter: Sitter) -> None:
        self._stop.wait(self._think_s * self._chance.uniform(0.5, 1.5))
        view = sitter.phone.view()
        if view["phase"] != "round" or not view["me"]["to_move"] or not sitter.hand:
            return
        board = Board.parse(view["board"]["text"])
        peeks = sitter.phone.secret("peek")["peeks"]
        stones = frozenset(tuple(peek["cell"]) for peek in peeks if peek["face"] != "gold")
        saboteur = sitter.phone.secret("role")["role"] == "saboteur"
        turn = choose(Mind(sitter.seat, saboteur, stones), view["me"], board, sitter.hand, self._chance)
        if turn.lay is not None:
            done = self._lay(sitter, turn, turn.lay[0])
        else:
            done = not sitter.phone.command(view["version"], turn.do, **turn.fields).get("refused")
        # A card that was refused cannot be in this hand (it was laid before): another is taken for it.
        sitter.hand.remove(turn.card)
        if done:
            self._played.append(turn.card)

    def _lay(self, sitter: Sitter, turn: Turn, cell: Cell) -> bool:
        """Lays the card on the table and waits for the camera to read it."""
        assert turn.lay is not None
        laid = turn.lay[1]
        self._tabletop.lay(cell, laid, str(turn.card[0]))
        for attempt in range(2):
            if self._read(cell, READ_WITHIN_S):
                return True
            if self._stop.is_set():
                return False
            if attempt == 0:
                self._tabletop.push(cell)
        log.info("the camera did not read %s at %s: told on the phone", laid, cell)
        version = sitter.phone.view()["version"]
        answer = sitter.phone.command(
            version, "place", cell=list(cell), face=laid.face.name, turned=laid.turned
        )
        return not answer.get("refused")

    def _read(self, cell: Cell, within_s: float) -> bool:
        """Whether the card in a cell comes onto the board in time."""
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline and not self._stop.wait(self._look_s):
            view = self._watcher.table()
            if any(tuple(card["cell"]) == cell for card in view["board"]["cards"]):
                return True
        return False

    def _tell_goal(self, sitter: Sitter, view: dict[str, Any]) -> None:
        """With goals kept physically, one of those not yet turned up is; chance says which."""
        up = {parse_card(card).face.name for card in view["board"]["cards"]}
        cell = view["board"]["asking"][0]
        face = self._chance.choice([goal for goal in view["goal_faces"] if goal not in up])
        sitter.phone.command(view["version"], "reveal_goal", cell=cell, face=face)

    def _pick(self, sitter: Sitter) -> None:
        self._stop.wait(self._think_s)
        cards = sitter.phone.secret("fan")["cards"]
        if cards:
            version = sitter.phone.view()["version"]
            sitter.phone.command(version, "pick", index=cards.index(max(cards)))
