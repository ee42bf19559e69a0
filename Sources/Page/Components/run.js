// run.js: a run as the components read it. All times are milliseconds since the run's zero.
//
//     JSON of RunRecord ─▶ Run ─▶ what is on the screen, under fingers and in lanes at a time
//
// Input     page.js
// Output    every component
// Knows     the fields of RunRecord+JSON.swift. No element.
import { lastIndexAt } from "./markup.js";

const million = 1e6;
const ms = (nanoseconds) => (nanoseconds === null || nanoseconds === undefined ? null : nanoseconds / million);

export class Run {
  /**
   * A recorded run has its screens. For a window of a running group, `sceneOf` returns what an interaction's app shows.
   */
  constructor(data, sceneOf = null) {
    this.isVirtual = data.virtual;
    this.hidesPositions = data.hidesPositions;
    [this.first, this.last] = [ms(data.begin), ms(data.end)];
    // Room for what happens at the very beginning and end.
    const margin = Math.max((this.last - this.first) * 0.03, 4);
    [this.begin, this.end] = [this.first - margin, this.last + margin];
    [this.width, this.height] = data.screen;
    this.processes = data.processes;
    this.stations = data.stations;
    this.gaps = data.gaps;
    this.cuts = data.cuts;
    this.facts = readFacts(data.facts, this.processes, this.stations);
    this.fingers = data.fingers.map(readFinger);
    this.recognizers = data.recognizers.map((one) => ({ ...one, spans: one.spans.map(readSpan) }));
    this.holds = data.holds.map((hold) => ({ ...hold, from: ms(hold.from), to: ms(hold.to) }));
    this.turns = data.turns.map(([process, at, end, count, stations]) => ({
      process, at: ms(at), end: ms(end), count, stations,
    }));
    this.interactions = data.interactions.map(readInteraction);
    this.ways = data.ways.map((way) => ({ ...way, stamps: way.stamps.map(ms) }));
    this.screens = this.processes.map(() => []);
    for (const change of data.screens ?? []) {
      if (change.process >= 0) this.screens[change.process].push({ ...change, at: ms(change.at) });
    }
    this.shown = this.processes.map(() => null);
    for (const finger of this.fingers) finger.color = this.fingers.indexOf(finger) % 6;
    this.joinHits(sceneOf);
    this.moments = distinct(this.facts.map((fact) => fact.at));
  }

  /** The class of a process's color: the same in every run. */
  colorOf(process) {
    return processColor(this.processes[process] ?? "");
  }

  /** The time that is worth seeing first: from the first finger to the last effect. */
  get interestingRange() {
    if (this.interactions.length === 0) return [this.begin, this.end];
    let [from, to] = [Infinity, -Infinity];
    for (const interaction of this.interactions) {
      from = Math.min(from, interaction.began);
      to = Math.max(to, interaction.until);
    }
    const margin = Math.max((to - from) * 0.06, 4);
    return [Math.max(this.begin, from - margin), Math.min(this.end, Math.max(to, from + 1) + margin)];
  }

  // The screen

  /** Returns the scene of a process at a time: its state, frame and views back to front; null without one. */
  sceneAt(process, time) {
    const changes = this.screens[process];
    const index = lastIndexAt(changes, time, (change) => change.at);
    if (index < 0) return null;
    let shown = this.shown[process];
    if (shown === null || shown.index > index) shown = { index: -1, ...emptyScreen() };
    while (shown.index < index) applyChange(shown, changes[++shown.index]);
    this.shown[process] = shown;
    if (shown.scene === null) return null;
    return { ...shown.scene, change: index, process, views: viewsOf(shown) };
  }

  /** The scenes on the main display, the active app last. */
  scenesAt(time) {
    return shownScenes(this.processes.map((_, process) =>
      (this.screens[process].length > 0 ? this.sceneAt(process, time) : null)));
  }

  // Fingers

  /** Returns the position of a finger at a time; null before its landing and without positions. */
  positionOf(finger, time) {
    if (time < finger.down) return null;
    const index = lastIndexAt(finger.points, time, (point) => point.at);
    return finger.points[Math.max(0, index)] ?? null;
  }

  /** The index of the interaction that a time belongs to; -1 before the first. */
  interactionAt(time) {
    return lastIndexAt(this.interactions, time, (interaction) => interaction.began);
  }

