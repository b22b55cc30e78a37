// A goal kept by hand was reached: somebody who sees it tells which of the three it is.
import { el } from "./dom.js";
import { faceInWords, faceUrl, goalPlace } from "./faces.js";
import { word } from "./words.js";

/** One section for every goal asked for; `tell(cell, face)` is null for a reader who cannot answer. */
export function askingSections(asking, tell) {
  return asking.map((cell) =>
    el(
      "section",
      { class: "stack" },
      el("h2", {}, word("asking.title")),
      el("p", { class: "lead" }, word(goalPlace(cell))),
      el("p", {}, word("asking.how")),
      tell &&
        el(
          "div",
          { class: "cards named" },
          ["gold", "stone-NE", "stone-NW"].map((face) => goalChoice(cell, face, tell)),
        ),
    ),
  );
}

function goalChoice(cell, face, tell) {
  return el(
    "button",
    { type: "button", class: "card-choice", "data-face": face, on: { click: () => tell(cell, face) } },
    el("img", { src: faceUrl(face), alt: "", width: 56, height: 87 }),
    el("span", { class: "card-name" }, faceInWords(face)),
  );
}
