"""Why something may not be: the sentences of the rules' codes."""

from __future__ import annotations

from companion.wording import N_

SENTENCES = {
    # laying a path card
    "cell_taken": N_("A card lies there already."),
    "not_beside": N_("It lies next to no card."),
    "rock_meets_tunnel/N": N_("Its upper side is rock, but the card there has a tunnel."),
    "rock_meets_tunnel/E": N_("Its right side is rock, but the card there has a tunnel."),
    "rock_meets_tunnel/S": N_("Its lower side is rock, but the card there has a tunnel."),
    "rock_meets_tunnel/W": N_("Its left side is rock, but the card there has a tunnel."),
    "tunnel_meets_rock/N": N_("Its upper side has a tunnel, but the card there is rock."),
    "tunnel_meets_rock/E": N_("Its right side has a tunnel, but the card there is rock."),
    "tunnel_meets_rock/S": N_("Its lower side has a tunnel, but the card there is rock."),
    "tunnel_meets_rock/W": N_("Its left side has a tunnel, but the card there is rock."),
    "not_joined": N_("No tunnel of it is joined to the start."),
    "ladder_by_goal": N_("A ladder may not lie next to a goal."),
    "none_left": N_("All %(count)s cards of this kind have been used in this round: %(card)s."),
    "none_left/1": N_("The only card of this kind has been used in this round: %(card)s."),
    "not_a_path_card": N_("Only path cards may lie there."),
    "broken_tools": N_("A broken tool keeps you from laying path cards: %(tools)s. Repair it first."),
    "trapped": N_("Whoever is trapped lays no path cards."),
    "no_theft_while_trapped": N_("Whoever is trapped steals nothing."),
    # taking a turn
    "not_your_turn": N_("It is not your turn: %(name)s is to play."),
    "no_round": N_("No round is being played now."),
    "goal_to_tell": N_("First say which goal card was reached."),
    "not_so_many_cards": N_("You can lay aside at most %(most)s cards."),
    "not_in_this_game": N_("That belongs to the expansion, and this table plays without it."),
    # action cards
    "already_broken": N_("A broken tool of this kind lies before %(name)s already: %(tool)s."),
    "not_oneself": N_("At this table nobody lays a broken tool before themselves."),
    "not_broken": N_("This tool of %(name)s is not broken: %(tool)s."),
    "tool_not_on_card": N_("The repair card does not show this tool: %(tool)s."),
    "no_such_card": N_("There is no such card in the deck: %(card)s."),
    "nothing_to_take": N_("There is no path card that a rockfall could take."),
    "start_or_goal": N_("The start card and the goals stay where they are."),
    "not_a_hidden_goal": N_("A map looks at a goal that still lies face down."),
    "nobody_to_break": N_("Nobody is left before whom a broken tool could be laid."),
    "nothing_broken": N_("Nothing is broken."),
    "already_before": N_("The same card lies before %(name)s already."),
    "not_before": N_("No such card lies before %(name)s."),
    "no_hats_left": N_("No role card is left to swap with."),
    # goals told by hand
    "not_asked": N_("This goal has not been reached."),
    "not_a_goal": N_("That is not a goal card."),
    "goal_is_dealt": N_("Pithead keeps this goal: it is turned up when a way reaches it."),
    "goal_already_told": N_("This goal card lies face up already: %(card)s."),
    # gold
    "not_picking": N_("No gold is being shared out now."),
    "not_your_pick": N_("%(name)s picks now."),
    "no_such_gold": N_("There are only %(left)s gold cards to pick from."),
    "not_stealing": N_("Nobody steals now."),
    "nothing_to_steal": N_("%(name)s has no gold to steal."),
    # the table
    "not_host": N_("Only the host at the computer can do that."),
    "not_a_seat": N_("Nobody sits there."),
    "table_full": N_("The table is full: at most %(most)s can play. Ask the host to free a seat."),
    "too_few_players": N_("At least %(least)s players are needed, and %(players)s have joined."),
    "too_many_players": N_("At most %(most)s can play, and %(players)s have joined."),
    "round_running": N_("That goes only between rounds. Wait until this round is over."),
    "game_running": N_("Rules can only be changed before a game begins."),
    "bad_name": N_("A name has 1 to %(most)s characters. Please choose another one."),
    "bad_option": N_("There is no such rule to choose: %(option)s."),
    "bad_order": N_("Name every player once to set the order round the table."),
    "bad_command": N_("The program does not know what is asked: %(command)s. Reload the page."),
    "bad_field": N_("Something is missing or wrong in what the page sent: %(field)s. Reload the page."),
    "nothing_to_undo": N_("There are not so many steps to take back."),
    "nothing_to_correct": N_("It is like that already."),
}
