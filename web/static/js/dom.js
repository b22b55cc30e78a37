// Builds and replaces nodes. Data only ever goes in as text or attributes, never as markup.
const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. `props`: attributes by name; `on` holds listeners; true gives an empty attribute, false and null none. */
export function el(tag, props = {}, ...children) {
  return furnish(document.createElement(tag), props, children);
}

/** An SVG element, made like `el`. */
export function svg(tag, props = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), props, children);
}

function furnish(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [kind, listener] of Object.entries(value)) node.addEventListener(kind, listener);
    } else if (value === true) {
      node.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
  node.append(...flat(children));
  return node;
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Puts new children into a node; the focus stays on the child with the same data-key. */
export function fill(node, ...children) {
  const active = document.activeElement;
  const key = active && node.contains(active) ? active.dataset.key : undefined;
  node.replaceChildren(...flat(children));
  if (key === undefined) return;
  const again = [...node.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (again) again.focus({ preventScroll: true });
}

const drawn = new WeakMap();

/** Rebuilds a node's children only when what they show has changed. */
export function show(node, input, build) {
  const now = JSON.stringify(input);
  if (drawn.get(node) === now) return;
  drawn.set(node, now);
  fill(node, ...[build()].flat());
}

/** A list of reasons, each with a mark that does not lean on colour. */
export function reasons(problems, kind = "word-bad") {
  const sign = kind === "word-good" ? "✓" : kind === "word-bad" ? "✕" : "!";
  return problems.map((problem) =>
    el("p", { class: kind }, el("span", { class: "mark", "aria-hidden": "true" }, sign), problem.text),
  );
}

export function button(label, onClick, props = {}) {
  return el("button", { type: "button", class: "button", ...props, on: { click: onClick } }, label);
}
