"""Focus and exposure: held once the table is seen well, checked, let go, and never depended on.

No camera is plugged in where this runs: the controls are a stand-in that behaves as drivers do.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from vision.lens import CHECKED_AFTER_S, HOLD_AFTER_S, LOOSE_AFTER_S, PAUSE_S, Lens, has_control
from vision.pictures import Image

FOCUS, EXPOSURE = cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_AUTO_EXPOSURE


@dataclass
class Driver:
    """A camera's controls, which may be fixed, missing, or said to be taken and are not."""

    values: dict[int, float] = field(default_factory=lambda: {FOCUS: 1.0, EXPOSURE: 3.0})
    takes: bool = True
    deaf: bool = False

    def get(self, propId: int) -> float:
        return self.values.get(propId, -1.0)

    def set(self, propId: int, value: float) -> bool:
        if not self.takes or propId not in self.values:
            return False
        if not self.deaf:
            self.values[propId] = value
        return True


class Evening:
    """A lens with a clock."""

    def __init__(self, driver: Driver) -> None:
        self.now, self.driver = 100.0, driver
        self.lens = Lens(lambda: self.now)
        self.lens.mounted(driver)

    def passes(self, seconds: float, well: bool, level: int = 120) -> None:
        image: Image = np.full((48, 64, 3), level, np.uint8)
        for _step in range(round(seconds / 0.25)):
            self.now += 0.25
            self.lens.seen_well(well)
            self.lens.attend(image)


@pytest.fixture(autouse=True)
def linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")


def test_nothing_is_touched_before_the_table_has_been_seen_well_for_a_while() -> None:
    evening = Evening(Driver())
    evening.passes(60, well=False)
    evening.passes(HOLD_AFTER_S - 0.5, well=True)
    assert evening.driver.values == {FOCUS: 1.0, EXPOSURE: 3.0}


def test_focus_and_exposure_are_held_and_stay_held_while_a_hand_passes() -> None:
    evening = Evening(Driver())
    evening.passes(HOLD_AFTER_S + 1, well=True)
    assert evening.driver.values == {FOCUS: 0.0, EXPOSURE: 1.0}
    evening.passes(LOOSE_AFTER_S - 1, well=False)
    evening.passes(10, well=True)
    assert evening.driver.values == {FOCUS: 0.0, EXPOSURE: 1.0}


def test_a_table_that_stays_badly_seen_is_left_to_the_camera_again() -> None:
    evening = Evening(Driver())
    evening.passes(HOLD_AFTER_S + 3, well=True)
    evening.passes(LOOSE_AFTER_S + 1, well=False)
    assert evening.driver.values == {FOCUS: 1.0, EXPOSURE: 3.0}
    evening.passes(HOLD_AFTER_S + 2, well=True)
    assert evening.driver.values[FOCUS] == 1.0, "not again at once"
    evening.passes(PAUSE_S, well=True)
    assert evening.driver.values == {FOCUS: 0.0, EXPOSURE: 1.0}


def test_an_exposure_that_became_another_by_holding_is_let_go() -> None:
    evening = Evening(Driver())
    evening.passes(HOLD_AFTER_S + 0.5, well=True)
    assert evening.driver.values[EXPOSURE] == 1.0
    evening.passes(CHECKED_AFTER_S + 0.5, well=True, level=40)
    assert evening.driver.values == {FOCUS: 1.0, EXPOSURE: 3.0}


@pytest.mark.parametrize(
    "driver", [Driver({}), Driver(takes=False), Driver(deaf=True)], ids=["none", "fixed", "deaf"]
)
def test_cameras_that_cannot_be_held_do_without(driver: Driver) -> None:
    before = dict(driver.values)
    evening = Evening(driver)
    evening.passes(30, well=True)
    evening.passes(30, well=False)
    assert driver.values == before


def test_a_camera_that_is_plugged_in_again_begins_anew() -> None:
    evening = Evening(Driver())
    evening.passes(HOLD_AFTER_S + 3, well=True)
    again = Driver()
    evening.driver = again
    evening.lens.mounted(again)
    evening.passes(2, well=True)
    assert again.values == {FOCUS: 0.0, EXPOSURE: 1.0}


def test_what_a_camera_can_be_turned_at_is_found_without_changing_it() -> None:
    driver = Driver()
    assert has_control(driver, FOCUS) and driver.values == {FOCUS: 1.0, EXPOSURE: 3.0}
    assert not has_control(Driver({}), FOCUS) and not has_control(Driver(takes=False), EXPOSURE)
