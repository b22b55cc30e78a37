"""What the camera sees becomes turns, verdicts and open questions; what was taken back stays taken back."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from companion import camera_desk
from companion.camera_desk import CameraDesk, CameraState, Report
from tests.server.house import House, opened, sight

STRAIGHT = ((1, 0), "EW")
WRONG = ((1, 0), "NS")


def cards(house: House) -> dict[tuple[int, ...], str]:
    board = house.stranger().view("t")["board"]["cards"]
    return {tuple(card["cell"]): card["face"] for card in board}


def camera(house: House) -> dict[str, Any]:
    told: dict[str, Any] = house.host().view("t")["camera"]
    return told


def test_only_the_host_is_told_which_camera_it_is(house: House) -> None:
    [ada] = house.phones(1)
    for source, told in (("rtsp://me:password@10.0.0.9/live", None), ("photo", "photo")):
        house.table.camera_chosen(source, "1")
        assert camera(house)["source"] == source
        for screen, letter in ((ada, "p"), (ada, "t"), (house.stranger(), "t")):
            assert screen.view(letter)["camera"]["source"] == told


def test_a_card_that_lies_still_is_the_turn_of_the_player_to_move(house: House) -> None:
    _, (ada, _, _) = house.round()
    answer = house.see(STRAIGHT)
    assert answer.status_code == 200
    assert cards(house)[1, 0] == "EW"
    assert ada.view()["news"][-1]["text"] == "Ada laid a path card."
    assert ada.view()["to_move"] == 2


def test_a_sight_that_is_posted_again_is_no_further_turn(house: House) -> None:
    house.round()
    for _ in range(3):
        house.see(STRAIGHT)
    assert house.table.present().version == 5


def test_the_camera_and_a_tap_do_not_double_a_card(house: House) -> None:
    _, (ada, _, _) = house.round()
    version = ada.view()["version"]
    house.see(STRAIGHT)
    assert ada.ask(version=version, do="place", cell=[1, 0], face="EW").status_code == 409
    house.see(STRAIGHT)
    assert ada.view()["version"] == version + 1


def test_a_card_against_the_rules_gets_a_verdict_and_is_not_played(house: House) -> None:
    _, (ada, _, _) = house.round()
    answer = house.see(WRONG)
    assert answer.json["verdict"]["legal"] is False
    verdict = ada.view()["referee"]["verdict"]
    assert (verdict["seat"], verdict["cell"], verdict["legal"]) == (1, [1, 0], False)
    assert verdict["problems"][0]["text"] == "Its left side is rock, but the card there has a tunnel."
    assert (1, 0) not in cards(house)


def test_the_host_lets_it_lie(house: House) -> None:
    host, _ = house.round()
    house.see(WRONG)
    assert host.ask("t", do="accept", cell=[1, 0], face="NS", turned=False).status_code == 200
    assert cards(house)[1, 0] == "NS"
    assert host.view("t")["referee"]["verdict"] is None


def test_accepting_nothing_is_refused_in_words(house: House) -> None:
    host, _ = house.round()
    answer = host.ask("t", do="accept")
    assert answer.status_code == 400
    assert answer.json["error"]["text"].endswith(".")


def test_a_card_that_was_taken_back_is_not_played_again_while_it_lies_there(house: House) -> None:
    host, _ = house.round()
    house.see(STRAIGHT)
    assert host.ask("t", do="undo").status_code == 200
    for _ in range(2):
        house.see(STRAIGHT)
        assert (1, 0) not in cards(house)
    (issue,) = host.view("t")["referee"]["disagreements"]
    assert (issue["code"], issue["cell"]) == ("clear_away", [1, 0])
    assert "Take it away" in issue["text"]
    house.see()
    house.see(STRAIGHT)
    assert cards(house)[1, 0] == "EW"


def test_nor_after_the_camera_was_away(house: House) -> None:
    host, _ = house.round()
    house.see(STRAIGHT)
    house.tell("lost")
    host.ask("t", do="undo")
    house.tell("opened")
    house.see_nothing_yet()
    house.see(STRAIGHT)
    assert (1, 0) not in cards(house)


def test_nor_after_the_server_was_away(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        host, _ = first.round()
        first.see(STRAIGHT)
        host.ask("t", do="undo")
    with opened(tmp_path) as second:
        second.see_nothing_yet()
        second.see(STRAIGHT)
        assert (1, 0) not in cards(second)


def test_before_the_first_card_has_settled_no_card_is_missing(house: House) -> None:
    host, (ada, _, _) = house.round()
    ada.ask(do="place", cell=[1, 0], face="EW")
    house.see_nothing_yet()
    assert host.view("t")["referee"]["disagreements"] == []


def test_what_is_missing_is_asked_for_only_while_the_camera_looks(house: House) -> None:
    host, (ada, _, _) = house.round()
    ada.ask(do="place", cell=[1, 0], face="EW")
    house.see()
    assert [issue["code"] for issue in host.view("t")["referee"]["disagreements"]] == ["missing"]
    house.tell("lost")
    assert host.view("t")["referee"]["disagreements"] == []
    assert ada.view()["version"] == 5


def test_the_camera_vanishes_and_comes_back_in_the_middle_of_the_game(house: House) -> None:
    _, (_, ben, _) = house.round()
    house.see(STRAIGHT)
    assert camera(house)["state"] == "watching"
    house.tell("camera_lost", camera=0)
    assert camera(house)["state"] == "lost"
    assert "Plug it in again" in camera(house)["problems"][0]["text"]
    house.see(STRAIGHT, ((2, 0), "EW"))  # repeated while the camera is away: shows nothing
    assert (2, 0) not in cards(house)
    assert ben.ask(do="place", cell=[2, 0], face="EW").status_code == 200
    house.tell("opened")
    house.see(STRAIGHT, ((2, 0), "EW"), ((3, 0), "EW"))
    assert camera(house) | {"found": []} == {
        "state": "watching",
        "simulated": False,
        "source": "elsewhere",
        "problems": [],
        "picture": None,
        "found": [],
    }
    assert cards(house)[3, 0] == "EW"


def test_a_silent_camera_is_lost() -> None:
    desk = CameraDesk().chosen("0", 0.0).saw(Report.parse(sight()), 1.0)
    assert desk.waited(1.0 + camera_desk.SILENCE_S).state is CameraState.WATCHING
    silent = desk.waited(1.1 + camera_desk.SILENCE_S)
    assert (silent.state, silent.report) == (CameraState.LOST, None)
    assert silent.saw(Report.parse(sight()), 20.0).state is CameraState.WATCHING


def test_a_bad_picture_among_good_ones_is_a_note(house: House) -> None:
    house.see()
    house.tell("not_a_picture", file="x.jpg")
    assert camera(house)["state"] == "watching"
    assert camera(house)["problems"][0]["text"] == "x.jpg is no picture that can be read (JPEG, PNG)."


def test_a_camera_that_cannot_be_opened_is_lost_with_the_reason(house: House) -> None:
    house.tell("no_such_file", file="film.mp4")
    assert camera(house)["state"] == "lost"


def test_drawing_the_deck_takes_a_while_and_is_said(house: House) -> None:
    house.tell("drawing_deck")
    assert camera(house)["state"] == "starting"
    assert "up to a minute" in camera(house)["problems"][0]["text"]
    house.tell("starting")
    assert (camera(house)["state"], camera(house)["problems"]) == ("starting", [])


def test_a_simulated_camera_is_marked(house: House) -> None:
    house.see(simulated=True)
    assert camera(house)["simulated"] is True


def test_the_picture_is_for_who_sits_at_the_table(house: House) -> None:
    phone, path = house.phones(1)[0], f"/t/{house.code}/picture.jpg"
    assert phone.get(path).status_code == 404
    jpeg = b"\xff\xd8\xff\xe0picture"
    token = house.camera()
    post = house.stranger().browser.post
    sent = post(f"/camera/{house.code}/picture", data=jpeg, content_type="image/jpeg", headers=token)
    assert sent.status_code == 204
    assert phone.get(path).data == house.host().get(path).data == jpeg
    assert house.stranger().get(path).status_code == 403
    assert phone.view()["camera"]["picture"] == 1
    assert house.stranger().view("t")["camera"]["picture"] is None
    for wrong in (b"GIF89a", b""):
        answer = post(f"/camera/{house.code}/picture", data=wrong, content_type="image/jpeg", headers=token)
        assert answer.status_code == 400


# One watch after another


def test_a_watch_that_was_left_has_no_say_any_more(house: House) -> None:
    host, _ = house.round()
    house.table.camera_chosen("demo", "first")
    assert house.see(watch="first").status_code == 200
    house.table.camera_chosen("0", "second")
    late = house.see(STRAIGHT, simulated=True, watch="first")
    assert (late.status_code, late.data) == (409, b"")
    assert (1, 0) not in cards(house)
    assert (camera(house)["state"], camera(house)["simulated"]) == ("starting", False)
    post, jpeg = house.stranger().browser.post, b"\xff\xd8\xff\xe0"
    path, late_camera = f"/camera/{house.code}", house.camera("first")
    late = post(f"{path}/picture", data=jpeg, content_type="image/jpeg", headers=late_camera)
    assert late.status_code == 409 and host.get(f"/t/{house.code}/picture.jpg").status_code == 404
    late = post(f"{path}/state", json={"code": "lost"}, headers=late_camera)
    assert late.status_code == 409 and camera(house)["state"] == "starting"
    house.see(STRAIGHT, watch="second")
    assert cards(house)[1, 0] == "EW"
    assert (camera(house)["state"], camera(house)["source"]) == ("watching", "0")


def test_a_camera_that_was_switched_off_stays_off(house: House) -> None:
    house.round()
    house.table.camera_chosen("0", "first")
    house.see(watch="first")
    house.table.camera_chosen("off")
    assert house.see(STRAIGHT, watch="first").status_code == 409
    assert (camera(house)["state"], camera(house)["source"]) == ("off", "off")
    assert (1, 0) not in cards(house)


def test_a_watch_started_by_hand_counts_while_none_of_ours_is_chosen(house: House) -> None:
    assert house.see().status_code == 200
    assert (camera(house)["state"], camera(house)["source"]) == ("watching", "elsewhere")
    house.table.camera_chosen("film.mp4", "first")
    assert house.see().status_code == 409
    assert (camera(house)["state"], camera(house)["source"]) == ("starting", "film.mp4")
    house.table.camera_finished("first")
    assert house.see().status_code == 200
    assert (camera(house)["state"], camera(house)["source"]) == ("watching", "elsewhere")


# What no camera sends


def coded(code: str = "lost", /, **params: Any) -> dict[str, Any]:
    return {"problems": [{"code": code, "params": params}]}


WRONG_SIGHTS: list[dict[str, Any]] = [
    {"cards": None},
    {"cards": [1]},
    {"cards": [{"cell": [0]}]},
    {"cards": [dict(sight()["cards"][0], tunnels=[["Q"]], kind="goal", cell="x")]},
    {"cards": [sight()["cards"][0]] * 500},
    {"hidden": [[1]]},
    {"hidden": "all"},
    {"problems": ["dark"]},
    {"problems": [{"code": 1}]},
    {"problems": [{"code": "x" * 100}]},
    {"problems": [{"code": "lost", "params": 1}]},
    coded(tools=5),
    coded(cell=[1]),
    coded(seat=[1]),
    coded(level=None),
    coded(level={"code": "lost"}),
    coded(level=math.inf),
    coded(level=math.nan),
    coded(level=10**400),
    coded(cells=[[[1]]]),
    coded(cells=[1] * 101),
    coded("lost", **{f"p{number}": 1 for number in range(13)}),
    {"hidden": [[math.inf, 0]]},
    {"cards": [sight()["cards"][0] | {"cell": [0, -math.inf]}]},
    {"cards": [sight()["cards"][0] | {"since": math.inf}]},
    {"cards": [sight()["cards"][0] | {"since": math.nan}]},
    {"cards": [sight()["cards"][0] | {"since": 10**400}]},
]


@pytest.mark.parametrize("wrong", WRONG_SIGHTS)
def test_what_is_no_sight_changes_nothing(house: House, wrong: dict[str, Any]) -> None:
    house.round()
    before = house.table.present()
    answer = house.see(**wrong)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_sight")
    assert house.table.present() == before
    assert house.host().view("t")["camera"]["problems"] == []


ODD: tuple[Any, ...] = (5, -0.5, True, "", "EW", "\ud800", "x" * 1200, [], [5], ["EW", 1], [[8, -2], []])


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: ascii(odd)[:20])
@pytest.mark.parametrize("code", ["lost", "no_camera", "cut_off", "path_laid", "differs", "no_such_code"])
def test_whatever_a_camera_tells_the_screens_can_show_it(house: House, code: str, odd: Any) -> None:
    names = ("card", "seen", "edge", "tool", "token", "role", "winner", "file", "camera", "params")
    problem = {"code": code, "params": dict.fromkeys(names, odd)}
    # As text: half a letter passes through JSON, and nothing else takes it.
    body = json.dumps(sight() | {"problems": [problem]})
    post, path = house.stranger().browser.post, f"/camera/{house.code}"
    sent = post(f"{path}/sight", data=body, content_type="application/json", headers=house.camera())
    assert sent.status_code == 200
    sent = post(
        f"{path}/state", data=json.dumps(problem), content_type="application/json", headers=house.camera()
    )
    assert sent.status_code == 204
    assert camera(house)["problems"][0]["text"]


def test_the_cells_of_a_table_that_is_cut_off_are_told(house: House) -> None:
    house.see(**coded("cut_off", cells=[[8, -2], [8, 2]]))
    (told,) = camera(house)["problems"]
    assert told["params"] == {"cells": [[8, -2], [8, 2]]}
    assert told["text"].startswith("Part of the table is outside of the picture.")
