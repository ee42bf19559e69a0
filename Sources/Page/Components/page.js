// page.js: the page of one run: its head, its components, and the bar that moves the time.
//
// Input     the JSON in the page (RunPage)
// Knows     every component by its constructor
import { h, s, filled, grouped, milliseconds, moment } from "./markup.js";
import { Run } from "./run.js";
import { Playback, speeds } from "./playback.js";
import { Phone } from "./phone.js";
import { Timeline } from "./timeline.js";
import { Explanation } from "./explanation.js";
import { Latency } from "./latency.js";
import { Facts } from "./facts.js";

/**
 * Fills an element with a run. The inspector calls it with the same data, received in another way.
 *
 * `close` of the result ends playing and takes the keys away.
 */
export function showRun(root, { name, words, run: data }) {
  const run = new Run(data);
  const playback = new Playback(run.begin, run.end, run.moments, run.interestingRange[0]);
  playback.time = openingTime(run);
  const card = (id, title) => {
    const body = h("div", { class: "body" });
    return { body, element: h("section", { class: "card", id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), body) };
  };
  const explanation = card("explanation", words.explanation);
  const timeline = card("timeline", words.timeline);
  const latency = card("latency", words.latency);
  const facts = card("facts", words.factsTable);
  const phone = h("aside", { class: "side", "aria-label": words.screen });
  root.replaceChildren(header(name, run, words),
    h("div", { class: "columns" }, phone,
      h("div", { class: "sections" }, explanation.element, timeline.element, latency.element, facts.element)),
    transport(run, playback, words));
  new Phone(phone, run, playback, words);
  new Explanation(explanation.body, run, playback, words);
  const lanes = new Timeline(timeline.body, run, playback, words);
  new Latency(latency.body, run, playback, words);
  new Facts(facts.body, run, playback, words);
  const keys = new AbortController();
  addKeys(playback, lanes, run, keys.signal);
  return { run, playback, close: () => {
    playback.pause();
    keys.abort();
    root.replaceChildren();
  } };
}

/** The moment at which the first touch has found its view, so that the page opens with something to see. */
function openingTime(run) {
  const first = run.interactions[0];
  return first ? first.hitAt ?? first.began : run.begin;
}

function header(name, run, words) {
  const figure = (value, label) => h("div", {}, h("dd", {}, value), h("dt", {}, label));
  const notes = [];
  if (run.hidesPositions) notes.push(h("p", { class: "note" }, words.positionsHidden));
  if (run.gaps.length > 0) notes.push(h("p", { class: "note warning" }, h("b", {}, `${words.gaps}: `), run.gaps.join(" · ")));
  if (run.cuts.length > 0) {
    const parts = run.cuts.map((cut) => filled(words.cutRow, words[cut.part] ?? cut.part, grouped(cut.limit), grouped(cut.count)));
    notes.push(h("p", { class: "note warning" }, h("b", {}, `${words.cut}: `), parts.join(" · ")));
  }
  return h("header", { class: "top" },
    h("div", { class: "titles" },
      h("p", { class: "kicker" }, `Touchline · ${words.title}`), h("h1", {}, name),
      h("p", { class: run.isVirtual ? "origin virtual" : "origin live" }, run.isVirtual ? words.simulated : words.live)),
    h("dl", { class: "sums" }, figure(milliseconds(run.last - run.first), words.duration),
      figure(grouped(run.fingers.length), words.fingers), figure(grouped(run.interactions.length), words.interactions),
      figure(grouped(run.processes.length), words.processes), figure(grouped(run.facts.length), words.facts)),
    ...notes);
}

/** Returns a drawing of a button in a square of 24 units. */
export function icon(path) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: path }));
}

/** The bar at the bottom: play, step, scrub, speed. */
function transport(run, playback, words) {
  const back = h("button", { type: "button", class: "round", "aria-label": words.previous, title: words.previous,
    onclick: () => playback.step(-1) }, icon("M6 5v14M19 6l-9 6 9 6z"));
  const play = h("button", { type: "button", class: "round main", id: "play", onclick: () => playback.toggle() });
  const next = h("button", { type: "button", class: "round", "aria-label": words.next, title: words.next,
    onclick: () => playback.step(1) }, icon("M18 5v14M5 6l9 6-9 6z"));
  const scale = Math.min(100000, Math.max(1000, Math.round((run.end - run.begin) * 10)));
  const scrub = h("input", { type: "range", id: "scrub", min: 0, max: scale, step: 1, "aria-label": words.moment });
  scrub.addEventListener("input", () => {
    playback.pause();
    playback.seek(run.begin + (scrub.value / scale) * (run.end - run.begin));
  });
  const marks = h("div", { class: "marks", "aria-hidden": "true" }, run.fingers.slice(0, 300).map((finger) => {
    const mark = h("i", { class: `c${finger.color}` });
    const span = run.end - run.begin;
    mark.style.left = `${((finger.down - run.begin) / span) * 100}%`;
    mark.style.width = `${Math.max(0.3, (((finger.up ?? run.end) - finger.down) / span) * 100)}%`;
    return mark;
  }));
  const clock = h("output", { class: "clock", id: "clock", for: "scrub" });
  const choices = h("div", { class: "speeds", role: "group", "aria-label": words.speed }, speeds.map((speed) =>
    h("button", { type: "button", "data-speed": speed, "aria-pressed": "false", onclick: () => playback.setSpeed(speed) },
      speed === 1 ? "1×" : `1/${Math.round(1 / speed)}`)));
  const showTime = () => {
    scrub.value = Math.round(((playback.time - run.begin) / (run.end - run.begin)) * scale);
    scrub.setAttribute("aria-valuetext", moment(playback.time));
    clock.textContent = moment(playback.time);
  };
  const showState = () => {
    const label = playback.isPlaying ? words.pause : words.play;
    play.setAttribute("aria-label", label);
    play.title = label;
    play.replaceChildren(icon(playback.isPlaying ? "M9 6v12M15 6v12" : "M8 5.5l11 6.5-11 6.5z"));
    for (const button of choices.children) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === playback.speed));
    }
  };
  playback.addEventListener("time", showTime);
  playback.addEventListener("state", showState);
  showTime();
  showState();
  return h("footer", { class: "transport", title: words.keys },
    h("div", { class: "buttons" }, back, play, next), clock, h("div", { class: "track" }, marks, scrub), choices);
}

function addKeys(playback, lanes, run, signal) {
  const actions = {
    " ": () => playback.toggle(), ArrowRight: () => playback.step(1), ArrowLeft: () => playback.step(-1),
    "+": () => lanes.zoom(1 / 1.6), "=": () => lanes.zoom(1 / 1.6), "-": () => lanes.zoom(1.6),
    Home: () => playback.seek(run.begin), End: () => playback.seek(run.end),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target.closest?.("input[type=search], textarea, select, [role=table]")) return;
    const isScrub = target.id === "scrub";
    if (event.key === " " && target.closest?.("button")) return;
    if (isScrub && !["+", "=", "-", " "].includes(event.key)) return;
    if (event.shiftKey && event.key.startsWith("Arrow")) {
      event.preventDefault();
      lanes.pan(event.key === "ArrowRight" ? 0.25 : -0.25);
      return;
    }
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }, { signal });
}

const embedded = document.getElementById("data");
if (embedded) showRun(document.getElementById("page"), JSON.parse(embedded.textContent));
