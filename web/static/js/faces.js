// Path cards by their text name ("NS.E+crystal"): tunnels, ways up, and how a card is told in words.
import { word } from "./words.js";

const SPECIAL = { start: ["NESW"], gold: ["NESW"], "stone-NE": ["NE"], "stone-NW": ["NW"] };
const ACROSS = { N: "S", E: "W", S: "N", W: "E" };
export const STEP = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

function sorted(edges) {
  return [..."NESW"].filter((edge) => edges.includes(edge)).join("");
}

/** The tunnels of a card as it lies: groups of edge letters; a group of one is a dead end. */
export function tunnelsOf(face, turned = false) {
  const groups = SPECIAL[face] ?? face.split("+")[0].split(".");
  return groups.map((group) => sorted(turned ? [...group].map((edge) => ACROSS[edge]) : [...group]));
}

/** A card as the game writes it, "NEW~" when turned: {face, turned}. */
export function parseLaid(text) {
  const turned = text.endsWith("~");
  return { face: turned ? text.slice(0, -1) : text, turned };
}

/** Whether turning the card by 180 degrees changes nothing. */
export function sameBothWays(face) {
  return tunnelsOf(face).sort().join(".") === tunnelsOf(face, true).sort().join(".");
}

export function hasDeadEnd(face) {
  return tunnelsOf(face).some((group) => group.length === 1);
}

/** The card in words: "Way: up – down. Dead end: right". */
export function faceInWords(face, turned = false) {
  if (face === "start" || face === "gold") return word(`face.${face}`);
  if (face in SPECIAL) return word("face.stone", { edges: directions(tunnelsOf(face, turned)[0]) });
  const parts = tunnelsOf(face, turned).map((group) =>
    word(group.length > 1 ? "face.way" : "face.dead", {
      edges: directions(group),
    }),
  );
  const marks = face
    .split("+")
    .slice(1)
    .map((mark) => word(`face.${mark}`));
  return [...parts, ...marks].join(". ");
}

function directions(group) {
  return [...group].map((edge) => word(`edge.${edge}`)).join(" – ");
}

export function faceUrl(face) {
  return `/cards/${encodeURIComponent(face)}.svg`;
}

export function iconUrl(name) {
  return `/cards/icon/${encodeURIComponent(name)}.svg`;
}

/** A cell in words, as seen from the start card. */
export function cellInWords([column, row]) {
  if (column === 0 && row === 0) return word("cell.start");
  const parts = [];
  if (column) parts.push(word(column > 0 ? "cell.right" : "cell.left", { n: Math.abs(column) }));
  if (row) parts.push(word(row > 0 ? "cell.down" : "cell.up", { n: Math.abs(row) }));
  return parts.join(", ");
}

/** The key of the words for one of the three goals. */
export function goalPlace([, row]) {
  return `goal.${row < 0 ? "upper" : row > 0 ? "lower" : "middle"}`;
}

export function sameCell(one, other) {
  return Boolean(one && other) && one[0] === other[0] && one[1] === other[1];
}

/** All free cells beside a laid card, in reading order. */
export function freeCells(board) {
  const taken = new Set([...board.cards.map((card) => card.cell), ...board.face_down].map(String));
  const free = new Map();
  for (const { cell } of board.cards) {
    for (const [columns, rows] of Object.values(STEP)) {
      const beside = [cell[0] + columns, cell[1] + rows];
      if (!taken.has(String(beside))) free.set(String(beside), beside);
    }
  }
  return [...free.values()].sort((one, other) => one[1] - other[1] || one[0] - other[0]);
}
