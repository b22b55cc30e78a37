"""Laying a path card, and the goals that it reaches."""

from __future__ import annotations

from companion.game.board import goal_as_reached
from companion.game.cards import EDGES, GOAL_CELLS, Cell, Edges, Face, Kind, Laid, lay, neighbour
from companion.game.commands import Accept, Correct, Place, RevealGoal
from companion.game.events import Corrected, GoalReached, GoalTurned, PathLaid
from companion.game.options import GoalsKept
from companion.game.refusal import Code, Problem
from companion.game.ruleset import rules_of
from companion.game.state import HOST, NOBODY, TRAPPED, Match, Phase, Player, Seat
from companion.game.story import Problems, Story
from companion.game.turns import end_turn, why_no_turn


def why_no_path(player: Player) -> Problems:
    """Why this player can lay no path card at all."""
    problems: list[Problem] = []
    if player.broken:
        tools = [tool.value for tool in player.broken]
        problems.append(Problem(Code.BROKEN_TOOLS, params={"seat": player.seat, "tools": tools}))
    if TRAPPED in player.before:
        problems.append(Problem(Code.TRAPPED, params={"seat": player.seat}))
    return tuple(problems)


def why_none_left(match: Match, face: Face) -> Problems:
    """Why no path card of this face can be left in anybody's hand."""
    rules = rules_of(match)
    count = rules.paths[face]
    lying = sum(laid.face == face for laid in match.board.cards.values())
    if lying + match.used_paths.count(face) < count:
        return ()
    return (Problem(Code.NONE_LEFT, params={"face": face.name, "count": count}),)


def verdict(match: Match, seat: Seat, cell: Cell, laid: Laid) -> Problems:
    """Every reason why a player may not lay this card here and now; empty when it is right."""
    player = match.player(seat)
    if player is None:
        return (Problem(Code.NOT_A_SEAT),)
    problems = why_no_turn(match, seat)
    if problems and problems[0].code is Code.NO_ROUND:
        return problems
    if laid.face.kind is not Kind.PATH or laid.face not in rules_of(match).paths:
        return (*problems, Problem(Code.NOT_A_PATH_CARD, cell))
    return (
        *problems,
        *why_no_path(player),
        *match.board.verdict(cell, laid),
        *why_none_left(match, laid.face),
    )


def place(story: Story, command: Place) -> Problems:
    """A path card laid by the player to move."""
    laid = rules_of(story.match).of_deck(command.face, command.turned)
    if laid is None:
        return (*why_no_turn(story.match, command.actor), Problem(Code.NOT_A_PATH_CARD, command.cell))
    problems = verdict(story.match, command.actor, command.cell, laid)
    if problems:
        return problems
    _lay(story, command.actor, command.cell, laid, against_rules=False)
    return ()


def accept(story: Story, command: Accept) -> Problems:
    """An illegal card that the host lets lie, as the turn of the player to move."""
    match = story.match
    if problems := why_no_turn(match, match.to_move):
        return problems
    laid = rules_of(match).of_deck(command.face, command.turned)
    if laid is None:
        return (Problem(Code.NOT_A_PATH_CARD, command.cell),)
    if command.cell in match.board.cards or command.cell in match.board.face_down:
        return (Problem(Code.CELL_TAKEN, command.cell),)
    _lay(story, match.to_move, command.cell, laid, against_rules=True)
    return ()


def _lay(story: Story, seat: Seat, cell: Cell, laid: Laid, against_rules: bool) -> None:
    story.tell(PathLaid(seat, cell, str(laid), against_rules))
    finish_laying(story, seat, cell, turn_of=seat)


def finish_laying(story: Story, by: Seat, cell: Cell, turn_of: Seat) -> None:
    """Turns up what is reached, again and again; then the round, the question or the turn ends.

    `by` laid the card in `cell`; `turn_of` is whose turn it ends (NOBODY: a correction).
    """
    _turn_up_reached(story, by, cell, turn_of)
    gold = _gold_reached(story.match)
    if gold is not None:
        rules_of(story.match).gold_reached(story, gold)
    elif story.match.phase is Phase.ROUND and turn_of != NOBODY:
        end_turn(story, turn_of)


