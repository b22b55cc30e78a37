// The end of a round and of the game: who won and why, all roles, and the gold in the end.
import { el, svg } from "./dom.js";
import { icon, roleIcon, roleInWords } from "./players.js";
import { word } from "./words.js";

const SIGNS = { miners: "nugget", saboteurs: "saboteur", green: "nugget", blue: "nugget", both: "nugget" };

export function winnerInWords(outcome) {
  return word(`won.${outcome.winner}`);
}

function endingInWords({ outcome, seats }) {
  return word(`ending.${outcome.ending}`, {
    name: seats.find((seat) => seat.seat === outcome.by)?.name ?? "",
  });
}

/**
 * Who won and why, then every role as a card that turns over one after another. The left-over role is the last
 * card; of the many that the expansion leaves over there is a line.
 */
export function roundOutcome(view) {
  const { outcome } = view;
  const cards = view.seats.map((seat) =>
    roleCard(seat.name, seat.role, outcome.winners.includes(seat.seat)),
  );
  const left = outcome.left_over ?? [];
  if (left.length === 1) cards.push(roleCard(word("role.left_over"), left[0], false));
  cards.forEach((card, place) => inTurn(card, place));
  const sign = SIGNS[outcome.winner];
  return el(
    "section",
    { class: `outcome stack ${outcome.winner}` },
    el(
      "div",
      { class: "ending-head" },
      sign ? icon(sign) : null,
      el(
        "div",
        {},
        el("h2", { class: "verdict-title" }, winnerInWords(outcome)),
        el("p", { class: "lead" }, endingInWords(view)),
      ),
    ),
    outcome.note ? el("p", { class: "word-note" }, outcome.note) : null,
    el("ul", { class: "role-cards" }, cards),
    left.length > 1 ? leftOver(left, cards.length) : null,
  );
}

function leftOver(roles, place) {
  const counts = new Map();
  for (const role of roles) counts.set(role, (counts.get(role) ?? 0) + 1);
  const items = [...counts].map(([role, count]) =>
    el("li", {}, icon(roleIcon(role)), count > 1 ? `${count} × ${roleInWords(role)}` : roleInWords(role)),
  );
  const node = el(
    "div",
    { class: "left-over" },
    el("h3", {}, word("role.left_overs")),
    el("ul", {}, items),
  );
  inTurn(node, place);
  return node;
}

function roleCard(name, role, won) {
  return el(
    "li",
    { class: won ? "role-card won" : "role-card" },
    el(
      "div",
      { class: "role-slot" },
      el(
        "div",
        { class: "role-face" },
        role ? icon(roleIcon(role)) : null,
        el("span", {}, role ? roleInWords(role) : word("role.unknown")),
      ),
    ),
    el("strong", {}, name),
    won ? el("span", { class: "tag" }, `★ ${word("gold.winner")}`) : null,
  );
}

/** The place of a node in the ceremony: the style sheet lets it turn over when its time comes. */
function inTurn(node, place) {
  node.style.setProperty("--turn", String(place));
}

/** How much gold lies in the fan still: one card back for each, and the number. */
export function goldLeft(left) {
  return el(
    "div",
    { class: "gold-left" },
    el(
      "span",
      { class: "fan-left", "aria-hidden": "true" },
      Array.from({ length: left }, () => el("i", {})),
    ),
    el("p", { class: "lead" }, word("picking.left", { n: left })),
  );
}

/** The gold of all players, most first, as a table with a bar for the three rounds; the winner's line turns over last. */
export function goldCeremony(view) {
  const ranked = [...view.seats].sort((one, other) => (other.gold ?? 0) - (one.gold ?? 0));
  const most = Math.max(1, ...ranked.map((seat) => sum(seat.gold_by_round.filter((gain) => gain > 0))));
  const rounds = Array.from({ length: view.rounds }, (_, index) => index);
  const rows = ranked.map((seat, place) => {
    const won = view.winners.includes(seat.seat);
    const row = el(
      "tr",
      { class: won ? "gold-row won" : "gold-row" },
      el(
        "th",
        { scope: "row" },
        seat.name,
        won ? el("span", { class: "tag" }, `★ ${word("gold.winner")}`) : null,
      ),
      el("td", { class: "gold-bar", "aria-hidden": "true" }, bar(seat.gold_by_round, most)),
      rounds.map((index) => el("td", {}, signed(seat.gold_by_round[index] ?? 0))),
      el("td", { class: "gold-sum" }, icon("nugget"), seat.gold ?? 0),
    );
    inTurn(row, ranked.length - 1 - place);
    return row;
  });
  return el(
    "section",
    { class: "ceremony stack" },
    el("h2", { class: "verdict-title" }, word("gold.title")),
    el(
      "table",
      { class: "gold-table" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, word("gold.player")),
          el("td", { "aria-hidden": "true", class: "gold-bar" }),
          rounds.map((index) =>
            el(
              "th",
              { scope: "col" },
              el("span", { class: `key round-${index + 1}`, "aria-hidden": "true" }),
              el("span", { class: "long" }, word("gold.of_round", { n: index + 1 })),
              el("span", { class: "short", "aria-hidden": "true" }, index + 1),
            ),
          ),
          el("th", { scope: "col" }, word("gold.sum")),
        ),
      ),
      el("tbody", {}, rows),
    ),
  );
}

/** What each round brought, side by side; a round that took gold away has no part of it. */
function bar(gains, most) {
  let from = 0;
  const parts = gains.map((gain, index) => {
    const part =
      gain > 0 ? svg("rect", { class: `round-${index + 1}`, x: from, y: 0, width: gain, height: 1 }) : null;
    from += Math.max(0, gain);
    return part;
  });
  return svg("svg", { viewBox: `0 0 ${most} 1`, preserveAspectRatio: "none" }, parts);
}

function signed(gain) {
  return gain < 0 ? `−${-gain}` : String(gain);
}

function sum(gains) {
  return gains.reduce((total, gain) => total + gain, 0);
}
