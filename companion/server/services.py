"""What the routes work with, made once by whoever starts the server."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, cast

from flask import Flask, current_app

from companion import network
from companion.data_folder import DataFolder
from companion.deck_choice import PRINTED
from companion.log import Log
from companion.server.hints import Streams
from companion.tables import Tables

ADDRESSES_S = 15.0
"""How long a list of this machine's addresses holds."""


class Cameras(Protocol):
    """Who starts and stops watching; the server only passes on what the host chose."""

    def choose(self, code: str, source: str) -> None:
        """Another source for a table's camera, or "off"."""

    def found(self) -> list[str]:
        """Sources that are there to be chosen."""

    def read_deck(self, deck: str) -> None:
        """Another deck for the camera to read, as `deck_choice` names it."""

    @property
    def deck(self) -> str:
        """The deck that is read."""


class NoCameras:
    """A server that starts no camera of its own: one may still post from elsewhere."""

    def choose(self, code: str, source: str) -> None:
        """Nothing to start."""

    def found(self) -> list[str]:
        """None."""
        return []

    def read_deck(self, deck: str) -> None:
        """Nothing to read."""

    @property
    def deck(self) -> str:
        """As if it were the printed one."""
        return PRINTED


class Whereabouts:
    """The addresses this server is found at, followed as the machine joins and leaves networks."""

    def __init__(self, port: int, wanted: str | None = None) -> None:
        self.port = port
        self._wanted = wanted
        self._asked_at = -ADDRESSES_S
        self._found: list[network.Address] = []
        names = {"localhost", network.LOOPBACK, "::1"}
        host = socket.gethostname().lower()
        self._names = frozenset(names | {host, f"{host}.local"})

    def trusts(self, host: str) -> bool:
        """Whether a request's Host names this machine. Any other name may be a page elsewhere that had
        its own name pointed at us (DNS rebinding)."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        name = name.strip("[]").lower()
        if name in self._names:
            return True
        try:
            ipaddress.IPv4Address(name)
        except ValueError:
            return False
        return name == self._wanted or name in {address.ip for address in self._now()}

    @property
    def origin(self) -> str:
        """The address that phones are told."""
        found = self._now()
        here = (
            self._wanted if self._wanted in {network.LOOPBACK, *(address.ip for address in found)} else None
        )
        return network.origin(network.choose(here, found), self.port)

    @property
    def alone(self) -> bool:
        """Whether there is no network that a phone could be on."""
        return self.origin == network.origin(network.LOOPBACK, self.port)

    def _now(self) -> list[network.Address]:
        if time.monotonic() - self._asked_at > ADDRESSES_S:
            self._found = network.addresses()
            self._asked_at = time.monotonic()
        return self._found


class HostKey:
    """The secret that makes a browser the host's. Handing the host's powers over makes a new one."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._secret = folder.link_key("host_secret")

    @property
    def secret(self) -> str:
        """The secret in force."""
        return self._secret

    def renew(self) -> None:
        """Another secret: the links and cookies made of the old one are worth nothing any more."""
        self._secret = self._folder.renewed_link_key("host_secret")


@dataclass(frozen=True)
class Services:
    """Everything behind the routes."""

    tables: Tables
    streams: Streams
    whereabouts: Whereabouts
    secret_key: str
    """Signs the cookies."""
    host_key: HostKey
    camera_token: str
    code: str
    """The table that this server was started for."""
    data: Path
    """The data folder: players' own decks are kept there."""
    cameras: Cameras = field(default_factory=NoCameras)

    @property
    def host_secret(self) -> str:
        """The secret in the host's link, as it is now."""
        return self.host_key.secret

    @staticmethod
    def of(
        folder: DataFolder,
        log: Log,
        whereabouts: Whereabouts,
        cameras: CamerasFor | None = None,
        new_table: bool = False,
    ) -> Services:
        """The services on a data folder and its open log: the newest table goes on, or a new one is set."""
        streams = Streams()
        tables = Tables(log, streams.announce)
        table = tables.create() if new_table else tables.to_go_on_with()
        token = folder.link_key("camera_token")
        return Services(
            tables,
            streams,
            whereabouts,
            secret_key=folder.key("secret_key"),
            host_key=HostKey(folder),
            camera_token=token,
            code=table.code,
            data=folder.path,
            cameras=cameras(tables, token) if cameras else NoCameras(),
        )


CamerasFor = Callable[[Tables, str], Cameras]
"""Makes the supervisor of the cameras from the tables and the camera's token."""


def services(app: Flask | None = None) -> Services:
    """The services of the running app."""
    return cast(Services, (app or current_app).extensions["pithead"])
