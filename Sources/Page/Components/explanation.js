// explanation.js: each interaction with its one cause, and its steps in order.
//
//     interaction ─ button ─▶ its beginning       step ─ button ─▶ its time
//
// Input     Run, Playback
// Output    Playback.seek
// Knows     sentences that are made already. No fact.
import { h, arrange, filled, lastIndexAt, milliseconds, moment, setAttribute, setText } from "./markup.js";

export class Explanation {
  /** `isNewestFirst` is for a running group: the last interaction stands on top and is open. */
  constructor(element, run, playback, words, isNewestFirst = false) {
    Object.assign(this, { element, run, playback, words, isNewestFirst });
    this.items = [];
    [this.selected, this.current] = [-1, -1];
    this.list = h("ol", { class: "interactions" });
    this.none = h("p", { class: "quiet" }, words.nothingHappened);
    element.append(this.none, this.list);
    this.update(run);
    playback.addEventListener("time", () => this.follow());
  }

  /** Shows another run, or a later window of the same group. Interactions that it already has are changed in place. */
  update(run) {
    this.run = run;
    const open = this.items[this.selected];
    const known = new Map(this.items.map((item) => [item.key, item]));
    this.items = run.interactions.map((interaction) => {
      const key = `${interaction.began} ${interaction.kind} ${interaction.name}`;
      const item = known.get(key) ?? this.makeItem(key);
      this.changeItem(item, interaction);
      return item;
    });
    const elements = this.items.map((item) => item.element);
    arrange(this.list, this.isNewestFirst ? elements.reverse() : elements);
    this.list.classList.toggle("long", this.items.length > 8);
    this.none.hidden = this.items.length > 0;
    this.list.hidden = this.items.length === 0;
    this.selected = this.items.indexOf(open);
    if (this.items.length > 0) {
      this.select(this.isNewestFirst ? this.items.length - 1 : Math.max(0, run.interactionAt(this.playback.time)));
      this.follow();
    } else {
      this.current = -1;
    }
  }

  makeItem(key) {
    const item = { key, steps: [], asides: "" };
    item.spot = h("span", { "aria-hidden": "true" });
    item.title = h("b");
    item.when = h("span", { class: "soft" });
    item.cause = h("span");
    item.badge = h("span");
    item.button = h("button", { type: "button", class: "interaction", "aria-expanded": "false",
      onclick: () => this.choose(this.items.indexOf(item)) },
      item.spot,
      h("span", { class: "what" },
        h("span", { class: "head" }, item.title, item.when),
        h("span", { class: "cause" }, h("span", { class: "unseen" }, `${this.words.because}: `), item.cause)),
      item.badge);
    item.stepList = h("ol", { class: "steps", "aria-label": this.words.steps, onkeydown: (event) => this.moveFocus(event, item) });
    item.aside = h("div", { class: "asides" });
    item.detail = h("div", { class: "detail", hidden: true }, item.stepList, item.aside);
    item.element = h("li", {}, item.button, item.detail);
    return item;
  }

  changeItem(item, interaction) {
    const { words } = this;
    item.interaction = interaction;
    const isFinger = interaction.kind === "finger";
    const color = isFinger ? this.run.fingers.find((finger) => finger.interaction === interaction.index)?.color ?? 0 : 6;
    const isHidden = isFinger && !interaction.position && interaction.hit !== undefined;
    const length = interaction.ended === null ? words.stillDown
      : filled(words.down, milliseconds(interaction.ended - interaction.began));
    setAttribute(item.spot, "class", `spot c${color}`);
    setText(item.title, isFinger ? `finger ${interaction.name}` : interaction.name);
    setText(item.when, `${moment(interaction.began)} · ${length}${interaction.app ? ` · ${interaction.app}` : ""}`
      + `${isHidden ? ` · ${words.positionUnknown}` : ""}`);
    setText(item.cause, interaction.cause);
    setAttribute(item.badge, "class", interaction.acts ? "badge acts" : "badge none");
    setText(item.badge, interaction.acts ? words.effect : words.noEffect);
    if (!item.detail.hidden) this.fillDetail(item);
  }

