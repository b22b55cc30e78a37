// Choosing a path card, a cell and a way up: the tapping way of laying and of correcting.
import { Board } from "./board.js";
import { button, el, fill, svg } from "./dom.js";
import { faceInWords, faceUrl, hasDeadEnd, sameBothWays } from "./faces.js";
import { word } from "./words.js";

/** A grid of cards to choose from, tunnels first and dead ends after them. */
export function cardPicker(faces, onPick) {
  const groups = [
    ["pick.tunnels", faces.filter((face) => !hasDeadEnd(face))],
    ["pick.dead_ends", faces.filter(hasDeadEnd)],
  ];
  return groups
    .filter(([, group]) => group.length)
    .map(([title, group]) =>
      el(
        "section",
        { class: "stack" },
        el("h3", {}, word(title)),
        el(
          "div",
          { class: "cards" },
          group.map((face) =>
            el(
              "button",
              {
                type: "button",
                class: "card-choice",
                "data-face": face,
                "aria-label": faceInWords(face),
                on: { click: () => onPick(face) },
              },
              el("img", { src: faceUrl(face), alt: "", width: 56, height: 87 }),
            ),
          ),
        ),
      ),
    );
}

/** A board in a window of its own that scrolls when cells would get too small for a finger. */
export class CellChooser {
  constructor(label) {
    this.picture = svg("svg", { class: "board", role: "group", "aria-label": label });
    this.node = el("div", { class: "board-window" }, this.picture);
    this.board = new Board(this.picture);
  }

  /** Draws like Board.draw; every card is at least `rems` wide, which is a finger's width unless told. */
  draw(board, options, rems = 3) {
    this.board.draw(board, options);
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const least = (this.board.box.width / 56) * rems * rem;
    this.picture.style.width = `max(100%, ${least}px)`;
  }

  /** Scrolls so that a cell stands in the middle. */
  look(cell) {
    const scale = this.picture.getBoundingClientRect().width / this.board.box.width;
    const { x, y } = this.board.box;
    this.node.scrollTo({
      left: ((cell[0] + 0.5) * 56 - x) * scale - this.node.clientWidth / 2,
      top: ((cell[1] + 0.5) * 87 - y) * scale - this.node.clientHeight / 2,
    });
  }
}

/** Where to lay a chosen card and which way up: tap a cell, turn it, lay it. */
export class Placement {
  /** `cells`: what can be chosen; `confirm(cell, turned)` gives the problems that stand against it; `label`: the button's words. */
  constructor({ board, face, cells, cell = null, label, confirm, back }) {
    this.table = board;
    this.face = face;
    this.cells = cells;
    this.cell = cell;
    this.turned = false;
    this.marks = [];
    this.chooser = new CellChooser(word("place.board"));
    this.hint = el("p", { class: "soft" });
    this.turner = button(word("place.turn"), () => this.turn());
    this.layer = button(label, () => this.lay(confirm), { class: "button main" });
    this.node = el(
      "div",
      { class: "stack" },
      this.hint,
      this.chooser.node,
      el("div", { class: "sheet-foot" }, button(word("place.other_card"), back), this.turner, this.layer),
    );
    this.draw();
    requestAnimationFrame(() => this.chooser.look(this.cell ?? this.frontier()));
  }

  /** The free cell nearest to the goals: where people most often dig on. */
  frontier() {
    return this.cells.reduce((best, cell) => (cell[0] > best[0] ? cell : best), this.cells[0] ?? [0, 0]);
  }

  turn() {
    this.turned = !this.turned;
    this.marks = [];
    this.draw();
  }

  tap(cell) {
    this.cell = cell;
    this.marks = [];
    this.draw();
    this.chooser.look(cell);
  }

  /** Before a cell is chosen the cells are small enough to see many; then its surroundings are shown large. */
  draw() {
    const { cell, face, turned, marks } = this;
    const bad = marks.length > 0;
    const how = {
      spots: this.cells,
      choosing: true,
      chosen: cell,
      onTap: (place) => this.tap(place),
      ghost: cell && { cell, face, turned, state: bad ? "bad" : "new" },
      marks,
    };
    this.chooser.draw(this.table, how, cell ? 5 : 3);
    fill(this.hint, word(cell ? "place.check" : "place.choose"));
    this.turner.hidden = sameBothWays(face);
    this.layer.hidden = !cell;
  }

  async lay(confirm) {
    this.marks = await confirm(this.cell, this.turned);
    if (this.node.isConnected) this.draw();
  }
}
