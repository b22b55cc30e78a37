"""Taking a seat, keeping it, and taking it elsewhere."""

from pathlib import Path

import pytest

from tests.server.house import House, opened


def test_joining_gives_a_seat_and_the_phone_page(house: House) -> None:
    phone = house.stranger()
    answer = phone.join("Ada")
    assert (answer.status_code, answer.location) == (303, f"/p/{house.code}")
    assert phone.view()["me"]["name"] == "Ada"


def test_pressing_join_twice_is_one_seat(house: House) -> None:
    phone = house.stranger()
    phone.get(f"/j/{house.code}")
    joining = phone.browser.get_cookie("joining")
    assert joining is not None
    answers = []
    for _ in range(2):
        twice = house.stranger()
        twice.browser.set_cookie("joining", joining.value)
        answers.append(
            (twice.browser.post(f"/j/{house.code}", data={"name": "Ada"}).status_code, twice.view()["me"])
        )
    assert answers[0] == answers[1]
    assert len(house.stranger().view("t")["seats"]) == 1


def test_scanning_the_code_again_leads_back_to_the_seat(house: House) -> None:
    phone = house.phones(1)[0]
    assert phone.get(f"/j/{house.code}").location == f"/p/{house.code}"
    assert phone.browser.post(f"/j/{house.code}", data={"name": "Zoe"}).location == f"/p/{house.code}"
    assert [seat["name"] for seat in phone.view()["seats"]] == ["Ada"]


@pytest.mark.parametrize("name", ["", "   ", "\t\n", "\x00\x07", "x" * 25, "x" * 10_000])
def test_a_name_that_is_none_keeps_the_form_and_says_why(house: House, name: str) -> None:
    answer = house.stranger().join(name)
    assert answer.status_code == 422
    assert "A name has 1 to 24 characters" in answer.text
    assert 'name="name"' in answer.text
    assert house.table.present().version == 0


def test_names_are_tidied_and_never_taken_for_markup(house: House) -> None:
    assert house.stranger().join("  <b>Ada\x07</b> \n ").status_code == 303
    refused = house.stranger().join("<script>" + "x" * 30)
    assert "<script>x" not in refused.text
    assert house.stranger().view("t")["seats"][0]["name"] == "<b>Ada </b>"


def test_two_may_have_the_same_name(house: House) -> None:
    for phone in (house.stranger(), house.stranger()):
        assert phone.join("Ada").status_code == 303
    assert [seat["seat"] for seat in house.stranger().view("t")["seats"]] == [1, 2]


def test_a_full_table_says_so(house: House) -> None:
    house.phones(10)
    late = house.stranger()
    assert "The table is full" in late.get(f"/j/{house.code}").text
    answer = late.join("Kim")
    assert answer.status_code == 409
    assert "The table is full: at most 10 can play." in answer.text


def test_joining_waits_for_the_end_of_the_round(house: House) -> None:
    house.round()
    late = house.stranger()
    assert "only between rounds" in late.get(f"/j/{house.code}").text
    assert late.join("Kim").status_code == 409


def test_a_personal_link_opens_the_seat_on_another_phone(house: House) -> None:
    old, new = house.phones(1)[0], house.stranger()
    link = old.get(f"/p/{house.code}/link").json
    assert link is not None
    assert link["qr"].startswith("data:image/svg+xml;base64,")
    path = "/me/" + link["url"].rpartition("/")[2]
    assert new.get(path).location == f"/p/{house.code}"
    assert new.view()["me"]["name"] == old.view()["me"]["name"] == "Ada"


def test_a_newer_link_shuts_the_older_ones_out(house: House) -> None:
    old, new = house.phones(1)[0], house.stranger()
    first = old.get(f"/p/{house.code}/link").json
    new.get("/me/" + first["url"].rpartition("/")[2])
    second = new.post(f"/p/{house.code}/link", {}).json
    assert first["url"] != second["url"]
    assert new.view()["me"]["seat"] == 1
    assert old.get(f"/p/{house.code}/view").status_code == 403
    assert house.stranger().get("/me/" + first["url"].rpartition("/")[2]).status_code == 404


def test_the_host_can_help_a_player_whose_phone_is_gone_but_not_in_secret(house: House) -> None:
    host, (ada, _, _) = house.round()
    link = host.post(f"/t/{house.code}/seats/1/key", {}).json
    replacement = house.stranger()
    replacement.get("/me/" + link["url"].rpartition("/")[2])
    assert replacement.view()["me"]["name"] == "Ada"
    assert ada.get(f"/p/{house.code}/view").status_code == 403
    assert ada.post(f"/t/{house.code}/seats/2/key", {}).status_code == 403
    assert host.post(f"/t/{house.code}/seats/9/key", {}).status_code == 404


def test_only_the_digest_of_a_token_is_kept(house: House) -> None:
    phone = house.phones(1)[0]
    token = phone.get(f"/p/{house.code}/link").json["url"].rpartition("/")[2]
    house.close()
    for file in house.folder.path.iterdir():
        assert token.encode() not in file.read_bytes()


def test_unknown_links_and_codes_say_what_to_do(house: House) -> None:
    stranger = house.stranger()
    for path in ("/me/nonsense", "/j/ZZZZ", "/t/ZZZZ", "/p/ZZZZ", "/join?code=zzzz", "/nothing/here"):
        answer = stranger.get(path)
        assert answer.status_code == 404
        assert "table screen" in answer.text, path


def test_a_code_may_be_typed_in_any_case(house: House) -> None:
    stranger = house.stranger()
    assert stranger.get(f"/join?code=%20{house.code.lower()}%20").location == f"/j/{house.code}"
    assert stranger.get(f"/j/{house.code.lower()}").status_code == 200


def test_who_left_holds_no_seat_and_may_join_again(house: House) -> None:
    phone = house.phones(3)[0]
    assert phone.ask(do="leave", seat=1).status_code == 200
    assert phone.get(f"/p/{house.code}/view").status_code == 403
    assert phone.join("Ada").status_code == 303
    assert phone.view()["me"]["seat"] == 4


def test_seats_outlive_the_server(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        host, phones = first.round()
        cookies = [phone.browser.get_cookie(f"seat_{first.code}") for phone in (*phones, host)]
        host_cookie, before = host.browser.get_cookie("host"), phones[1].view()
    with opened(tmp_path) as second:
        phone, again = second.stranger(), second.stranger()
        phone.browser.set_cookie(f"seat_{first.code}", cookies[1].value)
        again.browser.set_cookie("host", host_cookie.value)
        assert second.code == first.code
        assert phone.view() == before
        assert again.view("t")["host"]


def test_who_leaves_is_told_so_and_shown_nothing_more(house: House) -> None:
    phone = house.phones(1)[0]
    answer = phone.ask(do="leave", seat=1)
    assert (answer.status_code, answer.json) == (200, {"version": 2})
    assert phone.get(f"/p/{phone.code}/view").status_code == 403
