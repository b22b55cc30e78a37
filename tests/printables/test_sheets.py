"""The PDF a person prints: exact millimetres, backs behind their fronts, a ruler, corner tags."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from companion.game.cards import CARD_MM, Kind
from printables.cards import ACTIONS, DECK, PLACE_HOLDERS
from printables.deck_folder import POINTS_PER_MM, rasterise
from printables.sheets import PAPER_MM, Paper, SheetError, Sides, deck_sides, grid_origin, slot, write_deck
from vision.markers import (
    DICTIONARY,
    GOAL_BACK_MARKERS,
    MARKER_INSET_MM,
    MARKER_MM,
    TAG_DICTIONARY,
    TAG_IDS,
    TAG_MM,
)

Picture = NDArray[np.uint8]
SCALE = 6
PAGES = 2 * 9 + 1


@pytest.fixture(scope="module")
def deck_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("print") / "deck.pdf"
    write_deck(path)
    return path


@pytest.fixture(scope="module")
def pages(deck_pdf: Path) -> list[Picture]:
    return rasterise(deck_pdf.read_bytes(), SCALE)


@pytest.fixture(scope="module")
def sides() -> list[Sides]:
    return deck_sides()


def found(picture: Picture, dictionary: int) -> dict[int, list[NDArray[np.float64]]]:
    """Markers on a page by id: their corners in mm."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary), settings)
    corners, ids, _ = detector.detectMarkers(picture)
    squares: dict[int, list[NDArray[np.float64]]] = {}
    for number, square in zip(np.ravel(ids) if ids is not None else [], corners, strict=True):
        squares.setdefault(int(number), []).append((np.asarray(square, float).reshape(4, 2) + 0.5) / SCALE)
    return squares


def test_all_cards_fit_on_nine_leaves_and_a_page_of_tags(pages: list[Picture], sides: list[Sides]) -> None:
    assert len(sides) == len(DECK) + len(ACTIONS) + PLACE_HOLDERS == 74
    assert len(pages) == PAGES


def test_pages_have_the_paper_s_size(deck_pdf: Path) -> None:
    document: Any = pypdfium2.PdfDocument(deck_pdf.read_bytes())
    try:
        sizes = {tuple(round(points / POINTS_PER_MM, 1) for points in page.get_size()) for page in document}
        assert sizes == {(210.0, 297.0)}
    finally:
        document.close()


def marker_place(page: Picture, left: float, top: float) -> tuple[float, float, float]:
    """Left, top and width in mm of the marker that should have its top left corner there.

    Measured along its black border, by how much white and black lie on a line: exact to a part of a px.
    """
    dark = 1 - cv2.cvtColor(page, cv2.COLOR_BGR2GRAY) / 255
    x, y = round((left - 1.5) * SCALE), round((top - 1.5) * SCALE)
    line = dark[round((top + 1.2) * SCALE), x : round((left + MARKER_MM + 1.5) * SCALE)]
    column = dark[y : round((top + MARKER_MM / 2) * SCALE), round((left + 1.2) * SCALE)]
    half = len(line) // 2
    return (
        (x + (1 - line[:half]).sum()) / SCALE,
        (y + (1 - column).sum()) / SCALE,
        line.sum() / SCALE,
    )


def test_every_path_card_stands_on_its_place_to_a_tenth_of_a_millimetre(pages: list[Picture]) -> None:
    for card in DECK:
        page, index = divmod(card.number, 9)
        assert set(card.markers) <= set(found(pages[2 * page], DICTIONARY))
        left, top = slot("A4", index, mirrored=False)
        near = (left + MARKER_INSET_MM, top + MARKER_INSET_MM)
        far = (
            left + CARD_MM[0] - MARKER_INSET_MM - MARKER_MM,
            top + CARD_MM[1] - MARKER_INSET_MM - MARKER_MM,
        )
        for place in (near, far):
            assert marker_place(pages[2 * page], *place) == pytest.approx((*place, MARKER_MM), abs=0.05)


