"""The host's camera page and the photos: what they tell, whom they serve, and what reaches the watch."""

import json
from typing import Any

import pytest

from companion.camera_desk import Report
from companion.referee import UnreadableSight
from companion.server.photo import PHOTO_BYTES
from companion.wording.camera import SENTENCES
from tests.server.house import House, Screen, sight
from vision.view import Aspect

JPEG = b"\xff\xd8\xff" + b"photo" * 20
KIND = "application/octet-stream"
CORNERS = [[0.1, 0.4], [0.9, 0.2], [0.9, 0.8], [0.1, 0.6]]
WELL = {"code": "view_size", "well": True, "params": {"px": 70, "needed": 38}}
POOR = {"code": "view_tilt", "well": False, "params": {"degrees": 61, "most": 55}}


def view(house: House) -> dict[str, Any]:
    answer = house.host().get(f"/t/{house.code}/camera/view")
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json
    return told


def photographs(house: House) -> None:
    """The host has chosen photos; the watching process has said that it waits for one."""
    house.table.camera_chosen("photo", "w1")
    house.tell("opened", "w1", source="photo")


def send(screen: Screen, path: str, body: bytes = JPEG, kind: str = KIND) -> Any:
    return screen.browser.post(path, data=body, content_type=kind)


def fetch(house: House, after: int, watch: str = "w1") -> Any:
    headers = house.camera(watch)
    return house.stranger().get(f"/camera/{house.code}/photo?after={after}", headers=headers)


def test_every_aspect_of_a_view_has_its_figures_and_what_would_better_it_in_words() -> None:
    wanted = {f"{kind}_{aspect.value}" for aspect in Aspect for kind in ("view", "better")}
    assert wanted - SENTENCES.keys() == set()


def test_the_page_says_how_well_the_table_is_seen_and_what_would_help(house: House) -> None:
    assert house.see(view=[WELL, POOR]).status_code == 200
    told = view(house)
    assert told["well"] is False
    assert [measure["text"] for measure in told["measures"]] == [
        "The smallest card is 70 pixels wide. At least 38 are needed.",
        "The camera looks from the side by 61 degrees. Up to 55 are fine.",
    ]
    better = "Raise the camera, so that it looks more from above."
    assert [measure["better"] for measure in told["measures"]] == [None, better]
    house.see(view=[WELL])
    assert view(house)["well"] is True


def test_a_table_is_not_well_seen_by_a_camera_that_is_away(house: House) -> None:
    house.see(view=[WELL])
    house.tell("lost")
    told = view(house)
    assert (told["well"], told["measures"], told["state"]) == (False, [], "lost")


def test_nothing_of_the_game_is_told_on_the_page(house: House) -> None:
    house.round()
    house.see(((1, 0), "EW"), view=[WELL])
    told = view(house)
    assert set(told) == {
        *("state", "source", "simulated", "problems", "found", "picture", "measures", "well", "cards"),
        *("pointed", "photos", "photo", "deck", "decks"),
    }


def test_the_watch_looks_closely_while_somebody_sets_the_camera_up(house: House) -> None:
    assert house.see().json["closely"] is False
    view(house)
    assert house.see().json["closely"] is True


@pytest.mark.parametrize(
    "wrong", ["much", [1], [{"well": True}], [{"code": "view_size", "well": 1}], [WELL] * 21, [None]]
)
def test_measures_of_a_wrong_form_are_refused(house: House, wrong: Any) -> None:
    assert house.see(view=wrong).status_code == 400
    with pytest.raises(UnreadableSight):
        Report.parse(sight() | {"view": wrong})


# Corners pointed out by hand


def point(house: House, corners: Any) -> Any:
    return house.host().post(f"/t/{house.code}/camera/corners", {"corners": corners})


def test_corners_that_the_host_points_out_reach_the_watch_and_can_be_taken_back(house: House) -> None:
    assert house.see().json["pointed"] is None
    assert point(house, CORNERS).json["pointed"] == CORNERS
    assert house.see().json["pointed"] == CORNERS
    assert view(house)["pointed"] == CORNERS
    assert point(house, None).json["pointed"] is None
    assert house.see().json["pointed"] is None


