// The end of a round and of the game: who won and why, all roles, and the gold in the end.
import { el } from "./dom.js";
import { icon, roleIcon, roleInWords } from "./players.js";
import { word } from "./words.js";

export function winnerInWords(outcome) {
  return word(`won.${outcome.winner}`);
}

function endingInWords({ outcome, seats }) {
  return word(`ending.${outcome.ending}`, {
    name: seats.find((seat) => seat.seat === outcome.by)?.name ?? "",
  });
}

/** Who won and why, then every role as a card that turns over one after another; the left-over ones last. */
export function roundOutcome(view) {
  const { outcome } = view;
  const cards = view.seats.map((seat) => roleCard(seat.name, seat.role));
  for (const role of outcome.left_over ?? []) cards.push(roleCard(word("role.left_over"), role));
  return el(
    "section",
    { class: `outcome stack ${outcome.winner}` },
    el("h2", { class: "verdict-title" }, winnerInWords(outcome)),
    el("p", { class: "lead" }, endingInWords(view)),
    outcome.note ? el("p", { class: "word-note" }, outcome.note) : null,
    el("ul", { class: "role-cards" }, cards),
  );
}

function roleCard(name, role) {
  return el(
    "li",
    { class: "role-card" },
    el(
      "div",
      { class: "role-face" },
      role ? icon(roleIcon(role)) : null,
      el("span", {}, role ? roleInWords(role) : word("role.unknown")),
    ),
    el("strong", {}, name),
  );
}

/** The gold of all players, least first, so that the winner comes last; a bar for each. */
export function goldCeremony(view) {
  const ranked = [...view.seats].sort((one, other) => (one.gold ?? 0) - (other.gold ?? 0));
  const most = Math.max(1, ...ranked.map((seat) => seat.gold ?? 0));
  const rows = ranked.map((seat) => {
    const won = view.winners.includes(seat.seat);
    return el(
      "li",
      { class: won ? "gold-row won" : "gold-row" },
      el("strong", {}, seat.name),
      el("meter", { min: 0, max: most, value: seat.gold ?? 0, "aria-label": seat.name }),
      el("span", { class: "count" }, icon("nugget"), word("gold.total", { n: seat.gold ?? 0 })),
      won ? el("span", { class: "tag" }, `★ ${word("gold.winner")}`) : null,
    );
  });
  return el(
    "section",
    { class: "ceremony stack" },
    el("h2", { class: "verdict-title" }, word("gold.title")),
    el("ol", { class: "gold-rows" }, rows),
  );
}
