"""Secrets: to the one phone only, when held up only, and their length tells nothing."""

import json
from pathlib import Path

from companion.network import qr_svg
from tests.server.house import House, Screen, opened

ALL = ("role", "gold", "fan", "peek", "inspection")


def secret(phone: Screen, what: str) -> dict[str, object]:
    answer = phone.get(f"/p/{phone.code}/secret/{what}")
    assert answer.status_code == 200
    held: dict[str, object] = answer.json
    return held


def test_a_phone_shows_its_own_role_and_no_other(house: House) -> None:
    _, phones = house.round(5)
    dealt = [player.role.value if player.role else None for player in house.table.present().match.players]
    assert [secret(phone, "role")["role"] for phone in phones] == dealt


def test_every_held_up_answer_is_of_one_length_and_never_kept(house: House) -> None:
    _, phones = house.round(5)
    answers = [phone.get(f"/p/{house.code}/secret/{what}") for phone in phones for what in ALL]
    assert {len(answer.data) for answer in answers} == {1024}
    assert {answer.headers["Content-Length"] for answer in answers} == {"1024"}
    assert {answer.headers["Cache-Control"] for answer in answers} == {"no-store"}
    assert len({tuple(sorted(answer.headers.keys())) for answer in answers}) == 1


def test_a_map_is_looked_at_by_the_one_who_played_it(house: House) -> None:
    _, (ada, ben, _) = house.round()
    assert ada.ask(do="map", cell=[8, 0]).status_code == 200
    hidden = dict(house.table.present().match.goals)[8, 0]
    assert secret(ada, "peek")["peeks"] == [{"cell": [8, 0], "face": hidden}]
    assert secret(ben, "peek")["peeks"] == []
    assert ben.view()["news"][-1]["text"] == "Ada looked at a goal."


def test_there_are_no_other_secrets(house: House) -> None:
    _, (ada, _, _) = house.round()
    answer = ada.get(f"/p/{house.code}/secret/goals")
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "no_such_secret")


def test_views_and_pages_hold_no_secret(house: House) -> None:
    host, phones = house.round(4)
    phones[0].ask(do="map", cell=[8, 0])
    token = phones[0].get(f"/p/{house.code}/link").json["url"].rpartition("/")[2]
    for screen in (host, *phones):
        texts = [json.dumps(screen.view("t")), screen.get(f"/t/{house.code}").text]
        if screen is not host:
            texts += [json.dumps(screen.view()), screen.get(f"/p/{house.code}").text]
        for text in texts:
            assert token not in text
            assert '"role": "' not in text
            assert "stone-N" not in json.dumps(screen.view("t")["board"])


def bytes_of_a_night(house: House) -> tuple[list[object], list[bytes]]:
    """A night's secrets, and every byte that the table screen and Ada's phone got besides her own secrets."""
    host, (ada, ben, cleo, dan), tablet = house.host(), house.phones(4), house.stranger()
    tablet.get(f"/j/{house.code}")
    tablet.browser.post(f"/j/{house.code}", data={"name": "Eve", "pin": "1234"})
    tablet.browser.post(f"/s/{house.code}/lock", data={"now": "yes"})
    house.host().ask("t", do="start_round")
    heard: list[bytes] = []

    def listen() -> None:
        for screen, path in (
            (host, "/t/CODE/view"),
            (ada, "/p/CODE/view"),
            (host, "/t/CODE"),
            (ada, "/p/CODE"),
            (host, "/t/CODE/rules"),
            (tablet, "/s/CODE"),
            (tablet, "/s/CODE/5"),
            (host, "/t/CODE/camera"),
            (host, "/t/CODE/camera/view"),
            (ada, "/p/CODE/camera"),
        ):
            answer = screen.get(path.replace("CODE", house.code))
            heard.append(str(sorted(answer.headers.items())).encode() + answer.data)
        heard.extend(ada.get(f"/p/{house.code}/secret/{what}").data for what in ("gold", "fan", "peek"))

    turns = [
        (ada, {"do": "place", "cell": [1, 0], "face": "EW"}),
        (ben, {"do": "map", "cell": [8, 0]}),
        (cleo, {"do": "break", "target": 1, "tool": "cart"}),
        (dan, {"do": "map", "cell": [8, 2]}),
        (host, {"letter": "t", "do": "discard"}),
        (ada, {"do": "discard"}),
        (ben, {"do": "place", "cell": [1, 0], "face": "NS"}),
    ]
    for phone, command in turns:
        answer = phone.ask(**command)
        if phone is ada:
            heard.append(answer.data)
        listen()
    match = house.table.present().match
    secrets: list[object] = [*(player.role for player in match.players), match.left_over, match.goals]
    return secrets, [text.replace(house.code.encode(), b"CODE") for text in heard]


def test_not_one_byte_depends_on_a_secret(tmp_path: Path) -> None:
    nights = []
    for seed in range(4):
        with opened(tmp_path / str(seed), seed) as house:
            nights.append(bytes_of_a_night(house))
    secrets, heard = zip(*nights, strict=True)
    assert len({str(dealt) for dealt in secrets}) == 4
    assert all(texts == heard[0] for texts in heard)


def test_the_personal_link_is_for_that_seat_only(house: House) -> None:
    ada, ben = house.phones(2)
    links = [phone.get(f"/p/{house.code}/link").json["url"] for phone in (ada, ben)]
    assert len(set(links)) == 2
    assert house.host().get(f"/p/{house.code}/link").status_code == 403


def test_nothing_secret_is_said_in_the_log_of_the_server(
    house: House, caplog: object, capsys: object
) -> None:
    _, (ada, _, _) = house.round()
    secret(ada, "role")
    ada.ask(do="map", cell=[8, 0])
    ada.get(f"/p/{house.code}/secret/nothing")
    assert getattr(caplog, "text", None) == ""
    assert capsys.readouterr() == ("", "")  # type: ignore[attr-defined]


def test_the_join_code_is_drawn_with_its_quiet_zone() -> None:
    svg = qr_svg("http://192.168.1.23:8080/j/K7QX")
    assert 'viewBox="0 0 33 33"' in svg
    assert 'fill="white"' in svg
    assert "M4,4" in svg and "M3," not in svg
