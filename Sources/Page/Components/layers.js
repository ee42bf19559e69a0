// layers.js: the views of all apps one behind the other, turned in space.
//
//     scenes ─▶ one plane for each depth, with its views ─▶ stage, turned by dragging and by keys
//
// A browser composes a plane as one picture. One for each view would be hundreds.
//
// Input     ScreenModel
// Output    `choose` (a layer that was clicked)
// Knows     views as values. No run.
import { h, Keyed, clamp, setText } from "./markup.js";
import { boxOf, keyOf } from "./device.js";
import { labelOf } from "./run.js";

const start = { x: -14, y: 32 };

export class Layers {
  constructor(element, words, choose) {
    Object.assign(this, { words, choose, turn: { ...start }, path: new Map(), chosen: null });
    this.stage = h("div", { class: "stage" });
    this.room = h("div", { class: "space", id: "layers", tabindex: "0", role: "group", "aria-label": words.layersHelp }, this.stage);
    this.spread = h("input", { type: "range", id: "spread", min: 0, max: 120, step: 1, value: 52 });
    const again = h("button", { type: "button", class: "tool", onclick: () => {
      this.turn = { ...start };
      this.show();
    } }, words.turnBack);
    element.append(this.room, h("div", { class: "line" },
      h("label", { class: "slide" }, h("span", {}, words.spread), this.spread), again));
    this.planes = new Keyed(this.stage, ({ depth }) => depth, ({ depth }) => this.makePlane(depth),
      (plane, { layers }) => plane.keyed.update(layers));
    this.spread.addEventListener("input", () => this.show());
    new ResizeObserver(() => this.fit()).observe(this.room);
    this.listen();
    this.show();
  }

  resize(width, height) {
    [this.width, this.height] = [width, height];
    this.stage.style.width = `${width}px`;
    this.stage.style.height = `${height}px`;
    this.fit();
  }

  fit() {
    if (!this.width || this.room.clientWidth === 0) return;
    this.scale = Math.min((this.room.clientWidth * 0.62) / this.width, (this.room.clientHeight * 0.8) / this.height);
    this.show();
  }

  show() {
    const { x, y } = this.turn;
    this.stage.style.setProperty("--spread", `${this.spread.value}px`);
    this.stage.style.transform =
      `translate(-50%, -50%) scale(${this.scale ?? 0.5}) rotateX(${x}deg) rotateY(${y}deg) translateZ(${-this.spread.value * 2}px)`;
  }

  makePlane(depth) {
    const plane = h("div", { class: "plane" });
    plane.style.transform = `translateZ(calc(var(--spread) * ${depth}))`;
    plane.keyed = new Keyed(plane, (layer) => layer.key,
      () => h("div", { class: "layer" }, h("span", {})), (layer, value) => this.change(layer, value));
    return plane;
  }

  update(model) {
    const planes = new Map();
    for (const scene of model.list) {
      let hidden = Infinity;
      for (const view of scene.views) {
        if (view.d <= hidden) hidden = Infinity;
        if (hidden === Infinity && view.h) hidden = view.d;
        if (hidden < Infinity) continue;
        if (!planes.has(view.d)) planes.set(view.d, { depth: view.d, layers: [] });
        planes.get(view.d).layers.push({ key: keyOf(scene, view), scene, view });
      }
    }
    this.planes.update([...planes.values()].sort((a, b) => a.depth - b.depth));
  }

  change(layer, { key, scene, view }) {
    const order = this.path.get(key);
    layer.classList.toggle("hit", order === 0);
    layer.classList.toggle("around", order > 0);
    layer.classList.toggle("chosen", key === this.chosen);
    if (layer.view === view && layer.frame === scene.frame) return;
    [layer.view, layer.frame] = [view, scene.frame];
    const box = boxOf({ scene, view });
    layer.dataset.key = key;
    layer.title = labelOf(view);
    const { style } = layer;
    style.left = `${box.x}px`;
    style.top = `${box.y}px`;
    style.width = `${box.width}px`;
    style.height = `${box.height}px`;
    style.background = view.s ? "" : view.bg ?? (view.d === 0 ? "#ffffff" : "");
    style.borderRadius = view.cr ? `${view.cr}px` : "";
    layer.classList.toggle("filled", view.bg !== undefined || view.d === 0);
    layer.classList.toggle("secure", view.s === true);
    setText(layer.firstChild, view.t ?? view.id ?? "");
  }

  /** Lights the path of the last hit, and the chosen view. */
  light(path, chosen, model) {
    [this.path, this.chosen] = [path, chosen];
    this.update(model);
  }

  listen() {
    let drag = null;
    const { room } = this;
    room.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      drag = { x: event.clientX, y: event.clientY, turn: { ...this.turn }, hasMoved: false, target: event.target };
      room.setPointerCapture(event.pointerId);
    });
    room.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (Math.abs(dx) + Math.abs(dy) > 4) drag.hasMoved = true;
      this.turnTo(drag.turn.x - dy * 0.4, drag.turn.y + dx * 0.4);
    });
    room.addEventListener("pointerup", () => {
      if (drag && !drag.hasMoved) this.choose(drag.target.closest(".layer")?.dataset.key ?? null);
      drag = null;
    });
    room.addEventListener("pointercancel", () => { drag = null; });
    room.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [0, -8], ArrowRight: [0, 8], ArrowUp: [8, 0], ArrowDown: [-8, 0] }[event.key];
      if (!step) return;
      event.preventDefault();
      this.turnTo(this.turn.x + step[0], this.turn.y + step[1]);
    });
  }

  turnTo(x, y) {
    this.turn = { x: clamp(x, -80, 80), y: clamp(y, -85, 85) };
    this.show();
  }
}
