// Asking the server on the camera's pages: an answer, or reasons why not; never an error that nobody sees.
import { word } from "./words.js";

const TIMEOUT_MS = 8000;
const UPLOAD_MS = 60000;

/** What a page shows, as JSON; null when the server did not answer. Throws Refused when it says no. */
export async function get(url) {
  const answer = await asked(url, { cache: "no-store" }, TIMEOUT_MS);
  if (answer === null) return null;
  if (answer.status >= 500) return null;
  if (!answer.ok) throw new Refused(answer.status);
  return answer.json();
}

/** Posts JSON, or a blob as it is. Gives { problems, answer }: `problems` is empty when it was done. */
export async function post(url, body) {
  const blob = body instanceof Blob;
  const type = blob ? "application/octet-stream" : "application/json";
  const request = { method: "POST", headers: { "Content-Type": type }, body: blob ? body : JSON.stringify(body) };
  const answer = await asked(url, request, blob ? UPLOAD_MS : TIMEOUT_MS);
  const told = answer === null ? null : await spoken(answer);
  if (told === null) return { problems: [{ code: "unreached", text: word("unreached") }], answer: null };
  if (answer.ok) return { problems: [], answer: told };
  return { problems: told.refused ?? [told.error], answer: null };
}

/** The page is not for this browser any more. */
export class Refused extends Error {}

async function asked(url, request, limit) {
  const stop = new AbortController();
  const clock = setTimeout(() => stop.abort(), limit);
  try {
    return await fetch(url, { ...request, signal: stop.signal });
  } catch (error) {
    if (error instanceof TypeError || error.name === "AbortError") return null;
    throw error;
  } finally {
    clearTimeout(clock);
  }
}

async function spoken(answer) {
  try {
    const told = await answer.json();
    return answer.ok || told.refused || told.error ? told : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error.name === "AbortError") return null;
    throw error;
  }
}

/** Calls `look` now and every `period` ms while the page is looked at; no two at once. */
export function whileLookedAt(look, period) {
  let busy = false;
  const once = async () => {
    if (busy || document.hidden) return;
    busy = true;
    try {
      await look();
    } finally {
      busy = false;
    }
  };
  setInterval(once, period);
  document.addEventListener("visibilitychange", once);
  once();
  return once;
}
