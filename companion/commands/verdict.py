"""`pithead verdict`: what the rules say of one card on one board, both as text."""

from __future__ import annotations

from typing import Any

from flask_babel import gettext

from companion.game.board import Board, UnreadableBoard, parse_placement
from companion.game.cards import UnreadableCard
from companion.sentences import sentence
from companion.trouble import Trouble


def run(options: Any) -> int:
    """Prints the verdict with its reasons; 1 when the card may not lie there. Raises Trouble."""
    try:
        board = Board.parse(options.board)
    except (UnreadableBoard, UnreadableCard) as error:
        raise Trouble("unreadable_board", text=str(error)) from error
    try:
        cell, laid = parse_placement(options.placement)
    except UnreadableCard as error:
        raise Trouble("unreadable_placement", text=str(error)) from error
    if laid is None:
        raise Trouble("unreadable_placement", text=options.placement)
    problems = board.verdict(cell, laid)
    print(gettext("It may not lie there:") if problems else gettext("It may lie there."))
    for problem in problems:
        place = {} if problem.edge is None else {"edge": problem.edge}
        print(f"  {problem.code.value}: {sentence(problem.code.value, {**place, **problem.params})}")
    return 1 if problems else 0
