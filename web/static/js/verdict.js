// The camera's word on the card just laid, in words; the edges are drawn on the board beside it.
import { el, reasons } from "./dom.js";
import { word } from "./words.js";

/** The verdict as nodes. `extra`: buttons that settle it; `mine`: the reader laid the card. */
export function verdictWords(view, verdict, { extra = [], mine = false } = {}) {
  const name = view.seats.find((seat) => seat.seat === verdict.seat)?.name ?? "";
  if (verdict.legal) return reasons([{ text: word("verdict.good", { name }) }], "word-good");
  return [
    el("h2", {}, mine ? word("verdict.mine") : word("verdict.bad", { name })),
    ...reasons(verdict.problems),
    mine ? el("p", {}, word("verdict.move")) : null,
    extra.length ? el("div", { class: "sheet-foot" }, extra) : null,
  ];
}

/** The card of a verdict as a ghost on the board, unless it lies there already. */
export function verdictGhost(view) {
  const { verdict } = view.referee ?? {};
  if (!verdict) return null;
  const there = view.board.cards.some((card) => String(card.cell) === String(verdict.cell));
  if (there && verdict.legal) return null;
  return {
    cell: verdict.cell,
    face: verdict.face,
    turned: verdict.turned,
    state: verdict.legal ? "good" : "bad",
  };
}

/** Every marked edge and cell: the verdict's problems, and what camera and game disagree on with the number it is listed by. */
export function boardMarks(view) {
  const { verdict, disagreements = [] } = view.referee ?? {};
  return [
    ...(verdict && !verdict.legal ? verdict.problems.filter((problem) => problem.edge) : []),
    ...disagreements
      .map(({ cell, code }, index) => ({ cell, code, number: index + 1 }))
      .filter(({ cell, code }) => cell && code !== "goal_to_lay"),
  ];
}

/** Goal cards dealt by the app that the camera does not see on the table yet. */
export function goalsToLay(view) {
  const missing = (view.referee?.disagreements ?? [])
    .filter((one) => one.code === "goal_to_lay")
    .map((one) => String(one.cell));
  return (view.board.dealt ?? []).filter(({ cell }) => missing.includes(String(cell)));
}
