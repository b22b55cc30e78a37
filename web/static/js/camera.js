// The host's page for setting the camera up: the live picture, what would better it, and the choice of the source.
import { button, el, fill, reasons, show } from "./dom.js";
import { Corners } from "./camera_corners.js";
import { Refused, get, post, whileLookedAt } from "./camera_line.js";
import { takePhotos } from "./camera_take.js";
import { word } from "./words.js";

const part = (id) => document.getElementById(id);
const code = document.body.dataset.code;
const LOOK_MS = 700;
const corners = new Corners(part("handles"), part("outline"));
let shown = null;
let misses = 0;
let pointing = false;
let now = null;

const look = whileLookedAt(async () => {
  let view;
  try {
    view = await get(`/t/${code}/camera/view`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    location.assign(`/t/${code}/camera`); // this browser is not the host's any more: the page says so
    return;
  }
  misses = view ? 0 : misses + 1;
  part("offline").hidden = misses < 2;
  if (view) draw(view);
}, LOOK_MS);

function draw(view) {
  now = view;
  const there = view.picture !== null && view.state !== "off";
  part("live").hidden = !there;
  part("nothing").hidden = there;
  document.querySelector(".legend").hidden = !there;
  if (there && view.picture !== shown) {
    shown = view.picture;
    part("picture").src = `/t/${code}/picture.jpg?n=${shown}`;
  }
  drawState(view);
  show(part("problems"), view.problems, () => reasons(view.problems, "word-note"));
  show(part("measures"), view.measures, () => view.measures.map(measure));
  part("nothing-measured").hidden = view.measures.length > 0;
  show(part("decks"), [view.deck, view.decks], () => decks(view));
  show(part("sources"), [view.source, view.state, view.found], () => sources(view));
  drawPointing(there);
  part("photo-phones").hidden = view.source !== "photo";
  if (part("photo-qr").getAttribute("src") !== view.photo.qr) part("photo-qr").src = view.photo.qr;
  part("photo-url").textContent = view.photo.url;
}

/** In a word, by a sign, by the kind of line, and by colour. */
function drawState({ state, well, measures }) {
  const judged = state === "watching" && measures.length > 0;
  part("live").className = `live${judged ? (well ? " well" : " not-yet") : ""}`;
  const text = judged ? word(well ? "camera.well" : "camera.not_yet") : word(`camera.${state}`);
  const sign = judged ? (well ? "✓" : "!") : "";
  show(part("state"), [text, sign], () => [
    sign ? el("span", { class: "mark", "aria-hidden": "true" }, sign) : null,
    text,
  ].filter((node) => node !== null));
  part("state").dataset.well = judged ? String(well) : "";
}

function measure({ well, text, better }) {
  return el(
    "li",
    { class: well ? "measure good" : "measure poor" },
    el("span", { class: "mark", "aria-hidden": "true" }, well ? "✓" : "!"),
    el("span", {}, text, better ? el("strong", { class: "better" }, better) : null),
  );
}

function sources({ found, source, state }) {
  const option = (label, wish) =>
    button(label, () => choose(wish), {
      class: "button wide",
      "data-key": wish,
      "aria-pressed": String(wish === "off" ? state === "off" : state !== "off" && source === wish),
    });
  return [
    ...found.map((number) => option(word("camera.webcam", { n: Number(number) + 1 }), number)),
    found.length ? null : el("p", { class: "word-note" }, word("camera.none_found")),
    option(word("camera.photo"), "photo"),
    option(word("camera.demo"), "demo"),
    option(word("camera.none"), "off"),
  ].filter((node) => node !== null);
}

/** A kept deck goes by its name, a folder by its last part; what is neither has a word of its own. */
function decks({ deck, decks }) {
  const named = new Map([["", word("deck.printed")], ["*", word("deck.unknown")]]);
  return decks.map((wish) =>
    button(named.get(wish) ?? wish.split(/[\\/]/).at(-1), () => read(wish), {
      class: "button wide",
      "data-key": `deck ${wish}`,
      "aria-pressed": String(wish === deck),
    }),
  );
}

async function read(deck) {
  const { problems, answer } = await post(`/t/${code}/camera/deck`, { deck });
  fill(part("deck-refused"), reasons(problems));
  if (answer && !problems.length) draw(answer);
}

async function choose(source) {
  const { problems } = await post(`/t/${code}/camera`, { source });
  fill(part("source-refused"), reasons(problems));
  look();
}

part("address-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const address = part("address").value.trim();
  if (address) choose(address);
});

// ---------------------------------------------------------------- pointing out

function drawPointing(there) {
  if (!there) pointing = false;
  document.body.classList.toggle("pointing", pointing);
  part("handles").hidden = !pointing;
  part("point-how").hidden = !pointing;
  part("point").hidden = pointing;
  part("point").disabled = !there;
  part("point-use").hidden = part("point-cancel").hidden = !pointing;
  part("point-back").hidden = pointing || now.pointed === null;
  part("pointed").hidden = now.pointed === null;
  part("frame").toggleAttribute("hidden", !pointing && now.pointed === null);
  if (!pointing && now.pointed) part("outline").setAttribute("points", now.pointed.map((p) => p.join(",")).join(" "));
}

function point(on) {
  pointing = on;
  drawPointing(true);
  if (on) corners.begin(now.pointed);
}

async function pointOut(points) {
  const { problems, answer } = await post(`/t/${code}/camera/corners`, { corners: points });
  fill(part("point-refused"), reasons(problems));
  if (problems.length) return;
  pointing = false;
  draw(answer);
  part("point").focus();
}

part("point").addEventListener("click", () => point(true));
part("point-cancel").addEventListener("click", () => point(false));
part("point-use").addEventListener("click", () => pointOut(corners.points));
part("point-back").addEventListener("click", () => pointOut(null));

takePhotos(document.querySelector(".take"), (_answer, say) => {
  say(word("photo.reading"));
  const before = shown;
  const clock = setInterval(() => {
    if (shown === before) return;
    clearInterval(clock);
    say(word("photo.read"));
  }, LOOK_MS);
  look();
});
