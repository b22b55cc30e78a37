"""From a card's coming to rest to its showing on the table screen: real server, real watch, drawn table.

python -m pytest tests/bench/test_watch_bench.py -s
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from companion.data_folder import DataFolder
from companion.game.board import parse_placement
from companion.game.cards import GOAL_CELLS, Kind
from tests.night.hurried import camera_over
from tests.night.test_night import Host, seated, waited
from tests.server.test_play import night
from vision.deckbook import Deck
from vision.reader import Reader
from vision.simulate import SimulatedTable

WAY = "1,0=EW 2,0=NESW 3,0=NEW 4,0=EW 5,0=NESW 6,0=NEW 6,-1=NS 5,1=NS 2,1=NES 3,-1=NW~ 2,-1=NS 5,-1=NS"


def test_from_rest_to_the_table_screen(deck: Deck, tmp_path: Path) -> None:
    token = DataFolder(tmp_path).link_key("camera_token")
    times = []
    with night(tmp_path, "--host", "127.0.0.1") as house:
        host = Host(house)
        seated(house, "Ada", "Bo", "Cy")
        host.ask("start_round")
        with camera_over(deck, house.base, house.code, token, speed=1.0) as seat:
            seat.tabletop.keep(host.table())
            waited(host, lambda view: view["camera"]["state"] == "watching")
            for placement in WAY.split():
                cell, laid = parse_placement(placement)
                assert laid is not None
                seat.tabletop.lay(cell, laid)
                began = time.monotonic()
                waited(
                    host, lambda view, cell=cell: list(cell) in [c["cell"] for c in view["board"]["cards"]]
                )
                times.append(time.monotonic() - began)
                time.sleep(0.5)
    print(
        f"\nrest to screen, {len(times)} cards: median {statistics.median(times):.2f} s, "
        f"worst {max(times):.2f} s (beside: one reading takes {reading(deck):.3f} s)"
    )


def reading(deck: Deck) -> float:
    """The yardstick: the median processor time of one reading of a 720p picture with 12 cards."""
    table, reader = SimulatedTable(deck, 3), Reader(deck)
    table.lay("start", (0, 0))
    goals = [face.id for face in deck.faces.values() if face.kind is Kind.GOAL]
    for goal, cell in zip(goals, GOAL_CELLS, strict=True):
        table.lay(goal, cell, face_up=False)
    paths = [face.id for face in deck.faces.values() if face.kind is Kind.PATH]
    for name, cell in zip(paths, [(column, row) for row in (0, 1) for column in range(1, 5)], strict=False):
        table.lay(name, cell)
    times = []
    for _ in range(9):
        picture, began = table.frame(), time.process_time()
        reader.read(picture)
        times.append(time.process_time() - began)
    return statistics.median(times)
