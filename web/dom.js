// Elements from data. Text is always text: nothing here, or anywhere, reads HTML from a string.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} node
 * @param {Record<string, any>} props attributes; `on…` are listeners, `class` and `text` as they say,
 *   `data` a record of data attributes; null and false leave an attribute out
 * @param {(Node|string|null|undefined|false)[]} children
 */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

/** Adds children; nested lists are flattened, what is missing is left out. */
export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child);
  }
  return node;
}

/** An HTML element. @returns {HTMLElement} */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** What may be wider than its place: it scrolls, by keyboard too. @param {string} name what a screen reader calls it */
export function scrolling(name, child) {
  return h("div", { class: "scroll", role: "region", "aria-label": name, tabindex: "0" }, child);
}

/** An SVG element. @returns {SVGElement} */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Replaces all children. */
export function replace(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

/** A select with these options, each `[value, label]`. */
export function select(props, options, chosen) {
  const node = h("select", props, options.map(([value, label]) =>
    h("option", { value, selected: String(value) === String(chosen) }, label)));
  return node;
}

/** A button. */
export function button(label, onclick, props = {}) {
  return h("button", { type: "button", onclick, ...props }, label);
}

/** The first few digits of a share, as per cent. */
export function percent(share) {
  if (share === null || share === undefined) return "";
  const hundred = share * 100;
  return hundred > 0 && hundred < 9.95 ? `${hundred.toFixed(1)} %` : `${Math.round(hundred)} %`;
}

/** A number with a sign. */
export function signed(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : `+${text}`;
}

/** A large number, such as 12,300. */
export function grouped(n) {
  return Math.round(n).toLocaleString("en");
}

/** Seconds in words. */
export function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Milliseconds that a message stays. */
const MESSAGE_TIME = 9000;
let fading = null;

/** Says something to who sees and to who listens. */
export function say(text, kind = "info") {
  const box = document.getElementById("message");
  box.textContent = text;
  box.className = text ? `shown ${kind}` : "";
  clearTimeout(fading);
  fading = setTimeout(() => { box.className = ""; }, MESSAGE_TIME);
}
