// The board's four corners, dragged over the picture: by finger, mouse or arrow keys.
import { el } from "./dom.js";
import { word } from "./words.js";

const FIRST = [
  [0.15, 0.3],
  [0.85, 0.1],
  [0.85, 0.9],
  [0.15, 0.7],
];
const STEP = 0.005; // of the picture, for each press of an arrow key
const LEAP = 0.03; // the same with Shift
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Corners {
  /** `place` holds the handles, over the picture and as large; `outline` is the polygon between them (0..1). */
  constructor(place, outline) {
    this.place = place;
    this.outline = outline;
    this.points = FIRST.map((point) => [...point]);
    this.handles = this.points.map((_point, index) => this.handle(index));
    place.append(...this.handles);
    this.draw();
  }

  /** Begins at corners that were pointed out before, or anywhere. */
  begin(points) {
    this.points = (points ?? FIRST).map((point) => [...point]);
    this.draw();
    this.handles[0].focus();
  }

  handle(index) {
    const handle = el(
      "button",
      { type: "button", class: "corner-handle", "aria-label": word("corner", { n: index + 1 }) },
      el("span", { class: "corner-number", "aria-hidden": "true" }, index + 1),
    );
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (handle.hasPointerCapture(event.pointerId)) this.to(index, this.at(event));
    });
    handle.addEventListener("keydown", (event) => {
      const way = ARROWS[event.key];
      if (!way) return;
      event.preventDefault();
      const by = event.shiftKey ? LEAP : STEP;
      const [x, y] = this.points[index];
      this.to(index, [x + by * way[0], y + by * way[1]]);
    });
    return handle;
  }

  at(event) {
    const box = this.place.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  to(index, [x, y]) {
    this.points[index] = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
    this.draw();
  }

  draw() {
    this.handles.forEach((handle, index) => {
      const [x, y] = this.points[index];
      handle.style.left = `${100 * x}%`;
      handle.style.top = `${100 * y}%`;
      handle.classList.toggle("leftward", x > 0.85);
      handle.classList.toggle("downward", y < 0.15);
    });
    this.outline.setAttribute("points", this.points.map((point) => point.join(",")).join(" "));
  }
}