def test_backs_lie_behind_their_fronts_when_turned_over_the_long_edge(pages: list[Picture]) -> None:
    """Goals' backs bear markers: seen through the paper they must lie on the goals' fronts."""
    goals = [card.number for card in DECK if card.face.kind is Kind.GOAL]
    page = goals[0] // 9
    backs = found(pages[2 * page + 1], DICTIONARY)
    assert set(backs) == set(GOAL_BACK_MARKERS)
    seen_through = pages[2 * page + 1][:, ::-1]
    for number in goals:
        left, top = slot("A4", number % 9, mirrored=False)
        # Mirrored, the marker at a back's top left shows at the top right of the front.
        place = (left + CARD_MM[0] - MARKER_INSET_MM - MARKER_MM, top + MARKER_INSET_MM)
        assert marker_place(seen_through, *place) == pytest.approx((*place, MARKER_MM), abs=0.1)


def test_the_three_goal_backs_are_identical(sides: list[Sides]) -> None:
    goals = [card.number for card in DECK if card.face.kind is Kind.GOAL]
    backs = {sides[number].back for number in goals}
    assert len(backs) == 1
    holders = sides[-PLACE_HOLDERS:]
    assert {side for card in holders for side in (card.front, card.back)} == backs


def test_backs_of_path_and_action_cards_are_identical(sides: list[Sides]) -> None:
    backs = {card.back for card in sides[:40] + sides[44:71]}
    assert len(backs) == 1


@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_slots_touch_and_the_grid_stands_in_the_middle(paper: Paper) -> None:
    left, top = grid_origin(paper)
    assert left > 10
    assert top > 8
    assert slot(paper, 0, mirrored=False) == (left, top)
    assert slot(paper, 0, mirrored=True) == slot(paper, 2, mirrored=False)
    right = slot(paper, 8, mirrored=False)[0] + CARD_MM[0]
    assert left + right == pytest.approx(PAPER_MM[paper][0])


def test_the_ruler_is_100_mm_long(pages: list[Picture]) -> None:
    row = cv2.cvtColor(pages[0], cv2.COLOR_BGR2GRAY)[round(2.9 * SCALE)]
    dark = np.flatnonzero(row < 160)
    dark = dark[dark < round((105 + 51) * SCALE)]
    assert (dark[-1] - dark[0]) / SCALE == pytest.approx(100, abs=0.4)


def test_the_last_page_has_four_corner_tags_of_45_mm(pages: list[Picture]) -> None:
    tags = found(pages[-1], TAG_DICTIONARY)
    assert set(tags) == set(TAG_IDS)
    for (square,) in tags.values():
        assert np.linalg.norm(square[1] - square[0]) == pytest.approx(TAG_MM, abs=0.1)
        assert np.linalg.norm(square[2] - square[1]) == pytest.approx(TAG_MM, abs=0.1)
    centres = {number: square.mean(axis=0) for number, (square,) in tags.items()}
    assert centres[0][0] < centres[1][0]
    assert centres[1][1] < centres[2][1]
    assert centres[3][0] < centres[2][0]


def test_the_same_deck_gives_the_same_bytes(deck_pdf: Path, tmp_path: Path) -> None:
    write_deck(tmp_path / "again.pdf")
    assert (tmp_path / "again.pdf").read_bytes() == deck_pdf.read_bytes()


def test_no_font_of_this_machine_is_embedded(deck_pdf: Path) -> None:
    content = deck_pdf.read_bytes()
    assert b"/FontFile" not in content


def test_a_language_beyond_latin_needs_a_font_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(SheetError) as caught:
        write_deck(tmp_path / "deck.pdf", say=lambda sentence: "굴 카드")
    assert caught.value.code == "text_needs_font"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("printables.sheets.deck_sides", lambda expansion: [])
    with pytest.raises(SheetError) as caught:
        write_deck(tmp_path / "missing" / "deck.pdf")
    assert caught.value.code == "sheets_unwritable"
    assert caught.value.params["path"].endswith("deck.pdf")
