// log.js: the facts of a running group as they happen, of which the last ones are kept.
//
//     new facts ─▶ kept ─ filter ─▶ rows; at the end of the list it follows
//
// Input     messages `facts`
// Knows     FactList. No run.
import { h } from "./markup.js";
import { FactList } from "./facts.js";
import { readFacts } from "./run.js";

/** The most facts that the page keeps, and how many it drops at once. */
const [limit, share] = [20_000, 4_000];

export class Log extends FactList {
  /** `stationNames` are those that messages count. */
  constructor(element, words, stationNames) {
    super(element, "log", words);
    this.stationNames = stationNames;
    [this.isHeld, this.kept, this.isNew] = [false, [], false];
    this.hold = h("button", { type: "button", class: "tool", id: "log-hold", "aria-pressed": "false", onclick: () => this.toggle() }, words.pause);
    const clear = h("button", { type: "button", class: "tool", id: "log-clear", onclick: () => this.clear() }, words.clear);
    this.fields.insertBefore(h("span", { class: "line" }, this.hold, clear), this.count);
    [this.allProcesses, this.allStations] = [[], []];
    this.setNames([], []);
    this.none = h("p", { class: "quiet" }, words.noFacts);
    this.scroller.before(this.none);
    this.filter();
  }

  showCount() {
    super.showCount();
    this.none.hidden = this.facts.length > 0;
  }

  toggle() {
    this.isHeld = !this.isHeld;
    this.hold.setAttribute("aria-pressed", String(this.isHeld));
    if (!this.isHeld) this.show();
  }

  clear() {
    [this.facts, this.kept] = [[], []];
    this.filter();
  }

  /** Adds the facts of a message, and returns them. `show` makes them visible. */
  add(message) {
    const stations = message.stations ?? this.stationNames;
    const facts = readFacts(message.facts ?? message, message.processes, stations);
    this.kept.push(...facts);
    if (this.kept.length > limit) this.kept.splice(0, this.kept.length - limit + share);
    for (const [list, names] of [[this.allProcesses, message.processes], [this.allStations, stations]]) {
      for (const name of names) if (!list.includes(name)) list.push(name);
    }
    this.isNew = true;
    return facts;
  }

  show() {
    if (this.isHeld || !this.isNew) return;
    this.isNew = false;
    this.setNames([...this.allProcesses], [...this.allStations]);
    const { scroller, test } = this;
    const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - this.rowHeight * 2;
    this.shown.push(...this.kept.filter(test));
    this.facts.push(...this.kept);
    this.kept = [];
    if (this.facts.length > limit) {
      this.facts.splice(0, this.facts.length - limit + share);
      this.shown = this.facts.filter(test);
    }
    this.showCount();
    this.draw();
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
  }
}
