// distribution.js: the latency of a running group from device to handled, since its start.
//
//     message `group` ─▶ percentiles and one bar for each bucket
//
// Input     {count, p50, p90, p99, max, buckets}, in nanoseconds
// Knows     numbers
import { h, s, Keyed, filled, grouped, setAttribute, setText } from "./markup.js";
import { short } from "./latency.js";

/** The height of the plot, the least width of a bar, and the buckets of an octave. */
const [plotHeight, barWidth, octaveParts] = [96, 7, 16];

export class Distribution {
  constructor(element, words) {
    this.words = words;
    this.none = h("p", { class: "quiet" }, words.noLatencyYet);
    this.figures = ["p50", "p90", "p99", "max"].map((name) => ({ name, value: h("dd") }));
    this.count = h("dd");
    this.sums = h("dl", { class: "figures-row", id: "latency-figures" },
      this.figures.map(({ name, value }) => h("div", {}, h("dt", {}, name), value)), h("div", {}, h("dt", {}, "n"), this.count));
    this.bars = s("g");
    this.base = s("line", { class: "base", x1: 0, y1: plotHeight - 18.5, y2: plotHeight - 18.5 });
    [this.low, this.high] = [s("text", { x: 0, y: plotHeight - 3 }), s("text", { y: plotHeight - 3, "text-anchor": "end" })];
    this.plot = s("svg", { class: "plot tall", id: "histogram", role: "img" }, this.bars, this.base, this.low, this.high);
    element.append(this.none, this.sums, this.plot);
    this.keyed = new Keyed(this.bars, (bar) => bar.place, () => s("rect", { class: "bar", rx: 1.5 }, s("title")));
    new ResizeObserver(() => this.draw()).observe(this.plot);
    this.update({ count: 0, buckets: [] });
  }

  update(latency) {
    this.latency = latency;
    const isEmpty = !(latency?.count > 0);
    this.none.hidden = !isEmpty;
    this.sums.hidden = isEmpty;
    this.plot.toggleAttribute("hidden", isEmpty);
    if (isEmpty) return;
    const text = (value) => (value === undefined || value === null ? "–" : short(value / 1e6));
    for (const { name, value } of this.figures) {
      setText(value, text(latency[name]));
      value.parentElement.hidden = latency[name] === undefined;
    }
    setText(this.count, grouped(latency.count));
    setAttribute(this.plot, "aria-label", filled(this.words.latencyIs, text(latency.p50), text(latency.p99), grouped(latency.count)));
    this.draw();
  }

  draw() {
    const width = this.plot.clientWidth;
    const buckets = this.latency?.buckets ?? [];
    if (width === 0 || buckets.length === 0) return;
    // Buckets are parts of an octave: a bar has as many of them as the room demands.
    const indexes = buckets.map(([bound]) => Math.round(Math.log2(bound) * octaveParts));
    const [low, high] = [indexes[0] - 2, indexes[indexes.length - 1] + 2];
    const together = Math.max(1, Math.ceil(((high - low + 1) * barWidth) / width));
    const count = Math.ceil((high - low + 1) / together);
    const bars = new Map();
    indexes.forEach((index, order) => {
      const place = Math.floor((index - low) / together);
      const bar = bars.get(place) ?? { place, number: 0 };
      bar.number += buckets[order][1];
      bar.bound = buckets[order][0];
      bars.set(place, bar);
    });
    const most = Math.max(...[...bars.values()].map((bar) => bar.number));
    const step = width / Math.max(count, 12);
    setAttribute(this.plot, "viewBox", `0 0 ${width} ${plotHeight}`);
    setAttribute(this.base, "x2", width);
    this.keyed.update([...bars.values()]);
    for (const { place, number, bound } of bars.values()) {
      const bar = this.keyed.elements.get(place);
      const tall = Math.max(1.5, (number / most) * (plotHeight - 24));
      setAttribute(bar, "x", place * step + 0.5);
      setAttribute(bar, "width", Math.max(1, step - 1.5));
      setAttribute(bar, "y", plotHeight - 19 - tall);
      setAttribute(bar, "height", tall);
      setText(bar.firstChild, `≤ ${short(bound / 1e6)}: ${number}`);
    }
    const at = (place) => 2 ** ((low + place * together) / octaveParts) / 1e6;
    setText(this.low, short(at(0)));
    setAttribute(this.high, "x", width);
    setText(this.high, short(at(width / step)));
  }
}
