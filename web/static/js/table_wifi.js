// The Wi-Fi of the house as a QR code: filled in by the host, kept in the host's browser alone, drawn by the server and forgotten there.
import { button, el } from "./dom.js";
import { Sheet, whileBusy } from "./dialogs.js";
import { Unreached } from "./net.js";
import { word, wordsUnder } from "./words.js";

const KEY = "pithead-wifi";

export class Wifi {
  /** `onChange()` is called when `seen` has become another one. */
  constructor(line, code, onChange) {
    Object.assign(this, { line, code, onChange });
    this.fields = stored();
    /** {name, qr}, or null while there is none to show. */
    this.seen = null;
  }

  /** Draws what was filled in on an earlier evening. For the host's screen alone. */
  async wake() {
    if (this.fields && !this.seen) await this.draw(this.fields);
  }

  async draw(fields) {
    try {
      const { qr } = await this.line.make(`/t/${this.code}/wifi`, fields);
      this.seen = { name: fields.name, qr };
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
      return false;
    }
    this.onChange();
    return true;
  }

  forget() {
    this.fields = null;
    this.seen = null;
    keep(null);
    this.onChange();
  }

  /** The form, and underneath what becomes of it. */
  ask() {
    const { name = "", password = "", kind = "WPA", hidden = false } = this.fields ?? {};
    const inputs = {
      name: input("wifi-name", { value: name, maxlength: 32, required: true }),
      password: input("wifi-password", { type: "password", value: password, maxlength: 64 }),
      kind: el(
        "select",
        { id: "wifi-kind", on: { change: () => this.bound(inputs) } },
        wordsUnder("wifi.kind.").map((one) =>
          el("option", { value: one, selected: one === kind }, word(`wifi.kind.${one}`)),
        ),
      ),
      hidden: el("input", { type: "checkbox", id: "wifi-hidden", checked: hidden }),
      bare: el("input", {
        type: "checkbox",
        id: "wifi-bare",
        on: { change: (event) => (inputs.password.type = event.target.checked ? "text" : "password") },
      }),
    };
    this.bound(inputs);
    return new Sheet({
      title: word("wifi.title"),
      build: (sheet) =>
        el(
          "form",
          {
            class: "stack",
            on: { submit: (event) => (event.preventDefault(), this.save(sheet, inputs)) },
          },
          el("p", {}, word("wifi.text")),
          field("wifi.name", inputs.name),
          field("wifi.kind", inputs.kind),
          field("wifi.password", inputs.password),
          tick("wifi.bare", inputs.bare),
          tick("wifi.hidden", inputs.hidden),
          el("p", { class: "soft small" }, word("wifi.kept")),
          el(
            "div",
            { class: "sheet-foot" },
            this.fields
              ? button(word("wifi.forget"), () => (this.forget(), sheet.close()), { class: "button grave" })
              : null,
            el("button", { type: "submit", class: "button main" }, word("wifi.save")),
          ),
        ),
    });
  }

  /** A WPA password has eight characters at least: a code with a shorter one lets nobody in. */
  bound({ kind, password }) {
    password.required = kind.value !== "nopass";
    password.minLength = kind.value === "WPA" ? 8 : 0;
  }

  async save(sheet, { name, password, kind, hidden }) {
    const fields = {
      name: name.value.trim(),
      password: password.value,
      kind: kind.value,
      hidden: hidden.checked,
    };
    const done = await whileBusy(sheet.node, () => this.draw(fields));
    if (!done) {
      sheet.refuse([{ code: "unreached", text: word("unreached") }]);
      return;
    }
    this.fields = fields;
    keep(fields);
    sheet.close();
  }
}

function input(id, more) {
  return el("input", { type: "text", id, autocomplete: "off", spellcheck: "false", ...more });
}

function field(key, node) {
  return el("div", { class: "field" }, el("label", { for: node.id }, word(key)), node);
}

function tick(key, node) {
  return el("label", { class: "choice" }, node, el("span", {}, word(key)));
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return null; // nothing kept that can be read
    throw error;
  }
}

function keep(fields) {
  try {
    if (fields) localStorage.setItem(KEY, JSON.stringify(fields));
    else localStorage.removeItem(KEY);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // not remembered, still shown this evening
  }
}
