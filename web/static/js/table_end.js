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
    const input = view && [
      this.step,
      view.phase,
      view.outcome,
      view.winners,
      view.picking,
      view.host,
      view.seats,
    ];
    show(this.node, input, () => (view ? this.nodes(view) : []));
  }

  turnTo(step) {
    clearTimeout(this.clock);
    this.step = step;
    if (this.view) this.draw(this.view);
  }

  nodes(view) {
    const over = view.phase === "over";
    const gold = over && this.step === "gold";
    return [
      over
        ? el(
            "div",
            { class: "end-steps", role: "group" },
            ["roles", "gold"].map((step) =>
              button(word(`end.${step}`), () => this.turnTo(step), {
                "aria-pressed": String(step === this.step),
                "data-key": `end-${step}`,
              }),
            ),
          )
        : null,
      gold ? goldCeremony(view) : null,
      view.outcome && !gold ? roundOutcome(view) : null,
      view.picking ? goldLeft(view.picking.left) : null,
      view.host && (over || view.phase === "between")
        ? button(word(over ? "end.again" : "end.next"), () => this.send({ do: "start_round", first: null }), {
            class: "button main big",
            id: "next-round",
            "data-key": "next-round",
          })
        : null,
    ];
  }
}
