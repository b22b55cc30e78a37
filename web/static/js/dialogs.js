// Dialogs: one sheet with a title and a close button, and the question "really?" before what cannot be taken back lightly.
import { button, el, fill, reasons } from "./dom.js";
import { Unreached } from "./net.js";
import { word } from "./words.js";

let sheets = 0;

/** Opens a modal sheet. `build(sheet)` gives its content; the focus goes back where it was when it closes. */
export class Sheet {
  constructor({ title, build, roomy = false, onClose = () => {} }) {
    sheets += 1;
    this.heading = el("h2", { id: `sheet-${sheets}`, tabindex: "-1" }, title);
    this.body = el("div", { class: "stack" });
    this.why = el("div", { class: "stack", role: "alert" });
    this.node = el(
      "dialog",
      { "aria-labelledby": this.heading.id, class: roomy ? "roomy" : null },
      el(
        "div",
        { class: "sheet" },
        el(
          "div",
          { class: "sheet-head" },
          this.heading,
          button(word("close"), () => this.close(), { class: "button quiet" }),
        ),
        this.body,
        this.why,
      ),
    );
    this.node.addEventListener("close", () => {
      this.node.remove();
      onClose();
    });
    document.body.append(this.node);
    fill(this.body, build(this));
    this.node.showModal();
    this.heading.focus();
  }

  /** Shows another step in the same sheet. */
  turnTo(title, content) {
    this.heading.textContent = title;
    this.refuse([]);
    fill(this.body, content);
    this.heading.focus();
    this.node.scrollTop = 0;
  }

  refuse(problems) {
    fill(this.why, reasons(problems));
    if (problems.length) this.why.scrollIntoView({ block: "nearest" });
  }

  close() {
    if (this.node.open) this.node.close();
  }

  /** Sends a command with every button of the sheet at rest; closes when it is done, else says why not. */
  async send(line, command, url) {
    return whileBusy(this.node, async () => {
      const problems = await trySend(line, command, url);
      if (problems.length) this.refuse(problems);
      else this.close();
      return problems;
    });
  }
}

/** Sends a command; a server that cannot be reached becomes a reason like any other. */
export async function trySend(line, command, url) {
  try {
    return await line.send(command, url);
  } catch (error) {
    if (error instanceof Unreached) return [{ code: "unreached", text: word("unreached") }];
    throw error;
  }
}

export async function whileBusy(node, work) {
  const buttons = [...node.querySelectorAll("button:not(:disabled)")];
  for (const one of buttons) one.disabled = true;
  node.setAttribute("aria-busy", "true");
  try {
    return await work();
  } finally {
    for (const one of buttons) one.disabled = false;
    node.removeAttribute("aria-busy");
  }
}

/** Asks before a command is sent. `more`: further nodes between the words and the buttons. */
export function askThenSend(
  line,
  { title, text, yes, command, url, more = [], grave = false, onDone = () => {} },
) {
  return new Sheet({
    title,
    build: (sheet) => [
      text ? el("p", {}, text) : null,
      ...more,
      el(
        "div",
        { class: "sheet-foot" },
        button(word("cancel"), () => sheet.close()),
        button(
          yes,
          async () => {
            const problems = await sheet.send(line, typeof command === "function" ? command() : command, url);
            if (!problems.length) onDone();
          },
          { class: grave ? "button grave" : "button main" },
        ),
      ),
    ],
  });
}
