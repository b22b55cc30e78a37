"""The printed deck where its markers are hardly seen: under hands, worn off, or burnt white by a lamp."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.game.cards import Cell, Kind
from tests.vision.drawn_table import DrawnTable
from vision.deckbook import Deck, Picture
from vision.eyes import Eyes
from vision.film import Film
from vision.first import with_faint
from vision.grid import Grid, beyond_goals, find_layout, gap_between, off_angle
from vision.live import LiveReader
from vision.locate import Locator, SpottedBoard
from vision.markers import DICTIONARY, MARKER_INSET_MM, MARKER_MM
from vision.reader import Reader
from vision.reading import Reading
from vision.spots import Spot
from vision.survey import Survey

SIZE = (1280, 720)
HAND = (120, 150, 205)
MAZE: dict[Cell, str] = {(0, 0): "start", (1, 0): "EW-1", (2, 0): "NEW-1", (0, 1): "NS-1"}
GOALS: set[Cell] = {(8, -2), (8, 0), (8, 2)}


def maze(deck: Deck, turned: Collection[Cell] = (), **camera: float) -> DrawnTable:
    table = DrawnTable(deck, **camera)  # type: ignore[arg-type]
    for cell, face in MAZE.items():
        table.lay(face, cell, cell in turned)
    return table.goals()


def told(reading: Reading) -> dict[Cell, str | None]:
    return {card.cell: card.face for card in reading.cards}


def tunnels(reading: Reading) -> dict[Cell, str]:
    """Each card's name without its number: cards with the same tunnels may be taken for one another."""
    return {card.cell: card.face.rsplit("-", 1)[0] for card in reading.cards if card.face}


def worn(table: DrawnTable, picture: Picture, cells: Collection[Cell], kept: Cell | None = None) -> Picture:
    """The picture with the markers of some cards worn off; of `kept` the first is left."""
    side = MARKER_INSET_MM + MARKER_MM + 1
    for cell in cells:
        top_left, top_right, bottom_right, bottom_left = table.corners(cell, SIZE)
        right, down = (top_right - top_left) * side / 56, (bottom_left - top_left) * side / 87
        squares = [(top_left, right, down), (bottom_right, -right, -down)]
        for corner, across, along in squares[1:] if cell == kept else squares:
            outline = np.array([corner, corner + across, corner + across + along, corner + along])
            cv2.fillConvexPoly(picture, np.rint(outline).astype(np.int32), (150, 160, 165))
    return picture


