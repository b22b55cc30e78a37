"""Who may ask for what: denied unless a route says otherwise, and decided before any handler runs."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from companion.server.access import Audience, rule_of
from companion.server.services import Whereabouts
from tests.server.house import House

VALUES = {
    "token": "nobody",
    "secret": "nothing",
    "what": "role",
    "face": "NS",
    "name": "nugget",
    "filename": "icon.svg",
    "version": "now",
    "seat": 1,
    "deck": "ours",
    "id": "c01",
    "file": "c01",
    "ticket": "forged",
}


def routes(app: Flask) -> Iterator[tuple[Rule, str]]:
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"OPTIONS", "HEAD"}):
            yield rule, method


def path_of(house: House, rule: Rule) -> str:
    with house.app.test_request_context():
        values = {name: house.code if name == "code" else VALUES[name] for name in rule.arguments}
        path: str = house.app.url_for(rule.endpoint, **values)
        return path


def test_every_route_says_whom_it_is_for(house: House) -> None:
    assert [rule.endpoint for rule, _ in routes(house.app) if rule_of(house.app, rule.endpoint) is None] == []


def test_a_route_that_says_nothing_lets_nobody_in(house: House) -> None:
    house.app.add_url_rule("/forgotten", "forgotten", lambda: "secret")
    answer = house.host().get("/forgotten")
    assert answer.status_code == 403
    assert "secret" not in answer.text


def test_nobody_gets_past_a_route_that_is_not_for_everybody(house: House) -> None:
    house.round()
    before = house.table.present()
    guarded = 0
    for rule, method in routes(house.app):
        said = rule_of(house.app, rule.endpoint)
        assert said is not None
        if Audience.ANYONE in said.audiences:
            continue
        guarded += 1
        kind = {"content_type": said.reads} if method == "POST" else {}
        answer = house.stranger().browser.open(path_of(house, rule), method=method, **kind)
        assert answer.status_code == 403, (rule, method)
    assert guarded >= 12
    assert house.table.present() == before


def test_every_answer_carries_the_headers(house: House) -> None:
    for rule, method in routes(house.app):
        answer = house.stranger().browser.open(path_of(house, rule), method=method)
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff", rule
        assert headers["Referrer-Policy"] in ("no-referrer", "same-origin"), rule
        policy = headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        drawing = answer.mimetype == "image/svg+xml"
        assert policy.startswith("default-src 'none'" if drawing else "default-src 'self'"), rule
        if not drawing:
            assert "unsafe" not in policy
        if answer.mimetype in ("application/json", "text/html"):
            assert headers["Cache-Control"] == "no-store", rule
        answer.close()


def test_cookies_are_for_the_server_alone(house: House) -> None:
    phone = house.stranger()
    for answer in (phone.get(f"/j/{house.code}"), phone.join("Ada"), phone.get(host_path(house))):
        for cookie in answer.headers.getlist("Set-Cookie"):
            if "Expires=Thu, 01 Jan 1970" not in cookie:
                assert "HttpOnly" in cookie and "SameSite=Lax" in cookie


def host_path(house: House) -> str:
    return f"/host/{house.services.host_secret}"


@pytest.mark.parametrize("address", ["192.168.1.20", "10.0.0.1", "2001:db8::1", "128.0.0.1", ""])
def test_the_hosts_link_works_on_this_machine_only(house: House, address: str) -> None:
    stranger = house.stranger()
    answer = stranger.get(host_path(house), environ_base={"REMOTE_ADDR": address})
    assert answer.status_code == 403
    assert not stranger.view("t")["host"]


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.5", "::1", "::ffff:127.0.0.1"])
def test_the_hosts_link_makes_a_host(house: House, address: str) -> None:
    host = house.stranger()
    answer = host.get(host_path(house), environ_base={"REMOTE_ADDR": address})
    assert (answer.status_code, answer.location) == (303, f"/t/{house.code}")
    assert host.view("t")["host"]


def test_a_forwarding_header_makes_nobody_local(house: House) -> None:
    answer = house.stranger().get(
        host_path(house),
        environ_base={"REMOTE_ADDR": "192.168.1.20"},
        headers={"X-Forwarded-For": "127.0.0.1", "Forwarded": "for=127.0.0.1"},
    )
    assert answer.status_code == 403


def test_a_wrong_host_secret_or_forged_cookie_makes_no_host(house: House) -> None:
    stranger = house.stranger()
    assert stranger.get("/host/guess").status_code == 403
    stranger.browser.set_cookie("host", "forged")
    assert not stranger.view("t")["host"]


def test_a_seats_cookie_opens_no_other_seat(house: House) -> None:
    ada, ben, _ = house.phones(3)
    stolen = ada.browser.get_cookie(f"seat_{house.code}")
    assert stolen is not None
    body, dot, signature = stolen.value.rpartition(".")
    ben.browser.set_cookie(f"seat_{house.code}", body + dot + signature[::-1])
    assert ben.get(f"/p/{house.code}/view").status_code == 403


FOREIGN: list[dict[str, str]] = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:9999"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_other_sites_pages_give_no_commands(house: House, headers: dict[str, str]) -> None:
    host, (ada, _, _) = house.round()
    body = {"id": "a", "version": 4, "do": "discard"}
    assert ada.post(f"/p/{house.code}/command", body, headers=headers).status_code == 403
    assert host.post(f"/t/{house.code}/camera", {"source": "demo"}, headers=headers).status_code == 403
    stranger = house.stranger()
    joining = stranger.browser.post(f"/j/{house.code}", data={"name": "Zoe"}, headers=headers)
    assert joining.status_code == 403
    assert house.table.present().version == 4


def test_other_sites_pages_read_no_secrets(house: House) -> None:
    _, (ada, _, _) = house.round()
    answer = ada.get(f"/p/{house.code}/secret/role", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_our_own_pages_may(house: House) -> None:
    _, (ada, _, _) = house.round()
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    body = {"id": "a", "version": 4, "do": "discard"}
    assert ada.post(f"/p/{house.code}/command", body, headers=headers).status_code == 200


def test_commands_come_as_json_and_nothing_else(house: House) -> None:
    _, (ada, _, _) = house.round()
    text = '{"id": "a", "version": 4, "do": "discard"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = ada.browser.post(f"/p/{house.code}/command", data=text, content_type=kind)
        assert answer.status_code == 415
    assert house.table.present().version == 4


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "203.0.113.9:8080", "[2001:db8::1]"])
def test_names_that_are_not_this_machines_are_refused(house: House, host: str) -> None:
    answer = house.stranger().get(f"/t/{house.code}", headers={"Host": host})
    assert answer.status_code == 403
    assert house.code not in answer.text


def test_names_of_this_machine_are_served() -> None:
    where = Whereabouts(8080)
    for host in ("localhost", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST:8080"):
        assert where.trusts(host), host
    assert where.trusts(where.origin.removeprefix("http://"))


@pytest.mark.parametrize(("letter", "path"), [("p", "command"), ("t", "command"), ("t", "camera")])
def test_long_requests_are_not_read(house: House, letter: str, path: str) -> None:
    host, (ada, _, _) = house.round()
    screen = ada if letter == "p" else host
    body: dict[str, Any] = {"id": "a", "version": 4, "do": "discard", "more": "x" * 20_000}
    answer = screen.post(f"/{letter}/{house.code}/{path}", body)
    assert (answer.status_code, answer.json["error"]["code"]) == (413, "too_large")


def test_a_camera_proves_itself_before_anything_is_told(house: House) -> None:
    for code in (house.code, "ZZZZ"):
        for given in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic YTpi"}):
            answer = house.stranger().post(f"/camera/{code}/sight", {}, headers=given)
            assert (answer.status_code, answer.json["error"]["code"]) == (403, "wrong_camera_token")


def test_errors_are_pages_for_people_and_json_for_scripts(house: House) -> None:
    stranger = house.stranger()
    assert stranger.get("/t/ZZZZ").mimetype == "text/html"
    assert stranger.get("/t/ZZZZ/view").json["error"]["code"] == "unknown_table"
    assert stranger.browser.delete(f"/t/{house.code}").status_code == 405


def test_a_language_is_chosen_by_the_reader_and_kept(house: House) -> None:
    stranger = house.stranger()
    stranger.get("/?lang=et")
    cookie = stranger.browser.get_cookie("lang")
    assert cookie is not None and cookie.value == "et"
    assert '<html lang="et">' in stranger.get("/").text
    assert '<html lang="ko">' in house.stranger().get("/", headers={"Accept-Language": "ko,en;q=0.5"}).text
    assert '<html lang="en">' in house.stranger().get("/?lang=xx").text
