// facts.js: facts as a table with a filter. Only the rows in sight are elements.
//
//     facts ─ filter ─▶ rows in sight
//
// Input     Facts: Run, Playback. FactList alone: the facts of a running group (log.js)
// Output    Playback.seek
// Knows     facts as text. No recognizer, no view.
import { h, filled, grouped, lastIndexAt, moment } from "./markup.js";
import { processColor } from "./run.js";

/** A table of facts. `name` begins the ids of its fields; `choose` is called with a fact that was clicked. */
export class FactList {
  constructor(element, name, words, choose = null) {
    Object.assign(this, { element, name, words, choose });
    [this.facts, this.shown, this.processes, this.stations, this.now] = [[], [], null, null, null];
    this.text = h("input", { type: "search", id: `${name}-text`, autocomplete: "off", spellcheck: "false" });
    this.process = h("select", { id: `${name}-process` });
    this.station = h("select", { id: `${name}-station` });
    this.count = h("output", { class: "soft", for: `${name}-text ${name}-process ${name}-station` });
    this.rows = h("div", { class: "rows", role: "rowgroup" });
    this.spacer = h("div", { class: "spacer" }, this.rows);
    this.scroller = h("div", { class: "facts", role: "table", tabindex: "0", "aria-label": words.factsTable }, this.spacer);
    const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);
    this.fields = h("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      field(words.filter, this.text), field(words.process, this.process), field(words.station, this.station), this.count);
    element.append(this.fields,
      h("div", { class: "fact header", "aria-hidden": "true" }, [words.time, words.process, words.station, words.fact]
        .map((word, index) => h("span", { class: ["when", "who", "where", "text"][index] }, word))),
      this.scroller);
    for (const input of [this.text, this.process, this.station]) input.addEventListener("input", () => this.filter());
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    this.scroller.addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      const fact = row && this.shown[Number(row.dataset.index)];
      if (fact) this.choose?.(fact);
    });
    new ResizeObserver(() => this.draw()).observe(this.scroller);
  }

  /** Sets the names that a filter can choose. */
  setNames(processes, stations) {
    const fill = (select, names) => {
      const { value } = select;
      select.replaceChildren(h("option", { value: "" }, this.words.all), ...names.map((name) => h("option", { value: name }, name)));
      select.value = names.includes(value) ? value : "";
    };
    if (processes.join() !== this.processes?.join()) fill(this.process, processes);
    if (stations.join() !== this.stations?.join()) fill(this.station, stations);
    [this.processes, this.stations] = [processes, stations];
  }

  setFacts(facts) {
    this.facts = facts;
    this.filter();
  }

  /** Returns whether a fact passes the filter as it is now. */
  get test() {
    const needle = this.text.value.trim().toLowerCase();
    const [process, station] = [this.process.value, this.station.value];
    return (fact) => (process === "" || fact.processName === process) && (station === "" || fact.stationName === station)
      && (needle === "" || fact.text.toLowerCase().includes(needle));
  }

  filter() {
    this.shown = this.facts.filter(this.test);
    this.scroller.scrollTop = 0;
    this.showCount();
    this.draw();
  }

  showCount() {
    this.count.textContent = filled(this.words.ofFacts, grouped(this.shown.length), grouped(this.facts.length));
  }

  get isNarrow() { return this.scroller.clientWidth < 560; }
  get rowHeight() { return this.isNarrow ? 48 : 26; }

  draw() {
    this.element.classList.toggle("narrow", this.isNarrow);
    const height = this.rowHeight;
    this.spacer.style.height = `${this.shown.length * height}px`;
    this.scroller.setAttribute("aria-rowcount", this.shown.length);
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / height) - 6);
    const last = Math.min(this.shown.length, first + Math.ceil(this.scroller.clientHeight / height) + 12);
    this.rows.style.transform = `translateY(${first * height}px)`;
    this.rows.replaceChildren(...this.shown.slice(first, last).map((fact, order) => {
      const row = h("div", { class: "fact", role: "row", "data-index": first + order, "aria-rowindex": first + order + 1 },
        h("span", { class: "when", role: "cell" }, moment(fact.at)),
        h("span", { class: `who ${processColor(fact.processName)}`, role: "cell" }, fact.processName),
        h("span", { class: "where", role: "cell" }, fact.stationName),
        h("span", { class: "text", role: "cell", title: fact.text }, fact.text));
      row.style.height = `${height}px`;
      row.classList.toggle("current", fact.at === this.now);
      return row;
    }));
  }
}

/** All facts of a run; those of the time that is shown are marked. */
export class Facts extends FactList {
  constructor(element, run, playback, words) {
    super(element, "facts", words, (fact) => {
      playback.pause();
      playback.seek(fact.at);
    });
    Object.assign(this, { run, playback });
    this.setNames(run.processes, run.stations);
    this.setFacts(run.facts);
    playback.addEventListener("time", () => this.follow());
  }

  filter() {
    super.filter();
    this.follow();
  }

  follow() {
    const index = lastIndexAt(this.shown, this.playback.time, (fact) => fact.at);
    const now = this.shown[index]?.at ?? null;
    if (now === this.now) return;
    this.now = now;
    const first = lastIndexAt(this.shown, now - 1e-9, (fact) => fact.at) + 1;
    const [top, height] = [first * this.rowHeight, this.scroller.clientHeight];
    const isAway = top < this.scroller.scrollTop || top > this.scroller.scrollTop + height - this.rowHeight * 2;
    if (isAway && document.activeElement !== this.scroller) this.scroller.scrollTop = top - height / 3;
    this.draw();
  }
}
