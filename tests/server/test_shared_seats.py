"""Several seats at one device: each behind its own PIN, unlocked for its player only, and locked again."""

from pathlib import Path

import pytest

from companion.log import Log, digest
from companion.shared_seats import FIRST_WAIT_S, FREE_TRIES, LEASE_S, SharedSeats
from companion.trouble import Trouble
from tests.server.house import House, Screen, opened

TABLET = digest("the tablet")


def sit_down(tablet: Screen, name: str, pin: str) -> int:
    """Sits down at a shared device; the status of the answer."""
    tablet.get(f"/j/{tablet.code}?another=1")
    return tablet.browser.post(f"/j/{tablet.code}", data={"name": name, "pin": pin}).status_code


def unlock(tablet: Screen, seat: int, pin: str) -> int:
    return tablet.browser.post(f"/s/{tablet.code}/{seat}", data={"pin": pin}).status_code


def lock(tablet: Screen) -> None:
    assert tablet.browser.post(f"/s/{tablet.code}/lock", data={"now": "yes"}).status_code == 303


@pytest.fixture
def tablet(house: House) -> Screen:
    """A locked device at which Ada (seat 1, PIN 1234) and Ben (seat 2, PIN 4321) sit."""
    screen = house.stranger()
    for name, pin in (("Ada", "1234"), ("Ben", "4321")):
        assert sit_down(screen, name, pin) == 303
        assert screen.view()["me"]["name"] == name
        lock(screen)
    return screen


def test_a_locked_device_shows_no_seat_and_lists_its_players(house: House, tablet: Screen) -> None:
    assert tablet.get(f"/p/{house.code}/view").status_code == 403
    assert tablet.get(f"/p/{house.code}/secret/role").status_code == 403
    assert tablet.get(f"/j/{house.code}").location == f"/s/{house.code}"
    page = tablet.get(f"/s/{house.code}").text
    assert "Ada" in page and "Ben" in page
    assert "1234" not in page and "4321" not in page


def test_the_right_pin_opens_its_own_seat_only(house: House, tablet: Screen) -> None:
    assert unlock(tablet, 1, "4321") == 403
    assert tablet.get(f"/p/{house.code}/view").status_code == 403
    assert unlock(tablet, 1, "1234") == 303
    assert tablet.view()["me"]["name"] == "Ada"
    assert tablet.get(f"/s/{house.code}").location == f"/p/{house.code}"


def test_what_was_unlocked_once_opens_nothing_after_the_lock(house: House, tablet: Screen) -> None:
    unlock(tablet, 1, "1234")
    kept = tablet.browser.get_cookie(f"seat_{house.code}")
    assert kept is not None
    lock(tablet)
    thief = house.stranger()
    thief.browser.set_cookie(f"seat_{house.code}", kept.value)
    assert thief.get(f"/p/{house.code}/view").status_code == 403
    unlock(tablet, 1, "1234")
    assert thief.get(f"/p/{house.code}/view").status_code == 403


def test_a_pin_is_tried_at_its_own_device_only(house: House, tablet: Screen) -> None:
    other = house.stranger()
    assert unlock(other, 1, "1234") == 403
    assert sit_down(other, "Cem", "1111") == 303
    lock(other)
    assert unlock(other, 1, "1234") == 404
    assert other.get(f"/s/{house.code}/1").status_code == 404


def test_after_some_wrong_pins_even_the_right_one_has_to_wait(house: House, tablet: Screen) -> None:
    assert [unlock(tablet, 1, "0000") for _ in range(FREE_TRIES)] == [403] * FREE_TRIES
    assert unlock(tablet, 1, "1234") == 429
    assert unlock(tablet, 2, "4321") == 303, "another player's PIN does not wait"


@pytest.mark.parametrize("pin", ["", "123", "12345", "12a4", "१२३४"])
def test_a_pin_has_four_digits(house: House, tablet: Screen, pin: str) -> None:
    assert sit_down(tablet, "Cem", pin) == 422
    assert [player.name for player in house.table.present().match.players] == ["Ada", "Ben"]


