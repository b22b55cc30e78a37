"""Codes become sentences here, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from babel.lists import format_list
from flask_babel import get_locale, gettext

from companion.game.cards import SPECIAL, Face, UnreadableCard, letters, parse_laid
from companion.wording import camera, news, rules, server, words

SENTENCES: Mapping[str, str] = {
    **rules.SENTENCES,
    **news.SENTENCES,
    **camera.SENTENCES,
    **server.SENTENCES,
}
VARIANTS = ("edge", "token", "winner", "card", "count")
"""Parameters whose value may choose another sentence, as "code/value"."""
UNKNOWN = "?"


class _Filled(dict[str, object]):
    """A parameter that is missing must not cost a table its evening."""

    def __missing__(self, key: str) -> str:
        return UNKNOWN


def sentence(code: str, params: Mapping[str, Any], names: Mapping[int, str] | None = None) -> str:
    """The sentence for a code. `names` are the players' by seat, for codes that carry only the seat.

    >>> sentence("already_broken", {"seat": 2, "tool": "cart"}, {2: "Ada"})
    'A broken tool of this kind lies before Ada already: mine cart.'
    """
    text = SENTENCES.get(code)
    for variant in VARIANTS:
        text = SENTENCES.get(f"{code}/{params[variant]}", text) if variant in params else text
    if text is None:
        return code
    return _now(text) % _Filled(in_words(params, names or {}))


def _now(text: str) -> str:
    return str(gettext(text))


def in_words(params: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, object]:
    """Parameters as words of the reader's language: sides, tools, cards, cells, names, lists."""
    said: dict[str, object] = {name: _word(name, value) for name, value in params.items()}
    for seat, name in (("seat", "name"), ("target", "target_name"), ("by", "name")):
        if seat in params and name not in params:
            said[name] = names.get(params[seat], UNKNOWN)
    if "card" not in params:
        if "face" in params:
            said["card"] = card(str(params["face"]), bool(params.get("turned")))
        elif "action" in params:
            said["card"] = action(str(params["action"]), params.get("tools", ()))
    return said


def _word(name: str, value: Any) -> object:
    if name == "tools":
        return listed(_now(words.TOOLS[tool]) if tool in words.TOOLS else str(tool) for tool in value)
    if isinstance(value, list | tuple) and name == "cell":
        return _now(words.CELL) % {"column": value[0], "row": value[1]}
    if isinstance(value, list | tuple):
        return listed(str(item) for item in value)
    if not isinstance(value, str):
        return value
    table = {"edge": words.EDGES, "tool": words.TOOLS, "token": words.TOKENS, "role": words.ROLES}.get(name)
    if table is not None and value in table:
        return _now(table[value])
    return card(value) if name in ("card", "face", "seen") else value


def card(text: str, turned: bool = False) -> str:
    """A card in words, from a face's or a laid card's text form.

    >>> card("NS.E")
    'up-down, dead end: right'
    """
    if not text:
        return _now(words.CARD_BACK)
    try:
        laid = parse_laid(text)
    except UnreadableCard:
        return text
    said = _face(laid.face)
    return _now(words.TURNED) % {"card": said} if laid.turned or turned else said


def _face(face: Face) -> str:
    if face.name in SPECIAL:
        return _now(words.FACES[face.name])
    said = []
    for tunnel in face.tunnels:
        sides = [_now(words.EDGES[letter]) for letter in letters(tunnel)]
        said.append("-".join(sides) if len(sides) > 1 else _now(words.DEAD_END) % {"edge": sides[0]})
    return ", ".join(said)


def action(name: str, tools: Iterable[str] = ()) -> str:
    """An action card in words.

    >>> action("repair", ["pickaxe", "cart"])
    'repair (pickaxe and mine cart)'
    """
    with_tools = {"break": words.BROKEN, "repair": words.REPAIR}.get(name)
    if with_tools and tools:
        return _now(with_tools) % {"tools": _word("tools", tools)}
    return _now(words.ACTIONS[name]) if name in words.ACTIONS else name


def listed(items: Iterable[str]) -> str:
    """A list as the reader's language writes it: "a, b and c"."""
    return str(format_list(list(items), locale=get_locale() or "en"))
