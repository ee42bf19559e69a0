// latency.js: the latency of each hop of a live group: how often, and over time.
//
//     stamps of a way ─▶ five hops and the whole ─▶ percentiles, histogram, one dot for each event
//
// Input     Run, Playback
// Output    Playback.seek
// Knows     stamps. No fact.
import { h, s, clamp, grouped, setText } from "./markup.js";

const plotHeight = 64;
const dotLimit = 2000;

export class Latency {
  constructor(element, run, playback, words) {
    Object.assign(this, { element, run, playback, words });
    this.hops = [["all", words.whole, 0, 5], [0, words.hopInputKit, 0, 1], [1, words.hopToServer, 1, 2],
      [2, words.hopServer, 2, 3], [3, words.hopToApp, 3, 4], [4, words.hopApp, 4, 5]];
    this.rows = [];
    new ResizeObserver(() => this.draw()).observe(element);
    playback.addEventListener("time", () => this.moveHeads());
    this.update(run);
  }

  /** Shows another run, or a later window of the same group. */
  update(run) {
    this.run = run;
    const whole = run.ways.filter((way) => way.stamps.length === 6);
    if (run.isVirtual || whole.length === 0) {
      this.rows = [];
      this.element.replaceChildren(h("p", { class: "quiet" }, run.isVirtual ? this.words.virtualTimes : this.words.noTimes));
      return;
    }
    if (this.rows.length === 0) this.makeRows();
    for (const row of this.rows) {
      this.fillRow(row, whole.map(({ stamps }) => ({ at: stamps[row.from], value: stamps[row.to] - stamps[row.from] })));
    }
    this.draw();
  }

  makeRows() {
    const { words } = this;
    this.rows = this.hops.map(([hop, name, from, to]) => this.makeRow(name, hop, from, to));
    this.element.replaceChildren(h("div", { class: "hops" },
      h("div", { class: "hop heading", "aria-hidden": "true" },
        h("span", {}), h("span", {}, words.histogram), h("span", {}, words.overTime)),
      this.rows.map((row) => row.element)));
  }

  makeRow(name, hop, from, to) {
    const histogram = s("svg", { class: "plot", role: "img" });
    const overTime = s("svg", { class: "plot over", "aria-hidden": "true" });
    overTime.addEventListener("click", (event) => {
      const box = overTime.getBoundingClientRect();
      const [from, to] = this.range;
      this.playback.pause();
      this.playback.seek(from + ((event.clientX - box.left) / box.width) * (to - from));
    });
    const figures = ["p50", "p95", "p99", "max"].map((label) => [label, h("dd")]);
    const count = h("span", { class: "soft" });
    const head = s("line", { class: "now", y1: 0, y2: plotHeight });
    const element = h("div", { class: `hop h${hop}` },
      h("div", { class: "figures" }, h("b", {}, name),
        h("dl", {}, figures.map(([label, value]) => h("div", {}, h("dt", {}, label), value))), count),
      histogram, overTime);
    return { element, name, from, to, samples: [], sorted: [], figures, count, histogram, overTime, head };
  }

  fillRow(row, samples) {
    const sorted = samples.map((sample) => sample.value).sort((a, b) => a - b);
    const rank = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
    const values = [rank(0.5), rank(0.95), rank(0.99), sorted[sorted.length - 1]];
    row.figures.forEach(([, element], index) => setText(element, short(values[index])));
    setText(row.count, `n = ${grouped(sorted.length)}`);
    row.histogram.setAttribute("aria-label",
      `${row.name}: ${row.figures.map(([label], index) => `${label} ${short(values[index])}`).join(", ")}`);
    Object.assign(row, { samples, sorted });
  }

  get range() {
    const [from, to] = this.run.interestingRange;
    return [from, Math.max(to, from + 0.001)];
  }

  draw() {
    for (const row of this.rows) {
      this.drawHistogram(row);
      this.drawOverTime(row);
    }
    this.moveHeads();
  }

