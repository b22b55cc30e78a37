// Choices that a device remembers: yes or no, by name. Where storage is switched off they hold until the page goes.

export function remembered(key, otherwise) {
  try {
    const kept = localStorage.getItem(key);
    return kept === null ? otherwise : kept === "yes";
  } catch (error) {
    if (error instanceof DOMException) return otherwise;
    throw error;
  }
}

export function remember(key, yes) {
  try {
    localStorage.setItem(key, yes ? "yes" : "no");
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // not remembered, still switched
  }
}