def test_pressing_the_button_twice_makes_one_seat_and_one_device(house: House) -> None:
    first = house.stranger()
    first.get(f"/j/{house.code}")
    joining = first.browser.get_cookie("joining")
    assert joining is not None
    devices = set()
    for _ in range(2):
        twice = house.stranger()
        twice.browser.set_cookie("joining", joining.value)
        assert sit_down(twice, "Ada", "1234") == 303
        device = twice.browser.get_cookie("device")
        assert device is not None
        devices.add(device.value)
    assert len(devices) == 1
    assert len(house.table.present().match.players) == 1


def test_a_shared_device_shows_no_link_that_would_open_a_seat_without_its_pin(
    house: House, tablet: Screen
) -> None:
    unlock(tablet, 1, "1234")
    assert tablet.get(f"/p/{house.code}/link").status_code == 403
    assert tablet.post(f"/p/{house.code}/link", {}).status_code == 403
    page = tablet.get(f"/p/{house.code}").text
    assert 'id="lock"' in page and 'id="link-hold"' not in page


def test_who_forgot_the_pin_gets_a_new_code_from_the_host_and_chooses_another(
    house: House, tablet: Screen
) -> None:
    link = house.host().post(f"/t/{house.code}/seats/1/key", {}).json["url"].rpartition("/")[2]
    assert unlock(tablet, 1, "1234") == 404
    assert "Choose a PIN" in tablet.get(f"/me/{link}").text
    assert tablet.get(f"/p/{house.code}/view").status_code == 403
    assert tablet.browser.post(f"/me/{link}", data={"pin": "9"}).status_code == 422
    assert tablet.browser.post(f"/me/{link}", data={"pin": "9876"}).status_code == 303
    assert tablet.view()["me"]["name"] == "Ada"
    lock(tablet)
    assert [unlock(tablet, 1, pin) for pin in ("1234", "9876")] == [403, 303]


def test_a_pin_and_its_tries_outlive_the_server_and_stand_nowhere(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        tablet = first.stranger()
        sit_down(tablet, "Ada", "7391")
        lock(tablet)
        for _ in range(FREE_TRIES):
            unlock(tablet, 1, "0000")
        device = tablet.browser.get_cookie("device")
        assert device is not None
    for file in tmp_path.iterdir():
        assert b"7391" not in file.read_bytes() or file.name == "port"
    with opened(tmp_path) as second:
        again = second.stranger()
        again.browser.set_cookie("device", device.value)
        assert unlock(again, 1, "7391") == 429


def test_a_seat_that_is_not_heard_of_locks_itself(tmp_path: Path) -> None:
    log = Log(f"sqlite:///{tmp_path / 'log'}")
    log.create("K7QX")
    clock = [100.0]
    seats = SharedSeats("K7QX", log, now=lambda: clock[0])
    seats.sit(1, TABLET, "1234")
    seats.lend(1, "lent")
    clock[0] += LEASE_S - 1
    assert seats.holds(1, "lent")
    clock[0] += LEASE_S - 1
    assert seats.holds(1, "lent"), "hearing of it makes it last"
    clock[0] += LEASE_S + 1
    assert not seats.holds(1, "lent")
    assert not seats.holds(1, "lent")
    log.close()


def test_every_further_wrong_pin_waits_twice_as_long(tmp_path: Path) -> None:
    log = Log(f"sqlite:///{tmp_path / 'log'}")
    log.create("K7QX")
    clock = [100.0]
    seats = SharedSeats("K7QX", log, now=lambda: clock[0])
    seats.sit(1, TABLET, "1234")

    def code_of(pin: str) -> str:
        try:
            seats.check(1, TABLET, pin)
        except Trouble as trouble:
            return trouble.code
        return "opened"

    assert [code_of("0000") for _ in range(FREE_TRIES + 1)] == ["wrong_pin"] * FREE_TRIES + ["pin_waits"]
    clock[0] += FIRST_WAIT_S
    assert code_of("0000") == "wrong_pin"
    clock[0] += FIRST_WAIT_S
    assert code_of("1234") == "pin_waits"
    clock[0] += FIRST_WAIT_S
    assert [code_of("1234"), code_of("0000")] == ["opened", "wrong_pin"]
    log.close()


def test_a_seats_page_at_a_locked_device_leads_to_where_it_is_unlocked(house: House, tablet: Screen) -> None:
    assert tablet.get(f"/p/{house.code}").location == f"/s/{house.code}"
    assert house.stranger().get(f"/p/{house.code}").status_code == 403
