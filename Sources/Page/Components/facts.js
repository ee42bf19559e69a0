// facts.js: all facts of a run as a table with a filter. Only the rows in sight are elements.
//
// Input     Run, Playback
// Output    Playback.seek
// Knows     facts as text. No recognizer, no view.
import { h, filled, grouped, lastIndexAt, moment } from "./markup.js";

export class Facts {
  constructor(element, run, playback, words) {
    Object.assign(this, { element, run, playback, words });
    this.shown = run.facts;
    this.text = h("input", { type: "search", id: "facts-text", autocomplete: "off", spellcheck: "false" });
    this.process = this.choice("facts-process", run.processes);
    this.station = this.choice("facts-station", run.stations);
    this.count = h("output", { class: "soft", for: "facts-text facts-process facts-station" });
    this.rows = h("div", { class: "rows", role: "rowgroup" });
    this.spacer = h("div", { class: "spacer" }, this.rows);
    this.scroller = h("div", { class: "facts", role: "table", tabindex: "0", "aria-label": words.factsTable,
      "aria-rowcount": run.facts.length }, this.spacer);
    const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);
    element.append(
      h("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
        field(words.filter, this.text), field(words.process, this.process), field(words.station, this.station), this.count),
      h("div", { class: "fact header", "aria-hidden": "true" }, [words.time, words.process, words.station, words.fact]
        .map((word, index) => h("span", { class: ["when", "who", "where", "text"][index] }, word))),
      this.scroller);
    for (const input of [this.text, this.process, this.station]) input.addEventListener("input", () => this.filter());
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    this.scroller.addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (!row) return;
      playback.pause();
      playback.seek(run.facts[Number(row.dataset.index)].at);
    });
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    playback.addEventListener("time", () => this.follow());
    this.filter();
  }

  choice(id, names) {
    return h("select", { id }, h("option", { value: "" }, this.words.all),
      names.map((name, index) => h("option", { value: String(index) }, name)));
  }

  filter() {
    const needle = this.text.value.trim().toLowerCase();
    const [process, station] = [this.process.value, this.station.value].map((value) => (value === "" ? null : Number(value)));
    this.shown = this.run.facts.filter((fact) =>
      (process === null || fact.process === process) && (station === null || fact.station === station)
      && (needle === "" || fact.text.toLowerCase().includes(needle)));
    this.count.textContent = filled(this.words.ofFacts, grouped(this.shown.length), grouped(this.run.facts.length));
    this.scroller.scrollTop = 0;
    this.draw();
    this.follow();
  }

  get rowHeight() { return this.scroller.clientWidth < 560 ? 48 : 26; }

  draw() {
    const height = this.rowHeight;
    this.spacer.style.height = `${this.shown.length * height}px`;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / height) - 6);
    const last = Math.min(this.shown.length, first + Math.ceil(this.scroller.clientHeight / height) + 12);
    this.rows.style.transform = `translateY(${first * height}px)`;
    const { run } = this;
    this.rows.replaceChildren(...this.shown.slice(first, last).map((fact, order) => {
      const row = h("div", { class: "fact", role: "row", "data-index": fact.index, "aria-rowindex": first + order + 1 },
        h("span", { class: "when", role: "cell" }, moment(fact.at)),
        h("span", { class: `who ${run.colorOf(fact.process)}`, role: "cell" }, run.processes[fact.process]),
        h("span", { class: "where", role: "cell" }, run.stations[fact.station]),
        h("span", { class: "text", role: "cell", title: fact.text }, fact.text));
      row.style.height = `${height}px`;
      row.classList.toggle("current", fact.at === this.now);
      return row;
    }));
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
