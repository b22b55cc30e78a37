"""How well and how fast pictures with known truth are read, beside OpenCV's own markers in the same run."""

from __future__ import annotations

import cProfile
import json
import pstats
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np

from companion.game.cards import GOAL_CELLS, START_CELL, Cell, Edges, Kind, bits, turn
from vision.deckbook import Deck
from vision.film import Film
from vision.markers import DICTIONARY
from vision.pictures import Image, load_picture
from vision.readers import TableReader
from vision.reading import Reading
from vision.simulate import SimulatedTable

VISIBLE = 0.6
"""Share of a card that must be in sight before missing it counts."""
NOISE = 3.0
"""Grey levels (standard deviation) of the fresh noise between pictures of a film."""
SMALL = (640, 360)
"""Size of the pictures of a long film: quick to draw."""
ANOTHER = 100
"""Pictures of it after which another card is laid."""
REPEATS = 13
"""Pictures of each film: one to read, and what follows when nothing changes."""
STAGES: Mapping[str, tuple[str, str]] = {
    "squares": ("squares.py", "find_squares"),
    "markers": ("decode.py", "decode"),
    "plane": ("plane.py", "fit_plane"),
    "search": ("search.py", "glimpses"),
    "guess": ("survey.py", "_guess"),
    "judge": ("reader.py", "_judge"),
    "in place": ("reader.py", "_in_place"),
    "board by faces": ("by_faces.py", "alone"),
    "cards by faces": ("by_faces.py", "beside"),
}
"""What a reading's time is told by: the function of each stage, and its file."""

Meaning = frozenset[Edges] | None
"""Tunnels as they lie; None face down. Two cards with the same tunnels may be taken for each other."""
A = TypeVar("A")
T = TypeVar("T")


@dataclass
class Score:
    """What became of the pictures of one level and size."""

    level: str
    size: tuple[int, int]
    pictures: int = 0
    exact: int = 0
    cards: int = 0
    """Cards of which at least VISIBLE can be seen."""
    read: int = 0
    missed: int = 0
    wrong: int = 0
    """Readings that contradict the truth: the harmful kind."""
    ms: list[float] = field(default_factory=list)
    """Processor time of each reading."""
    aruco_ms: list[float] = field(default_factory=list)
    """Of OpenCV's ArucoDetector with default settings on the same picture."""
    unchanged_ms: list[float] = field(default_factory=list)
    """Of each reading of a film in which nothing changes, after its first."""
    stages_ms: dict[str, float] = field(default_factory=dict)
    """Of each stage in all readings together, measured by the profiler."""
    flaws: list[str] = field(default_factory=list)
    """Pictures that were not exact, with the cells missed and wrong."""

    def median(self, times: list[float]) -> float:
        """NaN when there are none."""
        return statistics.median(times) if times else float("nan")

    def slowest(self) -> float:
        """The time that 95 of 100 readings keep within."""
        return float(np.percentile(self.ms, 95)) if self.ms else float("nan")


def score_frames(
    folder: Path, reader: TableReader, done: Callable[[str], None] = lambda name: None
) -> list[Score]:
    """Reads every picture of a folder that has its truth beside it (NAME.json), as the photobooth writes it.

    One score a level and size, by their names. `done` is told every picture's name. Raises SourceError.
    """
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    scores: dict[tuple[str, tuple[int, int]], Score] = {}
    for path in sorted(folder.glob("*.json")):
        picture = path.with_suffix(".jpg")
        truth = json.loads(path.read_text(encoding="utf-8"))
        if not picture.exists() or "cards" not in truth:
            continue
        image = load_picture(picture)
        size = image.shape[1], image.shape[0]
        score = scores.setdefault((truth["level"], size), Score(truth["level"], size))
        if not score.pictures:
            reader.read(image)  # what is made once only is no picture's time
        ms, reading = timed(reader.read, image)
        score.ms.append(ms)
        _count(score, path.stem, truth, reading)
        _profile(score, reader, image)
        score.unchanged_ms += _unchanged(reader, image)
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        score.aruco_ms.append(timed(detector.detectMarkers, grey)[0])
        done(path.stem)
    return [scores[key] for key in sorted(scores)]


def false_cards(pictures: Iterable[Image], reader: TableReader) -> Iterator[Reading]:
    """What is read in each of some pictures that hold no card: every card is a false one."""
    for image in pictures:
        yield reader.read(image)


