// Letters for names: a page in another language fetches the Korean and Hindi fonts when a name needs them.

const NEEDED = /[\u0900-\u097f\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/;

/** Links the fonts, once, if some text holds such letters; a device with fonts of its own then fetches none. */
export function lettersFor(text) {
  const page = document.documentElement;
  if (page.classList.contains("more-letters") || !NEEDED.test(text)) return;
  page.classList.add("more-letters");
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = document.querySelector("meta[name=letters]").content;
  document.head.append(sheet);
}
