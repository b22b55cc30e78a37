// What only the host can do during the night: options, undo, correcting a cell, ending a round.
import { button, el } from "./dom.js";
import { askThenSend, Sheet } from "./dialogs.js";
import { holdButton, Holder } from "./hold.js";
import { cellInWords, faceInWords, sameCell } from "./faces.js";
import { cardPicker, Placement } from "./placing.js";
import { word, wordsUnder } from "./words.js";

export class Host {
  constructor(line) {
    this.line = line;
  }

  get view() {
    return this.line.view;
  }

  undo() {
    const { undo_next: step, version } = this.view;
    askThenSend(this.line, {
      title: word("undo.title"),
      text: word(step ? "undo.text" : "undo.text_only"),
      more: step ? [el("p", { class: "word-note" }, step.text)] : [],
      yes: word("undo.yes"),
      // The step that was named, or none: the table may have moved on while this was read.
      command: { do: "undo", steps: 1, version },
      grave: true,
    });
  }

  endRound() {
    const field = el("input", { type: "text", id: "end-reason", maxlength: 120, autocomplete: "off" });
    askThenSend(this.line, {
      title: word("end.title"),
      text: word("end.text"),
      more: [el("div", { class: "field" }, el("label", { for: "end-reason" }, word("end.reason")), field)],
      yes: word("end.yes"),
      command: () => ({ do: "end_round", reason: field.value.trim() }),
      grave: true,
    });
  }

  options() {
    const { options } = this.view;
    const names = wordsUnder("option.").filter((name) => name in options);
    new Sheet({
      title: word("options.title"),
      build: (sheet) => {
        const form = el(
          "form",
          { class: "stack" },
          names.map((name) => optionField(name, options[name])),
        );
        const save = () => {
          const chosen = Object.fromEntries(names.map((name) => [name, readOption(form, name)]));
          const changed = Object.fromEntries(
            Object.entries(chosen).filter(([name, value]) => value !== options[name]),
          );
          if (Object.keys(changed).length) sheet.send(this.line, { do: "set_options", options: changed });
          else sheet.close();
        };
        form.addEventListener("submit", (event) => (event.preventDefault(), save()));
        return [
          form,
          el(
            "div",
            { class: "sheet-foot" },
            button(word("cancel"), () => sheet.close()),
            button(word("options.save"), save, { class: "button main" }),
          ),
        ];
      },
    });
  }

  /** Everybody at the table, one button each. */
  players() {
    new Sheet({
      title: word("players.title"),
      build: (sheet) =>
        this.view.seats.map((seat) =>
          button(seat.name, () => (sheet.close(), this.seat(seat)), { class: "button wide" }),
        ),
    });
  }

  /** One seat: a new code when its phone is lost, or giving the seat up. */
  seat({ seat, name }) {
    const place = el("div", { class: "secret-place" });
    const hold = holdButton(word("seat.hold"), word("seat.tap"));
    const load = async () => {
      const { url, qr } = await this.line.make(`/t/${this.view.code}/seats/${seat}/key`);
      return [el("img", { class: "qr", src: qr, alt: word("join.qr", { url }), width: 240, height: 240 })];
    };
    new Holder(hold, place, load);
    const free = ["lobby", "between", "over"].includes(this.view.phase);
    new Sheet({
      title: name,
      build: (sheet) => [
        el("p", {}, word("seat.lost", { name })),
        place,
        hold,
        this.handOver(sheet, seat, name),
        free
          ? button(word("lobby.remove", { name }), () => (sheet.close(), this.remove(seat, name)), {
              class: "button wide grave",
            })
          : null,
      ],
    });
  }

  /** Asks a player to be the host instead, or takes that question back. */
  handOver(sheet, seat, name) {
    const url = `/t/${this.view.code}/offer`;
    if (this.view.host_offered === seat) {
      return button(word("seat.offered", { name }), () => sheet.send(this.line, { seat: null }, url), {
        class: "button wide",
      });
    }
    const ask = () =>
      askThenSend(this.line, {
        title: word("seat.offer", { name }),
        text: word("seat.offer_text", { name }),
        yes: word("seat.offer_yes", { name }),
        command: { seat },
        url,
      });
    return button(word("seat.offer", { name }), () => (sheet.close(), ask()), { class: "button wide" });
  }

