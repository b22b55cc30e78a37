// The camera on the table screen: its picture in a corner, large when tapped; what is wrong; and the host's choice.
import { button, el, reasons, show } from "./dom.js";
import { Sheet, trySend, whileBusy } from "./dialogs.js";
import { word } from "./words.js";

const all = (name) => document.querySelectorAll(name);

export class CameraCorner {
  /**
   * `stage` holds board and picture; the one that is not large stands in the corner. In the lobby there is one more
   * picture, and `chooser`: the host's button while no camera watches.
   */
  constructor({ stage, corner, lobby, chooser }, line, code) {
    Object.assign(this, { stage, corner, lobby, chooser, line, code });
    chooser.addEventListener("click", () => this.choose());
    this.shown = null;
    corner.addEventListener("click", () => {
      const large = stage.classList.toggle("camera-large");
      corner.setAttribute("aria-pressed", String(large));
    });
  }

  draw({ camera, phase, referee, host }) {
    const there = camera.state !== "off" && camera.picture !== null;
    this.corner.hidden = !there;
    this.lobby.hidden = phase !== "lobby";
    this.chooser.hidden = !host || !["off", "lost"].includes(camera.state);
    if (!there) this.stage.classList.remove("camera-large");
    for (const picture of all(".picture")) picture.hidden = !there;
    const now = `${phase === "lobby"}|${camera.picture}`;
    if (there && this.shown !== now) {
      this.shown = now;
      for (const picture of all(".picture")) {
        if (!picture.closest("[hidden]")) picture.src = `/t/${this.code}/picture.jpg?n=${camera.picture}`;
      }
    }
    for (const label of all(".camera-label")) label.textContent = word(`camera.${camera.state}`);
    for (const mark of all(".simulated")) mark.hidden = !camera.simulated;
    for (const place of all(".camera-problems"))
      show(place, camera.problems, () => reasons(camera.problems, "word-note"));
    const missing = phase === "lobby" ? referee.disagreements : [];
    show(document.getElementById("set-up"), missing, () => reasons(missing, "word-note"));
  }

  /** The small picture stands in the lower corner, or in the upper one where fewer cards lie under it there. */
  standClear({ board, referee }) {
    const marked = referee.disagreements.map((one) => one.cell).filter(Boolean);
    const cells = [...board.cards.map((card) => card.cell), ...board.face_down, ...marked];
    const rows = cells.map((cell) => cell[1]);
    const [upper, lower] = [Math.min(...rows), Math.max(...rows)];
    const left = Math.min(...cells.map((cell) => cell[0])) + 2;
    const under = (row) => cells.filter((cell) => cell[0] <= left && Math.abs(cell[1] - row) <= 1).length;
    this.stage.classList.toggle("corner-up", under(upper) < under(lower));
  }

  /** The host chooses where the pictures come from. */
  choose() {
    const { camera } = this.line.view;
    const address = el("input", {
      type: "text",
      inputmode: "url",
      id: "camera-address",
      placeholder: "http://192.168.1.20:8080/video",
      autocomplete: "off",
      spellcheck: "false",
    });
    new Sheet({
      title: word("camera.choose"),
      build: (sheet) => {
        const use = (source) =>
          whileBusy(sheet.node, async () => {
            const problems = await trySend(this.line, { source }, `/t/${this.code}/camera`);
            if (problems.length) sheet.refuse(problems);
            else sheet.close();
          });
        const option = (label, source) =>
          button(label, () => use(source), {
            class: "button wide",
            "aria-pressed": String(camera.state !== "off" && camera.source === source),
          });
        return [
          el("p", { class: "soft" }, word("camera.help")),
          el("a", { class: "button main wide", href: `/t/${this.code}/camera` }, word("camera.page")),
          ...(camera.found ?? []).map((source) =>
            option(word("camera.webcam", { n: Number(source) + 1 }), source),
          ),
          (camera.found ?? []).length ? null : el("p", { class: "word-note" }, word("camera.none_found")),
          el(
            "form",
            {
              class: "panel stack",
              on: {
                submit: (event) => (
                  event.preventDefault(),
                  address.value.trim() && use(address.value.trim())
                ),
              },
            },
            el(
              "div",
              { class: "field" },
              el("label", { for: "camera-address" }, word("camera.address")),
              address,
            ),
            el("button", { class: "button", type: "submit" }, word("camera.use_address")),
          ),
          option(word("camera.demo"), "demo"),
          button(word("camera.none"), () => use("off"), {
            class: "button wide",
            "aria-pressed": String(camera.state === "off"),
          }),
        ];
      },
    });
  }
}
