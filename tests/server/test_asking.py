"""Commands: the same one twice, an old one, a wrong one, and whose they are."""

import json
import threading
from typing import Any

import pytest

from tests.server.house import House


def test_a_card_is_laid_and_everybody_hears_of_it(house: House) -> None:
    _, (ada, ben, _) = house.round()
    answer = ada.ask(do="place", cell=[1, 0], face="EW")
    assert answer.status_code == 200
    assert answer.json["version"] == answer.json["view"]["version"] == ben.view()["version"]
    assert ben.view()["news"][-1]["text"] == "Ada laid a path card."


def test_a_refused_card_gives_every_reason_in_words(house: House) -> None:
    _, (ada, _, _) = house.round()
    answer = ada.ask(do="place", cell=[1, 0], face="NS")
    assert answer.status_code == 409
    assert [reason["text"] for reason in answer.json["refused"]] == [
        "Its left side is rock, but the card there has a tunnel.",
        "No tunnel of it is joined to the start.",
    ]
    assert answer.json["view"]["me"]["to_move"]


def test_the_same_command_twice_is_carried_out_once(house: House) -> None:
    _, (ada, _, _) = house.round()
    version = ada.view()["version"]
    answers = [ada.ask(id="tap", version=version, do="discard") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json == answers[1].json
    assert ada.view()["discarded"] == 1


def test_ids_are_each_players_own(house: House) -> None:
    _, (ada, ben, _) = house.round()
    assert ada.ask(id="tap", do="discard").status_code == 200
    assert ben.ask(id="tap", do="discard").status_code == 200
    assert ben.view()["discarded"] == 2


def test_an_old_screen_gets_the_present_view(house: House) -> None:
    _, (ada, ben, _) = house.round()
    version = ben.view()["version"]
    ada.ask(do="discard")
    answer = ben.ask(version=version, do="discard")
    assert answer.status_code == 409
    assert [reason["code"] for reason in answer.json["refused"]] == ["stale"]
    assert answer.json["view"]["version"] == version + 1
    assert answer.json["view"]["discarded"] == 1


def test_choosing_rules_is_harmless_while_people_join(house: House) -> None:
    host = house.host()
    version = host.view("t")["version"]
    house.phones(2)
    assert (
        host.ask("t", version=version, do="set_options", options={"break_oneself": False}).status_code == 200
    )
    assert host.ask("t", version=version, do="start_round").status_code == 409


def test_the_actor_comes_from_the_seat_and_never_from_the_request(house: House) -> None:
    _, (_, ben, _) = house.round()
    answer = ben.ask(do="discard", actor=1, seat=1)
    assert [reason["code"] for reason in answer.json["refused"]] == ["not_your_turn"]
    assert answer.json["refused"][0]["text"] == "It is not your turn: Ada is to play."


@pytest.mark.parametrize(
    "do", ["undo", "start_round", "set_options", "end_round", "correct", "accept", "order"]
)
def test_only_the_host_gives_the_hosts_commands(house: House, do: str) -> None:
    _, (ada, _, _) = house.round()
    body: dict[str, Any] = {"options": {}, "cell": [1, 0], "face": "EW", "seats": [1, 2, 3]}
    refused = ada.ask(do=do, **body)
    assert [reason["code"] for reason in refused.json["refused"]] == ["not_host"]
    assert ada.ask("t", version=4, do=do, **body).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        [],
        "place",
        {"do": "discard"},
        {"id": "", "version": 4, "do": "discard"},
        {"id": "x" * 65, "version": 4, "do": "discard"},
        {"id": "a", "version": "4", "do": "discard"},
        {"id": "a", "version": True, "do": "discard"},
        {"id": "a", "version": 4},
        {"id": "a", "version": 4, "do": "join", "name": "Zoe"},
        {"id": "a", "version": 4, "do": "place", "cell": [1], "face": "EW"},
        {"id": "a", "version": 4, "do": "place", "cell": [1, 0], "face": "QQ"},
        {"id": "a", "version": 4, "do": "place", "cell": [1e9, 0], "face": "EW"},
    ],
)
def test_what_is_no_command_is_answered_in_words(house: House, body: Any) -> None:
    _, (ada, _, _) = house.round()
    answer = ada.post(f"/p/{house.code}/command", body)
    assert answer.status_code == 400
    assert answer.json["error"]["text"].endswith(".")
    assert ada.view()["version"] == 4


def test_broken_json_is_answered_in_words(house: House) -> None:
    ada = house.phones(1)[0]
    answer = ada.browser.post(f"/p/{house.code}/command", data="{", content_type="application/json")
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_request")


def test_two_who_tap_at_once_do_not_both_get_their_way(house: House) -> None:
    house.round()
    ada = [house.stranger() for _ in range(8)]
    token = house.table.new_key(1)
    for screen in ada:
        screen.get(f"/me/{token}")
    version, results = ada[0].view()["version"], []

    def tap(number: int) -> None:
        results.append(ada[number].ask(id=f"tap {number}", version=version, do="discard").status_code)

    threads = [threading.Thread(target=tap, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [200] + [409] * 7
    assert house.table.present().version == version + 1


def test_an_error_while_writing_changes_nothing(house: House) -> None:
    _, (ada, _, _) = house.round()
    version = ada.view()["version"]
    house.log.close()
    with house.log._engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER full BEFORE INSERT ON batches BEGIN SELECT RAISE(FAIL, 'x'); END"
        )
    answer = ada.ask(do="discard")
    assert answer.status_code == 503
    assert ada.view()["version"] == version


def test_half_a_letter_is_refused_and_breaks_nothing(house: House) -> None:
    host, _ = house.round()
    version = host.view("t")["version"]
    for asked in ({"do": "end_round", "reason": "\ud800"}, {"do": "undo", "id": "\ud800"}, {"do": "\ud800"}):
        body = json.dumps({"id": "a", "version": version, **asked})
        answer = host.browser.post(f"/t/{host.code}/command", data=body, content_type="application/json")
        assert answer.status_code == 400
    assert host.view("t")["phase"] == "round"


def test_the_table_screen_is_tapped_for_whoever_has_the_turn(house: House) -> None:
    host, _ = house.round()
    assert host.ask("t", do="place", cell=[1, 0], face="EW").status_code == 200
    view = host.view("t")
    assert view["undo_next"]["text"] == "Ada laid a path card."
    assert view["to_move"] == 2


@pytest.mark.parametrize("game", ["base", "expansion"])
def test_every_reason_why_not_is_a_whole_sentence(house: House, game: str) -> None:
    host, phones = house.host(), house.phones(3)
    host.ask("t", do="set_options", options={"game": game})
    host.ask("t", do="start_round")
    for phone in phones:
        for name, may in phone.view()["me"]["may"].items():
            for why in may["why"]:
                assert "?" not in why["text"] and why["text"] != why["code"], (name, why)
