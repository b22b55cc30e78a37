"""A table with its server, phones and host, without a network: the app on a real log in a folder."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.data_folder import DataFolder
from companion.log import Log
from companion.server import create_app
from companion.server.services import Services, Whereabouts
from companion.tables import Tables

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jon", "Kim")
_ids = itertools.count(1)


class Screen:
    """A browser: the host's, a phone, or a stranger's."""

    def __init__(self, app: Flask, code: str) -> None:
        self.code = code
        self.browser: FlaskClient = app.test_client()

    def get(self, path: str, **kwargs: Any) -> TestResponse:
        return self.browser.get(path, **kwargs)

    def post(self, path: str, body: Any, **kwargs: Any) -> TestResponse:
        return self.browser.post(path, json=body, **kwargs)

    def join(self, name: str) -> TestResponse:
        self.get(f"/j/{self.code}")
        return self.browser.post(f"/j/{self.code}", data={"name": name})

    def view(self, letter: str = "p") -> dict[str, Any]:
        answer = self.get(f"/{letter}/{self.code}/view")
        assert answer.status_code == 200, answer.text
        view: dict[str, Any] = answer.json
        return view

    def ask(
        self, letter: str = "p", id: str | None = None, version: int | None = None, **body: Any
    ) -> TestResponse:
        version = self.view(letter)["version"] if version is None else version
        command = {"id": id or f"id-{next(_ids)}", "version": version, **body}
        return self.post(f"/{letter}/{self.code}/command", command)


class House:
    """Everything about one table."""

    def __init__(self, path: Path, seed: int | None = None) -> None:
        """With a seed the dealing is the same every time; else it is the system's chance, as in life."""
        self.folder = DataFolder(path)
        self.log = Log(self.folder.log_url)
        self.services = Services.of(self.folder, self.log, Whereabouts(8080))
        if seed is not None:
            tables = Tables(self.log, self.services.streams.announce, random.Random(seed))
            self.services = replace(self.services, tables=tables)
        self.app = create_app(self.services)
        self.code = self.services.code
        table = self.services.tables.find(self.code)
        assert table is not None
        self.table = table

    def close(self) -> None:
        self.log.close()

    def stranger(self) -> Screen:
        return Screen(self.app, self.code)

    def host(self) -> Screen:
        screen = self.stranger()
        assert screen.get(f"/host/{self.services.host_secret}").status_code == 303
        return screen

    def phones(self, count: int) -> list[Screen]:
        phones = [self.stranger() for _ in range(count)]
        for phone, name in zip(phones, NAMES, strict=False):
            assert phone.join(name).status_code == 303
        return phones

    def round(self, count: int = 3) -> tuple[Screen, list[Screen]]:
        host, phones = self.host(), self.phones(count)
        assert host.ask("t", do="start_round").status_code == 200
        return host, phones

    def camera(self, watch: str | None = None) -> dict[str, str]:
        """The headers of a watching process: started by hand, or by the server with a number."""
        number = {"X-Pithead-Watch": watch} if watch else {}
        return {"Authorization": f"Bearer {self.services.camera_token}", **number}

    def see(
        self,
        *cards: tuple[tuple[int, int], str],
        turned: bool = False,
        watch: str | None = None,
        **more: Any,
    ) -> TestResponse:
        """Posts what a camera sees: path cards by cell and tunnels, beside the start card and the goals."""
        answer: TestResponse = self.app.test_client().post(
            f"/camera/{self.code}/sight",
            json=sight(*cards, turned=turned) | more,
            headers=self.camera(watch),
        )
        return answer

    def see_nothing_yet(self) -> None:
        """Posts what a watch posts first: nothing has settled, nothing is known."""
        assert self.see(cards=[], steady=False, revision=0).status_code == 200

    def tell(self, code: str, watch: str | None = None, **params: Any) -> None:
        answer = self.app.test_client().post(
            f"/camera/{self.code}/state",
            json={"code": code, "params": params},
            headers=self.camera(watch),
        )
        assert answer.status_code == 204


def seen(
    cell: tuple[int, int], kind: str, tunnels: str, turned: bool, face_up: bool = True
) -> dict[str, Any]:
    return {
        "cell": list(cell),
        "face": tunnels if face_up else None,
        "kind": kind,
        "tunnels": [list(group) for group in tunnels.split(".")] if face_up else [],
        "turned": turned,
        "face_up": face_up,
        "confidence": 0.99,
        "since": 1.0,
        "corners": [[0, 0], [1, 0], [1, 1], [0, 1]],
    }


def sight(*cards: tuple[tuple[int, int], str], turned: bool = False) -> dict[str, Any]:
    goals = [seen(cell, "goal", "", False, face_up=False) for cell in ((8, -2), (8, 0), (8, 2))]
    paths = [seen(cell, "path", tunnels, turned) for cell, tunnels in cards]
    return {
        "revision": 1,
        "steady": True,
        "at": 2.0,
        "simulated": False,
        "size": [1280, 720],
        "cards": [seen((0, 0), "start", "NESW", False), *goals, *paths],
        "hidden": [],
        "problems": [],
    }


@contextmanager
def opened(path: Path, seed: int | None = None) -> Iterator[House]:
    house = House(path, seed)
    try:
        yield house
    finally:
        house.close()
