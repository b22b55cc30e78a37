"""One night, end to end: the real server, ten phones over HTTP, the simulated camera, three rounds of gold.

Nothing here is pretended: `pithead play` runs as a process of its own and is killed in the middle; the table
is drawn, read by the real recogniser and posted as any camera's is; every verdict and payment is then held
against a second, plain implementation of the rules and against the tables of the rule book.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.data_folder import DataFolder
from companion.demo.phone import Phone, Visitor
from companion.game import events as e
from companion.game.cards import parse_laid
from companion.game.evolve import evolve
from companion.game.gold import SABOTEURS_PAY
from companion.game.history import Batch, History
from companion.game.paths import verdict
from companion.game.roles import BASE_HANDS, BASE_ROLES
from companion.game.state import Match
from companion.log import Log
from tests.game.proof import plain
from tests.night.hurried import Seat, camera_over, players_at
from tests.server.test_play import Night, night
from vision.deckbook import Deck

PLAYERS = 10
PATIENCE_S = 400.0


class Host(Visitor):
    """The machine's own screen."""

    def __init__(self, house: Night) -> None:
        super().__init__(house.base, house.code)
        self._link = house.host_link
        self.fetch(self._link.removeprefix(house.base))

    def ask(self, do: str, **fields: Any) -> Any:
        body = {"id": f"{do}-{time.monotonic_ns()}", "version": self.table()["version"], "do": do, **fields}
        return json.loads(
            self.fetch(f"/t/{self.code}/command", json.dumps(body).encode(), "application/json")
        )


def seated(house: Night, *names: str) -> None:
    """Phones that join and then lie on the table."""
    for name in names:
        Phone(house.base, house.code).join(name)


