// The end of a round on the table screen; and of the game: first the roles, then the gold, one tap or some seconds later.
import { button, el, show } from "./dom.js";
import { goldCeremony, goldLeft, roundOutcome } from "./outcome.js";
import { word } from "./words.js";

const ROLE_MS = 700; // as long as one role takes to turn over
const LOOK_MS = 6000; // to read them before the gold comes by itself

export class End {
  /** `send(command)` sends for the host. */
  constructor(node, send) {
    Object.assign(this, { node, send });
    // Each part is drawn anew for its own reasons: roles that are turned over stay so while gold is picked.
    this.parts = Object.fromEntries(["steps", "outcome", "left", "next"].map((name) => [name, el("div", { class: "end-part" })]));
    node.replaceChildren(...Object.values(this.parts));
    this.view = null;
    this.step = "roles";
    this.clock = null;
  }

  /** `view`: null while no round is over. */
  draw(view) {
    if (view?.phase !== "over") {
      clearTimeout(this.clock);
      this.clock = null;
      this.step = "roles";
    } else if (this.clock === null) {
      const cards = view.seats.length + (view.outcome?.left_over ?? []).length;
      this.clock = setTimeout(() => this.turnTo("gold"), cards * ROLE_MS + LOOK_MS);
    }
    this.view = view;
    const over = view?.phase === "over";
    const gold = over && this.step === "gold";
    show(this.parts.steps, [over, this.step], () => (over ? this.steps() : []));
    const told = view && [gold, view.outcome, view.winners, gold ? view.seats : view.seats.map(who)];
    show(this.parts.outcome, told, () => (view ? this.outcome(view, gold) : []));
    show(this.parts.left, view?.picking?.left, () => (view?.picking ? goldLeft(view.picking.left) : []));
    const next = view?.host && (over || view.phase === "between");
    show(this.parts.next, [next, over], () => (next ? this.next(over) : []));
  }

  turnTo(step) {
    clearTimeout(this.clock);
    this.step = step;
    if (this.view) this.draw(this.view);
  }

  steps() {
    return el(
      "div",
      { class: "end-steps", role: "group" },
      ["roles", "gold"].map((step) =>
        button(word(`end.${step}`), () => this.turnTo(step), {
          "aria-pressed": String(step === this.step),
          "data-key": `end-${step}`,
        }),
      ),
    );
  }

  outcome(view, gold) {
    if (gold) return goldCeremony(view);
    return view.outcome ? roundOutcome(view) : [];
  }

  next(over) {
    return button(word(over ? "end.again" : "end.next"), () => this.send({ do: "start_round", first: null }), {
      class: "button main big",
      id: "next-round",
      "data-key": "next-round",
    });
  }
}

function who({ seat, name, role }) {
  return [seat, name, role];
}
