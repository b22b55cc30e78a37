"""What a person and a camera must see on a card: open edges, dead ends, what joins, clean markers."""

import xml.etree.ElementTree as ET

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.game.cards import CARD_MM, EDGES, E, Edges, Face, N, S, W
from companion.game.decks import BASE_PATHS, EXPANSION_PATHS
from printables.art import face_svg, shape_svg
from printables.backs import back_svg, goal_back_svg
from printables.cards import DECK, EXPANSION
from printables.deck_folder import rasterise
from printables.sheets import cards_pdf
from printables.symbols import SYMBOLS, symbol_svg
from vision.markers import DICTIONARY, GOAL_BACK_MARKERS, MARKER_INSET_MM, MARKER_MM

Picture = NDArray[np.uint8]
SCALE = 10
FACES = [*BASE_PATHS, *EXPANSION_PATHS, "start", "gold", "stone-NE", "stone-NW"]
LIGHT, DARK = 135, 100


@pytest.fixture(scope="module")
def pictures() -> dict[str, Picture]:
    """Every printed face of both decks at 10 px/mm, by id."""
    cards = DECK + EXPANSION
    drawn = rasterise(cards_pdf([face_svg(card) for card in cards]), SCALE)
    return {card.id: picture for card, picture in zip(cards, drawn, strict=True)}


