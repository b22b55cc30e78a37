// What only this phone may show: the role, the goals looked at, the gold. Each is fetched when held, never before.
import { el, svg } from "./dom.js";
import { Board } from "./board.js";
import { cellInWords, faceInWords, faceUrl, goalPlace } from "./faces.js";
import { Sheet } from "./dialogs.js";
import { holdButton, Holder } from "./hold.js";
import { icon, roleIcon, roleInWords } from "./players.js";
import { word, wordsUnder } from "./words.js";

/** One box to hold: a button over a place of fixed size, so that every secret looks alike from outside. */
function box(line, url, { button, place }, draw) {
  return new Holder(button, place, async (signal) => draw(await line.read(url, signal)));
}

/** Binds the boxes of the page. `base` is the phone's address, "/p/CODE". */
export function bindSecrets(line, base) {
  const parts = (name) => ({
    button: document.getElementById(`${name}-hold`),
    place: document.getElementById(`${name}-place`),
  });
  box(line, `${base}/secret/role`, parts("role"), drawRole);
  box(line, `${base}/secret/gold`, parts("gold"), drawGold);
  box(line, `${base}/secret/peek`, parts("peek"), drawPeeks);
  box(line, `${base}/secret/inspection`, parts("inspection"), ({ inspections }) =>
    drawInspections(line.view, inspections),
  );
  if (!document.getElementById("link-hold")) return; // a shared device has no link to take elsewhere
  box(line, `${base}/link`, parts("link"), ({ url, qr }) => [
    el("img", { class: "qr", src: qr, alt: word("link.qr"), width: 200, height: 200 }),
    el("span", { class: "address" }, url),
  ]);
}

/** A map has just been played: the goal can be looked at here and now. */
export function lookAtGoal(line, base) {
  return lookAt(word("peek.title"), line, `${base}/secret/peek`, drawPeeks);
}

/** An inspection has just been played: that player's role can be looked at here and now. */
export function lookAtRole(line, base) {
  return lookAt(word("inspect.title"), line, `${base}/secret/inspection`, ({ inspections }) =>
    drawInspections(line.view, inspections),
  );
}

function lookAt(title, line, url, draw) {
  const place = el("div", { class: "secret-place", "aria-live": "polite" });
  const button = holdButton(word("peek.hold"), word("peek.tap"));
  box(line, url, { button, place }, draw);
  return new Sheet({ title, build: () => [el("p", {}, word("peek.alone")), place, button] });
}

/**
 * The role and its task. Those of the other roles lie unseen in the same place, so that it is as large as the longest
 * of them needs: how large the box is tells nothing to somebody across the table.
 */
function drawRole({ role }) {
  const roles = wordsUnder("task.");
  const one = (tag, kind, text) =>
    el(
      tag,
      { class: `same-size ${kind}` },
      roles.map((name) =>
        name === role
          ? el("span", {}, text(name))
          : el("span", { class: "not-mine", "aria-hidden": "true" }, text(name)),
      ),
    );
  return [
    icon(roleIcon(role)),
    one("strong", "secret-word", roleInWords),
    one("span", "task", (name) => word(`task.${name}`)),
  ];
}

/** The gold of the game so far, and a bar for each round. */
function drawGold({ total, by_round }) {
  const most = Math.max(1, ...by_round);
  return [
    icon("nugget"),
    el("strong", { class: "secret-word" }, word("gold.total", { n: total })),
    el(
      "ol",
      { class: "gold-rounds" },
      by_round.map((gold, index) =>
        el(
          "li",
          {},
          el("span", {}, word("gold.round", { n: index + 1, gold })),
          el("meter", { min: 0, max: most, value: Math.max(0, gold), "aria-hidden": "true" }),
        ),
      ),
    ),
  ];
}

function drawInspections(view, inspections) {
  const name = (seat) => view.seats.find((one) => one.seat === seat)?.name ?? "";
  return inspections.map(({ seat, role }) =>
    el("p", {}, icon(roleIcon(role)), ` ${name(seat)}: `, el("strong", { class: "secret-word" }, roleInWords(role))),
  );
}

function drawPeeks({ peeks }) {
  return [
    el(
      "ul",
      { class: "peeks" },
      peeks.map((peek) => peekItem(peek)),
    ),
  ];
}

function peekItem({ cell, face }) {
  return el(
    "li",
    {},
    el("img", { class: "card-picture", src: faceUrl(face), alt: "", width: 56, height: 87 }),
    el("strong", { class: "secret-word" }, faceInWords(face)),
    el("span", {}, word(goalPlace(cell))),
    el("span", { class: "unseen" }, cellInWords(cell)),
  );
}

/** Fetches, before any secret is asked for, every picture a secret may need: which one is loaded then tells nothing. */
export function warmPictures() {
  for (const role of wordsUnder("task.")) new Image().src = `/cards/icon/${roleIcon(role)}.svg`;
  new Image().src = "/cards/icon/nugget.svg";
  for (const face of ["gold", "stone-NE", "stone-NW"]) new Image().src = faceUrl(face);
}

/** A small board for reading only. */
export function smallBoard(place) {
  const picture = svg("svg", { class: "board", role: "group", "aria-label": word("board") });
  place.append(picture);
  return new Board(picture);
}
