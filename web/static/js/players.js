// Everybody at the table: whose turn, broken tools by picture and word, hand counts, and roles when they are shown.
import { el } from "./dom.js";
import { iconUrl } from "./faces.js";
import { hasWord, word } from "./words.js";

const TOOLS = ["pickaxe", "lantern", "cart"];

export function icon(name, label = "") {
  return el("img", { class: "icon", src: iconUrl(name), alt: label, width: 40, height: 40 });
}

/** What lies before a player: a broken tool is a picture with a cross and its name. */
export function lyingBefore(before) {
  return before.map((name) =>
    TOOLS.includes(name)
      ? el(
          "li",
          { class: "tool" },
          icon(`broken-${name}`, word(`broken.${name}`)),
          el("span", { "aria-hidden": "true" }, `✕ ${word(`tool.${name}`)}`),
        )
      : el("li", { class: "tool" }, icon(name), el("span", {}, word(`before.${name}`))),
  );
}

export function roleInWords(role) {
  return hasWord(`role.${role}`) ? word(`role.${role}`) : role;
}

/** One list of all seats. `mine`: the reader's own seat; `roles`: show roles that lie open. */
export function playerList(view, { mine = null, roles = false } = {}) {
  const running = ["round", "asking"].includes(view.phase);
  const items = view.seats.map((seat) => {
    const moving = running && seat.seat === view.to_move;
    const picking = view.picking?.seat === seat.seat;
    const stealing = view.stealing === seat.seat;
    const awaited = moving || picking || stealing;
    const role = roles ? seat.role : null;
    return el(
      "li",
      { class: awaited ? "seat moving" : "seat", "data-seat": seat.seat },
      el(
        "div",
        { class: "seat-name" },
        el(
          "strong",
          {},
          awaited ? el("span", { class: "arrow", "aria-hidden": "true" }, "▶ ") : null,
          seat.name,
        ),
        seat.seat === mine ? el("span", { class: "soft" }, word("you")) : null,
        moving ? el("span", { class: "tag" }, word("seat.turn")) : null,
        picking ? el("span", { class: "tag" }, word("seat.picks")) : null,
      ),
      running ? el("span", { class: "count" }, word("seat.hand", { n: seat.hand })) : null,
      role ? el("span", { class: "count role" }, icon(roleIcon(role)), roleInWords(role)) : null,
      seat.before.length && running ? el("ul", { class: "tools" }, lyingBefore(seat.before)) : null,
    );
  });
  return el("ul", { class: "seats" }, items);
}

export function roleIcon(role) {
  return role;
}

/** How the round stands: round, pile and discards as numbers with their names. */
export function standing(view) {
  const facts = [
    ["stand.round", word("stand.round_of", { n: view.round, all: view.rounds })],
    ["stand.pile", view.pile],
    ["stand.discarded", view.discarded],
  ];
  return el(
    "dl",
    { class: "standing" },
    facts.map(([name, value]) =>
      el("div", { class: "fact" }, el("dt", {}, word(name)), el("dd", {}, value)),
    ),
  );
}

/** The line that says whose turn it is. */
export function turnInWords(view, mine = null) {
  const name = (seat) => view.seats.find((one) => one.seat === seat)?.name ?? "";
  if (view.phase === "round" && view.to_move === mine) return word("turn.mine");
  if (view.phase === "round") return word("turn.of", { name: name(view.to_move) });
  if (view.phase === "stealing" && view.stealing === mine) return word("steal.whom");
  if (view.phase === "stealing") return word("turn.steals", { name: name(view.stealing) });
  if (view.phase === "asking") return word("turn.asking");
  if (view.phase === "picking" && view.picking?.seat === mine) return word("turn.pick_mine");
  if (view.phase === "picking") return word("turn.picks", { name: name(view.picking?.seat) });
  return word(`turn.${view.phase}`);
}

/** What has happened, newest first. */
export function newsList(news) {
  return el(
    "ol",
    { class: "news" },
    [...news].reverse().map((one) => el("li", {}, one.text)),
  );
}

/** Tells a screen reader what is new, once, without interrupting. Never given anything secret. */
export class Herald {
  constructor(node) {
    this.node = node;
    this.told = null;
  }

  tell(text) {
    if (text === this.told) return;
    const first = this.told === null;
    this.told = text;
    if (!first) this.node.textContent = text;
  }
}
