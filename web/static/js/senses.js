// What a phone can do beside showing: buzz, sound, stay awake. Chosen on each phone, and never the only sign.
import { remember, remembered } from "./remember.js";

const BUZZ_MS = [120, 80, 120];
const NOTES_HZ = [660, 880];
const NOTE_S = 0.16;

/** name -> whether this browser has it, and whether it is on until somebody chooses. */
const CAN = {
  buzz: { there: "vibrate" in navigator, usual: true },
  sound: { there: "AudioContext" in window, usual: false },
  awake: { there: "wakeLock" in navigator, usual: true }, // not on plain http: then it is not offered
};

export class Senses {
  constructor() {
    this.on = {};
    this.mine = null;
    this.said = "";
    this.lock = null;
    this.audio = null;
    for (const [name, { there, usual }] of Object.entries(CAN)) {
      this.on[name] = there && remembered(`pithead-${name}`, usual);
      this.bind(name, there);
    }
    document.addEventListener("visibilitychange", () => this.stayAwake());
    // Browsers let a page sound only after it was touched.
    addEventListener("pointerdown", () => this.on.sound && this.speaker().resume());
    this.stayAwake();
  }

  bind(name, there) {
    document.getElementById(`${name}-choice`).hidden = !there;
    const box = document.getElementById(name);
    box.checked = this.on[name];
    box.addEventListener("change", () => {
      this.on[name] = box.checked;
      remember(`pithead-${name}`, box.checked);
      if (name === "awake") this.stayAwake();
      else if (box.checked) this.call(name);
    });
  }

  /** Calls when it has become this player's turn, or the camera has something against the card just laid. */
  notice(mine, verdict) {
    const news = (mine && this.mine === false) || (verdict && verdict !== this.said && this.mine !== null);
    this.mine = mine;
    this.said = verdict;
    if (news) for (const name of ["buzz", "sound"]) if (this.on[name]) this.call(name);
  }

  call(name) {
    if (name === "buzz") navigator.vibrate(BUZZ_MS);
    else this.chime();
  }

  speaker() {
    this.audio ??= new AudioContext();
    return this.audio;
  }

  chime() {
    const audio = this.speaker();
    NOTES_HZ.forEach((pitch, place) => {
      const start = audio.currentTime + place * NOTE_S;
      const loud = audio.createGain();
      loud.gain.setValueAtTime(0.2, start);
      loud.gain.exponentialRampToValueAtTime(0.001, start + 2 * NOTE_S);
      const note = audio.createOscillator();
      note.frequency.value = pitch;
      note.connect(loud).connect(audio.destination);
      note.start(start);
      note.stop(start + 2 * NOTE_S);
    });
  }

  /** The browser drops the lock whenever the page is hidden, so it is asked for again when it is seen. */
  async stayAwake() {
    if (!this.on.awake) {
      await this.lock?.release();
      this.lock = null;
      return;
    }
    if (document.hidden) return;
    try {
      this.lock = await navigator.wakeLock.request("screen");
    } catch (error) {
      if (!(error instanceof DOMException)) throw error; // low battery: the phone decides
    }
  }
}