def edge_strip(picture: Picture, edge: Edges) -> Picture:
    """The brightness of the outermost 1 mm along an edge, mean over its depth, one value a px."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    strip = {N: grey[:SCALE], S: grey[-SCALE:], W: grey[:, :SCALE].T, E: grey[:, -SCALE:].T}[edge]
    return np.asarray(strip.mean(axis=0))


def test_every_face_is_exactly_a_card_in_size(pictures: dict[str, Picture]) -> None:
    assert {picture.shape for picture in pictures.values()} == {(870, 560, 3)}


def test_a_light_way_of_14_mm_at_exactly_the_open_edges(pictures: dict[str, Picture]) -> None:
    for card in DECK + EXPANSION:
        for edge in EDGES:
            strip = edge_strip(pictures[card.id], edge)
            middle = len(strip) // 2
            inside = strip[middle - 5 * SCALE : middle + 5 * SCALE]
            gate = strip[middle - 58 : middle + 58]
            if card.face.open & edge:
                assert inside.mean() > LIGHT, (card.id, edge)
                assert strip[middle - 69 : middle + 69].min() > 80, (card.id, edge)
            else:
                assert gate.max() < DARK, (card.id, edge)


def test_beside_an_open_gate_lies_rock_or_the_white_of_a_marker(pictures: dict[str, Picture]) -> None:
    picture = pictures["NESW-1"]
    top = edge_strip(picture, N)
    assert top[290 + 80 : 550].max() < DARK
    assert top[:20].min() > 250


def test_the_middle_of_a_dead_end_card_is_not_a_light_way(pictures: dict[str, Picture]) -> None:
    """From one dead end to the next no light way leads: some stretch of at least 5 mm is dark."""
    grey = cv2.cvtColor(pictures["N.E.S.W-1"], cv2.COLOR_BGR2GRAY)
    for line in (grey[:, 240:320].mean(axis=1), grey[395:475, :].mean(axis=0)):
        dark = "".join("#" if value < 120 else "." for value in line)
        assert "#" * 50 in dark


def test_ways_that_join_are_light_all_the_way(pictures: dict[str, Picture]) -> None:
    for name in ("NS-1", "EW-1", "NES-1", "NEW-1", "NESW-1"):
        grey = cv2.cvtColor(pictures[name], cv2.COLOR_BGR2GRAY)
        line = grey[:, 230:330].mean(axis=1) if "N" in name and "S" in name else grey[385:485, :].mean(axis=0)
        a_millimetre_at_a_time = line[:-SCALE].reshape(-1, SCALE).mean(axis=1)
        assert a_millimetre_at_a_time.min() > DARK, name


def test_double_curves_are_parted_by_rock(pictures: dict[str, Picture]) -> None:
    grey = cv2.cvtColor(pictures["NW.ES-1"], cv2.COLOR_BGR2GRAY)
    assert grey[415:455, 260:300].mean() < 70


def test_no_two_cards_look_alike(pictures: dict[str, Picture]) -> None:
    below_markers = {name: picture[230:640].tobytes() for name, picture in pictures.items()}
    assert len(set(below_markers.values())) == len(below_markers)


def markers_found(picture: Picture) -> dict[int, NDArray[np.float64]]:
    """Ids and corners (mm) of the markers on a picture laid on a grey table, seen at 5 px/mm.

    Not at 10: the detector's widest threshold window is smaller than a module there.
    """
    seen = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    table = cv2.copyMakeBorder(seen, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(90, 90, 90))
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    corners, ids, _ = detector.detectMarkers(table)
    found = zip(np.ravel(ids) if ids is not None else [], corners, strict=True)
    return {int(number): (np.asarray(square, float).reshape(4, 2) + 0.5 - 30) / 5 for number, square in found}


def assert_markers(picture: Picture, ids: tuple[int, int]) -> None:
    found = markers_found(picture)
    assert set(found) == set(ids)
    near = MARKER_INSET_MM
    far = (CARD_MM[0] - MARKER_INSET_MM - MARKER_MM, CARD_MM[1] - MARKER_INSET_MM - MARKER_MM)
    for number, (left, top) in ((ids[0], (near, near)), (ids[1], far)):
        corners = [(0.0, 0.0), (MARKER_MM, 0.0), (MARKER_MM, MARKER_MM), (0.0, MARKER_MM)]
        wanted = np.array([(left + x, top + y) for x, y in corners])
        assert np.abs(found[number] - wanted).max() < 0.1, number


def test_the_markers_of_every_face_are_found_where_they_belong(pictures: dict[str, Picture]) -> None:
    for card in DECK + EXPANSION:
        assert_markers(pictures[card.id], card.markers)


def test_a_module_of_pure_white_lies_round_every_marker(pictures: dict[str, Picture]) -> None:
    start, end = round(MARKER_INSET_MM * SCALE), round((MARKER_INSET_MM + MARKER_MM) * SCALE)
    for picture in pictures.values():
        for view in (picture, picture[::-1, ::-1]):
            assert view[:end, end + 2 : end + 20].min() >= 250
            assert view[end + 2 : end + 20, :end].min() >= 250
            assert view[: start - 2, :end].min() >= 250
            assert view[:end, : start - 2].min() >= 250


def test_the_goal_back_bears_its_own_pair_and_the_other_back_none() -> None:
    back, goal_back = rasterise(cards_pdf([back_svg(), goal_back_svg()]), SCALE)
    assert_markers(goal_back, GOAL_BACK_MARKERS)
    corners, ids, _ = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY)).detectMarkers(
        back
    )
    assert ids is None or len(ids) == 0
    assert len(corners) == 0
    difference = np.abs(back.mean(axis=(0, 1)) - goal_back[230:640].mean(axis=(0, 1)))
    assert difference.max() > 40


def test_the_path_back_is_the_same_either_way_up() -> None:
    (back,) = rasterise(cards_pdf([back_svg()]), SCALE)
    assert np.abs(back.astype(int) - back[::-1, ::-1].astype(int)).mean() < 2


@pytest.mark.parametrize("name", FACES)
def test_pictures_for_the_screens_are_small_and_well_formed(name: str) -> None:
    svg = shape_svg(Face.parse(name))
    assert len(svg) <= 6 * 1024
    assert ET.fromstring(svg).get("viewBox") == "0 0 56 87"
    assert "id=" not in svg


def test_screen_pictures_are_light_at_exactly_the_open_edges() -> None:
    faces = [Face.parse(name) for name in FACES]
    for face, picture in zip(
        faces, rasterise(cards_pdf([shape_svg(face) for face in faces]), SCALE), strict=True
    ):
        for edge in EDGES:
            strip = edge_strip(picture, edge)
            middle = strip[len(strip) // 2 - 50 : len(strip) // 2 + 50].mean()
            assert middle > LIGHT if face.open & edge else middle < DARK, (str(face), edge)


@pytest.mark.parametrize("name", list(SYMBOLS))
def test_symbols_are_well_formed(name: str) -> None:
    assert ET.fromstring(symbol_svg(name)).get("viewBox") == "0 0 24 24"


def test_the_same_card_is_drawn_the_same_every_time() -> None:
    assert face_svg(DECK[7]) == face_svg(DECK[7])
    assert face_svg(DECK[7]) != face_svg(DECK[8])
    assert DECK[7].face == DECK[8].face
