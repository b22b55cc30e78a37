"""Tables set to moments of a night, on one real server, without playing there turn by turn."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.game.cards import GOAL_CELLS, letters
from companion.game.state import Phase
from companion.server.access import sign
from companion.server.enrol import TICKET
from companion.server.running import Running
from tests.server.house import House, Screen, opened

NAMES = ("Ada", "Bartholomew of the Mill", "Cem", "Diya", "Emre", "Fen", "Gita", "Hanna", "Ilze", "Jonas")
WAY = (
    ("NEW", (1, 0), False),
    ("EW", (2, 0), False),
    ("NESW", (3, 0), False),
    ("NS", (3, 1), False),
    ("NS", (3, -1), False),
    ("NES", (3, -2), False),
    ("NW", (1, -1), True),
    ("EW", (4, 0), False),
    ("E.W", (4, -2), False),
    ("NEW", (5, 0), False),
    ("NEW", (6, 0), True),
)
"""A maze with a fork, a dead end and tunnels that lead up and down; one card short of the goals."""
TO_ALL_GOALS = (
    ("NESW", (7, 0), False),
    ("NS", (7, -1), False),
    ("NW", (7, -2), True),
    ("NS", (7, 1), False),
    ("NE", (7, 2), False),
)


@dataclass
class Table:
    """One table of the night, with who sits at it."""

    code: str
    host: Screen
    phones: list[Screen]

    def do(self, **command: Any) -> None:
        """A command of the host that must succeed."""
        answer = self.host.ask("t", **command)
        assert answer.status_code == 200, answer.json

    @property
    def view(self) -> dict[str, Any]:
        """What the table screen shows."""
        return self.host.view("t")


class Night:
    """Any number of tables behind one server, each set to another moment."""

    def __init__(self, house: House, port: int) -> None:
        self.house = house
        self.url = f"http://127.0.0.1:{port}"
        self.host_url = f"{self.url}/host/{house.services.host_secret}"

    def table(self, players: int = 5, names: tuple[str, ...] = NAMES, **options: Any) -> Table:
        """A new table with some players in the lobby."""
        live = self.house.services.tables.create()
        self.house.code, self.house.table = live.code, live
        table = Table(live.code, self.house.host(), [])
        if options:
            table.do(do="set_options", options=options)
        for name in names[:players]:
            phone = self.house.stranger()
            assert phone.join(name).status_code == 303
            table.phones.append(phone)
        return table

    def shared(self, table: Table) -> Screen:
        """A device in the lobby of a table at which two players sit, each behind a PIN; locked."""
        device = Screen(self.house.app, table.code)
        for name in NAMES[-2:]:
            device.get(f"/j/{table.code}")
            answer = device.browser.post(f"/j/{table.code}", data={"name": name, "pin": "2468"})
            assert answer.status_code == 303, answer.text
            device.browser.post(f"/s/{table.code}/lock", content_type="application/x-www-form-urlencoded")
        return device

    def adding_to_deck(self, table: Table, name: str) -> str:
        """Begins an own deck; the path of the page on which a phone adds cards to it."""
        assert table.host.browser.post("/decks/", data={"name": name}).status_code == 303
        with self.house.app.app_context():
            return f"/decks/add/{sign(TICKET, name)}"

    def lobby(self) -> Table:
        """Everybody has sat down; a drawn camera watches."""
        table = self.table(6)
        self.watched()
        return table

    def round(self, players: int = 5, **options: Any) -> Table:
        """Half-way to the goals, with broken tools before two players."""
        table = self.table(players, **options)
        self._dig(table)
        seats = [seat["seat"] for seat in table.view["seats"]]
        for seat, tool in ((seats[1], "lantern"), (seats[1], "pickaxe"), (seats[2], "cart")):
            table.do(do="break", target=seat, tool=tool)
        return table

    def watched(self, picture: bool = True) -> None:
        """The newest table's camera sees the cards of the board, and one picture of it."""
        self.house.see(*self.on_table())
        if picture:
            image = np.full((360, 640, 3), (52, 74, 96), np.uint8)
            cv2.rectangle(image, (60, 140), (100, 205), (200, 214, 226), -1)
            jpeg = cv2.imencode(".jpg", image)[1].tobytes()
            self.house.app.test_client().post(
                f"/camera/{self.house.code}/picture",
                data=jpeg,
                content_type="image/jpeg",
                headers=self.house.camera(),
            )

    def on_table(self) -> list[tuple[tuple[int, int], str]]:
        """The board's path cards as a camera posts them: by cell and tunnels as they lie."""
        match = self.house.table.present().match
        return [
            (cell, ".".join(letters(tunnel) for tunnel in laid.tunnels))
            for cell, laid in match.board.cards.items()
            if cell != (0, 0) and cell not in GOAL_CELLS
        ]

    def verdict(self) -> Table:
        """The camera has seen a card that cannot lie where it was laid."""
        table = self.round()
        self.watched()
        self.house.see(*self.on_table(), ((7, 0), "NS"))
        return table

    def settling(self) -> Table:
        """The camera misses one card, reads another one differently, and sees one that nobody laid."""
        table = self.round()
        self.watched()
        seen = [(cell, face) for cell, face in self.on_table() if cell not in ((6, 0), (2, 0))]
        self.house.see(*seen, ((2, 0), "NEW"))
        return table

    def picking(self) -> Table:
        """The gold is reached and lies in a fan."""
        table = self.table(5)
        self._dig(table)
        self._reach(table)
        return table

    def stealing(self) -> Table:
        """The gold of the expansion is shared out, and two players have planned a theft."""
        table = self.table(5, game="expansion")
        self._dig(table)
        for _ in range(2):
            table.do(do="theft")
        self._reach(table)
        assert table.view["phase"] == Phase.STEALING.value
        return table

    def between(self) -> Table:
        """A round is over and all roles lie open."""
        table = self.picking()
        self._pick(table)
        return table

    def over(self, **options: Any) -> Table:
        """Three rounds are played and the gold is counted."""
        table = self.table(5, **options)
        for _ in range(3):
            self._dig(table)
            self._reach(table)
            self._pick(table)
        assert table.view["phase"] == Phase.OVER.value
        return table

    def _dig(self, table: Table) -> None:
        table.do(do="start_round", first=None)
        for face, cell, turned in WAY:
            table.do(do="place", cell=list(cell), face=face, turned=turned)

    def _reach(self, table: Table) -> None:
        for face, cell, turned in TO_ALL_GOALS:
            if table.view["phase"] == Phase.ROUND.value:
                table.do(do="place", cell=list(cell), face=face, turned=turned)

    def _pick(self, table: Table) -> None:
        seats = {phone.view()["me"]["seat"]: phone for phone in table.phones}
        while (view := table.view)["phase"] == Phase.PICKING.value:
            seats[view["picking"]["seat"]].ask(do="pick", index=0)


@contextmanager
def running(path: Path, seed: int = 7) -> Iterator[Night]:
    """A server on a free port of this machine, with a folder that is thrown away."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with opened(path, seed) as house:
        server = Running(house.app, port, "127.0.0.1")
        try:
            yield Night(house, port)
        finally:
            server.stop()
