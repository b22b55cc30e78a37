// The line to the server: views by GET, hints by a stream (or by asking every three seconds), commands by POST.
import { lettersFor } from "./letters.js";

const POLL_MS = 3000;
const SUPERSEDED_MS = 5000; // another device of this seat has the stream: ask gently
const LOST_MS = 1200; // between tries while nothing answers
const CHECK_MS = 25000; // the stream can look open while it is dead
const REOPEN_MS = [2000, 5000, 15000, 30000];
const RETRY_MS = [400, 800, 1600, 3000, 5000];
const TIMEOUT_MS = 8000;

/** Keeps one view up to date. `onView(view)` on every new one; `onLine(state)` with "fine", "broken", "gone" or "left". */
export class Line {
  constructor({ view, events, command, onView, onLine }) {
    this.urls = { view, events, command };
    this.onView = onView;
    this.onLine = onLine;
    this.view = null;
    this.fetching = null;
    this.again = false;
    this.misses = 0;
    this.state = "fine";
    this.source = null;
    this.poll = null;
    this.reopen = null;
    this.failures = 0;
    this.superseded = false;
  }

  start() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.wake()));
    document.addEventListener("resume", () => !document.hidden && this.wake()); // thawed after a freeze
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    addEventListener("focus", () => this.superseded && this.wake());
    addEventListener("online", () => this.wake());
    addEventListener("pagehide", () => this.rest());
    setInterval(() => !document.hidden && this.refresh(), CHECK_MS);
    return this.wake();
  }

  /** The page is being looked at: first the present view, then the stream. */
  async wake() {
    this.superseded = false;
    await this.refresh();
    this.failures = 0;
    this.open();
  }

  rest() {
    clearTimeout(this.reopen);
    clearTimeout(this.poll);
    this.poll = null;
    if (this.source) this.source.close();
    this.source = null;
  }

  open() {
    this.rest();
    if (document.hidden || this.superseded || ["gone", "left"].includes(this.state)) return;
    const source = new EventSource(this.urls.events);
    this.source = source;
    source.addEventListener("hint", () => this.refresh());
    source.addEventListener("superseded", () => this.source === source && this.giveWay());
    source.addEventListener("open", () => {
      this.failures = 0;
      clearTimeout(this.poll);
      this.poll = null;
      this.refresh();
    });
    source.addEventListener("error", () => {
      source.close();
      if (this.source !== source) return;
      this.source = null;
      this.ask();
      const wait = REOPEN_MS[Math.min(this.failures, REOPEN_MS.length - 1)];
      this.failures += 1;
      clearTimeout(this.reopen);
      this.reopen = setTimeout(() => this.source ?? this.open(), wait);
    });
    this.ask();
  }

  /** A newer device of this seat listens now. Two that both came back would supersede each other for ever. */
  giveWay() {
    this.rest();
    this.superseded = true;
    this.ask();
  }

  /** Asks from time to time for as long as no stream is open. */
  ask() {
    if (this.poll !== null) return;
    this.poll = setTimeout(
      async () => {
        this.poll = null;
        if (document.hidden || this.source?.readyState === EventSource.OPEN) return;
        await this.refresh();
        this.ask();
      },
      this.misses ? LOST_MS : this.superseded ? SUPERSEDED_MS : POLL_MS,
    );
  }

  /** Gets the present view; one request at a time, and one more when a hint came meanwhile. */
  async refresh() {
    if (this.fetching) {
      this.again = true;
      return this.fetching;
    }
    this.fetching = this.get();
    try {
      await this.fetching;
    } finally {
      this.fetching = null;
    }
    if (this.again) {
      this.again = false;
      return this.refresh();
    }
  }

  async get() {
    const known = this.view;
    let answer;
    try {
      answer = await timed(this.urls.view, { cache: "no-store" });
      if (answer.ok) {
        this.misses = 0;
        this.note("fine");
        this.take(await answer.json(), known);
        return;
      }
    } catch (error) {
      if (!isNetwork(error)) throw error;
    }
    if (answer && [401, 403, 404, 410].includes(answer.status)) {
      this.note("gone");
      this.rest();
      return;
    }
    this.misses += 1;
    if (this.misses > 1) this.note("broken"); // one lost answer is no news
    this.ask();
  }

  /**
   * `known`: the view when this one was asked for. An older one that something newer has overtaken is dropped;
   * one that nothing overtook is the truth of a server that lost its last steps.
   */
  take(view, known) {
    if (this.view && isOlder(view, this.view) && this.view !== known) return;
    this.view = view;
    lettersFor(JSON.stringify(view.seats));
    this.onView(view);
  }

  note(state) {
    if (state === this.state) return;
    this.state = state;
    this.onLine(state);
  }

  /** A secret or another small answer, as JSON. Throws Unreached. */
  read(url, signal) {
    return once(url, { cache: "no-store", signal });
  }

  /** Asks the server to make something and gives its answer as JSON; not repeated. Throws Unreached. */
  make(url, wish = {}) {
    const headers = { "Content-Type": "application/json" };
    return once(url, { method: "POST", headers, body: JSON.stringify(wish) });
  }

  /** Sends a command until the server has answered. Gives [] when done, else the reasons why not. */
  async send(command, url = this.urls.command) {
    const known = this.view;
    const body = JSON.stringify({ id: freshId(), version: known.version, ...command });
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await timed(url, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
        });
        if (answer.status < 502) return this.settle(await answer.json(), known);
      } catch (error) {
        if (!isNetwork(error)) throw error;
      }
      if (attempt >= RETRY_MS.length) throw new Unreached();
      if (attempt === 1) this.note("broken");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS[attempt]));
    }
  }

  /** An answer that is neither a view nor a reason why not: the seat was given up, and nothing is left to see. */
  settle(answer, known) {
    if (!answer.view && !answer.refused && !answer.error) {
      this.rest();
      this.note("left");
      return [];
    }
    this.note("fine");
    if (answer.view) this.take(answer.view, known);
    if (answer.refused) return answer.refused;
    if (answer.error) {
      this.refresh();
      return [answer.error];
    }
    return [];
  }
}

/** The server did not answer in time, or not with what was asked for; the caller says so in the page's words. */
export class Unreached extends Error {}

/** Whether a view is of an earlier moment: fewer steps, or as many and earlier in what needs none (camera, host). */
function isOlder(view, other) {
  return view.version === other.version ? view.sight < other.sight : view.version < other.version;
}

async function once(url, options) {
  try {
    const answer = await timed(url, options);
    if (!answer.ok) throw new Unreached();
    return await answer.json();
  } catch (error) {
    if (isNetwork(error)) throw new Unreached();
    throw error;
  }
}

async function timed(url, { signal, ...options }) {
  const stop = new AbortController();
  signal?.addEventListener("abort", () => stop.abort());
  const clock = setTimeout(() => stop.abort(), TIMEOUT_MS);
  try {
    return await fetch(url, { ...options, signal: stop.signal });
  } finally {
    clearTimeout(clock);
  }
}

function isNetwork(error) {
  return error instanceof TypeError || error instanceof SyntaxError || error.name === "AbortError";
}

/** A random UUID from getRandomValues: crypto.randomUUID is missing on plain http. */
function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
