// Hold to reveal: a secret is fetched when the button is held, shown while it is held, and gone on release.
import { el } from "./dom.js";
import { Unreached } from "./net.js";
import { remember, remembered } from "./remember.js";
import { word } from "./words.js";

const SHOW_AFTER_MS = 350; // the same for every secret, so that the wait tells nothing
export const TAP_SHOWS_MS = 12000;
const KEY = "pithead-tap";
const open = new Set();

let tapping = remembered(KEY, false);

/** Whether one tap shows and the next one hides, for those who cannot hold. */
export function tapMode() {
  return tapping;
}

export function setTapMode(yes) {
  hideAll();
  tapping = yes;
  remember(KEY, yes);
}

/** A button to hold, with the words for holding and for tapping. */
export function holdButton(hold, tap) {
  const label = el("span", { class: "hold-word" });
  const node = el(
    "button",
    {
      type: "button",
      class: "button wide big hold",
      "aria-expanded": "false",
      "data-hold": hold,
      "data-tap": tap,
    },
    label,
  );
  label.textContent = tapping ? tap : hold;
  return node;
}

/** Lets every button say what it wants: to be held, or to be tapped. */
export function labelHolds() {
  for (const button of document.querySelectorAll("[data-hold]")) {
    button.querySelector(".hold-word").textContent = tapping ? button.dataset.tap : button.dataset.hold;
  }
}

/** Whether a secret is on the screen. */
export function anyShown() {
  return open.size > 0;
}

/** Takes every secret off the screen. */
export function hideAll() {
  for (const holder of [...open]) holder.hide();
}

for (const kind of ["blur", "pagehide"]) addEventListener(kind, hideAll);
for (const kind of ["visibilitychange", "freeze"]) document.addEventListener(kind, hideAll);

/**
 * Makes `button` reveal in `place` what `load(signal)` gives as nodes. `place` is emptied on release.
 * Without a pointer: a key held shows, letting go hides; a click with no pointer (a screen reader's) shows for a while.
 */
export class Holder {
  constructor(button, place, load) {
    this.button = button;
    this.place = place;
    this.load = load;
    this.stop = null;
    this.clock = null;
    this.pointer = null;
    button.addEventListener("pointerdown", (event) => this.down(event));
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(kind, () => this.up());
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("keydown", (event) => this.key(event));
    button.addEventListener(
      "keyup",
      (event) => [" ", "Enter"].includes(event.key) && !tapping && this.hide(),
    );
    button.addEventListener("blur", () => this.hide());
    button.addEventListener("click", (event) => this.click(event));
  }

  down(event) {
    if (tapping || event.button !== 0) return;
    this.pointer = event.pointerId;
    this.button.setPointerCapture(event.pointerId);
    this.reveal();
  }

  up() {
    if (this.pointer === null) return;
    this.pointer = null;
    this.hide();
  }

  key(event) {
    if (![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (event.repeat) return;
    if (tapping) this.toggle();
    else this.reveal();
  }

  click(event) {
    if (tapping || event.detail === 0) this.toggle();
  }

  toggle() {
    if (this.stop) {
      this.hide();
      return;
    }
    this.reveal();
    this.clock = setTimeout(() => this.hide(), TAP_SHOWS_MS);
  }

  async reveal() {
    if (this.stop) return;
    hideAll();
    const stop = new AbortController();
    this.stop = stop;
    open.add(this);
    this.button.classList.add("held");
    this.button.setAttribute("aria-expanded", "true");
    const wait = new Promise((resolve) => setTimeout(resolve, SHOW_AFTER_MS));
    let nodes;
    try {
      [nodes] = await Promise.all([this.load(stop.signal), wait]);
    } catch (error) {
      if (!(error instanceof Unreached)) {
        this.hide();
        throw error;
      }
      if (stop.signal.aborted) return;
      nodes = [document.createTextNode(word("unreached"))];
    }
    if (this.stop === stop) this.place.replaceChildren(...[nodes].flat());
  }

  hide() {
    clearTimeout(this.clock);
    if (!this.stop) return;
    this.stop.abort();
    this.stop = null;
    open.delete(this);
    this.button.classList.remove("held");
    this.button.setAttribute("aria-expanded", "false");
    this.place.replaceChildren();
  }
}
