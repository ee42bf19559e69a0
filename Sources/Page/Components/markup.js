// markup.js: elements, and numbers as a person reads them.
//
// Input     every component
// Knows     the document. No run.

/** Returns an element with attributes and children. A name that begins with `on` adds a listener. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const svgSpace = new DOMParser().parseFromString("<svg></svg>", "text/html").body.firstChild.namespaceURI;

/** Returns an SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets a text that differs. An equal text would still cost a layout. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute that differs; removes it for null and false. */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

/** Makes `children` the children of an element, in their order. Those that are in place are not touched. */
export function arrange(element, children, first = element.firstChild) {
  let next = first;
  for (const child of children) {
    if (child === next) next = next.nextSibling;
    else element.insertBefore(child, next);
  }
  while (next) {
    const rest = next.nextSibling;
    next.remove();
    next = rest;
  }
}

/** One element for each item, kept by its key: `make(item)` once, `change(element, item)` at each update. */
export class Keyed {
  constructor(parent, keyOf, make, change = () => {}) {
    Object.assign(this, { parent, keyOf, make, change });
    this.elements = new Map();
  }

  update(items) {
    const kept = new Map();
    const elements = items.map((item) => {
      const key = this.keyOf(item);
      const element = this.elements.get(key) ?? this.make(item);
      this.change(element, item);
      kept.set(key, element);
      return element;
    });
    this.elements = kept;
    arrange(this.parent, elements);
  }
}

/** Replaces `{0}`, `{1}`, … in a text. */
export function filled(text, ...values) {
  return text.replace(/\{(\d)\}/g, (place, digit) => values[digit] ?? place);
}

/** Returns milliseconds as text, with as many digits as the size deserves. */
export function milliseconds(value, digits = Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 2 : 1) {
  return Math.abs(value) >= 10000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(digits)} ms`;
}

/** Returns a moment in milliseconds, with a fixed number of digits. */
export function moment(value) {
  return `${value.toFixed(3).replace("-", "−")} ms`;
}

export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

export function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}

/** Returns the index of the last element at or before a time; -1 without one. */
export function lastIndexAt(list, time, key = (element) => element) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
