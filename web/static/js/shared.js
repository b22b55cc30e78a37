// A locked device that several players share: says whose turn it is, from the view that everybody may see.
import { Line } from "./net.js";
import { turnInWords } from "./players.js";

const code = document.body.dataset.code;
const turn = document.getElementById("turn");

const line = new Line({
  view: `/t/${code}/view`,
  events: `/events/${code}`,
  command: `/t/${code}/command`,
  onView: draw,
  onLine: (state) => {
    document.getElementById("offline").hidden = state !== "broken";
  },
});

function draw(view) {
  turn.hidden = false;
  const said = turnInWords(view);
  if (turn.textContent !== said) turn.textContent = said;
  const awaited = view.picking?.seat ?? view.stealing ?? view.to_move;
  for (const link of document.querySelectorAll("[data-seat]")) {
    const seat = view.seats.find((one) => String(one.seat) === link.dataset.seat);
    link.parentElement.hidden = !seat;
    link.classList.toggle("main", String(awaited) === link.dataset.seat);
    if (seat) link.textContent = `${String(awaited) === link.dataset.seat ? "▶ " : ""}${seat.name}`;
  }
}

line.start();