def waited(host: Host, what: Any, patience_s: float = 20.0) -> Any:
    """The table's view once something holds of it."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        view = host.table()
        if what(view):
            return view
        time.sleep(0.02)
    pytest.fail(f"waited in vain; the table shows {view}")


def history_in(data: Path, code: str) -> History:
    log = Log(DataFolder(data).log_url)
    try:
        return History.replay(Batch.from_json(entry.body) for entry in log.entries(code))
    finally:
        log.close()


def test_three_rounds_are_played_to_the_final_score_and_a_killed_server_goes_on(
    deck: Deck, tmp_path: Path
) -> None:
    data, keys = tmp_path / "data", tmp_path / "seats.json"
    token = DataFolder(data).link_key("camera_token")
    with night(data, "--host", "127.0.0.1") as house:
        host, killed = Host(house), False
        with (
            camera_over(deck, house.base, house.code, token) as seat,
            players_at(seat, deck, house.base, house.code, keys, PLAYERS) as evening,
        ):
            waited(host, lambda view: len(view["seats"]) == PLAYERS)
            began = time.monotonic()
            while (view := host.table())["phase"] != "over":
                assert time.monotonic() - began < PATIENCE_S, view
                if view["phase"] in ("lobby", "between"):
                    assert "refused" not in host.ask("start_round")
                if not killed and view["round"] == 2 and len(view["board"]["cards"]) > 4:
                    house.kill()
                    killed = True
                    house = again(data, house)
                    assert host.table()["round"] == 2
                time.sleep(0.2)
            totals = {sitter.seat: sitter.phone.secret("gold")["total"] for sitter in evening.sitters}
        assert killed
        house.stop()
    history = history_in(data, house.code)
    assert_every_card_was_legal(history)
    assert_roles_and_hands_are_the_rule_books(history)
    assert totals == paid_by_the_rule_book(history)
    best = max(totals.values())
    assert view["winners"] == [seat for seat in totals if totals[seat] == best]
    assert {entry["seat"]: entry["gold"] for entry in view["seats"]} == totals


def again(data: Path, before: Night) -> Night:
    """The server started again after it was killed: same port, same table."""
    house = Night(data, "--host", "127.0.0.1")
    assert (house.base, house.code) == (before.base, before.code)
    return house


def moments(history: History) -> list[tuple[Match, e.Event]]:
    """Every event with the match before it, in the order in which they happened."""
    match, found = Match(), []
    for batch in history.batches:
        assert not batch.undone
        for event in batch.events:
            found.append((match, event))
            match = evolve(match, event)
    return found


def assert_every_card_was_legal(history: History) -> None:
    laid = [(match, event) for match, event in moments(history) if isinstance(event, e.PathLaid)]
    assert len(laid) > 30
    for match, event in laid:
        assert not event.against_rules
        table = plain.Table.read(str(match.board))
        assert table.may_lie(event.cell, plain.Card.read(event.card)), (str(match.board), event)
        assert match.to_move == event.seat
        assert not match.at(event.seat).broken


def assert_roles_and_hands_are_the_rule_books(history: History) -> None:
    for _, event in moments(history):
        if isinstance(event, e.RoundStarted):
            saboteurs, miners = BASE_ROLES[PLAYERS]
            assert Counter([*event.roles, *event.left_over]) == {"saboteur": saboteurs, "miner": miners}
            assert (event.hand, event.pile) == (BASE_HANDS[PLAYERS], 67 - PLAYERS * BASE_HANDS[PLAYERS])


def paid_by_the_rule_book(history: History) -> dict[int, int]:
    """What everybody must have, counted from who won and what was picked."""
    totals = dict.fromkeys(range(1, PLAYERS + 1), 0)
    rounds = 0
    for match, event in moments(history):
        if isinstance(event, e.RoundEnded):
            rounds += 1
            saboteurs = [player.seat for player in match.players if player.role == "saboteur"]
            if event.winner == "saboteurs":
                for seat in saboteurs:
                    totals[seat] += SABOTEURS_PAY[len(saboteurs)]
            else:
                assert event.winner == "miners"
                assert any(
                    laid.face.is_gold and cell in match.board.reached
                    for cell, laid in match.board.cards.items()
                )
        if isinstance(event, e.GoldFanned):
            assert len(event.cards) == 9
        if isinstance(event, e.GoldPicked):
            assert match.at(event.seat).role == "miner"
            totals[event.seat] += event.card
    assert rounds == 3
    return totals


# ------------------------------------------------------------ verdicts by the camera

LAID = [
    "1,0=NESW",
    "2,0=EW",
    "1,1=N.S",
    "3,0=NS",
    "2,-1=NES",
    "4,1=NE",
    "1,-1=E.W",
    "3,0=NW",
    "-1,0=N.E.S.W",
]
"""Cards laid one after another, right and wrong ones; the wrong ones are taken back."""


def test_every_verdict_of_the_camera_is_the_rules_cores(deck: Deck, tmp_path: Path) -> None:
    token = DataFolder(tmp_path).link_key("camera_token")
    with night(tmp_path, "--host", "127.0.0.1") as house:
        host = Host(house)
        seated(house, "Ada", "Bo", "Cy")
        host.ask("start_round")
        with camera_over(deck, house.base, house.code, token) as seat:
            seat.tabletop.keep(host.table())
            waited(host, lambda view: view["camera"]["state"] == "watching")
            for placement in LAID:
                judge(host, seat, house, tmp_path, placement)
        assert len(history_in(tmp_path, house.code).match.board.cards) == 1 + 5


def judge(host: Host, seat: Seat, house: Night, data: Path, placement: str) -> None:
    """Lays one card and holds what the table screen says of it against the core."""
    where, _, card = placement.partition("=")
    column, row = map(int, where.split(","))
    cell, laid = (column, row), parse_laid(card)
    match = history_in(data, house.code).match
    wanted = [problem.to_json() for problem in verdict(match, match.to_move, cell, laid)]
    seat.tabletop.lay(cell, laid)
    if not wanted:
        waited(host, lambda view: list(cell) in [entry["cell"] for entry in view["board"]["cards"]])
        return
    shown = waited(host, lambda view: view["referee"]["verdict"])["referee"]["verdict"]
    told = [{key: problem[key] for key in problem if key != "text"} for problem in shown["problems"]]
    assert (shown["cell"], shown["legal"], told) == (list(cell), False, wanted)
    assert all(problem["text"] for problem in shown["problems"])
    seat.table.lift(cell)
    waited(host, lambda view: not view["referee"]["verdict"])
