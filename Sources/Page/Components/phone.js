// phone.js: the screen with its views and the fingers on it, at one time.
//
//     scenes ─▶ one element for each view, kept by its identity ─┐
//     fingers ─▶ dots and trails ────────────────────────────────┴─▶ screen, scaled to its room
//
// Input     Run, Playback
// Knows     views as values. Colors of the page are in page.css.
import { h, s, clamp, lastIndexAt } from "./markup.js";
import { labelOf } from "./run.js";

/** The time for which a lift stays visible, and that for which a hit path stays lit. */
const [fadeTime, litTime] = [260, 450];
const tint = "#007AFF";

export class Phone {
  constructor(element, run, playback, words) {
    Object.assign(this, { element, run, playback, words });
    this.views = new Map();
    this.screen = h("div", { class: "screen" });
    this.overlay = s("svg", { class: "fingers", viewBox: `0 0 ${run.width} ${run.height}`, "aria-hidden": "true" });
    this.scaled = h("div", { class: "scaled" }, this.screen, this.overlay);
    this.glass = h("div", { class: "glass" }, this.scaled);
    this.caption = h("p", { class: "caption", "aria-live": "polite" });
    element.append(h("div", { class: "phone" }, this.glass), this.caption);
    this.scaled.style.width = `${run.width}px`;
    this.scaled.style.height = `${run.height}px`;
    this.glass.style.aspectRatio = `${run.width} / ${run.height}`;
    new ResizeObserver(() => this.fit()).observe(this.glass);
    this.marks = run.fingers.map((finger) => this.makeFinger(finger));
    this.fit();
    this.show(playback.time);
    playback.addEventListener("time", () => this.show(playback.time));
  }

  fit() {
    const scale = this.glass.clientWidth / this.run.width;
    this.scaled.style.transform = `scale(${scale || 1})`;
    // Names of views are the page's own text, and stay readable.
    this.scaled.style.setProperty("--point", 1 / (scale || 1));
  }

  show(time) {
    const scenes = this.run.scenesAt(time);
    const key = scenes.map((scene) => `${scene.process}:${scene.change}`).join(" ");
    if (key !== this.key) {
      this.key = key;
      this.drawScenes(scenes);
    }
    this.showFingers(time, scenes);
    this.lightPath(time);
  }

  // Views

