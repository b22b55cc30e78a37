"""What happened, as everybody may hear it, and how a round ended."""

from __future__ import annotations

from companion.wording import N_

SENTENCES = {
    "joined": N_("%(name)s has joined."),
    "left": N_("%(name)s has left the table."),
    "renamed": N_("%(old_name)s is called %(name)s now."),
    "seated": N_("The order round the table was changed."),
    "options_set": N_("The rules of this table were changed."),
    "round_started": N_("Round %(round)s begins: %(name)s plays first."),
    "path_laid": N_("%(name)s laid a path card."),
    "path_laid_against_rules": N_("%(name)s laid a path card against the rules, and the host let it lie."),
    "goal_reached": N_("A goal was reached. Turn it up and say which one it is."),
    "gold_found": N_("%(name)s reached the gold!"),
    "stone_found": N_("%(name)s reached a goal: only stone."),
    "theft_played": N_("%(name)s plans a theft."),
    "put_before": N_("%(name)s laid a broken tool before %(target_name)s: %(token)s."),
    "put_before/trapped": N_("%(name)s trapped %(target_name)s."),
    "taken_from_before": N_("A tool of %(target_name)s was repaired: %(token)s."),
    "taken_from_before/trapped": N_("%(target_name)s is free again."),
    "taken_from_before/theft": N_("%(target_name)s has to keep hands off: no theft."),
    "helped": N_("%(name)s repaired a tool of %(target_name)s: %(token)s."),
    "helped/trapped": N_("%(name)s freed %(target_name)s."),
    "helped/theft": N_("%(name)s makes %(target_name)s keep hands off: no theft."),
    "fell": N_("%(name)s let rock fall: a path card is gone."),
    "map_played": N_("%(name)s looked at a goal."),
    "inspected": N_("%(name)s looked at the role of %(target_name)s."),
    "hands_swapped": N_("%(name)s and %(target_name)s swapped their hands."),
    "hat_swapped": N_("%(name)s gave %(target_name)s another role."),
    "discarded": N_("%(name)s laid cards aside: %(count)s."),
    "discarded/1": N_("%(name)s laid a card aside."),
    "corrected": N_("The host set a card right."),
    "corrected/": N_("The host took a card off the board."),
    "round_ended": N_("The round is over."),
    "round_ended/miners": N_("The round is over: the miners win."),
    "round_ended/saboteurs": N_("The round is over: the saboteurs win."),
    "round_ended/nobody": N_("The round is over: nobody wins."),
    "round_ended/green": N_("The round is over: the green miners win."),
    "round_ended/blue": N_("The round is over: the blue miners win."),
    "round_ended/both": N_("The round is over: both teams of miners win."),
    "gold_fanned": N_("Gold is shared out: %(name)s picks first."),
    "gold_picked": N_("%(name)s took a gold card."),
    "nothing_stolen": N_("%(name)s found nobody to steal from."),
    "stolen": N_("%(name)s stole a piece of gold from %(target_name)s."),
    "match_ended": N_("The game is over."),
    "undone": N_("The host took back steps: %(count)s."),
    "undone/1": N_("The host took back the last step."),
    "undone_seen": N_(
        "The host took back steps (%(count)s) in which somebody had seen a secret. What was seen stays seen."
    ),
    "undone_seen/1": N_(
        "The host took back a step in which somebody had seen a secret. What was seen stays seen."
    ),
    # why a round ended
    "gold_reached": N_("%(name)s reached the gold."),
    "cards_used_up": N_("All cards are used up and the gold was not reached."),
    "by_hand": N_("The host ended the round."),
}
