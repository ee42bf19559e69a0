// device.js: the phone of a running group: what its apps show, whose fingers are on it, which view is chosen.
//
//     pictures ─▶ ScreenModel ─▶ Screen ─┐
//     own contacts, those of others ─────┼─▶ glass, drawn at most once a frame
//     chosen view, hit path, cursor ─────┘
//
// Input     messages `picture` and `fingers`, TouchInput
// Knows     views by keys such as "app1 4". No socket.
import { h, s } from "./markup.js";
import { Screen, placementIn } from "./screen.js";
import { applyChange, emptyScreen, labelOf, shownScenes, viewsOf } from "./run.js";
import { TouchInput } from "./touch.js";

/** The screens of all apps as they are now. */
export class ScreenModel {
  constructor() { this.clear(); }

  clear() {
    this.apps = new Map();
    this.version = 0;
    /** Counts changes of the order of views: a tree has other rows then. */
    this.structure = 0;
    this.list = [];
  }

  apply({ whole = false, screens }) {
    if (whole) this.apps.clear();
    for (const change of screens) {
      if (!this.apps.has(change.process)) this.apps.set(change.process, emptyScreen());
      applyChange(this.apps.get(change.process), change);
      if (change.order || change.scene === null || whole) this.structure++;
    }
    this.version++;
    const scenes = shownScenes([...this.apps].map(([process, shown]) =>
      (shown.scene === null ? null : { ...shown.scene, process, views: viewsOf(shown) })));
    // An app that is inactive behind an active one is not seen, and no finger reaches it.
    this.list = scenes.filter((scene) => scene.state === "active"
      || !scenes.some((other) => other.state === "active" && contains(other.frame, scene.frame)));
  }

  sceneOf(process) { return this.list.find((scene) => scene.process === process) ?? null; }

  /** Returns a view by its key, with its scene; null without one. */
  find(key) {
    const split = key.lastIndexOf(" ");
    const scene = this.sceneOf(key.slice(0, split));
    const view = scene ? this.apps.get(scene.process).views.get(Number(key.slice(split + 1))) : null;
    return view ? { scene, view } : null;
  }

  /** Returns the keys of the views around a view, from itself outward. */
  around(key) {
    const found = this.find(key);
    if (!found) return [];
    const { scene, view } = found;
    const keys = [];
    let depth = Infinity;
    for (let index = scene.views.indexOf(view); index >= 0; index--) {
      if (scene.views[index].d >= depth) continue;
      depth = scene.views[index].d;
      keys.push(keyOf(scene, scene.views[index]));
    }
    return keys;
  }
}

function contains([left, top, width, height], [x, y, wide, high]) {
  return x >= left && y >= top && x + wide <= left + width && y + high <= top + height;
}

export function keyOf(scene, view) { return `${scene.process} ${view.i}`; }

/** Returns the box of a view on the display. */
export function boxOf({ scene, view }) {
  const [left, top, width, height] = view.f;
  const place = placementIn(scene);
  const [a, b] = [place({ x: left, y: top }), place({ x: left + width, y: top + height })];
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}

/** Returns the views that a person can touch, each with its box, front to back. */
export function touchable(model, width, height) {
  const found = [];
  for (const scene of model.list) {
    // The depth of the outermost view that is hidden or takes no touch, while inside it.
    let closed = Infinity;
    for (const view of scene.views) {
      if (view.d <= closed) closed = Infinity;
      if (closed === Infinity && (view.h || view.a < 0.01 || view.s)) closed = view.d;
      if (closed < Infinity || view.u) continue;
      const isTarget = view.ct ? view.ct.e : view.g || ["UITextField", "UITableViewCell"].includes(view.k ?? view.c);
      if (!isTarget) continue;
      const box = boxOf({ scene, view });
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      if (x < 0 || y < 0 || x > width || y > height || box.width === 0 || box.height === 0) continue;
      found.push({ key: keyOf(scene, view), name: view.t ?? view.id ?? "", kind: view.k ?? view.c, x, y });
    }
  }
  return found;
}