def endure(deck: Deck, reader: TableReader, count: int) -> Iterator[tuple[int, float]]:
    """Reads a film of `count` drawn pictures; tells pictures done and the most memory in MB, ten times.

    Every so often (ANOTHER) a card is laid; the pictures between show fresh noise.
    """
    chance = np.random.default_rng(3)
    table, film = SimulatedTable(deck, 3, SMALL), Film(reader)
    paths = [name for name, face in deck.faces.items() if face.kind is Kind.PATH]
    table.lay(next(name for name, face in deck.faces.items() if face.kind is Kind.START), START_CELL)
    goals = [name for name, face in deck.faces.items() if face.kind is Kind.GOAL]
    for name, cell in zip(goals, GOAL_CELLS, strict=False):
        table.lay(name, cell, face_up=False)
    frame = table.frame()
    for number in range(count):
        if number % ANOTHER == 0:
            cell = 1 + number // ANOTHER % 6, int(chance.integers(-1, 2))
            table.lay(paths[int(chance.integers(len(paths)))], cell)
            frame = table.frame()
        noise = chance.integers(0, 4, frame.shape[:2], np.uint8)
        film.read(cv2.add(frame, cv2.merge([noise] * 3)).astype(np.uint8, copy=False))
        if (number + 1) % max(1, count // 10) == 0:
            yield number + 1, peak_mb()


def timed(work: Callable[[A], T], given: A) -> tuple[float, T]:
    """Processor time in ms, and what came out."""
    began = time.process_time()
    result = work(given)
    return (time.process_time() - began) * 1000, result


def peak_mb() -> float:
    """The most memory this process ever held, in MB; NaN where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def _count(score: Score, name: str, truth: Mapping[str, Any], reading: Reading) -> None:
    told = {card.cell: lies(card.face_up, card.turned, card.tunnels) for card in reading.cards}
    true = meant(truth)
    seen = {_cell(card) for card in truth["cards"] if card.get("visible", 1.0) >= VISIBLE}
    missed = seen - set(told)
    wrong = {cell for cell, what in told.items() if cell not in true or true[cell] != what}
    score.pictures += 1
    score.exact += not missed and not wrong
    score.cards += len(seen)
    score.read += len(seen - missed - wrong)
    score.missed += len(missed)
    score.wrong += len(wrong)
    if missed or wrong:
        score.flaws.append(f"{name}: -{_cells(missed)} !{_cells(wrong)}")


def meant(truth: Mapping[str, Any]) -> dict[Cell, Meaning]:
    """What lies in each cell by the truth beside a picture."""
    return {
        _cell(card): lies(
            card["face_up"], card["turned"], [bits("".join(group)) for group in card["tunnels"]]
        )
        for card in truth["cards"]
    }


def _cell(card: Mapping[str, Any]) -> Cell:
    column, row = card["cell"]
    return int(column), int(row)


def lies(face_up: bool, turned: bool, tunnels: Iterable[Edges]) -> Meaning:
    """What a card means to play as it lies."""
    if not face_up:
        return None
    return frozenset(turn(group) if turned else group for group in tunnels)


def _cells(cells: set[Cell]) -> str:
    return " ".join(f"{column},{row}" for column, row in sorted(cells)) or "0"


def _profile(score: Score, reader: TableReader, image: Image) -> None:
    profile = cProfile.Profile(time.process_time)
    profile.runcall(reader.read, image)
    for (file, _, function), row in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        for stage, (its_file, its_function) in STAGES.items():
            if function == its_function and Path(file).name == its_file:
                score.stages_ms[stage] = score.stages_ms.get(stage, 0.0) + row[3] * 1000


def _unchanged(reader: TableReader, image: Image) -> list[float]:
    chance = np.random.default_rng(1)
    sheet = chance.normal(0, NOISE, (image.shape[0] + 64, image.shape[1] + 64, 1)).astype(np.int8)
    film = Film(reader)
    times = []
    for number in range(REPEATS):
        y, x = chance.integers(0, 64, 2)
        noise = sheet[y : y + image.shape[0], x : x + image.shape[1]]
        noisy = np.clip(image.astype(np.int16) + noise, 0, 255).astype(np.uint8)
        ms, _ = timed(film.read, noisy)
        if number:
            times.append(ms)
    return times
