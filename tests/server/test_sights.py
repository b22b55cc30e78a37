"""What the camera sees becomes turns, verdicts and open questions; what was taken back stays taken back."""

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
    house.see(STRAIGHT)
    assert (1, 0) not in cards(house)


def test_nor_after_the_server_was_away(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        host, _ = first.round()
        first.see(STRAIGHT)
        host.ask("t", do="undo")
    with opened(tmp_path) as second:
        second.see(STRAIGHT)
        assert (1, 0) not in cards(second)


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
    token = {"Authorization": f"Bearer {house.services.camera_token}"}
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
]


@pytest.mark.parametrize("wrong", WRONG_SIGHTS)
def test_what_is_no_sight_changes_nothing(house: House, wrong: dict[str, Any]) -> None:
    house.round()
    before = house.table.present()
    answer = house.see(**wrong)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_sight")
    assert house.table.present() == before
