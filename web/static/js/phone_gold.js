// Sharing out the gold on the phone: a fan of cards face down, looked at while held, one of them taken.
import { button, el, fill, reasons } from "./dom.js";
import { trySend, whileBusy } from "./dialogs.js";
import { holdButton, Holder } from "./hold.js";
import { icon } from "./players.js";
import { word } from "./words.js";

/** The fan of the one who picks. Card faces are fetched when held and stand on the cards only while held. */
export class Fan {
  constructor(node, line, base) {
    this.node = node;
    this.line = line;
    this.base = base;
    this.left = null;
    this.chosen = null;
  }

  draw(fan) {
    this.node.hidden = !fan;
    if (!fan) {
      this.left = null;
      return;
    }
    if (this.left === fan.left) return;
    this.left = fan.left;
    this.chosen = null;
    this.build();
  }

  build() {
    this.cards = Array.from({ length: this.left }, (_, index) => this.card(index));
    this.take = button(word("fan.take"), () => this.pick(), {
      class: "button main wide big",
      disabled: true,
    });
    this.why = el("div", { class: "stack", role: "alert" });
    const hold = holdButton(word("fan.hold"), word("fan.tap"));
    const seen = el("ul", { class: "fan faces", "aria-label": word("fan.faces"), "aria-live": "polite" });
    fill(
      this.node,
      el("h2", {}, word("fan.title")),
      el("p", {}, word("fan.how")),
      el(
        "div",
        { class: "fan-table" },
        el("div", { class: "fan", role: "group", "aria-label": word("fan.title") }, this.cards),
        seen,
      ),
      hold,
      this.take,
      this.why,
    );
    this.holder = new Holder(hold, seen, async (signal) => {
      const { cards } = await this.line.read(`${this.base}/secret/fan`, signal);
      return cards.map((nuggets) => this.face(nuggets));
    });
  }

  card(index) {
    return el(
      "button",
      {
        type: "button",
        class: "fan-card",
        "aria-pressed": "false",
        "aria-label": word("fan.card", { n: letter(index) }),
        on: { click: () => this.choose(index) },
      },
      el("span", { "aria-hidden": "true" }, letter(index)),
    );
  }

  face(nuggets) {
    return el(
      "li",
      { class: "fan-card" },
      icon("nugget"),
      el("strong", {}, word("gold.total", { n: nuggets })),
    );
  }

  choose(index) {
    this.chosen = index;
    this.cards.forEach((card, place) => card.setAttribute("aria-pressed", String(place === index)));
    this.take.disabled = false;
  }

  async pick() {
    this.holder.hide();
    const problems = await whileBusy(this.node, () => trySend(this.line, { do: "pick", index: this.chosen }));
    fill(this.why, reasons(problems));
  }
}

/** Cards in the fan are told apart by letters: numbers would look like nuggets. */
function letter(index) {
  return String.fromCharCode("A".charCodeAt(0) + index);
}