def _turn_up_reached(story: Story, by: Seat, cell: Cell, turn_of: Seat) -> None:
    known = {place: Face.parse(name) for place, name in story.match.goals}
    while True:
        arrivals = {
            goal: edges
            for goal, edges in story.match.board.arrivals().items()
            if goal not in story.match.asking
        }
        if not arrivals:
            return
        for goal in sorted(arrivals):
            if goal not in known:
                story.tell(GoalReached(turn_of, goal))
                continue
            laid = goal_as_reached(known[goal], arrivals[goal], _side_of(goal, cell) & arrivals[goal])
            story.tell(GoalTurned(by, goal, str(laid)))


def _side_of(goal: Cell, cell: Cell | None) -> Edges:
    """The side of a goal at which another cell lies (0: not beside it)."""
    return sum(edge for edge in EDGES if neighbour(goal, edge) == cell)


def _gold_reached(match: Match) -> Cell | None:
    for cell, laid in match.board.cards.items():
        if laid.face.is_gold and cell in match.board.reached:
            return cell
    return None


def reveal_goal(story: Story, command: RevealGoal) -> Problems:
    """The answer to which goal card it is that was reached."""
    match = story.match
    if command.actor not in (HOST, match.to_move):
        return (Problem(Code.NOT_YOUR_TURN, params={"seat": match.to_move}),)
    if match.phase is not Phase.ASKING or command.cell not in match.asking:
        return (Problem(Code.NOT_ASKED, command.cell),)
    if command.face.kind is not Kind.GOAL:
        return (Problem(Code.NOT_A_GOAL, command.cell),)
    if any(laid.face == command.face for laid in match.board.cards.values()):
        return (Problem(Code.GOAL_ALREADY_TOLD, command.cell, params={"face": command.face.name}),)
    arrivals = match.board.arrivals()[command.cell]
    laid = goal_as_reached(command.face, arrivals, _side_of(command.cell, match.last_cell) & arrivals)
    story.tell(GoalTurned(_finder(match), command.cell, str(laid)))
    finish_laying(story, _finder(match), command.cell, match.asked_of)
    return ()


def _finder(match: Match) -> Seat:
    """Who is said to have reached a goal: who laid the last path card, or else who has the turn."""
    return match.last_path or match.to_move


def correct(story: Story, command: Correct) -> Problems:
    """A cell set right by hand; what is reached by it is turned up as after any card."""
    match = story.match
    if not match.running:
        return (Problem(Code.NO_ROUND),)
    goal_cell = command.cell in GOAL_CELLS
    laid: Laid | None = None
    if command.face is not None:
        wanted = Kind.GOAL if goal_cell else Kind.PATH
        deck = rules_of(match)
        laid = lay(command.face, command.turned) if goal_cell else deck.of_deck(command.face, command.turned)
        if laid is None or laid.face.kind is not wanted:
            return (Problem(Code.NOT_A_GOAL if goal_cell else Code.NOT_A_PATH_CARD, command.cell),)
        if goal_cell and any(
            other.face == laid.face and cell != command.cell for cell, other in match.board.cards.items()
        ):
            return (Problem(Code.GOAL_ALREADY_TOLD, command.cell, params={"face": laid.face.name}),)
    old = match.board.cards.get(command.cell)
    if old == laid:
        return (Problem(Code.NOTHING_TO_CORRECT, command.cell),)
    dealt = goal_cell and match.options.goals is GoalsKept.DEALT
    if dealt and laid is not None and (old is None or old.face is not laid.face):
        # Whether it is right or wrong would tell the host where the gold lies.
        return (Problem(Code.GOAL_IS_DEALT, command.cell),)
    if old is not None and old.face.kind is Kind.START:
        return (Problem(Code.START_OR_GOAL, command.cell),)
    story.tell(Corrected(command.cell, "" if laid is None else str(laid)))
    waiting = match.asked_of if match.phase is Phase.ASKING else NOBODY
    finish_laying(story, _finder(match), command.cell, turn_of=waiting)
    return ()


def goals_for_table(match: Match) -> tuple[tuple[Cell, str], ...]:
    """Goals the app dealt and that are turned up: which card to lay on the table, and which way up."""
    if match.options.goals is not GoalsKept.DEALT:
        return ()
    return tuple(
        (cell, str(laid)) for cell, laid in sorted(match.board.cards.items()) if laid.face.kind is Kind.GOAL
    )
