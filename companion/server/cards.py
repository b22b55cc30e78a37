"""Pictures of the cards for the screens, drawn from the same source as the printed deck."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from flask import Blueprint, Response

from companion.game.cards import Face, UnreadableCard
from companion.server.access import Audience, Says, open_to
from companion.server.problems import ServerProblem

GOAL_BACK = "goal-back"
BROKEN = "broken-"
KEPT_S = 3600

# What draws is imported with the first card that is wanted: it brings OpenCV along, which would hold up
# the start of a server by half a second.

blueprint = Blueprint("cards", __name__)


@blueprint.get("/cards/<face>.svg")
@open_to(Audience.ANYONE, says=Says.PAGE)
def card(face: str) -> Response:
    """A face by its name ("NS.E", "gold"), or the back of the goals ("goal-back")."""
    return _picture(drawn, face)


@blueprint.get("/cards/icon/<name>.svg")
@open_to(Audience.ANYONE, says=Says.PAGE)
def icon(name: str) -> Response:
    """A symbol by its name ("nugget", "pickaxe", "broken-pickaxe")."""
    return _picture(symbol, name)


@blueprint.get("/cards/action/<name>.svg")
@open_to(Audience.ANYONE, says=Says.PAGE)
def action(name: str) -> Response:
    """An action card by what it does and the tools on it ("map", "repair-pickaxe-lantern")."""
    return _picture(action_card, name)


def _picture(draw: Callable[[str], str], name: str) -> Response:
    try:
        svg = draw(name)
    except (UnreadableCard, KeyError) as error:
        raise ServerProblem(404, "no_such_card_picture") from error
    return Response(svg, mimetype="image/svg+xml", headers={"Cache-Control": f"public, max-age={KEPT_S}"})


@lru_cache(maxsize=64)
def symbol(name: str) -> str:
    """The symbol, as SVG. Raises KeyError."""
    from printables.symbols import symbol_svg

    tool = name.removeprefix(BROKEN)
    return symbol_svg(f"{tool}-broken" if tool != name else name)


@lru_cache(maxsize=64)
def action_card(name: str) -> str:
    """The action card as it is printed, as SVG. Raises KeyError."""
    from printables.actions import action_svg
    from printables.cards import ACTIONS, MORE_ACTIONS

    return action_svg({card.id.rpartition("-")[0]: card for card in (*MORE_ACTIONS, *ACTIONS)}[name])


@lru_cache(maxsize=256)
def drawn(face: str) -> str:
    """The drawing, as SVG. Raises UnreadableCard."""
    from printables.art import shape_svg
    from printables.backs import goal_back_svg

    return goal_back_svg(marked=False) if face == GOAL_BACK else shape_svg(Face.parse(face))
