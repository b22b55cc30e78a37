"""A table that is drawn: cards are laid on it and lifted, and it is seen through a camera's eye."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.cards import CARD_MM, GOAL_CELLS, Cell, Kind
from vision import hand, tabletop
from vision.deckbook import Deck
from vision.frames import Frame, Tell, unheard
from vision.markers import TAG_SHEET_MM
from vision.pictures import Image
from vision.scene import Nudge, Pinhole, Scene

FINER = 2
"""The still table is drawn so many times as fine as the picture and then averaged, as a lens does."""
HAND_SWAYS_MM = 1.2
"""How far a hand at rest sways to each side."""
PHONE_MM = (74.0, 150.0)
"""A phone that somebody lays on the table."""
MARGIN_MM = 420.0
"""Table drawn around the playing area: what a tilted camera sees of it."""


@dataclass(frozen=True)
class Lying:
    """A card on the simulated table: where it is meant to lie, and how far from that it does."""

    card_id: str
    cell: Cell
    turned: bool
    face_up: bool
    dx_mm: float
    dy_mm: float
    deg: float


class SimulatedTable:
    """A table with the deck's cards on it, as a camera shows it. Any thread may call any method."""

    def __init__(
        self, deck: Deck, seed: int, size: tuple[int, int] = (1280, 720), scene: Scene | None = None
    ) -> None:
        self.size = size
        self.scene = scene or Scene.drawn(seed)
        self._deck = deck
        self._chance = np.random.default_rng(seed)
        self._lock = threading.RLock()
        self._lying: dict[Cell, Lying] = {}
        self._hand: hand.Hand | None = None
        self._lamp, self._nudge = 1.0, Nudge()
        self._phone: tuple[Cell, float] | None = None
        self._shaded: tuple[Cell, float] | None = None
        self._see()
        self._bare = self._cover()
        self._noise = self._drawn_noise()
        self._lit: Image | None = None

    def lay(self, card_id: str, cell: Cell, turned: bool = False, face_up: bool = True) -> None:
        """Lays a card a little askew, as people do, in place of what lay there. KeyError: no such card."""
        self._deck.faces[card_id]
        with self._lock:
            limits = np.array([self.scene.jitter_mm, self.scene.jitter_mm, self.scene.jitter_deg])
            dx, dy, deg = (float(v) for v in self._chance.normal(0, limits / 2).clip(-limits, limits))
            self._lying[cell] = Lying(card_id, cell, turned, face_up, dx, dy, deg)
            self._lit = None

    def lift(self, cell: Cell) -> None:
        """Takes a card away. KeyError when none lies there."""
        with self._lock:
            del self._lying[cell]
            self._lit = None

    def slide(self, cell: Cell, dx_mm: float, dy_mm: float, deg: float = 0.0) -> None:
        """Pushes a lying card. KeyError when none lies there."""
        with self._lock:
            at = self._lying[cell]
            self._lying[cell] = replace(at, dx_mm=at.dx_mm + dx_mm, dy_mm=at.dy_mm + dy_mm, deg=at.deg + deg)
            self._lit = None

    def lying(self) -> dict[Cell, Lying]:
        """What lies where now."""
        with self._lock:
            return dict(self._lying)

    def clear(self) -> None:
        """Takes all cards away."""
        with self._lock:
            self._lying.clear()
            self._lit = None

    def hand_over(self, cell: Cell | None, from_deg: float | None = None, reach: float = 1.0) -> None:
        """A hand over a cell, or none. `from_deg`: the side it comes from (90: the near side; else drawn).

        `reach` 0..1: how far it has come in from the picture's edge.
        """
        with self._lock:
            if cell is None:
                self._hand = None
                return
            from_deg = float(self._chance.uniform(50, 130)) if from_deg is None else from_deg
            over = self._pinhole.project(np.array([self.scene.centre_mm(cell)]))[0]
            # One arm a side: the same skin and sleeve while it comes and goes.
            whose = np.random.default_rng(round(from_deg))
            self._hand = hand.draw(
                self.size, (over[0], over[1]), from_deg, reach, self._pinhole.px_per_mm(), whose
            )

    def phone_over(self, cell: Cell | None, deg: float = 12.0) -> None:
        """A phone laid over a cell and what lies beside it, or taken away again."""
        with self._lock:
            self._phone, self._lit = (cell, deg) if cell is not None else None, None

    def lamp(self, gain: float) -> None:
        """Makes all light `gain` times as bright as at first."""
        with self._lock:
            self._lamp, self._lit = gain, None

    def shadow(self, cell: Cell | None, depth: float = 0.45) -> None:
        """Throws a shadow over a cell and around it, or takes it away; `depth` is the share of light lost."""
        with self._lock:
            self._shaded, self._lit = (cell, depth) if cell is not None else None, None

    def nudge(self, x_mm: float, y_mm: float, deg: float = 0.0) -> None:
        """Pushes camera or table: the view shifts by this much, counted from its first place."""
        with self._lock:
            self._nudge = Nudge(x_mm, y_mm, deg)
            self._see()
            self._lit = None

    def corners(self, cell: Cell) -> NDArray[np.float64]:
        """4 x 2 px: the corners of a cell's card as its face is printed. KeyError when none lies there."""
        with self._lock:
            at = self._lying[cell]
            turn = np.radians(at.deg + 180 * at.turned)
            half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2
            about = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            return self._pinhole.project(half @ about + self._place(at))

    def px_per_mm(self) -> float:
        """Scale in the middle of the table."""
        with self._lock:
            return self._pinhole.px_per_mm()

    def visible(self, cell: Cell) -> float:
        """The share 0..1 of a cell's card that no hand or phone covers. KeyError when none lies there."""
        with self._lock:
            corners, moving, phone = self.corners(cell), self._hand, self._phone
        if moving is None and phone is None:
            return 1.0
        mask = np.zeros(self.size[::-1], np.uint8)
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), (255,))
        whole = mask > 0
        if not whole.any():
            return 0.0
        if phone is not None:
            cv2.fillConvexPoly(mask, np.rint(self._phone_corners(*phone)).astype(np.int32), (0,))
        free = (mask[whole] > 0).astype(np.float32)
        if moving is not None:
            free *= 1 - moving.cover[whole]
        return float(free.mean())

    def frame(self) -> Image:
        """The table as the camera shows it this moment: a new picture every time, BGR."""
        with self._lock:
            still = self._lit = self._lit if self._lit is not None else self._drawn()
            moving, light = self._hand, self._lamp * self.scene.light
            sway = max(1, round(HAND_SWAYS_MM * self._pinhole.px_per_mm()))
            dx, dy = (int(v) for v in self._chance.integers(-sway, sway + 1, 2))
            at_y, at_x = (int(v) for v in self._chance.integers(0, 64, 2))
        picture = moving.over(still, dx, dy, light) if moving else still
        rows, columns = slice(at_y, at_y + self.size[1]), slice(at_x, at_x + self.size[0])
        brighter, darker = self._noise
        noisy = cv2.subtract(cv2.add(picture, brighter[rows, columns]), darker[rows, columns])
        _done, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self.scene.jpeg])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def _phone_corners(self, cell: Cell, deg: float) -> NDArray[np.float64]:
        turn = np.radians(deg)
        about = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(PHONE_MM) / 2
        return self._pinhole.project(half @ about + np.array(self.scene.centre_mm(cell)))

    def _place(self, at: Lying) -> NDArray[np.float64]:
        x, y = self.scene.centre_mm(at.cell)
        return np.array([x + at.dx_mm, y + at.dy_mm])

    def _see(self) -> None:
        self._pinhole = Pinhole(self.scene, self.size, self._nudge)
        self._scale = 1.5 * Pinhole(self.scene, self.size).px_per_mm()
        seen = (self._pinhole.seen_points(FINER) - np.array(self._origin_mm(), np.float32)) * np.float32(
            self._scale
        )
        self._map_x, self._map_y = cv2.split(seen)
        width, height = self.size
        x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
        towards = np.radians(self.scene.azimuth_deg * 3)
        lean = (x * np.cos(towards) + y * np.sin(towards)) / 1.42
        self._light = (1 - self.scene.slope * (0.5 - 0.5 * lean) - 0.06 * (x**2 + y**2)).astype(np.float32)

    def _origin_mm(self) -> tuple[float, float]:
        """The table point at the top left of the drawn table."""
        return -CARD_MM[0] / 2 - MARGIN_MM, -2.5 * self.scene.pitch_mm[1] - MARGIN_MM

    def _cover(self) -> Image:
        columns = GOAL_CELLS[0][0] * self.scene.pitch_mm[0] + CARD_MM[0]
        width = round((columns + 2 * MARGIN_MM) * self._scale)
        height = round((5 * self.scene.pitch_mm[1] + 2 * MARGIN_MM) * self._scale)
        table = tabletop.cover(self.scene.cover, width, height, self._scale, self._chance)
        if self.scene.tags:
            beside = self.scene.pitch_mm[0] / 2 + TAG_SHEET_MM / 2 + 8
            left, right = -beside, GOAL_CELLS[0][0] * self.scene.pitch_mm[0] + beside
            above = 2 * self.scene.pitch_mm[1]
            for number, at in enumerate([(left, -above), (right, -above), (right, above), (left, above)]):
                askew = float(self._chance.normal(0, 2))
                sheet = tabletop.tag_sheet(number)
                size = (TAG_SHEET_MM, TAG_SHEET_MM)
                tabletop.put(table, sheet, size, self._on_table(at), askew, self._scale, rounded_mm=0)
        return table

    def _on_table(self, at_mm: tuple[float, float]) -> tuple[float, float]:
        left, top = self._origin_mm()
        return (at_mm[0] - left) * self._scale, (at_mm[1] - top) * self._scale

    def _drawn(self) -> Image:
        table = self._bare.copy()
        for at in self._lying.values():
            face = self._deck.faces[at.card_id]
            back = self._deck.goal_back if face.kind is Kind.GOAL else self._deck.back
            x, y = self._place(at)
            degrees = at.deg + 180 * at.turned
            picture = face.picture if at.face_up else back
            tabletop.put(table, picture, CARD_MM, self._on_table((x, y)), degrees, self._scale)
        if self._phone is not None:
            cell, degrees = self._phone
            at_px = self._on_table(self.scene.centre_mm(cell))
            tabletop.put(table, tabletop.phone(), PHONE_MM, at_px, degrees, self._scale, rounded_mm=9)
        fine = cv2.remap(table, self._map_x, self._map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        seen = cv2.resize(fine, self.size, interpolation=cv2.INTER_AREA).astype(np.float32)
        light = self._light * np.float32(self._lamp * self.scene.light)
        if self._shaded:
            light = light * self._shadow_of(*self._shaded)
        seen = cv2.GaussianBlur(seen * light[..., None], (0, 0), max(0.2, self.scene.blur_px))
        return np.asarray(np.clip(seen, 0, 255), np.uint8)

    def _shadow_of(self, cell: Cell, depth: float) -> NDArray[np.float32]:
        over = self._pinhole.project(np.array([self.scene.centre_mm(cell)]))[0]
        scale = self._pinhole.px_per_mm()
        mask = np.zeros(self.size[::-1], np.float32)
        centre = (round(over[0]), round(over[1]))
        cv2.ellipse(mask, centre, (round(110 * scale), round(80 * scale)), 25, 0, 360, (1.0,), -1)
        return np.asarray(1 - depth * cv2.GaussianBlur(mask, (0, 0), 15 * scale), np.float32)

    def _drawn_noise(self) -> tuple[Image, Image]:
        # New noise for every frame would cost more than all the rest: a random window into one sheet.
        shape = (self.size[1] + 64, self.size[0] + 64, 3)
        sheet = self._chance.standard_normal(shape, np.float32) * self.scene.noise
        return sheet.clip(0, 255).astype(np.uint8), (-sheet).clip(0, 255).astype(np.uint8)


class SimulatedSource:
    """A simulated table as a source of frames, `fps` a second."""

    simulated = True
    name = "demo"

    def __init__(self, table: SimulatedTable, fps: float = 15.0, tell: Tell = unheard) -> None:
        self._table = table
        self._period = 1 / fps
        self._tell = tell
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Frames until it is closed."""
        begun, number = time.monotonic(), 0
        self._tell("opened", {"source": self.name, "size": list(self._table.size)})
        while not self._closed.wait(max(0.0, begun + number * self._period - time.monotonic())):
            at = time.monotonic() - begun
            yield Frame(self._table.frame(), at, number)
            number = max(number + 1, int(at / self._period))

    def close(self) -> None:
        """Ends `frames` within a moment."""
        self._closed.set()
