"""`pithead watch`: one camera, read and followed, posted to the server. A process of its own."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import Any

import cv2

from companion import demo, printed_deck
from companion.camera_process import token_from, watch_from
from companion.commands.deck_option import folder_of
from companion.data_folder import DataFolder, default_folder
from companion.trouble import coded
from vision.deckbook import load_deck
from vision.film import Film
from vision.photos import SPEC as PHOTOS
from vision.photos import PhotoSource
from vision.post import HttpPost
from vision.readers import reader_for
from vision.sources import Source, open_source
from vision.tracker import Tracker
from vision.watch import watch

SEATS_FILE = "demo-seats.json"
"""Where the simulated players keep their links, so that they come back after a restart."""
GRACE_S = 3.0


def run(options: Any) -> int:
    """Watches until the source ends or the process is told to. Raises the readers' coded errors."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    # One thread reads: more would take the cores from the server and the players' screens, and win little.
    cv2.setNumThreads(1)
    stop = threading.Event()
    _end_when_told(stop)
    if options.end_with_parent:
        threading.Thread(target=_end_with_parent, args=(stop,), name="parent", daemon=True).start()
    folder = DataFolder(options.data or default_folder())
    token = token_from(os.environ) or folder.link_key("camera_token")
    post = HttpPost(options.server, options.table, token, watch_from(os.environ), stop.set)
    try:
        printed = options.deck is None and not options.tunnels
        if printed and not printed_deck.is_kept(folder.path):
            post.state("drawing_deck", {})
        deck = None if options.tunnels else load_deck(folder_of(folder.path, options.deck))
        post.state("starting", {})
        source = _source(options, folder, post, stop)
        reader = reader_for(deck, live=options.source != PHOTOS)
        watch(source, Film(reader), Tracker(deck), post, stop)
    except Exception as error:
        trouble = coded(error)
        if trouble is not None:
            post.state(trouble.code, trouble.params)
        raise
    finally:
        post.close()
    return 0


def _source(options: Any, folder: DataFolder, post: HttpPost, stop: threading.Event) -> Source:
    if options.source == PHOTOS:
        return PhotoSource(post.door, post.state)
    if not demo.is_demo(options.source):
        return open_source(options.source, post.state)
    deck = folder_of(folder.path, options.deck)
    keys = folder.path / SEATS_FILE
    return demo.open_table(options.source, options.server, options.table, keys, deck, post.state, stop)


def _end_when_told(stop: threading.Event) -> None:
    def tell(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, tell)
    signal.signal(signal.SIGINT, tell)


def _end_with_parent(stop: threading.Event) -> None:
    # The parent holds the other end: it is closed when the parent ends, even when it is killed.
    while sys.stdin.buffer.read(1024):
        pass
    stop.set()
    time.sleep(GRACE_S)
    # A camera driver that hangs must not outlive the table.
    os._exit(0)
