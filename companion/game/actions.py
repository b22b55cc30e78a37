"""The base game's other turns: broken tools and repairs, rockfall, map, discard."""

from __future__ import annotations

from companion.game.cards import Cell, Kind
from companion.game.commands import Break, Discard, Map, Repair, Rockfall
from companion.game.decks import Action, Tool
from companion.game.events import Discarded, Fell, Peeked, PutBefore, TakenFromBefore
from companion.game.refusal import Code, Problem
from companion.game.ruleset import rules_of
from companion.game.state import Match, Seat
from companion.game.story import Problems, Story
from companion.game.turns import end_turn, play, why_no_card, why_no_turn


def breakable(match: Match, seat: Seat) -> dict[Seat, tuple[Tool, ...]]:
    """Whole tools by player, before whom this seat may lay a broken one."""
    found = {}
    for player in match.players:
        if player.seat == seat and not match.options.break_oneself:
            continue
        tools = tuple(
            tool
            for tool in Tool
            if tool not in player.broken and not why_no_card(match, (Action.BREAK, (tool,)))
        )
        if tools:
            found[player.seat] = tools
    return found


def repair_cards(match: Match) -> tuple[tuple[Tool, ...], ...]:
    """The repair cards that may still be in a hand, by the tools they show."""
    return tuple(
        tools
        for action, tools in rules_of(match).actions
        if action is Action.REPAIR and not why_no_card(match, (action, tools))
    )


def repairable(match: Match) -> dict[Seat, tuple[Tool, ...]]:
    """Broken tools by player, as far as a repair card for them may still be in a hand."""
    shown = {tool for tools in repair_cards(match) for tool in tools}
    found = {player.seat: tuple(tool for tool in player.broken if tool in shown) for player in match.players}
    return {seat: tools for seat, tools in found.items() if tools}


def fallable(match: Match) -> tuple[Cell, ...]:
    """Cells whose card a rockfall may take."""
    return tuple(cell for cell, laid in sorted(match.board.cards.items()) if laid.face.kind is Kind.PATH)


def break_tool(story: Story, command: Break) -> Problems:
    """Broken tool: laid before any player, at most one of each tool."""
    match, card = story.match, (Action.BREAK, (command.tool,))
    problems = [*why_no_turn(match, command.actor), *why_no_card(match, card)]
    target = match.player(command.target)
    params = {"seat": command.target, "tool": command.tool.value}
    if target is None:
        problems.append(Problem(Code.NOT_A_SEAT))
    elif command.tool in target.broken:
        problems.append(Problem(Code.ALREADY_BROKEN, params=params))
    if command.target == command.actor and not match.options.break_oneself:
        problems.append(Problem(Code.NOT_ONESELF))
    if problems:
        return tuple(problems)
    play(story, command.actor, card)
    story.tell(PutBefore(command.target, command.tool.value))
    end_turn(story, command.actor)
    return ()


def repair(story: Story, command: Repair) -> Problems:
    """Repair: one broken tool that the card shows, removed from any player; never two."""
    match, tools = story.match, command.card or (command.tool,)
    problems = [*why_no_turn(match, command.actor), *why_no_card(match, (Action.REPAIR, tools))]
    target = match.player(command.target)
    if target is None:
        problems.append(Problem(Code.NOT_A_SEAT))
    elif command.tool not in target.broken:
        params = {"seat": command.target, "tool": command.tool.value}
        problems.append(Problem(Code.NOT_BROKEN, params=params))
    if command.tool not in tools:
        problems.append(Problem(Code.TOOL_NOT_ON_CARD, params={"tool": command.tool.value}))
    if problems:
        return tuple(problems)
    play(story, command.actor, (Action.REPAIR, tools))
    story.tell(TakenFromBefore(command.target, command.tool.value))
    end_turn(story, command.actor)
    return ()


def rockfall(story: Story, command: Rockfall) -> Problems:
    """Rockfall: one path card off the table, never the start or a goal."""
    match, card = story.match, (Action.ROCKFALL, ())
    problems = [*why_no_turn(match, command.actor), *why_no_card(match, card)]
    laid = match.board.cards.get(command.cell)
    if command.cell in match.board.face_down or (laid is not None and laid.face.kind is not Kind.PATH):
        problems.append(Problem(Code.START_OR_GOAL, command.cell))
    elif laid is None:
        problems.append(Problem(Code.NOTHING_TO_TAKE, command.cell))
    if problems or laid is None:
        return tuple(problems)
    play(story, command.actor, card)
    story.tell(Fell(command.actor, command.cell, str(laid)))
    end_turn(story, command.actor)
    return ()


def look_at_map(story: Story, command: Map) -> Problems:
    """Map: a look at one goal face down; only the dealt goals are known to the app."""
    match, card = story.match, (Action.MAP, ())
    problems = [*why_no_turn(match, command.actor), *why_no_card(match, card)]
    if command.cell not in match.board.face_down:
        problems.append(Problem(Code.NOT_A_HIDDEN_GOAL, command.cell))
    if problems:
        return tuple(problems)
    play(story, command.actor, card)
    story.tell(Peeked(command.actor, command.cell, dict(match.goals).get(command.cell, "")))
    end_turn(story, command.actor)
    return ()


def discard(story: Story, command: Discard) -> Problems:
    """Cards laid aside face down, as many drawn."""
    match, most = story.match, rules_of(story.match).most_discards
    problems = list(why_no_turn(match, command.actor))
    player = match.player(command.actor)
    hand = 0 if player is None else player.hand
    if not 1 <= command.count <= min(most, hand):
        params = {"count": command.count, "most": min(most, hand)}
        problems.append(Problem(Code.NOT_SO_MANY_CARDS, params=params))
    if problems:
        return tuple(problems)
    story.tell(Discarded(command.actor, command.count))
    end_turn(story, command.actor, draw=command.count)
    return ()
