"""A match as a text that can be read: after every step what changed, in truth and for every viewer."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from companion.game.commands import StartRound
from companion.game.events import Event
from companion.game.history import Batch, History
from companion.game.news import News
from companion.game.options import Options
from companion.game.state import HOST, JOINER, Match, Phase, Seat
from companion.game.views import View, for_phone, for_table, secret
from tests.game.proof import players

Lines = dict[str, str]
"""What there is to know, by name."""
ONLY_TABLE = ("audience", "undoable", "undo_next", "asking")
SECRETS = ("role", "peek", "inspection", "gold", "fan")


def playthrough(options: Options, number: int, seed: int) -> str:
    """A whole match of so many players, step by step."""
    chance = random.Random(seed)
    history = players.seated(options, number, chance)
    told = [f"{number} players, seed {seed}: {compact(options.to_json())}"]
    before = perspectives(History(), ())
    seats = [player.seat for player in history.match.players]
    while True:
        after = perspectives(history, seats)
        told += step(history.batches[-1], before, after)
        if history.match.phase is Phase.OVER:
            return "\n".join(told) + "\n"
        before, news = after, history.news
        first = seats[0] if history.match.phase is Phase.LOBBY else 0
        command = StartRound(HOST, first) if first else players.next_command(history, chance, 0.55)
        history = players.step(history, command, chance)
        told.append("")
        told += [f"news: {compact(item.to_json())}" for item in fresh(news, history.news)]


def step(batch: Batch, before: Mapping[str, Lines], after: Mapping[str, Lines]) -> Iterator[str]:
    """One step: who did what, what it brought about, and what changed for whom."""
    yield f"{who(batch.by)}: {batch.do}"
    yield from (f"    {fact(event)}" for event in batch.events)
    changed: dict[str, list[str]] = {}
    for viewer, lines in after.items():
        old = before.get(viewer, {})
        for key in [*lines, *(key for key in old if key not in lines)]:
            if old.get(key) != lines.get(key):
                changed.setdefault(f"{key} {lines.get(key, 'gone')}", []).append(viewer)
    told: dict[str, list[str]] = {}
    for line, viewers in changed.items():
        told.setdefault(" ".join(viewers), []).append(line)
    for names, lines_of in told.items():
        yield f"  {names}"
        yield from (f"    {line}" for line in lines_of)


def who(actor: int) -> str:
    """Whose step it is."""
    return {HOST: "host", JOINER: "newcomer"}.get(actor, f"P{actor}")


def fact(event: Event) -> str:
    """An event on one line."""
    values = [f"{each.name}={compact(getattr(event, each.name))}" for each in fields(event)]
    return " ".join([event.NAME, *values])


def fresh(old: tuple[News, ...], new: tuple[News, ...]) -> tuple[News, ...]:
    """The news that have come since: the new without the longest end of the old with which it begins."""
    for count in range(len(new) + 1):
        kept = len(new) - count
        if old[len(old) - kept :] == new[:kept]:
            return new[kept:]
    return new


# ------------------------------------------------------------ what there is to know


def perspectives(history: History, seats: list[Seat] | tuple[Seat, ...]) -> dict[str, Lines]:
    """The truth, the table's screen, and what every phone adds to it."""
    table = for_table(history)
    found = {"truth": truth(history.match), "table": public(table)}
    for seat in seats:
        phone = for_phone(history, seat)
        assert {key: value for key, value in phone.items() if key not in ("audience", "me")} == {
            key: value for key, value in table.items() if key not in ONLY_TABLE
        }
        line = next(line for line in phone["seats"] if line["seat"] == seat)
        assert all(phone["me"][key] == line[key] for key in ("name", "hand", "before", "to_move"))
        found[f"P{seat}"] = mine(phone["me"], history.match)
    return found


def truth(match: Match) -> Lines:
    """Everything, secrets included, but what the table's lines say as well."""
    lines = {
        each.name: compact(getattr(match, each.name))
        for each in fields(match)
        if each.name not in ("options", "players", "board", "phase", "round", "pile", "discarded", "asking")
    }
    lines["board"] = str(match.board)
    for player in match.players:
        for each in fields(player):
            if each.name in ("seat", "name", "hand", "before"):
                continue
            lines[f"P{player.seat}.{each.name}"] = compact(getattr(player, each.name))
    return lines


def public(view: View) -> Lines:
    """The table's view, a line for each seat and each card."""
    lines = {
        key: compact(value)
        for key, value in view.items()
        if key not in ("seats", "board", "news", "options", "faces", "goal_faces", "players")
    }
    for seat in view["seats"]:
        told = (
            f"{key}={compact(seat[key])}"
            for key in ("hand", "before", "role", "gold")
            if seat[key] is not None
        )
        lines[f"seat {seat['seat']}"] = " ".join(told)
    board = view["board"]
    for card in board["cards"]:
        turned = "~" if card["turned"] else ""
        lines[f"card {compact(card['cell'])}"] = f"{card['face']}{turned} lit {card['lit'] or '-'}"
    for key in ("face_down", "asking", "dealt"):
        lines[key] = compact(board[key])
    return lines


def mine(me: View, match: Match) -> Lines:
    """What a phone shows beside the public view, and the secrets that it can fetch."""
    lines = {
        key: compact(me[key]) for key in me if key not in ("seat", "name", "hand", "before", "to_move", "may")
    }
    lines["may"] = " ".join(name for name, answer in me["may"].items() if answer["ok"]) or "nothing"
    why: dict[str, list[str]] = {}
    for name, answer in me["may"].items():
        for problem in answer["why"]:
            why.setdefault(problem["code"], []).append(name)
    everything = list(me["may"])
    for code, names in why.items():
        lines[f"may not, {code}:"] = "all" if names == everything else " ".join(names)
    for what in SECRETS:
        lines[f"secret {what}"] = compact(secret(match, me["seat"], what))
    return lines


def compact(value: Any) -> str:
    """A value on as little room as it can be read on."""
    return json.dumps(value, default=str, separators=(",", ":")).replace('"', "")
