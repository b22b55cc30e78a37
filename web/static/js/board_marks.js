// What is drawn over the cards: the lit way in the tunnels, and the edges and cells that are wrong.
import { svg } from "./dom.js";
import { tunnelsOf } from "./faces.js";

const WIDTH = 56;
const HEIGHT = 87;
const AT = { N: [28, 0], E: [56, 43.5], S: [28, 87], W: [0, 43.5] };
const MIDDLE = [28, 43.5];

/** The tunnels of one card that are joined to the start, as a broken line of light down their middle. */
export function litWay({ cell, face, turned, lit }) {
  const groups = tunnelsOf(face, turned);
  const apart = groups.filter((group) => group.length > 1).length > 1;
  const path = groups
    .filter((group) => [...group].every((edge) => lit.includes(edge)))
    .map((group) => way(group, apart))
    .join("");
  const move = { transform: `translate(${cell[0] * WIDTH} ${cell[1] * HEIGHT})` };
  return svg("g", move, svg("path", { class: "glow", d: path }), svg("path", { class: "light", d: path }));
}

function way(group, apart) {
  if (group.length === 1) {
    const [x, y] = AT[group];
    return `M${x} ${y}L${x + (MIDDLE[0] - x) * 0.55} ${y + (MIDDLE[1] - y) * 0.55}`;
  }
  const bend = group.length === 2 && group !== "NS" && group !== "EW";
  if (apart && bend) {
    const [from, to] = [...group].map((edge) => AT[edge].join(" "));
    return `M${from}Q${MIDDLE.join(" ")} ${to}`;
  }
  return [...group].map((edge) => `M${MIDDLE.join(" ")}L${AT[edge].join(" ")}`).join("");
}

/** A jagged bar with a cross on the edge of a cell. */
export function edgeMark(cell, edge) {
  const [x, y] = [cell[0] * WIDTH + AT[edge][0], cell[1] * HEIGHT + AT[edge][1]];
  const along = edge === "N" || edge === "S";
  const length = along ? WIDTH - 6 : HEIGHT - 8;
  const steps = along ? 8 : 12;
  let d = "";
  for (let step = 0; step <= steps; step += 1) {
    const on = -length / 2 + (length * step) / steps;
    const off = step % 2 ? 3.5 : -3.5;
    d += `${step ? "L" : "M"}${along ? `${x + on} ${y + off}` : `${x + off} ${y + on}`}`;
  }
  return svg(
    "g",
    { class: "wrong", "data-cell": String(cell), "data-edge": edge },
    svg("path", { class: "casing", d }),
    svg("path", { class: "jag", d }),
    cross(x, y),
  );
}

/** A frame round a whole cell, with a cross, or with the number by which it is listed. */
export function cellMark(cell, number = null) {
  const [x, y] = [cell[0] * WIDTH, cell[1] * HEIGHT];
  return svg(
    "g",
    { class: "wrong", "data-cell": String(cell) },
    svg("rect", { x: x + 2, y: y + 2, width: WIDTH - 4, height: HEIGHT - 4, rx: 5 }),
    number ? numbered(x + WIDTH / 2, y + HEIGHT / 2, number) : cross(x + WIDTH / 2, y + HEIGHT / 2),
  );
}

function numbered(x, y, number) {
  return svg(
    "g",
    {},
    svg("circle", { cx: x, cy: y, r: 13 }),
    svg("text", { x, y: y + 6.5, "text-anchor": "middle" }, number),
  );
}

function cross(x, y) {
  return svg(
    "g",
    {},
    svg("circle", { cx: x, cy: y, r: 9 }),
    svg("path", { class: "cross", d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8` }),
  );
}
