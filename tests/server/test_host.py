"""The host's powers: offered to a player, taken by that one only, and gone from where they were."""

from threading import Thread

import pytest

from tests.server.house import House, Screen


def offer(host: Screen, seat: int | None) -> int:
    return host.post(f"/t/{host.code}/offer", {"seat": seat}).status_code


def answer(phone: Screen, accept: object) -> int:
    return phone.post(f"/p/{phone.code}/host", {"accept": accept}).status_code


def test_who_says_yes_is_the_host_and_the_old_one_is_not(house: House) -> None:
    host, (ada, ben, _) = house.round()
    old_link = f"/host/{house.services.host_secret}"
    assert offer(host, 2) == 200
    assert ben.view()["host_offered"] and not ada.view()["host_offered"]
    assert answer(ben, True) == 200
    assert ben.view()["host"] and ben.view("t")["host"]
    assert ben.ask("t", do="undo", steps=1).status_code == 200
    assert not host.view("t")["host"]
    assert host.post(f"/t/{house.code}/command", {"id": "x", "version": 9, "do": "undo"}).status_code == 403
    assert house.stranger().get(old_link).status_code == 403
    assert not ben.view()["host_offered"], "an offer is taken once"


def test_who_was_the_host_when_asking_is_none_in_an_answer_of_a_later_moment(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, (_, ben, _) = house.round()
    offered = house.table.offer_host

    def offer_and_be_taken_at_once(seat: int | None) -> None:
        offered(seat)
        if seat is not None:
            # In a thread of its own, as the server answers two browsers.
            taking = Thread(target=answer, args=(ben, True))
            taking.start()
            taking.join()

    monkeypatch.setattr(house.table, "offer_host", offer_and_be_taken_at_once)
    late = host.post(f"/t/{host.code}/offer", {"seat": 2}).get_json()["view"]
    now = host.view("t")
    assert late["sight"] == now["sight"], "no screen can tell that this answer is the older one"
    assert not late["host"] and not now["host"]


def test_nobody_takes_what_was_not_offered(house: House) -> None:
    host, (ada, ben, _) = house.round()
    assert answer(ada, True) == 409
    offer(host, 2)
    assert answer(ada, True) == 409
    assert offer(host, None) == 200
    assert answer(ben, True) == 409
    assert ada.post(f"/t/{house.code}/offer", {"seat": 1}).status_code == 403
    assert host.view("t")["host"]


def test_a_no_leaves_everything_as_it_was(house: House) -> None:
    host, (ada, _, _) = house.round()
    offer(host, 1)
    assert answer(ada, False) == 200
    assert not ada.view()["host_offered"]
    assert host.view("t")["host"] and not ada.view("t")["host"]


@pytest.mark.parametrize("seat", [9, True, "1"])
def test_an_offer_goes_to_a_seat(house: House, seat: object) -> None:
    host, _ = house.round()
    assert host.post(f"/t/{house.code}/offer", {"seat": seat}).status_code in (400, 404)


def test_a_shared_device_never_gets_the_hosts_powers(house: House) -> None:
    host, tablet = house.host(), house.stranger()
    tablet.get(f"/j/{house.code}")
    tablet.browser.post(f"/j/{house.code}", data={"name": "Ada", "pin": "1234"})
    offer(host, 1)
    assert answer(tablet, True) == 403
    assert host.view("t")["host"]


def test_the_host_may_sit_at_the_table_too(house: House) -> None:
    host = house.host()
    assert host.join("Ada").status_code == 303
    view = host.view()
    assert view["host"] and view["me"]["name"] == "Ada"
    assert host.view("t")["host"]
