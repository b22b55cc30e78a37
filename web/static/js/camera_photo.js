// A player's page for photos of the table: one button, and what was seen.
import { el, reasons, show } from "./dom.js";
import { Refused, get, whileLookedAt } from "./camera_line.js";
import { takePhotos } from "./camera_take.js";
import { word } from "./words.js";

const part = (id) => document.getElementById(id);
const code = document.body.dataset.code;
const LOOK_MS = 800;
const UNREAD = ["not_a_picture", "picture_too_large", "reading_failed"];
let misses = 0;
let shown = null; // the number of the picture that is shown
let awaited = null; // the number of the last picture before the photo, until it has been read
let say = () => {};

const look = whileLookedAt(async () => {
  let view;
  try {
    view = await get(`/p/${code}/view`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    location.assign(`/p/${code}`); // the seat was given up: its own page says so
    return;
  }
  misses = view ? 0 : misses + 1;
  part("offline").hidden = misses < 2;
  if (view) draw(view);
}, LOOK_MS);

takePhotos(document.querySelector(".take"), (answer, told) => {
  say = told;
  awaited = shown ?? 0;
  say(word("photo.reading"));
  look();
});

function draw(view) {
  const { camera, seats, me, to_move: mover, referee } = view;
  const wanted = camera.source === "photo";
  document.querySelector(".take").hidden = !wanted;
  part("turn").textContent = wanted ? turn(seats, me, mover) : word("photo.not_wanted");
  part("result").hidden = !wanted || camera.picture === null;
  if (camera.picture !== null && camera.picture !== shown) {
    shown = camera.picture;
    part("picture").src = `/t/${code}/picture.jpg?n=${shown}`;
  }
  if (awaited !== null && shown > awaited) {
    say(word("photo.read"));
    awaited = null;
  } else if (awaited !== null && camera.problems.some((problem) => UNREAD.includes(problem.code))) {
    say(""); // the problem itself stands below
    awaited = null;
  }
  const told = [camera.problems, referee?.verdict ?? null, referee?.disagreements ?? []];
  show(part("told"), told, () => [
    ...reasons(camera.problems, "word-note"),
    ...verdict(referee?.verdict),
    ...reasons(referee?.disagreements ?? [], "word-note"),
  ]);
}

function turn(seats, me, mover) {
  if (!mover) return "";
  if (me?.seat === mover) return word("turn.mine");
  const seat = seats.find((one) => one.seat === mover);
  return seat ? word("turn.of", { name: seat.name }) : "";
}

function verdict(told) {
  if (!told) return [];
  return told.legal ? [el("p", { class: "word-good" }, "✓ ", word("photo.fits"))] : reasons(told.problems);
}
