// The lobby of the table screen: who has joined; for the host who sits where, who begins, and the start of a round.
import { button, el, show } from "./dom.js";
import { word } from "./words.js";

/** `send(command)` sends for the host; `host` holds what the host can do with one seat. */
export class Lobby {
  constructor(node, host, send) {
    this.node = node;
    this.host = host;
    this.send = send;
    this.first = null;
  }

  draw(view) {
    const { game, goals } = view.options;
    show(this.node, [view.seats, view.host, view.players, game, goals, this.first], () => [
      el(
        "div",
        { class: "lobby-head" },
        el("h2", {}, word("lobby.players", { n: view.seats.length })),
        this.rules(view, game),
      ),
      el(
        "ol",
        { class: "joined" },
        view.seats.map((seat, index) => this.row(view, seat, index)),
        Array.from({ length: Math.max(0, view.players.least - view.seats.length) }, () =>
          el("li", { class: "joined-row free" }, word("lobby.free")),
        ),
      ),
      view.seats.length < view.players.least
        ? el("p", { class: "word-note" }, word("lobby.too_few", { n: view.players.least }))
        : null,
      view.host && view.seats.length > 1 ? el("p", { class: "soft small" }, word("lobby.order")) : null,
      ...(view.host ? this.starter(view) : [el("p", { class: "soft" }, word("lobby.wait"))]),
    ]);
  }

  /** The game that is played, which the host can change here. */
  rules({ host }, game) {
    const words = word("lobby.rules", { game: word(`option.game.${game}`) });
    return host ? button(words, () => this.host.options(), { "data-key": "rules" }) : el("p", {}, words);
  }

  row(view, seat, index) {
    return el(
      "li",
      { class: "joined-row", "data-seat": seat.seat },
      el("strong", {}, seat.name),
      view.host
        ? el(
            "span",
            { class: "row" },
            this.mover(view, index, -1, "▲", "lobby.up", seat),
            this.mover(view, index, 1, "▼", "lobby.down", seat),
            button("…", () => this.host.seat(seat), {
              "aria-label": word("seat.more", { name: seat.name }),
              "data-key": `more-${seat.seat}`,
            }),
          )
        : null,
    );
  }

  mover(view, index, step, sign, key, seat) {
    return button(sign, () => this.move(view.seats, index, index + step), {
      "aria-label": word(key, { name: seat.name }),
      "data-key": `${key}-${seat.seat}`,
      disabled: index + step < 0 || index + step >= view.seats.length,
    });
  }

  move(seats, from, to) {
    const order = seats.map((seat) => seat.seat);
    order.splice(to, 0, ...order.splice(from, 1));
    this.send({ do: "order", seats: order });
  }

  /** Who begins, and the button that deals. */
  starter(view) {
    if (!view.seats.some((seat) => seat.seat === this.first)) this.first = null;
    const select = el(
      "select",
      {
        id: "first",
        "data-key": "first",
        on: { change: (event) => (this.first = Number(event.target.value) || null) },
      },
      el("option", { value: "" }, word("lobby.first_any")),
      view.seats.map((seat) =>
        el("option", { value: seat.seat, selected: seat.seat === this.first }, seat.name),
      ),
    );
    return [
      el(
        "div",
        { class: "starter" },
        el("div", { class: "field" }, el("label", { for: "first" }, word("lobby.first")), select),
        button(word("lobby.start"), () => this.send({ do: "start_round", first: this.first }), {
          class: "button main big",
          "data-key": "start",
          disabled: view.seats.length < view.players.least,
        }),
      ),
    ];
  }
}
