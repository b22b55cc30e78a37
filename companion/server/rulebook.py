"""The rules at hand: every card with its picture, who is who, what is paid, and the options in force.

All numbers come from the core's own tables, for the game and the number of players at the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, g, render_template, url_for
from flask_babel import gettext

from companion.game import decks, gold, shares, views
from companion.game.cards import Face
from companion.game.options import Game, GoldDrawn, Options
from companion.game.ruleset import RULES, RuleSet
from companion.server.access import Audience, Says, open_to
from companion.wording.options import OF_THE_BASE_GAME, OF_THE_EXPANSION, OPTIONS

blueprint = Blueprint("rulebook", __name__)


@dataclass(frozen=True)
class Row:
    """One row of the table of roles: for so many players, the cards of each role and of a hand."""

    players: int
    roles: Mapping[str, int]
    hand: int
    here: bool
    """Whether so many sit at this table."""


@blueprint.get("/t/<code>/rules")
@open_to(Audience.ANYONE, says=Says.PAGE)
def page(code: str) -> str:
    """The rules of this table, to be read at any time."""
    view = views.for_table(g.table.present().history)
    back = "shared.page" if g.asker.device else "phone.page" if g.asker.seat else "table_screen.page"
    back_to = url_for(back, code=g.table.code)
    at_table = g.asker.device is not None or g.asker.seat is not None
    return render_template(
        "rules.html", code=g.table.code, back_to=back_to, at_table=at_table, **of_table(view)
    )


def of_table(view: Mapping[str, Any]) -> dict[str, Any]:
    """What the page is filled with, from the public view of a table."""
    game = Game(view["options"]["game"])
    rules, players = RULES[game], len(view["seats"])
    return {
        "expansion": game is Game.EXPANSION,
        "players": players,
        "least": rules.players[0],
        "most": rules.players[-1],
        "rounds": gold.ROUNDS,
        "set_aside": rules.set_aside,
        "most_discards": rules.most_discards,
        "roles": role_rows(rules, players),
        "paths": path_cards(rules),
        "actions": action_cards(rules),
        "one_for_each_miner": view["options"]["gold_drawn"] == GoldDrawn.MINERS,
        "gold_cards": decks.GOLD_CARDS,
        "most_gold_drawn": gold.MOST_GOLD_DRAWN,
        "saboteurs_pay": gold.SABOTEURS_PAY,
        "shares": {**shares.SHARE, max(shares.SHARE) + 1: shares.SHARE_OF_MANY},
        "less": {role.value: less for role, less in shares.LESS.items()},
        "options": options_in_words(view["options"], game),
    }


def role_rows(rules: RuleSet, players: int) -> tuple[Row, ...]:
    """The role deck for every number of players; one row where it is the same for all."""
    rows = tuple(
        Row(
            count, Counter(role.value for role in rules.role_deck(count)), rules.hand(count), count == players
        )
        for count in rules.players
    )
    return rows[:1] if all(row.roles == rows[0].roles for row in rows) else rows


def path_cards(rules: RuleSet) -> dict[str, dict[str, int]]:
    """The path cards by what there is to explain about them: kind -> face -> how many."""
    kinds: dict[str, dict[str, int]] = {}
    for face, count in rules.paths.items():
        kinds.setdefault(kind_of(face), {})[face.name] = count
    return kinds


def kind_of(face: Face) -> str:
    """What there is to explain about a path card.

    >>> [kind_of(Face.parse(name)) for name in ("NES", "N.E", "NS.EW", "NS.E", "S+ladder", "EW+blue")]
    ['way', 'dead_end', 'two_ways', 'mixed', 'ladder', 'door']
    """
    if face.ladder:
        return "ladder"
    if face.door:
        return "door"
    if face.crystal:
        return "crystal"
    through = [tunnel.bit_count() > 1 for tunnel in face.tunnels]
    if all(through):
        return "way" if len(through) == 1 else "two_ways"
    return "mixed" if any(through) else "dead_end"


def action_cards(rules: RuleSet) -> dict[str, dict[str, int]]:
    """The action cards: action -> name of the card's picture -> how many."""
    found: dict[str, dict[str, int]] = {}
    for (action, tools), count in rules.actions.items():
        found.setdefault(action.value, {})["-".join((action.value, *tools))] = count
    return found


def options_in_words(options: Mapping[str, str | bool], game: Game) -> list[tuple[str, str, bool]]:
    """Question, answer in force, and whether it is another than the publisher's, for all that matter here."""
    idle = OF_THE_BASE_GAME if game is Game.EXPANSION else OF_THE_EXPANSION
    usual = Options().to_json()
    return [
        (gettext(question), gettext(answers[str(options[name]).lower()]), options[name] != usual[name])
        for name, (question, answers) in OPTIONS.items()
        if name not in idle
    ]
