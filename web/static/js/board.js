// The board as one SVG picture in millimetres, fitted to what lies on the table, with cells to tap on it.
import { svg } from "./dom.js";
import { cellInWords, faceInWords, faceUrl, sameCell } from "./faces.js";
import { edgeMark, litWay, cellMark } from "./board_marks.js";
import { word } from "./words.js";

export const CARD = { width: 56, height: 87 };
const MARGIN = 9;
let boards = 0;

const left = (cell) => cell[0] * CARD.width;
const top = (cell) => cell[1] * CARD.height;

/** Draws into one <svg>. Pictures of cards that stay where they are stay in the page, so nothing flickers. */
export class Board {
  constructor(node) {
    this.node = node;
    this.layers = {};
    for (const name of ["bed", "cards", "way", "ghost", "marks", "spots"]) {
      this.layers[name] = svg("g", { class: `layer-${name}` });
    }
    node.append(...Object.values(this.layers));
    this.layers.bed.append(...bedNodes((boards += 1)));
    node.addEventListener("keydown", (event) => this.walk(event));
    this.cards = new Map();
    this.place = null;
  }

  /**
   * board: {cards, face_down}; ghost: {cell, face, turned, state} or null; marks: problems with cell and edge;
   * spots: cells that can be tapped, each calling onTap(cell); choosing: one of them is chosen; around: cells that must be in the picture.
   */
  draw(
    board,
    {
      ghost = null,
      marks = [],
      spots = [],
      onTap = null,
      chosen = null,
      choosing = false,
      lay = [],
      around = [],
    } = {},
  ) {
    this.fit([
      ...board.cards.map((card) => card.cell),
      ...board.face_down,
      ...(ghost ? [ghost.cell] : []),
      ...spots,
      ...around,
    ]);
    this.drawCards(board);
    this.layers.way.replaceChildren(
      ...board.cards.map((card) => (card.lit ? litWay(card) : darkness(card.cell))),
    );
    this.layers.ghost.replaceChildren(...this.ghostly(ghost, lay));
    const placed = marks.filter((mark) => mark.cell);
    this.layers.marks.replaceChildren(
      ...placed.map((mark) => (mark.edge ? edgeMark(mark.cell, mark.edge) : cellMark(mark.cell, mark.number))),
    );
    this.drawSpots(board, spots, onTap, choosing, chosen);
  }

  fit(cells) {
    const columns = cells.map((cell) => cell[0]);
    const rows = cells.map((cell) => cell[1]);
    const box = {
      x: Math.min(...columns) * CARD.width - MARGIN,
      y: Math.min(...rows) * CARD.height - MARGIN,
      width: (Math.max(...columns) - Math.min(...columns) + 1) * CARD.width + 2 * MARGIN,
      height: (Math.max(...rows) - Math.min(...rows) + 1) * CARD.height + 2 * MARGIN,
    };
    this.box = box;
    this.node.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    for (const [name, value] of Object.entries(box)) this.layers.bed.firstChild.setAttribute(name, value);
    this.node.setAttribute("width", box.width);
    this.node.setAttribute("height", box.height);
  }

  drawCards(board) {
    const wanted = new Map();
    for (const card of board.cards) wanted.set(`${card.cell}|${card.face}|${card.turned}`, card);
    for (const cell of board.face_down) wanted.set(`${cell}|?`, { cell, face: null });
    for (const [key, node] of this.cards) {
      if (!wanted.has(key)) {
        node.remove();
        this.cards.delete(key);
      }
    }
    for (const [key, card] of wanted) {
      if (this.cards.has(key)) continue;
      const node = card.face ? cardNode(card) : backNode(card.cell);
      this.cards.set(key, node);
      this.layers.cards.append(node);
    }
  }

  ghostly(ghost, lay) {
    const nodes = [];
    if (ghost) nodes.push(ghostNode(ghost));
    for (const goal of lay) nodes.push(ghostNode({ ...goal, state: "lay" }));
    return nodes;
  }

  drawSpots(board, spots, onTap, choosing, chosen) {
    const hadFocus = this.layers.spots.contains(document.activeElement);
    const under = new Map(board.cards.map((card) => [String(card.cell), card]));
    if (!spots.some((cell) => sameCell(cell, this.place))) this.place = chosen ?? spots[0] ?? null;
    this.layers.spots.replaceChildren(
      ...spots.map((cell) => {
        const card = under.get(String(cell));
        const facing = board.face_down.some((goal) => sameCell(goal, cell));
        const what = card ? faceInWords(card.face, card.turned) : word(facing ? "cell.hidden" : "cell.free");
        return svg(
          "g",
          {
            class: card || facing ? "spot on-card" : "spot",
            role: "button",
            tabindex: sameCell(cell, this.place) ? "0" : "-1",
            "aria-label": `${cellInWords(cell)}. ${what}`,
            "aria-pressed": choosing ? String(sameCell(cell, chosen)) : null,
            "data-cell": String(cell),
            on: {
              click: () => onTap(cell),
              focus: () => this.settle(cell),
            },
          },
          svg("rect", {
            x: left(cell) + 2,
            y: top(cell) + 2,
            width: CARD.width - 4,
            height: CARD.height - 4,
            rx: 5,
          }),
          card || facing ? null : svg("path", { d: `M${left(cell) + 28} ${top(cell) + 35.5}v16m-8 -8h16` }),
        );
      }),
    );
    if (hadFocus) this.spot(this.place)?.focus({ preventScroll: true });
  }

