// How phones get to the table: QR code, typed address and code, the Wi-Fi of the house, and help when nothing comes.
import { button, el, show } from "./dom.js";
import { Sheet } from "./dialogs.js";
import { word } from "./words.js";

const HELP = ["wifi", "guest", "typed", "vpn", "firewall", "other"];

export class Join {
  /** `wifi`: what the host filled in about the network, see table_wifi.js. */
  constructor(node, wifi, code) {
    Object.assign(this, { node, wifi, code });
  }

  /** The lobby's card. */
  draw({ join, host }) {
    show(this.node, [join, host, this.wifi.seen], () => this.card(join, host));
  }

  /** The same, large, in a dialog: phones may come at any time. */
  open({ join, host }) {
    return new Sheet({ title: word("join.title"), roomy: true, build: () => this.card(join, host) });
  }

  /** QR code, typed address and code; the Wi-Fi code beside it on the host's own screen. */
  card(join, host) {
    const wifi = host ? this.wifi.seen : null;
    return [
      el(
        "div",
        { class: wifi ? "join-codes two" : "join-codes" },
        wifi
          ? figure(wifi.qr, word("wifi.qr", { name: wifi.name }), "1", word("wifi.first", { name: wifi.name }))
          : null,
        figure(join.qr, word("join.qr", { url: join.url }), wifi ? "2" : null, word("join.how")),
      ),
      el(
        "div",
        { class: "join-words" },
        el("p", { class: "address" }, join.url),
        el("p", { class: "join-code" }, word("join.code"), " ", el("strong", {}, this.code)),
      ),
      join.alone
        ? el(
            "p",
            { class: "word-bad" },
            el("span", { class: "mark", "aria-hidden": "true" }, "✕"),
            word("join.alone"),
          )
        : null,
      el(
        "div",
        { class: "row join-help" },
        button(word("help.title"), () => showHelp(), { "data-key": "help" }),
        host
          ? button(word(wifi ? "wifi.change" : "wifi.show"), () => this.wifi.ask(), { "data-key": "wifi" })
          : null,
      ),
    ];
  }
}

function figure(src, alt, number, caption) {
  return el(
    "figure",
    { class: "code-figure" },
    el("img", { class: "qr", src, alt, width: 320, height: 320 }),
    el("figcaption", {}, number ? el("strong", { class: "number" }, number) : null, caption),
  );
}

/** What to look at, one after another, when a phone cannot connect. */
export function showHelp() {
  return new Sheet({
    title: word("help.title"),
    build: () =>
      el(
        "ol",
        { class: "steps" },
        HELP.map((name) =>
          el("li", {}, el("p", {}, el("strong", {}, word(`help.${name}`)), " ", word(`help.${name}.how`))),
        ),
      ),
  });
}