  // Hits

  /** Finds the view that each interaction hit, with the views around it. */
  joinHits(sceneOf) {
    for (const interaction of this.interactions) {
      interaction.path = [];
      if (!interaction.hit) continue;
      const process = this.processes.indexOf(interaction.app);
      const step = interaction.steps.find((one) => this.stations[one.station] === "hitTest");
      interaction.hitAt = step ? step.at : interaction.began;
      const scene = process < 0 ? null
        : sceneOf ? sceneOf(interaction) : this.sceneAt(process, interaction.hitAt);
      if (!scene) continue;
      const [x, y] = interaction.position ?? [null, null];
      let found = -1;
      scene.views.forEach((view, index) => {
        if (labelOf(view) !== interaction.hit) return;
        const [left, top, width, height] = view.f;
        const isInside = x === null || (x >= left && y >= top && x <= left + width && y <= top + height);
        if (isInside || found < 0) found = index;
      });
      for (let index = found, depth = Infinity; index >= 0; index--) {
        if (scene.views[index].d >= depth) continue;
        depth = scene.views[index].d;
        interaction.path.push(scene.views[index].i);
        if (depth === 0) break;
      }
      interaction.process = process;
      interaction.names = interaction.path.map((i) => labelOf(scene.views.find((view) => view.i === i)));
    }
  }
}

/** The class of the color of a process with a name. */
export function processColor(name) {
  const order = { "input-kit": 1, "system-server": 2 }[name];
  return `p${order ?? (name.startsWith("app") ? 3 : 0)}`;
}

// The screen of one app, as a fold over its changes

export function emptyScreen() {
  return { scene: null, order: [], views: new Map() };
}

/** Applies one change: views that are new or differ, and the order if it differs. */
export function applyChange(shown, change) {
  shown.scene = change.scene;
  if (change.scene === null) {
    shown.order = [];
    shown.views = new Map();
    return;
  }
  for (const view of change.views) shown.views.set(view.i, view);
  if (!change.order) return;
  shown.order = change.order;
  const kept = new Map();
  for (const identity of change.order) {
    if (shown.views.has(identity)) kept.set(identity, shown.views.get(identity));
  }
  shown.views = kept;
}

/** The views back to front. */
export function viewsOf(shown) {
  return shown.order.map((identity) => shown.views.get(identity)).filter(Boolean);
}

/** Those scenes that the main display shows, the active app last. */
export function shownScenes(scenes) {
  return scenes.filter((scene) => scene && scene.display === 1 && scene.state !== "background")
    .sort((a, b) => (a.state === "active") - (b.state === "active"));
}

/** Returns the facts of columns: the times are differences, the texts numbers in a list. */
export function readFacts(columns, processes, stations) {
  let nanoseconds = 0;
  return columns.at.map((difference, index) => {
    nanoseconds += difference;
    const [process, station] = [columns.process[index], columns.station[index]];
    return {
      index, at: nanoseconds / million, process, station, processName: processes[process] ?? "",
      stationName: stations[station] ?? "", text: columns.texts[columns.text[index]],
    };
  });
}

function readFinger(finger) {
  const points = [];
  for (let index = 0; index + 2 < finger.points.length; index += 3) {
    points.push({ at: ms(finger.points[index]), x: finger.points[index + 1], y: finger.points[index + 2] });
  }
  return { ...finger, down: ms(finger.down), up: ms(finger.up), points };
}

function readSpan([state, from, to, reason, deadline]) {
  return { state, from: ms(from), to: ms(to), reason, deadline: ms(deadline) };
}

function readInteraction(interaction, index) {
  const steps = interaction.steps.map(([at, process, station, text, count, last]) => ({
    at: ms(at), process, station, text, count, last: ms(last),
  }));
  const [began, ended] = [ms(interaction.began), ms(interaction.ended)];
  const until = Math.max(began, ended ?? began, ...steps.map((step) => step.last));
  return { ...interaction, index, began, ended, until, steps };
}

/** `UIButton "plus"`, as in facts. */
export function labelOf(view) {
  return view.id === undefined ? view.c : `${view.c} "${view.id}"`;
}

function distinct(times) {
  return [...new Set(times)].sort((a, b) => a - b);
}
