// now.js: what decides about the last touch at this moment: states of recognizers, held touches, the responder chain, turns.
//
//     Run ─ since the last touch began ─▶ rows, changed in place
//
// Input     Run
// Knows     spans and reasons. No view.
import { h, Keyed, clamp, filled, grouped, milliseconds, moment, setAttribute, setText } from "./markup.js";

export class Now {
  constructor(element, words) {
    this.words = words;
    const section = (id, title, list) => {
      const part = h("section", { class: "part", "aria-labelledby": `${id}-title` }, h("h3", { id: `${id}-title` }, title), list);
      part.hidden = true;
      return part;
    };
    const recognizers = h("ul", { class: "recognizers", id: "recognizers" });
    const holds = h("ul", { class: "holds", id: "holds" });
    const chain = h("ol", { class: "chain", id: "chain" });
    this.turns = h("p", { class: "soft", id: "turns" });
    this.none = h("p", { class: "quiet" }, words.nothingDecides);
    this.parts = { recognizers: section("recognizers", words.recognizers, recognizers),
      holds: section("holds", words.lanesHolds, holds), chain: section("chain", words.chain, chain),
      turns: section("turns", words.lanesTurns, this.turns) };
    element.append(this.none, ...Object.values(this.parts));
    this.recognizers = new Keyed(recognizers, (one) => one.key, () => this.makeRecognizer(), (row, one) => this.changeRecognizer(row, one));
    this.holds = new Keyed(holds, (hold) => `${hold.process} ${hold.holder} ${hold.touch} ${hold.from}`,
      () => h("li", { class: "hold" }, h("b"), h("span", { class: "soft" })), (row, hold) => this.changeHold(row, hold));
    this.chain = new Keyed(chain, (one) => one.key, () => h("li"), (row, one) => setText(row, one.name));
  }

  /** Shows the states since the last touch began. */
  update(run) {
    const last = run.interactions[run.interactions.length - 1];
    this.run = run;
    this.none.hidden = last !== undefined;
    if (!last) {
      for (const part of Object.values(this.parts)) part.hidden = true;
      return;
    }
    const sentences = new Map(last.recognizers);
    const rows = run.recognizers.map((one) => ({ one, span: one.spans[one.spans.length - 1] }))
      .filter(({ span }) => span && (span.to === null || span.to >= last.began))
      .map(({ one, span }) => ({ key: `${one.process} ${one.identity}`, name: one.name, ...outcome(span, sentences.get(one.name) ?? "") }));
    this.recognizers.update(rows);
    const holds = run.holds.filter((hold) => hold.to === null || hold.to >= last.began);
    this.holds.update(holds.slice(-8));
    const chain = last.chain.length > 0 ? last.chain : [];
    this.chain.update(chain.map((name, index) => ({ key: `${index} ${name}`, name })));
    const turns = run.turns.filter((turn) => turn.at >= last.began);
    const lengths = turns.filter((turn) => turn.end !== null).map((turn) => turn.end - turn.at);
    setText(this.turns, lengths.length === 0 ? filled(this.words.turnCount, grouped(turns.length))
      : filled(this.words.turnSums, grouped(turns.length), milliseconds(lengths[lengths.length - 1]), milliseconds(Math.max(...lengths))));
    this.parts.recognizers.hidden = rows.length === 0;
    this.parts.holds.hidden = holds.length === 0;
    this.parts.chain.hidden = chain.length === 0;
    this.parts.turns.hidden = turns.length === 0;
  }

  makeRecognizer() {
    return h("li", { class: "recognizer" },
      h("span", { class: "key" }), h("span", { class: "name" }), h("span", { class: "state" }),
      h("span", { class: "reason" }), h("span", { class: "gauge", "aria-hidden": "true" }, h("i"), h("u")));
  }

  changeRecognizer(row, { name, span, sentence }) {
    const [key, title, state, reason, gauge] = row.children;
    setAttribute(row, "data-state", span.state);
    setAttribute(row, "data-name", name);
    setAttribute(key, "class", `key ${span.state}`);
    setText(title, name);
    setText(state, span.state);
    const until = span.to === null && span.deadline !== null ? filled(this.words.until, moment(span.deadline)) : "";
    setText(reason, span.reason || until || sentence);
    const share = measured(span.reason);
    gauge.hidden = share === null;
    if (share === null) return;
    // The line is the limit. A measure beyond it ends at the right edge.
    const [bar, line] = gauge.children;
    const most = Math.max(share.measure, share.limit) * 1.15 || 1;
    bar.style.width = `${clamp((share.measure / most) * 100, 1, 100)}%`;
    line.style.left = `${clamp((share.limit / most) * 100, 0, 100)}%`;
  }

  changeHold(row, hold) {
    const { words } = this;
    const [name, text] = row.children;
    setText(name, hold.holder);
    const what = hold.touch === null ? filled(words.displayFrame, hold.reason) : filled(words.touches, hold.touch);
    const time = hold.to === null ? words.stillHeld : filled(words.heldUntil, milliseconds(hold.to - hold.from));
    setText(text, `${what} · ${time}${hold.discarded ? ` · ${words.discarded}` : ""}`);
  }
}

/** A recognizer whose own code decides has no span for it: its sentence says what became of it. */
function outcome(span, sentence) {
  const found = /^failed: (.*)$/.exec(sentence);
  if (!found || span.state !== "possible" || span.to === null) return { span, sentence };
  return { span: { ...span, state: "failed", reason: found[1] }, sentence };
}

/** Returns the measure and the limit that a reason names: "moved 47.1 pt, limit 45.0 pt", "lifted after 0.0 pt, needs 10.0 pt". */
function measured(reason) {
  const found = /([\d.]+) (pt|ms|s|°|rad)?.*?(?:limit|needs) ([\d.]+)/.exec(reason);
  if (!found) return null;
  const [measure, limit] = [Number(found[1]), Number(found[3])];
  return Number.isFinite(measure) && Number.isFinite(limit) ? { measure, limit } : null;
}