export class Device {
  constructor(words, send) {
    this.words = words;
    this.model = new ScreenModel();
    this.screen = new Screen(words);
    const { glass, overlay } = this.screen;
    this.input = new TouchInput(glass, send);
    for (const [name, value] of Object.entries({ tabindex: "0", role: "application", id: "glass",
      "aria-label": words.glass, "aria-describedby": "glass-help", "aria-roledescription": words.phone })) {
      glass.setAttribute(name, value);
    }
    this.chosen = s("rect", { class: "chosen", rx: 3 });
    this.pointed = s("rect", { class: "pointed", rx: 3 });
    this.cursor = s("g", { class: "cursor", id: "cursor" }, s("circle", { r: 15 }), s("circle", { class: "core", r: 2.5 }));
    this.hint = h("div", { class: "hint", "aria-hidden": "true" }, words.touchThePhone);
    [this.fingers, this.ghosts, this.strangers] = [[], [], []];
    this.others = [];
    overlay.append(this.pointed, this.chosen, this.cursor);
    glass.append(this.hint);
    this.element = h("div", { class: "phone" }, glass);
    [this.chosenKey, this.pointedKey, this.path] = [null, null, new Map()];
    this.input.addEventListener("change", () => { this.isDirty = true; });
    this.reset();
  }

  reset() {
    this.model.clear();
    [this.chosenKey, this.pointedKey, this.path, this.others] = [null, null, new Map(), []];
    [this.drawn, this.isDirty] = [-1, true];
  }

  resize(width, height) {
    [this.width, this.height] = [width, height];
    this.screen.resize(width, height);
    this.input.resize(width, height);
    this.element.style.setProperty("--ratio", width / height);
  }

  set(name, value) {
    if (this[name] === value) return;
    this[name] = value;
    this.isDirty = true;
  }

  /** Draws what has changed. Returns whether a picture was drawn. */
  draw() {
    const isNew = this.drawn !== this.model.version;
    if (isNew) {
      this.drawn = this.model.version;
      this.screen.draw(this.model.list);
    }
    if (!isNew && !this.isDirty) return false;
    this.isDirty = false;
    this.screen.light(this.path);
    this.outline(this.chosen, this.chosenKey);
    this.outline(this.pointed, this.pointedKey);
    const { input } = this;
    // A cancelled finger has left its element to the next one.
    const own = [...input.contacts.values()];
    this.drawFingers(this.fingers, own, (_, id) => `finger own c${own[id].id % 6}`, "data-own");
    this.drawFingers(this.ghosts, input.hover ?? [], () => "finger ghost", "data-ghost");
    this.drawFingers(this.strangers, this.others, () => "finger other c6", "data-other");
    this.cursor.style.display = input.cursor && document.activeElement === this.screen.glass ? "" : "none";
    if (input.cursor) this.cursor.setAttribute("transform", `translate(${input.cursor.x} ${input.cursor.y})`);
    return isNew;
  }

  /** Draws fingers with elements that are used again. */
  drawFingers(marks, spots, look, attribute) {
    while (marks.length < spots.length) {
      const mark = s("g", { [attribute]: marks.length }, s("circle", { class: "halo", r: 22 }), s("circle", { class: "dot", r: 5 }));
      this.screen.overlay.append(mark);
      marks.push(mark);
    }
    marks.forEach((mark, index) => {
      const spot = spots[index];
      mark.style.display = spot ? "" : "none";
      if (!spot) return;
      mark.setAttribute("class", look(spot, index));
      mark.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
    });
  }

  outline(rectangle, key) {
    const found = key ? this.model.find(key) : null;
    rectangle.style.display = found ? "" : "none";
    if (!found) return;
    for (const [name, value] of Object.entries(boxOf(found))) rectangle.setAttribute(name, value);
  }

  /** Returns the name of the frontmost view at a spot, to be read out. */
  nameAt({ x, y }) {
    for (const scene of [...this.model.list].reverse()) {
      for (let index = scene.views.length - 1; index >= 0; index--) {
        const view = scene.views[index];
        if (view.h || view.u) continue;
        const box = boxOf({ scene, view });
        if (x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height) return view.t ?? labelOf(view);
      }
    }
    return "";
  }
}