  drawScenes(scenes) {
    const used = new Set();
    const roots = [];
    for (const scene of scenes) {
      const root = this.node(`scene ${scene.process}`, used, () => h("div", { class: "scene" }));
      place(root, sceneBox(scene));
      root.style.transform = { landscapeRight: "rotate(90deg)", landscapeLeft: "rotate(-90deg)",
        portraitUpsideDown: "rotate(180deg)" }[scene.orientation] ?? "";
      const path = [{ depth: -1, element: root, frame: [0, 0, 0, 0], children: [] }];
      const all = [path[0]];
      for (const view of scene.views) {
        while (path.length > 1 && path[path.length - 1].depth >= view.d) path.pop();
        const around = path[path.length - 1];
        const element = this.node(`${scene.process} ${view.i}`, used, () => h("div", { class: "view" }));
        drawView(element, view, around.frame, this.words);
        around.children.push(element);
        const entry = { depth: view.d, element: element.inside ?? element, frame: view.f, children: [] };
        path.push(entry);
        all.push(entry);
      }
      for (const entry of all) arrange(entry.element, entry.children);
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

  node(key, used, make) {
    used.add(key);
    if (!this.views.has(key)) this.views.set(key, make());
    return this.views.get(key);
  }

  // Fingers

  makeFinger(finger) {
    const parts = {
      trail: s("path", { class: "trail" }), halo: s("circle", { r: 22, class: "halo" }),
      dot: s("circle", { r: 5, class: "dot" }),
    };
    const group = s("g", { class: `finger c${finger.color}` }, parts.trail, parts.halo, parts.dot);
    group.style.display = "none";
    this.overlay.append(group);
    return { group, finger, shown: -2, ...parts };
  }

  showFingers(time, scenes) {
    for (const mark of this.marks) {
      const { finger } = mark;
      const since = finger.up === null ? 0 : time - finger.up;
      const isShown = time >= finger.down && since < fadeTime * 4 && finger.points.length > 0;
      mark.group.style.display = isShown ? "" : "none";
      if (!isShown) continue;
      const place = this.placement(finger, scenes);
      const index = Math.max(0, lastIndexAt(finger.points, time, (point) => point.at));
      const { x, y } = place(finger.points[index]);
      for (const circle of [mark.halo, mark.dot]) {
        circle.setAttribute("cx", x);
        circle.setAttribute("cy", y);
      }
      if (mark.shown !== index || mark.key !== this.key) {
        [mark.shown, mark.key] = [index, this.key];
        const first = Math.max(0, index - 400);
        mark.trail.setAttribute("d", finger.points.slice(first, index + 1).map((point, order) => {
          const spot = place(point);
          return `${order === 0 ? "M" : "L"}${spot.x.toFixed(1)} ${spot.y.toFixed(1)}`;
        }).join(""));
      }
      const fade = clamp(since / fadeTime, 0, 1);
      mark.halo.setAttribute("r", 22 + 14 * fade);
      mark.halo.style.opacity = 1 - fade;
      mark.dot.style.opacity = 1 - fade;
      mark.trail.style.opacity = clamp(1 - since / (fadeTime * 4), 0, 1) * 0.9;
    }
  }

  /** Returns the function from a finger's coordinates to those of the display. */
  placement(finger, scenes) {
    const scene = scenes.find((one) => one.process === finger.space);
    if (!scene) return (point) => point;
    const [left, top, width, height] = scene.frame;
    switch (scene.orientation) {
      case "landscapeRight": return ({ x, y }) => ({ x: left + width - y, y: top + x });
      case "landscapeLeft": return ({ x, y }) => ({ x: left + y, y: top + height - x });
      case "portraitUpsideDown": return ({ x, y }) => ({ x: left + width - x, y: top + height - y });
      default: return ({ x, y }) => ({ x: left + x, y: top + y });
    }
  }

  // The hit path

  lightPath(time) {
    const lit = new Map();
    let names = [];
    for (const finger of this.run.fingers) {
      const interaction = this.run.interactions[finger.interaction];
      if (!interaction || interaction.path.length === 0) continue;
      const until = Math.max(finger.up ?? Infinity, interaction.hitAt + litTime);
      if (time < interaction.hitAt || time > until) continue;
      interaction.path.forEach((identity, order) => {
        const key = `${interaction.process} ${identity}`;
        lit.set(key, Math.min(order, lit.get(key) ?? Infinity));
      });
      names = interaction.names;
    }
    for (const [key, element] of this.views) {
      const order = lit.get(key);
      element.classList.toggle("hit", order === 0);
      element.classList.toggle("around", order > 0 && element.shown?.d > 0);
    }
    const text = names.length > 0 ? `${this.words.hitPath}: ${names.join(" ‹ ")}` : "";
    if (this.caption.textContent !== text) this.caption.textContent = text;
  }
}

function sceneBox(scene) {
  const [left, top, width, height] = scene.frame;
  if (!scene.orientation.startsWith("landscape")) return [left, top, width, height];
  // Turned about its middle, the interface fills the scene.
  return [left + (width - height) / 2, top + (height - width) / 2, height, width];
}

function place(element, [left, top, width, height]) {
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
  element.style.width = `${width}px`;
  element.style.height = `${height}px`;
}

/** Makes `children` the views inside an element, in their order, and leaves the drawing of the element itself. */
function arrange(element, children) {
  let next = element.firstChild;
  while (next && next.classList?.contains("drawn")) next = next.nextSibling;
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

function drawView(element, view, around, words) {
  if (element.shown === view && element.around === around) return;
  [element.shown, element.around] = [view, around];
  const kind = view.k ?? view.c;
  place(element, [view.f[0] - around[0], view.f[1] - around[1], view.f[2], view.f[3]]);
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
  } else if (view.id !== undefined && kind !== "UIWindow" && view.d > 1 && width >= 48 && height >= 22) {
    // The corners of the glass are round.
    const isAtCorner = view.f[0] < 16 && view.f[1] < 16;
    parts.push(h("span", { class: isAtCorner ? "name inner" : "name" }, view.id));
  }
  return parts;
}
