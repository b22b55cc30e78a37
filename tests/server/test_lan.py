"""Which address goes into the code that phones scan, and which port."""

import socket
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion import network
from companion.network import Address, choose, free_port, origin, qr_svg, ranked
from companion.trouble import Trouble

HOME = Address("192.168.1.23", "wlan0")
OTHERS = [
    Address("10.8.0.2", "tun0"),
    Address("172.17.0.1", "docker0"),
    Address("169.254.7.7", "Ethernet"),
    Address("100.101.2.3", "tailscale0"),
    Address("192.168.56.1", "VirtualBox Host-Only Ethernet Adapter"),
    Address("172.20.16.1", "vEthernet (WSL)"),
    Address("10.211.55.2", "bridge100"),
    Address("10.5.0.2", "utun4"),
]


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.mark.parametrize("other", OTHERS)
def test_the_home_network_comes_before_every_other_kind(other: Address) -> None:
    assert ranked([other, HOME])[0] == HOME


def test_among_two_home_networks_the_way_out_decides() -> None:
    cable = Address("192.168.7.5", "eth0")
    assert ranked([HOME, cable], default=cable.ip)[0] == cable
    assert ranked([HOME, OTHERS[0]], default=OTHERS[0].ip)[0] == HOME


def test_the_host_may_choose_any_address_of_this_machine() -> None:
    assert choose("10.8.0.2", [HOME, OTHERS[0]]) == "10.8.0.2"
    assert choose("127.0.0.1", [HOME]) == "127.0.0.1"
    with pytest.raises(Trouble, match="address_not_here"):
        choose("192.168.1.99", [HOME])


def test_without_a_network_there_is_this_computer() -> None:
    assert choose(None, []) == network.LOOPBACK
    assert choose(None, [Address("169.254.7.7", "Ethernet")]) == network.LOOPBACK


def test_a_taken_port_is_passed_over_but_not_when_it_was_asked_for(taken: int) -> None:
    assert free_port(None, last=taken) != taken
    with pytest.raises(Trouble, match="port_in_use"):
        free_port(taken)


def test_the_last_port_is_taken_again(taken: int) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        last = probe.getsockname()[1]
    assert free_port(None, last) == last


def test_ports_of_macos_are_never_tried() -> None:
    assert not {5000, 7000} & set(network.PORTS)
    assert network.PORTS[0] == 8080


def test_a_phone_can_read_the_code() -> None:
    url = f"{origin('192.168.1.23', 8080)}/j/K7QX"
    svg = qr_svg(url)
    size = int(svg.split('viewBox="0 0 ')[1].split(" ")[0])
    modules = np.full((size, size), 255, np.uint8)
    for dark in svg.split(' d="')[1].split('"')[0].split("M")[1:]:
        x, y = dark.split("H")[0].split(",")
        modules[int(y), int(x)] = 0
    assert modules[:4].min() == modules[-4:].min() == modules[:, :4].min() == modules[:, -4:].min() == 255
    picture = cv2.resize(modules, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert text == url
    assert size == 25 + 8


def test_no_network_is_said_in_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.server.services import Whereabouts

    monkeypatch.setattr(network, "addresses", list)
    where = Whereabouts(8080)
    assert where.alone and where.origin == "http://127.0.0.1:8080"


def test_the_address_follows_the_machine_into_another_network(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.server import services

    found: list[Address] = []
    monkeypatch.setattr(network, "addresses", lambda: list(found))
    monkeypatch.setattr(services, "ADDRESSES_S", -1.0)
    where = services.Whereabouts(8080)
    assert where.alone
    found.append(HOME)
    assert where.origin == "http://192.168.1.23:8080"
    assert where.trusts("192.168.1.23:8080")
    found.clear()
    assert not where.trusts("192.168.1.23:8080")
