// screen.js: what the apps show, as elements of the page.
//
//     scenes ─▶ one element for each view, kept by its identity ─▶ glass, scaled to its room
//
// Input     phone.js: the screen of a run at a time; device.js: the screen of a running group
// Knows     views as values. No time, no finger.
import { h, s, arrange, clamp } from "./markup.js";
import { labelOf } from "./run.js";

const tint = "#007AFF";

export class Screen {
  constructor(words) {
    this.words = words;
    [this.views, this.lit] = [new Map(), new Map()];
    this.screen = h("div", { class: "screen" });
    this.overlay = s("svg", { class: "fingers", "aria-hidden": "true" });
    this.scaled = h("div", { class: "scaled" }, this.screen, this.overlay);
    this.glass = h("div", { class: "glass" }, this.scaled);
    new ResizeObserver(() => this.fit()).observe(this.glass);
  }

  /** Sets the size of the screen in points. */
  resize(width, height) {
    [this.width, this.height] = [width, height];
    this.overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.scaled.style.width = `${width}px`;
    this.scaled.style.height = `${height}px`;
    this.glass.style.aspectRatio = `${width} / ${height}`;
    this.fit();
  }

  fit() {
    const scale = this.glass.clientWidth / this.width || 1;
    this.scaled.style.transform = `scale(${scale})`;
    // Names of views are the page's own text, and stay readable.
    this.scaled.style.setProperty("--point", 1 / scale);
  }

  /** Draws the scenes of apps, back to front. An element changes only where its view does. */
  draw(scenes) {
    const used = new Set();
    const roots = [];
    for (const scene of scenes) {
      const root = this.node(`scene ${scene.process}`, used, "scene");
      place(root, sceneBox(scene));
      const turn = { landscapeRight: "rotate(90deg)", landscapeLeft: "rotate(-90deg)",
        portraitUpsideDown: "rotate(180deg)" }[scene.orientation] ?? "";
      if (root.style.transform !== turn) root.style.transform = turn;
      const path = [{ depth: -1, element: root, frame: [0, 0, 0, 0], children: [] }];
      const all = [path[0]];
      for (const view of scene.views) {
        while (path.length > 1 && path[path.length - 1].depth >= view.d) path.pop();
        const around = path[path.length - 1];
        const element = this.node(`${scene.process} ${view.i}`, used, "view");
        drawView(element, view, around.frame, this.words);
        around.children.push(element);
        const entry = { depth: view.d, element, frame: view.f, children: [] };
        path.push(entry);
        all.push(entry);
      }
      for (const entry of all) arrange(entry.element, entry.children, firstAfterDrawing(entry.element));
      roots.push(root);
    }
    for (const [key, element] of this.views) {
      if (!used.has(key)) {
        element.remove();
        this.views.delete(key);
      }
    }
    arrange(this.screen, roots);
    this.screen.classList.toggle("empty", scenes.length === 0);
    this.screen.dataset.empty = this.words.noScreen;
  }

  node(key, used, name) {
    used.add(key);
    let element = this.views.get(key);
    if (!element) {
      element = h("div", { class: name });
      this.views.set(key, element);
    }
    return element;
  }

  /** Lights a hit path: the views by their keys, each with its distance from the hit view. */
  light(path) {
    for (const key of this.lit.keys()) {
      if (!path.has(key)) this.views.get(key)?.classList.remove("hit", "around");
    }
    for (const [key, order] of path) {
      const element = this.views.get(key);
      if (!element) continue;
      element.classList.toggle("hit", order === 0);
      element.classList.toggle("around", order > 0 && element.shown?.d > 0);
    }
    this.lit = path;
  }
}

/** Returns the function from an app's coordinates to those of the display. */
export function placementIn(scene) {
  if (!scene) return (point) => point;
  const [left, top, width, height] = scene.frame;
  switch (scene.orientation) {
    case "landscapeRight": return ({ x, y }) => ({ x: left + width - y, y: top + x });
    case "landscapeLeft": return ({ x, y }) => ({ x: left + y, y: top + height - x });
    case "portraitUpsideDown": return ({ x, y }) => ({ x: left + width - x, y: top + height - y });
    default: return ({ x, y }) => ({ x: left + x, y: top + y });
  }
}

function sceneBox(scene) {
  const [left, top, width, height] = scene.frame;
  if (!scene.orientation.startsWith("landscape")) return [left, top, width, height];
  // Turned about its middle, the interface fills the scene.
  return [left + (width - height) / 2, top + (height - width) / 2, height, width];
}

function place(element, [left, top, width, height]) {
  const before = element.box;
  if (before && before[0] === left && before[1] === top && before[2] === width && before[3] === height) return;
  element.box = [left, top, width, height];
  const { style } = element;
  if (before?.[0] !== left) style.left = `${left}px`;
  if (before?.[1] !== top) style.top = `${top}px`;
  if (before?.[2] !== width) style.width = `${width}px`;
  if (before?.[3] !== height) style.height = `${height}px`;
}

function firstAfterDrawing(element) {
  let next = element.firstChild;
  while (next && next.classList.contains("drawn")) next = next.nextSibling;
  return next;
}

/** Whether two views look alike apart from where they are. */
function isSameLook(a, b) {
  if (a.f[2] !== b.f[2] || a.f[3] !== b.f[3] || a.q || b.q) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name === "f" || isEqual(a[name], b[name]));
}

