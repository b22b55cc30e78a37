"""`pithead bench`: how well and how fast pictures with known truth are read, for builders and the curious."""

from __future__ import annotations

import sys
from statistics import median
from typing import Any

import cv2
from flask_babel import gettext

from companion.commands.deck_option import folder_of
from companion.data_folder import default_folder
from vision.bench import Score, endure, false_cards, peak_mb, score_frames
from vision.bench_evening import bench_evenings
from vision.bench_markers import bench_markers, load_dictionary
from vision.bench_pictures import patterns, photographs
from vision.deckbook import Deck, load_deck
from vision.readers import TableReader, reader_for

PICTURES = 500
"""Pictures without cards that are looked at: half of them photographs, half drawn."""


def run_vision(options: Any) -> int:
    """Prints a line for each level and size; 1 when anything was read wrongly. Raises the readers' errors."""
    cv2.setNumThreads(1)
    deck = load_deck(folder_of(options.data or default_folder(), options.deck))
    reader = reader_for(deck, live=options.live)
    scores = [score for folder in options.frames for score in score_frames(folder, reader, _show)]
    _show("")
    for line in _table(scores):
        print(line)
    false = _without_cards(options.no_cards, reader) if options.no_cards else 0
    if options.endure:
        _endurance(deck, reader, options.endure)
    print(gettext("most memory: %(mb)s MB", mb=f"{peak_mb():.0f}"))
    return 1 if false or any(score.wrong for score in scores) else 0


def run_markers(options: Any) -> int:
    """Prints a line for each photograph. Raises the readers' errors."""
    cv2.setNumThreads(1)
    dictionary = load_dictionary(options.dictionary) if options.dictionary else None
    right, others = gettext("read"), gettext("others")
    print(f"{'':28} {right:>10} {others:>8} {'OpenCV':>8}")
    for found in bench_markers(options.folder, dictionary):
        of = f"/{found.there}" if found.there is not None else ""
        print(f"{found.picture:28} {f'{found.right}{of}':>10} {found.others:>8} {found.aruco:>8}", flush=True)
    return 0


def run_evening(options: Any) -> int:
    """Prints a line for each evening; 1 when anything was told wrongly. Raises the readers' errors."""
    cv2.setNumThreads(1)
    deck = load_deck(folder_of(options.data or default_folder(), options.deck))
    told, wrong, rest = gettext("read"), gettext("wrong"), gettext("seconds after it came to rest")
    print(f"{'':20} {told:>10} {wrong:>8} {'ms':>8}   {rest}")
    any_wrong = 0
    for one in bench_evenings(options.folder, deck):
        any_wrong += one.wrong
        after = f"{median(one.after_s):.1f}, {max(one.after_s):.1f}" if one.after_s else "-"
        counts = f"{one.told}/{one.laid}"
        print(f"{one.name:20} {counts:>10} {one.wrong:>8} {median(one.ms):>8.1f}   {after}", flush=True)
    return 1 if any_wrong else 0


def _table(scores: list[Score]) -> list[str]:
    heads = (
        gettext("level"),
        gettext("size"),
        gettext("exact"),
        gettext("read"),
        gettext("missed"),
        gettext("wrong"),
        "ms",
        "95 %",
        gettext("unchanged"),
        "OpenCV",
    )
    rows = [heads, *(_row(score) for score in scores)] if scores else []
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))] if rows else []
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    for score in scores:
        stages = "  ".join(f"{name} {ms / score.pictures:.1f}" for name, ms in score.stages_ms.items())
        lines.append(f"{score.level} {score.size[0]}x{score.size[1]} ms: {stages}")
        lines += [f"  {flaw}" for flaw in score.flaws]
    return lines


def _row(score: Score) -> tuple[str, ...]:
    return (
        score.level,
        f"{score.size[0]}x{score.size[1]}",
        f"{score.exact}/{score.pictures}",
        f"{score.read}/{score.cards}",
        str(score.missed),
        str(score.wrong),
        f"{score.median(score.ms):.1f}",
        f"{score.slowest():.1f}",
        f"{score.median(score.unchanged_ms):.1f}",
        f"{score.median(score.aruco_ms):.1f}",
    )


def _without_cards(folders: Any, reader: TableReader) -> int:
    false = 0
    for words, pictures in (
        (gettext("photographs without cards"), photographs(folders, PICTURES // 2)),
        (gettext("drawn pictures without cards"), patterns(PICTURES // 2)),
    ):
        counts = [len(reading.cards) for reading in false_cards(pictures, reader)]
        false_words = gettext("false cards")
        print(f"{words}: {len(counts)}  {false_words}: {sum(counts)}", flush=True)
        false += sum(counts)
    return false


def _endurance(deck: Deck, reader: TableReader, count: int) -> None:
    for done, peak in endure(deck, reader, count):
        print(
            gettext("pictures: %(count)s, most memory: %(mb)s MB", count=done, mb=f"{peak:.0f}"), flush=True
        )


def _show(name: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{name:40}\r", end="", file=sys.stderr, flush=True)
