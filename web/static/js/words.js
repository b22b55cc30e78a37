// The page's own words: they stand in <template id="words">, written by the server in the reader's language.
const words = new Map();
for (const node of document.getElementById("words").content.querySelectorAll("[data-word]")) {
  if (words.has(node.dataset.word)) throw new Error(`the page has words for ${node.dataset.word} twice`);
  words.set(node.dataset.word, node.textContent.trim());
}

/** The words for a key, with {places} filled. Throws when the page has no such words. */
export function word(key, values = {}) {
  const text = words.get(key);
  if (text === undefined) throw new Error(`the page has no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
}

export function hasWord(key) {
  return words.has(key);
}

/** The last parts of all keys that begin with `prefix`, in the page's order: wordsUnder("tool.") -> ["pickaxe", ...]. */
export function wordsUnder(prefix) {
  return [...words.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}
