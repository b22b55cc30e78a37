"""The simulated table: drawn pictures of the real cards for the camera, and players who take turns at it."""

from __future__ import annotations

import threading
from pathlib import Path

from companion.demo.evening import Evening
from companion.demo.tabletop import HAND_S, Tabletop
from vision.deckbook import load_deck
from vision.frames import Tell
from vision.simulate import SimulatedSource, SimulatedTable

SOURCE = "demo"
"""`demo`, `demo:PLAYERS` or `demo:PLAYERS:SECONDS` (how long a player thinks)."""
PLAYERS = 4
THINK_S = 1.5
FPS = 12.0


def is_demo(source: str) -> bool:
    """Whether a camera source means the simulated table."""
    return source.split(":")[0] == SOURCE


def settings(source: str) -> tuple[int, float]:
    """(players, seconds of thinking) of a source; what is left out or unreadable is as usual."""
    _, players, think = (*source.split(":"), "", "")[:3]
    try:
        return max(3, int(players or PLAYERS)), max(0.0, float(think or THINK_S))
    except ValueError:
        return PLAYERS, THINK_S


def open_table(
    source: str,
    server: str,
    code: str,
    keys: Path,
    deck_folder: Path,
    tell: Tell,
    stop: threading.Event,
    seed: int = 1,
) -> SimulatedSource:
    """A simulated table as a camera's source; its players sit down at the server's table `code`.

    `keys` is the file where their links are kept. Raises vision.deckbook.DeckError.
    """
    players, think_s = settings(source)
    deck = load_deck(deck_folder)
    table = SimulatedTable(deck, seed)
    tabletop = Tabletop(table, deck, stop, HAND_S if think_s >= 1 else HAND_S / 4)
    evening = Evening(server, code, keys, deck, tabletop, stop, players, think_s, seed)
    threading.Thread(target=evening.run, name="evening", daemon=True).start()
    return SimulatedSource(table, FPS, tell)
