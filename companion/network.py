"""Where phones find the server: the LAN address, a free port, and the QR code that says both."""

from __future__ import annotations

import io
import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass

import ifaddr
import qrcode
import qrcode.constants
import qrcode.image.svg

from companion.trouble import Trouble

LOOPBACK = "127.0.0.1"
FIRST_PORT = 8080
PORTS = tuple(range(FIRST_PORT, FIRST_PORT + 20))
"""Tried in this order. 5000 and 7000 belong to macOS and are never among them."""

WIFI_KINDS = ("WPA", "WEP", "nopass")
"""How a Wi-Fi is locked, as its QR code spells it; WPA stands for all of its versions."""

_VIRTUAL = re.compile(
    r"docker|veth|virbr|vmnet|vboxnet|virtualbox|vmware|hyper-v|vethernet|wsl|podman|cni|flannel|lxc|lxd"
    r"|^br-|^bridge\d|^ifb\d|^dummy|^awdl|^llw|bluetooth",
    re.IGNORECASE,
)
_TUNNEL = re.compile(
    r"^utun|^tun|^tap|^wg|^ppp|^ipsec|^zt|tailscale|zerotier|wireguard|openvpn|vpn", re.IGNORECASE
)
_LAN = tuple(map(ipaddress.IPv4Network, ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")))
_CARRIER = ipaddress.IPv4Network("100.64.0.0/10")


@dataclass(frozen=True)
class Address:
    """An IPv4 address of this machine on one adapter."""

    ip: str
    adapter: str

    @property
    def rank(self) -> int:
        """How likely a phone in the room reaches it: 0 is best, 4 hopeless.

        >>> Address("192.168.1.23", "wlan0").rank, Address("10.8.0.2", "tun0").rank
        (0, 3)
        """
        ip = ipaddress.IPv4Address(self.ip)
        if ip.is_link_local:
            return 4
        if _TUNNEL.search(self.adapter) or ip in _CARRIER:
            return 3
        if _VIRTUAL.search(self.adapter):
            return 2
        return 0 if any(ip in network for network in _LAN) else 1


def addresses() -> list[Address]:
    """Every IPv4 address of this machine but loopback, the likeliest for phones first. Phones on home
    networks always have IPv4, and a typed IPv6 address would help nobody."""
    found = [
        Address(str(ip.ip), adapter.nice_name or adapter.name)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4 and not ipaddress.IPv4Address(ip.ip).is_loopback
    ]
    return ranked(found, _default_route())


def ranked(found: Iterable[Address], default: str | None = None) -> list[Address]:
    """Sorts addresses by rank; among equals the one that the default route leaves by comes first."""
    return sorted(found, key=lambda address: (address.rank, address.ip != default))


def _default_route() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: it only asks the system for the way out.
            probe.connect(("198.51.100.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def choose(wanted: str | None, found: list[Address]) -> str:
    """The address that goes into links and QR codes: the wanted one, else the likeliest, else loopback.

    Raises Trouble `address_not_here` where this machine has no such address.
    """
    if wanted is not None:
        if wanted != LOOPBACK and wanted not in {address.ip for address in found}:
            raise Trouble("address_not_here", address=wanted, addresses=[address.ip for address in found])
        return wanted
    usable = [address for address in found if address.rank < 4]
    return usable[0].ip if usable else LOOPBACK


def in_use(port: int) -> bool:
    """Whether something on this machine already answers or listens there.

    Asked by connecting and by binding: Windows lets two programs bind one port, and a listener on one
    address only would not answer on loopback.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(0.5)
        if probe.connect_ex((LOOPBACK, port)) == 0:
            return True
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return True
    return False


def free_port(wanted: int | None, last: int | None = None) -> int:
    """The port to serve: the wanted one, else the last one used, else 8080 and onwards.

    Raises Trouble `port_in_use` (the wanted one is taken) or `no_free_port`.
    """
    if wanted is not None:
        if in_use(wanted):
            raise Trouble("port_in_use", port=wanted)
        return wanted
    for port in ([last] if last else []) + list(PORTS):
        if not in_use(port):
            return port
    raise Trouble("no_free_port", first=PORTS[0], last=PORTS[-1])


def origin(ip: str, port: int) -> str:
    """The address as it stands in a browser, without a path.

    >>> origin("192.168.1.23", 8080)
    'http://192.168.1.23:8080'
    """
    return f"http://{ip}:{port}"


def wifi_text(name: str, password: str, kind: str, hidden: bool = False) -> str:
    """What the QR code of a Wi-Fi says, as phone cameras read it (ZXing's form). `kind`: one of WIFI_KINDS.

    >>> wifi_text("Hut; east", 'a"b', "WPA")
    'WIFI:T:WPA;S:Hut\\\\; east;P:a\\\\"b;;'
    """
    fields = [("T", kind), ("S", _escaped(name))]
    if kind != "nopass":
        fields.append(("P", _escaped(password)))
    if hidden:
        fields.append(("H", "true"))
    return "WIFI:" + "".join(f"{field}:{value};" for field, value in fields) + ";"


def _escaped(text: str) -> str:
    return re.sub(r'([\\;,":])', r"\\\1", text)


def qr_svg(text: str) -> str:
    """The text as a QR code in SVG, dark on white with the quiet zone of four modules, error level L:
    the fewest modules, so that phones read it from across the table."""
    code = qrcode.QRCode(
        error_correction=qrcode.constants.ERROR_CORRECT_L,
        border=4,
        image_factory=qrcode.image.svg.SvgPathFillImage,
    )
    code.add_data(text, optimize=0)
    code.make(fit=True)
    out = io.BytesIO()
    code.make_image().save(out)
    return out.getvalue().decode()