  settle(cell) {
    this.place = cell;
    for (const node of this.layers.spots.children) {
      node.setAttribute("tabindex", node.dataset.cell === String(cell) ? "0" : "-1");
    }
  }

  spot(cell) {
    return cell && [...this.layers.spots.children].find((node) => node.dataset.cell === String(cell));
  }

  /** Arrow keys go to the nearest cell that way; Enter and space tap it. */
  walk(event) {
    const spot = event.target.closest?.(".spot");
    if (!spot) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      spot.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return;
    }
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (!way) return;
    event.preventDefault();
    const [column, row] = spot.dataset.cell.split(",").map(Number);
    const ahead = [...this.layers.spots.children]
      .map((node) => ({ node, at: node.dataset.cell.split(",").map(Number) }))
      .map(({ node, at: [c, r] }) => ({
        node,
        on: (c - column) * way[0] + (r - row) * way[1],
        off: Math.abs((c - column) * way[1]) + Math.abs((r - row) * way[0]),
      }))
      .filter(({ on }) => on > 0)
      .sort((one, other) => one.on + 2 * one.off - (other.on + 2 * other.off));
    ahead[0]?.node.focus();
  }
}

function cardNode({ cell, face, turned }) {
  const middle = `${left(cell) + CARD.width / 2} ${top(cell) + CARD.height / 2}`;
  return svg(
    "g",
    { class: "card", role: "img", "aria-label": `${cellInWords(cell)}. ${faceInWords(face, turned)}` },
    svg("image", {
      href: faceUrl(face),
      x: left(cell),
      y: top(cell),
      width: CARD.width,
      height: CARD.height,
      transform: turned ? `rotate(180 ${middle})` : null,
    }),
    svg("rect", { class: "rim", x: left(cell) + 0.5, y: top(cell) + 0.5, width: 55, height: 86, rx: 2 }),
  );
}

/** The bed under the cards: faint crosses where four cells meet, and the light that falls from the pithead. */
function bedNodes(number) {
  const [grid, lamp] = [`grid-${number}`, `lamp-${number}`];
  return [
    svg("rect", { class: "bed-grid", fill: `url(#${grid})` }),
    svg("circle", { cx: CARD.width / 2, cy: CARD.height / 2, r: 330, fill: `url(#${lamp})` }),
    svg(
      "defs",
      {},
      svg(
        "pattern",
        { id: grid, width: CARD.width, height: CARD.height, patternUnits: "userSpaceOnUse" },
        svg("path", { class: "crossing", d: "M0 5V0H5M51 0H56V5M56 82V87H51M5 87H0V82" }),
      ),
      svg(
        "radialGradient",
        { id: lamp },
        svg("stop", { class: "lamp-near", offset: 0 }),
        svg("stop", { class: "lamp-far", offset: 1 }),
      ),
    ),
  ];
}

/** A card that no tunnel joins to the start lies in the dark. */
function darkness(cell) {
  const place = { x: left(cell), y: top(cell), width: CARD.width, height: CARD.height };
  return svg("rect", { class: "darkness", ...place });
}

/** A goal still face down: drawn here, since its face is nobody's business yet. */
function backNode(cell) {
  const [x, y] = [left(cell), top(cell)];
  return svg(
    "g",
    { class: "card back", role: "img", "aria-label": `${cellInWords(cell)}. ${word("cell.hidden")}` },
    svg("rect", { x: x + 1, y: y + 1, width: CARD.width - 2, height: CARD.height - 2, rx: 5 }),
    svg("rect", {
      class: "inner",
      x: x + 6,
      y: y + 6,
      width: CARD.width - 12,
      height: CARD.height - 12,
      rx: 3,
    }),
    svg(
      "text",
      { x: x + CARD.width / 2, y: y + CARD.height / 2 + 12, "text-anchor": "middle", "aria-hidden": "true" },
      "?",
    ),
  );
}

function ghostNode({ cell, face, turned, state }) {
  const node = cardNode({ cell, face, turned });
  node.setAttribute("class", `card ghost ${state}`);
  node.append(
    svg("rect", {
      x: left(cell) + 1.5,
      y: top(cell) + 1.5,
      width: CARD.width - 3,
      height: CARD.height - 3,
      rx: 5,
    }),
  );
  return node;
}