  remove(seat, name) {
    askThenSend(this.line, {
      title: word("lobby.remove", { name }),
      text: word("lobby.remove_text"),
      yes: word("lobby.remove_yes"),
      command: { do: "leave", seat },
      grave: true,
    });
  }

  /** A cell was tapped: a new card for the player whose turn it is, or a correction of what lies there. */
  cell(cell) {
    const { board } = this.view;
    const laid = board.cards.find((card) => sameCell(card.cell, cell));
    const hidden = board.face_down.some((goal) => sameCell(goal, cell));
    const goal = hidden || (laid && this.view.goal_faces.includes(laid.face));
    if (laid?.face === "start") return;
    if (laid || goal) {
      this.change(cell, laid, goal);
      return;
    }
    this.pickNew(cell);
  }

  /** Says which card was just laid in a cell: during a round the turn of the player to move. */
  pickNew(cell) {
    this.pick(cell, { mayLay: this.view.phase === "round" && Boolean(this.view.to_move) });
  }

  /** Says by tapping what lies in a cell, laid by nobody now. */
  correct(cell) {
    const { board, goal_faces } = this.view;
    const laid = board.cards.find((card) => sameCell(card.cell, cell));
    const hidden = board.face_down.some((goal) => sameCell(goal, cell));
    this.pick(cell, { goal: hidden || (laid && goal_faces.includes(laid.face)) });
  }

  /** What lies in a cell: take it away or choose what really lies there. */
  change(cell, laid, goal) {
    new Sheet({
      title: word("correct.title"),
      build: (sheet) => [
        el(
          "p",
          {},
          `${cellInWords(cell)}. ${laid ? faceInWords(laid.face, laid.turned) : word("cell.hidden")}`,
        ),
        el("p", { class: "soft" }, word("correct.text")),
        laid
          ? button(
              word(goal ? "correct.hide" : "correct.take"),
              () => sheet.send(this.line, { do: "correct", cell, face: null, turned: false }),
              { class: "button wide" },
            )
          : null,
        button(word("correct.other"), () => (sheet.close(), this.pick(cell, { goal })), {
          class: "button wide",
        }),
      ],
    });
  }

  /** Choose a card for a cell, then which way up; `mayLay`: as the turn of the player to move. */
  pick(cell, { goal = false, mayLay = false } = {}) {
    const faces = goal ? this.view.goal_faces : this.view.faces;
    const title = word(mayLay ? "correct.lay_title" : "correct.which");
    const cards = (sheet) =>
      cardPicker(faces, (face) =>
        sheet.turnTo(
          word("correct.way_up"),
          this.placement(sheet, cell, face, mayLay, () => sheet.turnTo(title, cards(sheet))),
        ),
      );
    new Sheet({ title, roomy: true, build: cards });
  }

  placement(sheet, cell, face, mayLay, back) {
    const { board, seats, to_move, version } = this.view;
    const name = seats.find((seat) => seat.seat === to_move)?.name;
    const without = {
      ...board,
      cards: board.cards.filter((card) => !sameCell(card.cell, cell)),
      face_down: board.face_down.filter((goal) => !sameCell(goal, cell)),
    };
    const correct = (place, turned) => sheet.send(this.line, { do: "correct", cell: place, face, turned });
    // As the turn of whom the button names: when the turn has passed on meanwhile, it is refused.
    const lay = (place, turned) => sheet.send(this.line, { do: "place", cell: place, face, turned, version });
    const placement = new Placement({
      board: without,
      face,
      cells: [cell],
      cell,
      label: mayLay ? word("correct.lay", { name }) : word("correct.yes"),
      confirm: mayLay ? lay : correct,
      back,
    });
    if (!mayLay) return placement.node;
    const only = button(word("correct.only"), () => correct(cell, placement.turned), {
      class: "button quiet",
    });
    return [placement.node, only];
  }
}

function optionField(name, value) {
  return el(
    "fieldset",
    { class: "panel" },
    el("legend", {}, word(`option.${name}`)),
    wordsUnder(`option.${name}.`).map((choice) =>
      el(
        "label",
        { class: "choice" },
        el("input", { type: "radio", name, value: choice, checked: String(value) === choice }),
        el("span", {}, word(`option.${name}.${choice}`)),
      ),
    ),
  );
}

function readOption(form, name) {
  const { value } = form.elements[name];
  return value === "true" ? true : value === "false" ? false : value;
}
