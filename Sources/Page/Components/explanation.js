// explanation.js: each interaction with its one cause, and its steps in order.
//
//     interaction ─ button ─▶ its beginning       step ─ button ─▶ its time
//
// Input     Run, Playback
// Output    Playback.seek
// Knows     sentences that are made already. No fact.
import { h, filled, lastIndexAt, milliseconds, moment } from "./markup.js";

export class Explanation {
  constructor(element, run, playback, words) {
    Object.assign(this, { element, run, playback, words });
    this.selected = -1;
    this.current = -1;
    if (run.interactions.length === 0) {
      element.append(h("p", { class: "quiet" }, words.nothingHappened));
      return;
    }
    this.list = h("ol", { class: run.interactions.length > 8 ? "interactions long" : "interactions" });
    this.items = run.interactions.map((interaction) => this.makeItem(interaction));
    this.list.append(...this.items.map((item) => item.element));
    element.append(this.list);
    this.select(Math.max(0, run.interactionAt(playback.time)));
    this.follow();
    playback.addEventListener("time", () => this.follow());
  }

  makeItem(interaction) {
    const { words } = this;
    const isFinger = interaction.kind === "finger";
    const color = isFinger ? this.run.fingers.find((finger) => finger.interaction === interaction.index)?.color ?? 0 : 6;
    const title = isFinger ? `finger ${interaction.name}` : interaction.name;
    const isHidden = isFinger && !interaction.position && interaction.hit !== undefined;
    const length = interaction.ended === null ? words.stillDown
      : filled(words.down, milliseconds(interaction.ended - interaction.began));
    const button = h("button", { type: "button", class: "interaction", "aria-expanded": "false",
      onclick: () => this.choose(interaction.index) },
      h("span", { class: `spot c${color}`, "aria-hidden": "true" }),
      h("span", { class: "what" },
        h("span", { class: "head" },
          h("b", {}, title),
          h("span", { class: "soft" }, `${moment(interaction.began)} · ${length}${interaction.app ? ` · ${interaction.app}` : ""}`
            + `${isHidden ? ` · ${words.positionUnknown}` : ""}`)),
        h("span", { class: "cause" }, h("span", { class: "unseen" }, `${words.because}: `), interaction.cause)),
      h("span", { class: interaction.acts ? "badge acts" : "badge none" }, interaction.acts ? words.effect : words.noEffect));
    const detail = h("div", { class: "detail", hidden: true });
    return { interaction, button, detail, steps: null, element: h("li", {}, button, detail) };
  }

  choose(index) {
    this.playback.pause();
    this.select(index);
    this.playback.seek(this.run.interactions[index].began);
  }

  select(index) {
    if (index === this.selected) return;
    const before = this.items[this.selected];
    if (before) {
      this.mark(before, -1);
      before.detail.hidden = true;
      before.button.setAttribute("aria-expanded", "false");
    }
    this.selected = index;
    this.current = -1;
    const item = this.items[index];
    if (!item.steps) this.fillDetail(item);
    item.detail.hidden = false;
    item.button.setAttribute("aria-expanded", "true");
    keepVisible(this.list, item.button);
  }

  fillDetail(item) {
    const { words, run } = this;
    const { interaction } = item;
    item.steps = interaction.steps.map((step) => {
      const process = run.processes[step.process] ?? "";
      return h("button", { type: "button", class: "step", onclick: () => {
        this.playback.pause();
        this.playback.seek(step.at);
      } },
      h("span", { class: "when" }, moment(step.at)),
      h("span", { class: `where ${run.colorOf(step.process)}` }, `${process} · ${run.stations[step.station]}`),
      h("span", { class: "text" }, step.text));
    });
    item.stepList = h("ol", { class: "steps", "aria-label": words.steps }, item.steps.map((step) => h("li", {}, step)));
    item.detail.append(item.stepList);
    const aside = h("div", { class: "asides" });
    const table = (title, rows) => {
      if (rows.length === 0) return;
      aside.append(h("section", {}, h("h4", {}, title),
        h("ul", {}, rows.map(([name, text]) => h("li", {}, text ? h("b", {}, name) : name, text ? ` ${text}` : "")))));
    };
    table(words.recognizers, interaction.recognizers);
    table(words.told, interaction.told.map(([name, methods]) => [name, methods.join(", ")]));
    table(words.passedOver, interaction.passedOver);
    if (interaction.chain.length > 0) table(words.chain, [[interaction.chain.join(" → "), ""]]);
    if (aside.childElementCount > 0) item.detail.append(aside);
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
    if (current === this.current) return;
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