def test_corners_hold_for_the_camera_that_they_were_pointed_out_for(house: House) -> None:
    point(house, CORNERS)
    house.table.camera_chosen("1", "w1")
    assert view(house)["pointed"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        "here",
        CORNERS[:3],
        [*CORNERS[:3], [0.1]],
        [*CORNERS[:3], CORNERS[0]],
        [*CORNERS[:3], ["a", 1]],
        [*CORNERS[:3], [True, 0.5]],
        [*CORNERS[:3], [9, 0.5]],
        [*CORNERS[:3], None],
    ],
)
def test_what_is_no_four_corners_is_refused_in_words(house: House, wrong: Any) -> None:
    answer = point(house, wrong)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_field")
    assert house.host().post(f"/t/{house.code}/camera/corners", {}).status_code == 400
    endless = house.host().browser.post(
        f"/t/{house.code}/camera/corners",
        data=json.dumps({"corners": [*CORNERS[:3], [float("nan"), 0.5]]}),
        content_type="application/json",
    )
    assert endless.status_code == 400
    assert view(house)["pointed"] is None


# Photos


def test_a_photo_of_the_player_to_move_reaches_the_watch_once(house: House) -> None:
    _, (ada, ben, _) = house.round()
    photographs(house)
    assert fetch(house, 0).status_code == 204
    answer = send(ada, f"/p/{house.code}/photo")
    assert (answer.status_code, answer.json) == (200, {"photos": 1})
    answer = send(ben, f"/p/{house.code}/photo")
    assert (answer.status_code, answer.json["error"]["text"]) == (
        409,
        "It is not your turn: Ada is to play.",
    )
    found = fetch(house, 0)
    assert (found.status_code, found.data, found.headers["X-Pithead-Photo"]) == (200, JPEG, "1")
    assert found.headers["Cache-Control"] == "no-store"
    assert fetch(house, 1).status_code == 204


def test_before_a_round_anybody_at_the_table_may_photograph_it(house: House) -> None:
    (ada, ben) = house.phones(2)
    photographs(house)
    assert [send(phone, f"/p/{house.code}/photo").status_code for phone in (ada, ben)] == [200, 200]
    assert send(house.stranger(), f"/p/{house.code}/photo").status_code == 403


def test_a_photo_is_for_the_watch_alone(house: House) -> None:
    host, (ada, _, _) = house.round()
    photographs(house)
    send(ada, f"/p/{house.code}/photo")
    for screen in (host, ada, house.stranger()):
        assert screen.get(f"/camera/{house.code}/photo").status_code == 403
    assert fetch(house, 0, watch="an earlier choice").status_code == 409


def test_while_another_camera_watches_no_photo_is_taken(house: House) -> None:
    _, (ada, _, _) = house.round()
    answer = send(ada, f"/p/{house.code}/photo")
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "no_photo_wanted")


def test_a_photo_for_an_earlier_choice_is_not_read_for_a_later_one(house: House) -> None:
    _, (ada, _, _) = house.round()
    photographs(house)
    send(ada, f"/p/{house.code}/photo")
    house.table.camera_chosen("photo", "w2")
    assert fetch(house, 0, watch="w2").status_code == 204
    send(ada, f"/p/{house.code}/photo")
    assert fetch(house, 0, watch="w2").headers["X-Pithead-Photo"] == "2"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "bad_photo"),
        (b"GIF89a" + b"x" * 20, "bad_photo"),
        (b"\x00\x00\x00\x18ftypheic" + b"x" * 20, "photo_not_jpeg"),
    ],
)
def test_what_is_no_photo_is_refused_with_what_to_do(house: House, body: bytes, code: str) -> None:
    _, (ada, _, _) = house.round()
    photographs(house)
    answer = send(ada, f"/p/{house.code}/photo", body)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, code)
    assert fetch(house, 0).status_code == 204


def test_a_photo_as_large_as_phones_take_them_is_served_and_a_larger_one_is_not(house: House) -> None:
    _, (ada, _, _) = house.round()
    photographs(house)
    assert send(ada, f"/p/{house.code}/photo", JPEG.ljust(8_000_000)).status_code == 200
    assert send(ada, f"/p/{house.code}/photo", JPEG.ljust(PHOTO_BYTES + 1)).status_code == 413


def test_photos_come_in_no_form_that_a_foreign_page_could_send(house: House) -> None:
    _, (ada, _, _) = house.round()
    photographs(house)
    for kind in ("text/plain", "multipart/form-data", "application/x-www-form-urlencoded"):
        assert send(ada, f"/p/{house.code}/photo", kind=kind).status_code == 415


def test_the_page_for_phones_is_shown_as_a_code_to_scan(house: House) -> None:
    told = view(house)["photo"]
    assert told["url"].endswith(f"/p/{house.code}/camera")
    assert house.host().get(told["qr"]).mimetype == "image/svg+xml"
    assert house.stranger().get(told["qr"]).status_code == 403