  choose(index) {
    this.playback.pause();
    this.select(index);
    this.playback.seek(this.run.interactions[index].began);
  }

  select(index) {
    if (index === this.selected) return;
    const before = this.items[this.selected] ?? this.items.find((item) => !item.detail.hidden);
    if (before) {
      this.mark(before, -1);
      before.detail.hidden = true;
      before.button.setAttribute("aria-expanded", "false");
    }
    this.selected = index;
    this.current = -1;
    const item = this.items[index];
    this.fillDetail(item);
    item.detail.hidden = false;
    item.button.setAttribute("aria-expanded", "true");
    keepVisible(this.list, item.button);
  }

  fillDetail(item) {
    const { words, run } = this;
    const { interaction } = item;
    while (item.steps.length < interaction.steps.length) this.addStep(item);
    while (item.steps.length > interaction.steps.length) item.steps.pop().parentElement.remove();
    interaction.steps.forEach((step, index) => {
      const process = run.processes[step.process] ?? "";
      const [when, where, text] = item.steps[index].children;
      setText(when, moment(step.at));
      setAttribute(where, "class", `where ${run.colorOf(step.process)}`);
      setText(where, `${process} · ${run.stations[step.station]}`);
      setText(text, step.text);
    });
    const tables = [[words.recognizers, interaction.recognizers],
      [words.told, interaction.told.map(([name, methods]) => [name, methods.join(", ")])],
      [words.passedOver, interaction.passedOver],
      [words.chain, interaction.chain.length > 0 ? [[interaction.chain.join(" → "), ""]] : []]]
      .filter(([, rows]) => rows.length > 0);
    item.aside.hidden = tables.length === 0;
    const asides = JSON.stringify(tables);
    if (asides === item.asides) return;
    item.asides = asides;
    item.aside.replaceChildren(...tables.map(([title, rows]) => h("section", {}, h("h4", {}, title),
      h("ul", {}, rows.map(([name, text]) => h("li", {}, text ? h("b", {}, name) : name, text ? ` ${text}` : ""))))));
  }

  addStep(item) {
    const index = item.steps.length;
    const step = h("button", { type: "button", class: "step", onclick: () => {
      this.playback.pause();
      this.playback.seek(item.interaction.steps[index].at);
    } }, h("span", { class: "when" }), h("span"), h("span", { class: "text" }));
    step.tabIndex = index === 0 ? 0 : -1;
    item.steps.push(step);
    item.stepList.append(h("li", {}, step));
  }

  /** One step can be reached with the tab key; arrows go on from there. */
  moveFocus(event, { steps }) {
    const index = steps.indexOf(event.target.closest(".step"));
    const next = steps[index + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN)];
    if (index < 0 || !next) return;
    event.preventDefault();
    event.stopPropagation();
    [steps[index].tabIndex, next.tabIndex] = [-1, 0];
    next.focus();
  }

  follow() {
    const { time } = this.playback;
    const running = this.run.interactionAt(time);
    const selected = this.items[this.selected]?.interaction;
    if (!selected) return;
    // Interactions may overlap: one that lasts stays selected.
    if (running >= 0 && (time < selected.began || time > selected.until)) this.select(running);
    const item = this.items[this.selected];
    const current = lastIndexAt(item.interaction.steps, time, (step) => step.at);
    if (current === this.current && item.steps[current]?.classList.contains("current")) return;
    this.mark(item, current);
    if (current >= 0) keepVisible(item.stepList, item.steps[current]);
  }

  /** Makes one step of an interaction the current one; -1 for none. */
  mark(item, index) {
    item.steps[this.current]?.classList.remove("current");
    item.steps[this.current]?.removeAttribute("aria-current");
    this.current = index;
    item.steps[index]?.classList.add("current");
    item.steps[index]?.setAttribute("aria-current", "step");
  }
}

/** Scrolls a list so that one of its elements is visible, and nothing around the list. */
function keepVisible(list, element) {
  const [outer, inner] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
}
