// What a player does with the seat itself: another name, the host's powers, and locking a device that is shared.
import { askThenSend, whileBusy } from "./dialogs.js";
import { el, fill, reasons } from "./dom.js";
import { TAP_SHOWS_MS, anyShown } from "./hold.js";
import { Unreached } from "./net.js";
import { word } from "./words.js";

const IDLE_MS = 60000; // nobody has touched the device: whoever comes next is somebody else
const DONE_MS = TAP_SHOWS_MS + 3000; // the same once the turn is over: time for a look at what a map showed
const TOUCHES = ["pointerdown", "keydown", "scroll"];

export function rename(line) {
  const { seat, name } = line.view.me;
  const field = el("input", { type: "text", id: "new-name", value: name, maxlength: 24, autocomplete: "off" });
  askThenSend(line, {
    title: word("rename.title"),
    text: word("rename.text"),
    more: [el("div", { class: "field" }, el("label", { for: "new-name" }, word("rename.field")), field)],
    yes: word("rename.yes"),
    command: () => ({ do: "rename", seat, name: field.value }),
  });
}

/** The host asks this player to be the host. */
export function bindOffer(line, base) {
  const box = document.getElementById("offer");
  const said = document.getElementById("offer-said");
  const answer = (accept) =>
    whileBusy(box, async () => {
      try {
        await line.make(`${base}/host`, { accept });
        fill(said);
      } catch (error) {
        if (!(error instanceof Unreached)) throw error;
        fill(said, reasons([{ text: word("unreached") }]));
      }
      await line.refresh();
    });
  document.getElementById("offer-yes").addEventListener("click", () => answer(true));
  document.getElementById("offer-no").addEventListener("click", () => answer(false));
}

/**
 * A shared device locks itself when it is handed over, left alone, or not looked at any more. What it shows goes at
 * once; the server's lock needs an answer, so it is asked for in a way that outlives the page.
 * Gives back what wants to know whether the seat has the turn: after it there is less patience.
 */
export function bindLock(code) {
  let idle = null;
  let patience = IDLE_MS;
  let had = false;
  const lock = () => {
    clearTimeout(idle);
    document.getElementById("main").hidden = true;
    const locked = fetch(`/s/${code}/lock`, { method: "POST", body: new URLSearchParams(), keepalive: true });
    // A lost answer still locks: the server lets go of a seat that it does not hear of.
    locked.finally(() => location.replace(`/s/${code}`)).catch(() => {});
  };
  const touched = () => {
    clearTimeout(idle);
    idle = setTimeout(() => (anyShown() ? touched() : lock()), patience);
  };
  for (const kind of TOUCHES) addEventListener(kind, touched, { passive: true, capture: true });
  addEventListener("blur", lock);
  addEventListener("pagehide", lock);
  document.addEventListener("visibilitychange", () => document.hidden && lock());
  document.getElementById("lock").addEventListener("click", lock);
  touched();
  return (mine) => {
    if (mine === had) return;
    patience = mine ? IDLE_MS : DONE_MS;
    had = mine;
    touched();
  };
}