  drawHistogram({ sorted, histogram }) {
    const width = histogram.clientWidth;
    if (width === 0) return;
    histogram.replaceChildren();
    histogram.setAttribute("viewBox", `0 0 ${width} ${plotHeight}`);
    // A few late events must not squeeze the others into one bar.
    const [low, high] = [sorted[0], sorted[Math.ceil(sorted.length * 0.99) - 1]];
    const count = clamp(Math.floor(width / 9), 8, 40);
    const size = (high - low) / count || Math.max(low, 0.001) / count;
    const bins = new Array(count).fill(0);
    for (const value of sorted) bins[clamp(Math.floor((value - low) / size), 0, count - 1)]++;
    const most = Math.max(...bins);
    const step = width / count;
    bins.forEach((number, index) => {
      if (number === 0) return;
      const tall = Math.max(1.5, (number / most) * (plotHeight - 20));
      histogram.append(s("rect", { class: "bar", x: index * step + 0.5, y: plotHeight - 18 - tall, width: step - 1, height: tall, rx: 1.5 },
        s("title", {}, `${short(low + index * size)} – ${short(low + (index + 1) * size)}: ${number}`)));
    });
    histogram.append(s("line", { class: "base", x1: 0, x2: width, y1: plotHeight - 17.5, y2: plotHeight - 17.5 }));
    histogram.append(s("text", { x: 0, y: plotHeight - 3 }, short(low)));
    histogram.append(s("text", { x: width, y: plotHeight - 3, "text-anchor": "end" },
      `${sorted[sorted.length - 1] > high ? "≥ " : ""}${short(high)}`));
  }

  drawOverTime({ samples, sorted, overTime, head }) {
    const width = overTime.clientWidth;
    if (width === 0) return;
    overTime.replaceChildren();
    overTime.setAttribute("viewBox", `0 0 ${width} ${plotHeight}`);
    const [from, to] = this.range;
    const most = sorted[sorted.length - 1];
    // The few latest events stand at the upper edge, so that the others can be told apart.
    const top = Math.min(most, sorted[Math.ceil(sorted.length * 0.99) - 1] * 2) || 1;
    const every = Math.ceil(samples.length / dotLimit);
    let path = "";
    samples.forEach((sample, index) => {
      // The greatest value is always among the dots.
      if (index % every !== 0 && sample.value !== most) return;
      const x = 2 + ((sample.at - from) / (to - from)) * (width - 4);
      const y = plotHeight - 18 - Math.min(1, sample.value / top) * (plotHeight - 24);
      path += `M${x.toFixed(1)} ${y.toFixed(1)}h0`;
    });
    overTime.append(s("line", { class: "base", x1: 0, x2: width, y1: plotHeight - 17.5, y2: plotHeight - 17.5 }));
    overTime.append(s("path", { class: "dots", d: path }));
    overTime.append(s("text", { x: 0, y: plotHeight - 3 }, axisTime(from)));
    overTime.append(s("text", { x: width, y: plotHeight - 3, "text-anchor": "end" }, axisTime(to)));
    overTime.append(head);
  }

  moveHeads() {
    const [from, to] = this.range;
    const share = (this.playback.time - from) / (to - from);
    for (const { overTime, head } of this.rows) {
      const x = 2 + share * (overTime.clientWidth - 4);
      head.setAttribute("x1", x);
      head.setAttribute("x2", x);
      head.style.display = share < 0 || share > 1 ? "none" : "";
    }
  }
}

function axisTime(value) {
  return (Math.abs(value) >= 10000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(0)} ms`).replace("-", "−");
}

/** Returns a latency: microseconds below a millisecond. */
export function short(value) {
  return value < 1 ? `${(value * 1000).toFixed(value < 0.1 ? 1 : 0)} µs` : `${value.toFixed(2)} ms`;
}
