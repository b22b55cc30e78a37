"""What each viewer may see, built by naming what goes in. The only way out of a match."""

from __future__ import annotations

from typing import Any

from companion.game.actions import breakable, fallable, repair_cards, repairable
from companion.game.cards import GOALS, Cell, letters, parse_laid
from companion.game.gold import ROUNDS, match_winners
from companion.game.history import History
from companion.game.moves import may
from companion.game.paths import goals_for_table
from companion.game.refusal import Code, Refusal, refuse
from companion.game.ruleset import rules_of
from companion.game.state import Match, Phase, Player, Seat
from companion.game.story import Problems

ROLES_SHOWN = (Phase.BETWEEN, Phase.PICKING, Phase.STEALING, Phase.OVER)
"""Phases after the end of a round, when all roles lie open."""

View = dict[str, Any]


def for_table(history: History) -> View:
    """What everybody in the room may see: the table screen, and the host's as well."""
    match = history.match
    return {
        "audience": "table",
        **_public(history),
        "undoable": len(history.undoable()),
        "undo_next": history.undo_next.to_json() if history.undo_next else None,
        "asking": [list(cell) for cell in match.asking],
    }


def for_phone(history: History, seat: Seat) -> View:
    """The public view and what one seat may do. Its secrets are fetched one by one (`secret`)."""
    match = history.match
    player = match.at(seat)
    return {"audience": "phone", **_public(history), "me": _me(match, player)}


def secret(match: Match, seat: Seat, what: str) -> View | Refusal:
    """One secret of one seat: its role, its looks at goals, its gold, or the fan it picks from now."""
    player = match.player(seat)
    if player is None:
        return refuse(Code.NOT_A_SEAT)
    if what == "role":
        return {"role": player.role.value if player.role else None}
    if what == "peek":
        return {"peeks": [{"cell": list(cell), "face": face} for cell, face in player.peeks]}
    if what == "inspection":
        return {"inspections": [{"seat": other, "role": role} for other, role in player.inspections]}
    if what == "gold":
        return {"total": player.nuggets, "cards": list(player.gold), "by_round": list(player.gains)}
    if what == "fan":
        return {"cards": list(match.fan if match.picker == seat else ())}
    return refuse(Code.BAD_COMMAND, command=what[:40])


def _public(history: History) -> View:
    match = history.match
    return {
        "version": history.version,
        "phase": match.phase.value,
        "round": match.round,
        "rounds": ROUNDS,
        "options": match.options.to_json(),
        "players": {"least": rules_of(match).players[0], "most": rules_of(match).players[-1]},
        "seats": [_seat(match, player) for player in match.players],
        "to_move": match.to_move or None,
        "pile": match.pile,
        "discarded": match.discarded,
        "board": _board(match),
        "outcome": _outcome(match),
        "picking": {"seat": match.picker, "left": len(match.fan)} if match.phase is Phase.PICKING else None,
        "stealing": match.thieves[0] if match.phase is Phase.STEALING else None,
        "winners": list(match_winners(match)) if match.phase is Phase.OVER else [],
        "news": [item.to_json() for item in history.news],
        "faces": [face.name for face in rules_of(match).paths],
        "goal_faces": [goal.name for goal in GOALS],
    }


def _seat(match: Match, player: Player) -> View:
    shown = match.phase in ROLES_SHOWN and player.role is not None
    return {
        "seat": player.seat,
        "name": player.name,
        "hand": player.hand,
        "before": list(player.before),
        "to_move": player.seat == match.to_move,
        "role": player.role.value if shown and player.role else None,
        "gold": player.nuggets if match.phase is Phase.OVER else None,
        "gold_by_round": list(player.gains) if match.phase is Phase.OVER else None,
    }


def _board(match: Match) -> View:
    board = match.board
    turned_up = dict(goals_for_table(match))
    return {
        "text": str(board),
        "cards": [
            {
                "cell": list(cell),
                "face": laid.face.name,
                "turned": laid.turned,
                "lit": letters(board.reached.get(cell, 0)),
            }
            for cell, laid in sorted(board.cards.items())
        ],
        "face_down": [list(cell) for cell in sorted(board.face_down)],
        "asking": [list(cell) for cell in match.asking],
        "dealt": [_laid(cell, card) for cell, card in turned_up.items()],
    }


def _laid(cell: Cell, card: str) -> View:
    laid = parse_laid(card)
    return {"cell": list(cell), "face": laid.face.name, "turned": laid.turned}


def _outcome(match: Match) -> View | None:
    outcome = match.outcome
    if outcome is None:
        return None
    return {
        "winner": outcome.winner.value,
        "ending": outcome.ending.value,
        "by": outcome.by or None,
        "winners": list(outcome.winners),
        "note": outcome.note,
        "door_faults": [{"seat": seat, "cell": list(cell)} for seat, cell in match.door_faults],
        "left_over": [role.value for role in match.left_over],
    }


def _me(match: Match, player: Player) -> View:
    mine = match.phase is Phase.PICKING and match.picker == player.seat
    return {
        "seat": player.seat,
        "name": player.name,
        "hand": player.hand,
        "before": list(player.before),
        "to_move": player.seat == match.to_move,
        "may": {name: _may(why) for name, why in may(match, player).items()},
        "breakable": _by_seat(breakable(match, player.seat)),
        "repairable": _by_seat(repairable(match)),
        "rockfall_cells": [list(cell) for cell in fallable(match)],
        "map_cells": [list(cell) for cell in sorted(match.board.face_down)],
        "repair_cards": [[tool.value for tool in tools] for tools in repair_cards(match)],
        "has_role": player.role is not None,
        "has_peek": bool(player.peeks),
        "has_gold": bool(player.gold),
        "has_inspection": bool(player.inspections),
        "fan": {"left": len(match.fan)} if mine else None,
    }


def _by_seat(found: dict[Seat, Any]) -> list[View]:
    return [{"seat": seat, "tools": [tool.value for tool in tools]} for seat, tools in found.items()]


def _may(why: Problems) -> View:
    return {"ok": not why, "why": [problem.to_json() for problem in why]}