def burnt(table: DrawnTable, picture: Picture, cell: Cell, left: float) -> Picture:
    """The picture with a card under a lamp: so large a share of its contrast is left, and it is white."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(table.corners(cell, SIZE)).astype(np.int32), 255)
    bright = 255 - (255 - picture.astype(np.float32)) * left
    return np.where(mask[..., None] > 0, bright, picture).astype(np.uint8)


def covered(table: DrawnTable, cell: Cell, seen: str) -> Picture:
    """The picture with a hand over all of a card but the corner, as printed, where one marker is."""
    first, second, third, fourth = table.corners(cell, SIZE)
    outline = np.array([first, second, third, fourth])
    across, down = (second - first) * 0.42, (fourth - first) * 0.3
    near, far = (first, (across, down)) if seen == "first" else (third, (-across, -down))
    corner = np.array([near, near + far[0], near + far[0] + far[1], near + far[1]])
    mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 255)
    cv2.fillConvexPoly(mask, np.rint(corner).astype(np.int32), 0)
    picture = table.picture()
    picture[mask > 0] = HAND
    return picture


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("seen", ["first", "second"])
def test_one_marker_where_a_card_must_lie_is_enough(
    deck: Deck, reader: Reader, seen: str, turned: bool
) -> None:
    table = maze(deck, {(2, 0)} if turned else ())
    reading = reader.read(covered(table, (2, 0), seen))
    assert told(reading) == MAZE | dict.fromkeys(GOALS)
    assert {card.cell for card in reading.cards if card.turned and card.face_up} == (
        {(2, 0)} if turned else set()
    )


@pytest.mark.parametrize("share", [0.35, 0.5, 0.65])
def test_half_a_marker_is_never_taken_for_another(deck: Deck, share: float) -> None:
    eyes = Eyes(deck)
    for face in ("NE-1", "NW-2", "NES-3", "NESW-2", "N.E-1", "NEW-5", "NS-4", "EW-3"):
        table = maze(deck).lay(face, (0, -1))
        picture = covered(table, (0, -1), "first")
        first, second, _, fourth = table.corners((0, -1), SIZE)
        across, down = (second - first) / 56, (fourth - first) / 87
        top = first + down * (MARKER_INSET_MM + MARKER_MM * share)
        rest = [
            top - across * 3,
            top + across * 26,
            top + across * 26 + down * 26,
            top - across * 3 + down * 26,
        ]
        cv2.fillConvexPoly(picture, np.rint(np.array(rest)).astype(np.int32), HAND)
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        board = Locator(eyes).find(Survey(eyes, grey), None)
        assert isinstance(board, SpottedBoard)
        placed = eyes.in_place.read(grey, board.plane, board.layout, board.grid, [(0, -1)], MAZE.values())
        assert {one.face for one in placed} <= {face}


def test_a_marker_of_a_card_that_lies_elsewhere_already_tells_nothing(deck: Deck, reader: Reader) -> None:
    table = maze(deck).lay("NEW-1", (0, -1))
    reading = reader.read(covered(table, (0, -1), "first"))
    assert told(reading) == MAZE | dict.fromkeys(GOALS)


def test_a_marker_that_the_art_gainsays_tells_nothing(deck: Deck, reader: Reader) -> None:
    table = maze(deck)
    picture = table.picture()
    # The markers of EW-1 on the art of a crossing, as no printer makes them.
    other = DrawnTable(deck)
    for cell, face in (MAZE | {(1, 0): "NESW-1"}).items():
        other.lay(face, cell)
    crossing = other.goals().picture()
    first, second, _, fourth = table.corners((1, 0), SIZE)
    art = np.zeros(picture.shape[:2], np.uint8)
    across, down = (second - first) / 56, (fourth - first) / 87
    side = MARKER_INSET_MM + MARKER_MM + 1
    for left, top, right, bottom in ((side, 0, 56, 87 - side), (0, side, 56 - side, 87)):
        box = [(left, top), (right, top), (right, bottom), (left, bottom)]
        outline = np.array([first + across * x + down * y for x, y in box])
        cv2.fillConvexPoly(art, np.rint(outline).astype(np.int32), 255)
    picture[art > 0] = crossing[art > 0]
    reading = reader.read(picture)
    assert (1, 0) not in told(reading)
    assert (1, 0) in reading.hidden


def test_a_card_half_over_the_edge_is_told_by_the_marker_in_sight(deck: Deck, reader: Reader) -> None:
    table = maze(deck).lay("NES-1", (-1, 0))
    corners = table.corners((-1, 0), SIZE)
    edge = round(float(corners[:, 0].min() + corners[:, 0].max()) / 2)
    reading = reader.read(np.ascontiguousarray(table.picture()[:, edge - 4 :]))
    assert told(reading) == MAZE | dict.fromkeys(GOALS) | {(-1, 0): "NES-1"}


def test_a_start_card_half_under_a_hand_is_sought_by_its_marker(deck: Deck, reader: Reader) -> None:
    table = DrawnTable(deck, tilt=15.0).lay("start", (0, 0)).lay("EW-1", (1, 0)).lay("NEW-1", (2, 0)).goals()
    picture = worn(table, covered(table, (0, 0), "second"), {(1, 0), (2, 0)})
    reading = reader.read(picture)
    assert told(reading)[0, 0] == "start"
    assert told(reading).keys() <= {(0, 0), (1, 0), (2, 0), *GOALS}


def test_a_card_burnt_white_is_read_by_what_is_left_of_its_markers(deck: Deck, reader: Reader) -> None:
    table = maze(deck)
    reading = reader.read(burnt(table, table.picture(), (2, 0), left=0.1))
    assert told(reading) == MAZE | dict.fromkeys(GOALS)


@pytest.mark.parametrize("turned", [False, True])
def test_a_card_whose_markers_are_worn_off_is_read_by_its_face(
    deck: Deck, reader: Reader, turned: bool
) -> None:
    table = maze(deck, {(2, 0)} if turned else (), tilt=15.0)
    reading = reader.read(worn(table, table.picture(), [(2, 0)]))
    assert tunnels(reading) == {(0, 0): "start", (1, 0): "EW", (2, 0): "NEW", (0, 1): "NS"}
    assert next(card.turned for card in reading.cards if card.cell == (2, 0)) is turned


def test_where_the_markers_fail_the_art_is_read_as_of_a_deck_without_any(deck: Deck, reader: Reader) -> None:
    table, everything = maze(deck, tilt=15.0), {*MAZE, *GOALS}
    for kept in ((1, 0), None):
        reading = reader.read(worn(table, table.picture(), everything, kept))
        assert told(reading).keys() == everything
        assert tunnels(reading) == {(0, 0): "start", (1, 0): "EW", (2, 0): "NEW", (0, 1): "NS"}


def test_in_a_film_the_faces_are_asked_when_a_marker_says_that_the_deck_lies_there(deck: Deck) -> None:
    live = LiveReader(deck)
    table, everything = maze(deck, tilt=15.0), {*MAZE, *GOALS}
    assert told(live.read(worn(table, table.picture(), everything, kept=(1, 0)))).keys() == everything
    assert live.read(worn(table, table.picture(), everything)).cards == ()


def test_while_a_hand_moves_what_more_than_markers_told_stays_where_nothing_moved(deck: Deck) -> None:
    table, live, everything = maze(deck), LiveReader(deck), {*MAZE, *GOALS}
    rest = covered(table, (2, 0), "first")
    assert told(live.read(rest)).keys() == everything

    def moving(cell: Cell, near: float) -> tuple[Picture, NDArray[np.bool_]]:
        picture = rest.copy()
        first, _, third, _ = table.corners(cell, SIZE)
        middle = first + (third - first) * near
        cv2.circle(picture, (round(middle[0]), round(middle[1])), 25, (60, 60, 60), -1)
        return picture, np.asarray(cv2.absdiff(rest, picture).max(2) > 40)

    assert (2, 0) in told(live.read_again(*moving((0, 1), 0.5)))
    reading = live.read_again(*moving((2, 0), 0.2))
    assert told(reading).keys() == everything - {(2, 0)}
    assert (2, 0) in reading.hidden
    assert told(live.read(rest)).keys() == everything


def test_a_film_asks_more_than_markers_of_a_new_card_once_it_rests(deck: Deck) -> None:
    table = maze(deck)
    before = table.picture()
    table.lay("NW-1", (3, 0))
    after = covered(table, (3, 0), "first")
    film = Film(LiveReader(deck))
    film.read(before)
    readings = [told(film.read(after)) for _ in range(4)]
    assert (3, 0) not in readings[0]
    assert readings[1][3, 0] == "NW-1"
    assert readings[3] == readings[1]


def faded(picture: Picture, left: float, soft: float, noise: float) -> Picture:
    """The picture of a bad camera in bad light: so much contrast, blur in px and noise in grey levels."""
    chance = np.random.default_rng(4)
    dull = 130 + (cv2.GaussianBlur(picture, (0, 0), soft).astype(np.float32) - 130) * left
    return np.clip(dull + chance.normal(0, noise, dull.shape), 0, 255).astype(np.uint8)


def test_a_table_is_found_by_markers_that_have_no_outline(deck: Deck) -> None:
    eyes, table = Eyes(deck), maze(deck, tilt=15.0)
    picture = faded(table.picture(), left=0.2, soft=2.0, noise=14.0)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    outlined = Survey(eyes, grey).first
    assert len(outlined) == 0 < len(with_faint(eyes, grey, outlined)[0])
    # No marker says that the deck lies there: in a film the faces are not asked.
    assert told(LiveReader(deck).read(picture)) == MAZE | dict.fromkeys(GOALS)


@pytest.mark.parametrize("covered_side", ["left", "right"])
def test_a_marker_whose_white_edge_is_covered_is_told_and_lies_where_it_lies(
    deck: Deck, covered_side: str
) -> None:
    eyes = Eyes(deck)
    marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), 36, 7 * 4)
    picture = np.full((60, 60), 235, np.uint8)
    picture[16:44, 16:44] = marker
    edge = np.s_[:, :16] if covered_side == "left" else np.s_[:, 44:]
    picture[edge] = 30
    square = np.array([(15.5, 15.5), (43.5, 15.5), (43.5, 43.5), (15.5, 43.5)], np.float32)
    read = eyes.cards.decode_astray(cv2.GaussianBlur(picture, (0, 0), 1.2), square[None] + (3.0, -2.5))
    assert read.ids.tolist() == [36]
    assert np.abs(read.corners[0] - square).max() < 2.5


def test_a_marker_half_in_a_shadow_is_told_where_a_card_must_lie(deck: Deck, reader: Reader) -> None:
    table = maze(deck)
    picture = covered(table, (2, 0), "first")
    first, second, _, _ = table.corners((2, 0), SIZE)
    slope = np.clip((np.arange(SIZE[0]) - first[0] - 4) / (second[0] - first[0]) * 3, 0, 1)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(table.corners((2, 0), SIZE)).astype(np.int32), 255)
    shadowed = (90 + (picture.astype(np.float32) - 90) * 0.25) * (1.5 - 0.9 * slope[None, :, None])
    reading = reader.read(np.where(mask[..., None] > 0, shadowed, picture).clip(0, 255).astype(np.uint8))
    assert told(reading) == MAZE | dict.fromkeys(GOALS)


def test_two_cards_with_the_same_tunnels_are_both_told_by_their_art(deck: Deck, reader: Reader) -> None:
    table = DrawnTable(deck, tilt=15.0)
    for cell, face in (MAZE | {(1, 1): "NEW-2", (3, 0): "NEW-3"}).items():
        table.lay(face, cell)
    table.goals()
    reading = reader.read(worn(table, table.picture(), [(2, 0), (1, 1), (3, 0)]))
    names = [card.face for card in reading.cards if card.face]
    assert len(names) == len(set(names))
    assert {cell for cell, name in tunnels(reading).items() if name == "NEW"} == {(2, 0), (1, 1), (3, 0)}


def test_a_card_whose_face_lies_elsewhere_is_another_of_its_kind_the_same_way_up(deck: Deck) -> None:
    faces = Eyes(deck).faces

    def other(face: str, turned: bool, taken: Collection[str]) -> tuple[str | None, bool]:
        way = faces.ways[faces.untaken(faces.way_of[face, turned], taken)]
        return way.face, way.turned

    assert other("NEW-1", True, ()) == ("NEW-1", True)
    assert other("NEW-1", True, {"NEW-1", "NEW-2"}) == ("NEW-3", True)
    assert other("EW-1", True, {"EW-1"}) == ("EW-2", True)
    # Gold is to play what a crossing is, and a crossing what the start card is.
    assert other("gold", False, {"gold"}) == ("gold", False)
    crossings = {face for face in deck.faces if face.startswith("NESW-")}
    assert other("NESW-1", False, crossings) == ("NESW-1", False)


def test_a_card_that_lies_between_two_cells_has_the_one_that_is_free(deck: Deck, reader: Reader) -> None:
    table = maze(deck).lay("NEW-2", (3, 0), off=(-23.0, 0.0))
    assert told(reader.read(table.picture()))[3, 0] == "NEW-2"
    grid = Grid(deck.card_mm)
    for cell in ((0, 0), (1, 0)):
        grid.add(cell, np.array([58.3 * cell[0], 0.0]))
    assert grid.between(np.array([94.0, 0.0]), grid.cells, lambda cell: True) == (2, 0)
    assert grid.between(np.array([94.0, 0.0]), grid.cells, lambda cell: cell != (2, 0)) is None
    assert grid.between(np.array([30.0, 0.0]), grid.cells, lambda cell: True) is None
    assert grid.between(np.array([116.0, 0.0]), grid.cells, lambda cell: True) is None
    assert grid.between(np.array([94.0, 0.0]), [(0, 0)], lambda cell: True) is None


@pytest.mark.parametrize(("off", "counted"), [(0.0, True), (31.0, False)])
def test_across_a_bare_gap_cells_are_counted_where_both_sides_agree(
    deck: Deck, reader: Reader, off: float, counted: bool
) -> None:
    """The start card under a hand, and the maze where it should be, or a third of a row beside it."""
    table = DrawnTable(deck, tilt=15.0)
    for cell, face in MAZE.items():
        table.lay(face, cell, off=(0.0, off))
    table.goals()
    reading = reader.read(table.hand_over(table.picture(), (0, 0)))
    beyond = {cell: face for cell, face in told(reading).items() if cell not in GOALS}
    assert beyond == ({(1, 0): "EW-1", (2, 0): "NEW-1"} if counted else {})
    assert "no_start_card" in {problem.code for problem in reading.problems}


def test_goals_are_sought_on_the_whole_table_while_only_path_cards_are_told(deck: Deck) -> None:
    eyes = Eyes(deck)
    survey = Survey(eyes, np.asarray(cv2.cvtColor(maze(deck).picture(), cv2.COLOR_BGR2GRAY), np.uint8))
    paths = [mark for face in ("EW-1", "NEW-1", "NS-1") for mark in deck.faces[face].markers or ()]
    survey.restart(survey.first.only(np.isin(survey.first.ids, paths)))
    assert {spot.face for spot in survey.spots} == {"EW-1", "NEW-1", "NS-1"}
    assert survey.sweep()
    assert sorted(str(spot.face) for spot in survey.spots if eyes.kind(spot.face) is not Kind.PATH) == (
        ["None"] * 3 + ["start"]
    )
    assert not survey.sweep()


@pytest.mark.parametrize("side", [0.0, 50.0, 90.0])
def test_cards_told_by_their_art_alone_say_which_way_the_board_runs(deck: Deck, side: float) -> None:
    eyes, table = Eyes(deck), maze(deck, side=side, high_mm=950.0)
    survey = Survey(eyes, np.asarray(cv2.cvtColor(table.picture(), cv2.COLOR_BGR2GRAY), np.uint8))
    assert survey.plane is not None
    told_by_markers, none = survey.angle, survey.first.only(np.zeros(len(survey.first), bool))
    seen = [Spot.seen(face, np.array(table.corners(cell, SIZE))) for cell, face in MAZE.items()]
    survey.restart(none, seen)
    assert {spot.face for spot in survey.spots} == set(MAZE.values())
    assert abs(off_angle(survey.angle, told_by_markers)) < 0.03


def test_what_leads_astray_is_forgotten_again(deck: Deck) -> None:
    survey = Survey(Eyes(deck), np.asarray(cv2.cvtColor(maze(deck).picture(), cv2.COLOR_BGR2GRAY), np.uint8))
    known, plane, spots = survey.known(), survey.plane, list(survey.spots)
    survey.restart(survey.first.only(np.arange(len(survey.first)) == 0))
    assert len(survey.spots) < len(spots)
    survey.back_to(known)
    assert survey.plane is plane
    assert survey.spots == spots
    assert survey.marks is known.marks


def test_a_gap_is_as_wide_as_the_cells_in_it(deck: Deck) -> None:
    def places(cells: Sequence[Cell], off: tuple[float, float]) -> dict[Cell, NDArray[np.float64]]:
        return {(x, y): np.array((x * 59.0, y * 91.0)) + off for x, y in cells}

    goals, beyond = places(sorted(GOALS), (0, 0)), [(0, -1), (1, -1), (1, 1)]
    for columns, rows in ((0, 0), (0, 1), (-1, 0)):
        gap = gap_between(deck.card_mm, goals, places(beyond, (columns * 59.0, rows * 91.0)))
        assert np.allclose(gap, (columns, rows), atol=0.15)


@pytest.mark.parametrize(
    ("column", "lone", "directions"),
    [(1, True, [0]), (4, True, [0]), (5, True, []), (15, True, [180]), (1, False, [])],
)
def test_a_card_far_from_the_goals_tells_on_which_side_the_start_card_lies(
    deck: Deck, column: int, lone: bool, directions: list[int]
) -> None:
    goals = np.array([(8 * 58.3, row * 89.3) for row in (-2, 0, 2)])
    card = np.array([(column * 58.3, 0.0)])
    found = find_layout(0.0, np.empty((0, 2)), goals, card, {}, deck.card_mm, lone)
    assert sorted({round(float(np.degrees(layout.angle))) for layout in found}) == directions


def test_without_start_card_and_markers_nobody_counts_the_columns_of_a_bare_table(
    deck: Deck, reader: Reader
) -> None:
    table = maze(deck, tilt=15.0)
    picture = table.hand_over(table.picture(), (0, 0))
    reading = reader.read(worn(table, picture, {*MAZE, *GOALS} - {(0, 0)}, kept=(2, 0)))
    assert reading.cards == ()
    assert "no_start_card" in {problem.code for problem in reading.problems}


def test_cells_are_counted_from_the_goals_over_narrow_gaps_alone() -> None:
    goals: list[Cell] = [(8, -2), (8, 0), (8, 2)]
    assert beyond_goals(goals) == set()
    assert beyond_goals([*goals, (6, 0), (5, 1), (3, 1)]) == set()
    assert beyond_goals([*goals, (6, 0), (3, 0)]) == {(3, 0)}
    assert beyond_goals([*goals, (8, 4), (6, -4), (5, -6)]) == set()
    assert beyond_goals([*goals, (8, 5), (8, -5)]) == {(8, 5), (8, -5)}
    assert beyond_goals([(1, 0)]) == {(1, 0)}