function isEqual(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function drawView(element, view, around, words) {
  const before = element.shown;
  place(element, [view.f[0] - around[0], view.f[1] - around[1], view.f[2], view.f[3]]);
  if (before === view) return;
  element.shown = view;
  if (before && isSameLook(before, view) && !(view.id !== undefined && isAtCorner(before) !== isAtCorner(view))) return;
  const kind = view.k ?? view.c;
  const { style } = element;
  style.display = view.h ? "none" : "";
  style.opacity = (view.a ?? 1) * (view.ct && !view.ct.e ? 0.45 : 1);
  style.overflow = view.cl ? "hidden" : "visible";
  style.background = view.bg ?? (kind === "UIWindow" ? "#FFFFFF" : "");
  style.borderRadius = view.cr ? `${view.cr}px` : "";
  style.boxShadow = view.bw ? `inset 0 0 0 ${view.bw}px ${view.bc ?? "#000"}` : "";
  style.clipPath = view.q ? polygon(view) : "";
  element.title = labelOf(view);
  element.dataset.label = labelOf(view);
  element.classList.toggle("plain", !view.bg && kind !== "UIWindow" && !view.bw && view.t === undefined);
  element.classList.toggle("pressed", view.ct?.h === true);
  element.classList.toggle("secure", view.s === true);
  for (const child of [...element.children]) if (child.classList.contains("drawn")) child.remove();
  element.prepend(...drawing(view, kind, words).map((part) => (part.classList.add("drawn"), part)));
}

/** The corners of the glass are round. */
function isAtCorner(view) {
  return view.f[0] < 16 && view.f[1] < 16;
}

function polygon(view) {
  const points = [];
  for (let index = 0; index < 8; index += 2) {
    points.push(`${view.q[index] - view.f[0]}px ${view.q[index + 1] - view.f[1]}px`);
  }
  return `polygon(${points.join(",")})`;
}

/** What the view draws itself: a text, the parts of a control, or the name of a view without any look. */
function drawing(view, kind, words) {
  const [, , width, height] = view.f;
  const parts = [];
  const box = (left, top, wide, high, look = {}) => {
    const part = h("div");
    place(part, [left, top, wide, high]);
    Object.assign(part.style, look);
    parts.push(part);
  };
  const color = view.ti ?? tint;
  const value = view.ct?.v ?? 0;
  switch (kind) {
    case "UISwitch":
      box(0, 0, width, height, { background: value > 0 ? (view.ti ?? "#34C759") : "#D9DCE1", borderRadius: "99px" });
      box(value > 0 ? width - height + 2 : 2, 2, height - 4, height - 4,
        { background: "#fff", borderRadius: "99px", boxShadow: "0 1px 3px rgb(0 0 0 / 30%)" });
      break;
    case "UISlider": {
      const share = clamp((value - (view.ct.lo ?? 0)) / ((view.ct.hi ?? 1) - (view.ct.lo ?? 0) || 1), 0, 1);
      const knob = Math.min(28, height);
      const spot = share * (width - knob);
      box(0, height / 2 - 2, width, 4, { background: "#D9DCE1", borderRadius: "2px" });
      box(0, height / 2 - 2, spot + knob / 2, 4, { background: color, borderRadius: "2px" });
      box(spot, (height - knob) / 2, knob, knob,
        { background: "#fff", borderRadius: "99px", boxShadow: "0 1px 4px rgb(0 0 0 / 35%)" });
      break;
    }
    case "UISegmentedControl": case "UIStepper": {
      const count = kind === "UIStepper" ? 2 : Math.max(1, view.ct.n ?? 1);
      box(0, 0, width, height, { background: "#E4E6EB", borderRadius: "8px" });
      if (kind === "UISegmentedControl" && value >= 0) {
        box((value * width) / count + 2, 2, width / count - 4, height - 4, { background: "#fff", borderRadius: "7px" });
      }
      if (kind === "UIStepper") box(width / 2, height * 0.25, 1, height / 2, { background: "#A9AFB9" });
      break;
    }
    case "UIPageControl": {
      const count = view.ct.n ?? 0;
      for (let page = 0; page < count; page++) {
        box(width / 2 + (page - (count - 1) / 2) * 16 - 4, height / 2 - 4, 8, 8,
          { background: page === value ? color : "#C9CDD4", borderRadius: "99px" });
      }
      break;
    }
    case "UITextField": box(0, 0, width, height, { border: "1px solid #C9CDD4", borderRadius: "6px" }); break;
    case "UITableViewCell": box(16, height - 1, Math.max(0, width - 16), 1, { background: "#D9DCE1" }); break;
    case "UIButton": if (!view.bg) box(0, 0, width, height, { background: "#E8F0FC", borderRadius: "10px" }); break;
    default: break;
  }
  if (view.sc && view.sc[3] > height) {
    const long = Math.max(24, (height * height) / view.sc[3]);
    const top = clamp((view.sc[1] / (view.sc[3] - height)) * (height - long), 0, height - long);
    box(width - 5, top + 2, 3, long - 4, { background: "rgb(60 64 72 / 45%)", borderRadius: "2px", zIndex: 2 });
  }
  const name = kind === "UIButton" ? view.t ?? view.id : view.t;
  if (view.s) {
    parts.push(h("span", { class: "name middle" }, words.secure));
  } else if (name !== undefined) {
    const text = h("span", { class: "text" }, name);
    text.style.color = view.tc ?? (kind === "UIButton" ? color : "#16181D");
    text.style.fontSize = `${Math.max(view.fs ?? 17, 12)}px`;
    text.style.justifyContent = view.m || kind === "UIButton" ? "center" : "flex-start";
    if (kind === "UITextField") text.style.padding = "0 8px";
    parts.push(text);
  } else if (view.id !== undefined && !view.ct && kind !== "UIWindow" && view.d > 1 && width >= 48 && height >= 22) {
    parts.push(h("span", { class: isAtCorner(view) ? "name inner" : "name" }, view.id));
  }
  return parts;
}
