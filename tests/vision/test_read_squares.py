"""Which dark shapes may be markers, which marker stays of several with one id, and when one is believed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.markers import DICTIONARY
from vision.spots import Marks
from vision.squares import Grey, find_squares
from vision.verdict import Pose, Witness, sure_with_marker


def cloth_with_markers(turned: float) -> tuple[Grey, list[tuple[int, int]]]:
    """A checked cloth with four small cards of white, a marker of 28 px on each; the markers' middles."""
    checks = np.where((np.indices((480, 640)) // 19).sum(0) % 2, 200, 70).astype(np.uint8)
    cloth = np.asarray(
        cv2.warpAffine(
            checks,
            cv2.getRotationMatrix2D((320, 240), turned, 1.2),
            (640, 480),
            borderMode=cv2.BORDER_REFLECT,
        ),
        np.uint8,
    )
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    middles = []
    for number, (x, y) in enumerate([(60, 60), (400, 90), (200, 300), (520, 380)]):
        cloth[y - 8 : y + 36, x - 8 : x + 36] = 235
        cloth[y : y + 28, x : x + 28] = cv2.aruco.generateImageMarker(dictionary, 11 * number, 28)
        middles.append((x + 14, y + 14))
    return np.asarray(cv2.GaussianBlur(cloth, (0, 0), 1.0), np.uint8), middles


def test_markers_are_found_on_a_checked_cloth_and_its_checks_are_not() -> None:
    for turned in (0.0, 12.0, 45.0):
        picture, middles = cloth_with_markers(turned)
        found = find_squares(picture).mean(1)
        for middle in middles:
            assert np.abs(found - middle).max(1).min() < 2
        assert len(found) < 80  # of some 300 dark checks


def marks(*rows: tuple[int, float, float]) -> Marks:
    ids, likeness, lead = zip(*rows, strict=True)
    corners = np.arange(len(rows) * 8, dtype=np.float64).reshape(-1, 4, 2) * 100
    return Marks(np.array(ids), corners, np.array(likeness, np.float32), np.array(lead, np.float32))


def test_a_marker_exists_once_and_the_better_read_stays() -> None:
    read = marks((5, 0.7, 0.1), (248, 0.8, 0.1), (5, 0.9, 0.2), (248, 0.7, 0.2), (6, 0.6, 0.1))
    kept = read.once((248, 249))
    assert kept.ids.tolist() == [248, 5, 248, 6]
    assert kept.likeness[1] == np.float32(0.9)


def witness(art: float, total: float, lead: float, art_lead: float | None = None) -> Witness:
    alone = lead if art_lead is None else art_lead
    return Witness(0, Pose(np.zeros(2), 0.0), art, alone, total, lead, lead, (0.3, 0.3))


def test_faint_art_is_believed_the_more_plainly_the_marker_was_read() -> None:
    burnt_out = witness(art=0.22, total=0.5, lead=0.1)
    assert sure_with_marker(burnt_out, marker_like=0.8, marker_lead=0.16)
    assert not sure_with_marker(burnt_out, marker_like=0.8, marker_lead=0.1)
    assert sure_with_marker(witness(art=0.35, total=0.55, lead=0.12), marker_like=0.8, marker_lead=0.1)
    assert not sure_with_marker(witness(art=0.5, total=0.6, lead=-0.05), marker_like=0.8, marker_lead=0.3)


def test_a_marker_that_could_not_be_plainer_is_believed_where_glare_has_taken_the_art() -> None:
    glare = replace(witness(art=0.19, total=0.45, lead=0.04, art_lead=-0.01), corners=(0.62, -0.1))
    assert sure_with_marker(glare, marker_like=0.89, marker_lead=0.15)
    assert not sure_with_marker(glare, marker_like=0.80, marker_lead=0.15)
    assert not sure_with_marker(glare, marker_like=0.89, marker_lead=0.12)
    assert not sure_with_marker(replace(glare, art_lead=-0.1), marker_like=0.89, marker_lead=0.15)
    assert not sure_with_marker(replace(glare, corners=(0.3, -0.1)), marker_like=0.89, marker_lead=0.15)


def test_a_marker_is_believed_when_the_art_by_itself_names_the_same_card() -> None:
    crossing = witness(art=0.6, total=0.78, lead=0.02, art_lead=0.1)
    assert sure_with_marker(crossing, marker_like=0.8, marker_lead=0.13)
    assert not sure_with_marker(crossing, marker_like=0.8, marker_lead=0.1)
    another_art = witness(art=0.6, total=0.78, lead=0.02, art_lead=0.03)
    assert not sure_with_marker(another_art, marker_like=0.8, marker_lead=0.13)
