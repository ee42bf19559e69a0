// timeline.js: one time axis with lanes: fingers, recognizers, held touches, turns, and the way of each event through the
// stations of all processes.
//
//     view (from, to) ─▶ axis, lanes ─ only what is in view, one mark for each pixel ─▶ SVG
//     playhead, moved alone when the time changes
//
// Input     Run, Playback; the mouse, fingers and keys
// Output    Playback.seek
// Knows     lanes and spans. No view, no step.
import { h, s, clamp, filled, lastIndexAt, milliseconds, moment } from "./markup.js";

const [laneHeight, stationHeight, axisHeight, groupGap] = [24, 16, 26, 30];
const shortestView = 0.002;
/** The least distance of two ways of one kind in pixels. */
const wayDistance = 4;

export class Timeline {
  constructor(element, run, playback, words) {
    Object.assign(this, { element, run, playback, words });
    [this.from, this.to] = run.interestingRange;
    this.readLanes();
    /** Whether an update shows the whole window of a running group; not after a zoom or a pan. */
    this.isFollowing = true;
    this.axis = s("svg", { class: "axis", "aria-hidden": "true" });
    this.chart = s("svg", { class: "chart", role: "group", "aria-label": words.timeline });
    this.head = h("div", { class: "playhead", "aria-hidden": "true" });
    this.tip = h("div", { class: "tip", role: "tooltip", id: "timeline-tip", hidden: true });
    this.scroller = h("div", { class: "lanes" }, this.chart);
    this.body = h("div", { class: "timeline" }, this.axis, this.scroller, this.head, this.tip);
    this.range = h("span", { class: "range" });
    element.append(this.toolbar(), this.body, this.legend());
    new ResizeObserver(() => this.draw()).observe(this.body);
    this.listen();
    playback.addEventListener("time", () => this.follow());
  }

  readLanes() {
    this.lanes = makeLanes(this.run, this.words);
    this.laneOrder = new Map(this.lanes.flatMap((group) => group.lanes ?? [group]).map((lane, index) => [lane, index]));
  }

  /** Shows a later window of the same group. A view that was zoomed keeps its length and goes to the end. */
  update(run) {
    this.run = run;
    this.readLanes();
    if (this.isFollowing) {
      [this.from, this.to] = run.interestingRange;
    } else {
      const span = Math.min(this.to - this.from, run.end - run.begin);
      const end = clamp(Math.max(this.to, run.end), run.begin + span, run.end);
      [this.from, this.to] = [end - span, end];
    }
    this.draw();
  }

  /** Shows the whole run, also after later updates. */
  showAll() {
    this.setView(this.run.begin, this.run.end);
    this.isFollowing = true;
  }

  toolbar() {
    const button = (text, label, action) =>
      h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: action }, text);
    return h("div", { class: "toolbar" }, this.range,
      button("−", this.words.zoomOut, () => this.zoom(1.6)), button("+", this.words.zoomIn, () => this.zoom(1 / 1.6)),
      button(this.words.zoomFit, this.words.zoomFit, () => this.showAll()));
  }

  legend() {
    const states = ["possible", "waits", "began", "changed", "ended", "failed", "cancelled"];
    return h("ul", { class: "legend" },
      states.map((state) => h("li", {}, h("i", { class: `key ${state}` }), state)),
      h("li", {}, h("i", { class: "key way" }), this.words.ways));
  }

  // View

  get left() { return this.isNarrow ? 66 : 208; }
  get isNarrow() { return this.width < 640; }
  get room() { return Math.max(40, this.width - this.left - 12); }
  x(time) { return this.left + ((time - this.from) / (this.to - this.from)) * this.room; }
  time(x) { return this.from + ((x - this.left) / this.room) * (this.to - this.from); }

  setView(from, to) {
    const span = clamp(to - from, shortestView, this.run.end - this.run.begin);
    const start = clamp(from, this.run.begin, this.run.end - span);
    [this.from, this.to] = [start, start + span];
    this.isFollowing = false;
    this.draw();
  }

  /** Zooms about a time: that of the playhead, or of the mouse. */
  zoom(factor, about = clamp(this.playback.time, this.from, this.to)) {
    const span = clamp((this.to - this.from) * factor, shortestView, this.run.end - this.run.begin);
    const share = (about - this.from) / (this.to - this.from);
    this.setView(about - span * share, about + span * (1 - share));
  }

  pan(share) {
    const span = (this.to - this.from) * share;
    this.setView(this.from + span, this.to + span);
  }

  follow() {
    const { time } = this.playback;
    if (time < this.from || time > this.to) {
      const span = this.to - this.from;
      this.setView(time - span * 0.15, time + span * 0.85);
    } else {
      this.moveHead();
    }
  }

  moveHead() {
    const x = this.x(this.playback.time);
    this.head.style.transform = `translateX(${x.toFixed(2)}px)`;
    this.head.hidden = x < this.left - 1 || x > this.left + this.room + 1;
  }

  // Drawing

  draw() {
    this.width = this.body.clientWidth;
    if (this.width === 0) return;
    this.range.textContent = `${moment(this.from)} – ${moment(this.to)}`;
    this.drawAxis();
    const focused = document.activeElement?.dataset?.mark;
    this.chart.replaceChildren();
    this.marks = [];
    let y = 4;
    for (const group of this.lanes) {
      this.chart.append(s("text", { class: "group", x: this.isNarrow ? 0 : 8, y: y + 17 }, group.title));
      y += groupGap;
      if (group.kind === "stations") y = this.drawStations(group, y);
      else for (const lane of group.lanes) y = this.drawLane(lane, y);
      y += 6;
    }
    this.chart.setAttribute("width", this.width);
    this.chart.setAttribute("height", y);
    this.marks.sort((a, b) => this.order(a) - this.order(b) || a.seekTime - b.seekTime);
    this.makeTabStop();
    if (focused) this.marks.find((mark) => mark.dataset.mark === focused)?.focus();
    this.moveHead();
  }

  drawAxis() {
    this.axis.replaceChildren();
    this.axis.setAttribute("width", this.width);
    this.axis.setAttribute("height", axisHeight);
    const step = niceStep((this.to - this.from) / Math.max(2, this.room / 110));
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    for (let index = Math.ceil(this.from / step); index * step <= this.to; index++) {
      const x = this.x(index * step);
      this.axis.append(s("line", { x1: x, x2: x, y1: 19, y2: axisHeight, class: "tick" }));
      const anchor = x < this.left + 30 ? "start" : x > this.width - 40 ? "end" : "middle";
      this.axis.append(s("text", { x, y: 14, "text-anchor": anchor }, step >= 1000 ? `${(index * step) / 1000} s` : `${(index * step).toFixed(digits)} ms`));
    }
  }

  drawLane(lane, top) {
    const height = this.isNarrow ? laneHeight + 18 : laneHeight;
    const bar = this.isNarrow ? top + 20 : top + 3;
    this.chart.append(s("line", { class: "rule", x1: 0, x2: this.width, y1: top + height, y2: top + height }));
    this.chart.append(this.label(lane.name, top + 16));
    let [lastEnd, lastLook] = [-Infinity, ""];
    // Decisions last no time and come last, above the spans beside them.
    const ordered = [...lane.spans.filter((span) => !span.isDecision), ...lane.spans.filter((span) => span.isDecision)];
    for (const span of ordered) {
      const to = span.to ?? this.run.end;
      if (to < this.from || span.from > this.to) continue;
      const [start, end] = [Math.max(this.left, this.x(span.from)), Math.min(this.left + this.room, this.x(to))];
      // Spans within one pixel are one mark.
      if (end - lastEnd < 0.5 && end - start < 0.5 && span.look === lastLook) continue;
      [lastEnd, lastLook] = [end, span.look];
      const width = Math.max(end - start, span.isPoint ? 3 : 5);
      this.addMark(lane, span, this.spanShape(span, start, bar, width));
      // A deadline after the decision has no effect.
      if (span.deadline > span.from && span.deadline <= to + 1 && span.deadline <= this.to && span.deadline >= this.from) {
        const x = this.x(span.deadline);
        this.chart.append(s("line", { class: "deadline", x1: x, x2: x, y1: bar - 2, y2: bar + 20 }));
      }
    }
    return top + height;
  }

  spanShape(span, x, y, width) {
    if (span.isDecision) return decision(span.look, x, y + 9);
    const shape = s("g", { class: `span ${span.look}` },
      s("rect", { x, y: y + (span.isPoint ? 3 : 0), width, height: span.isPoint ? 12 : 18, rx: Math.min(4, width / 2) }));
    const hasText = span.text && span.look !== "failed" && width - 16 > span.text.length * 6.6;
    if (span.look === "waits") {
      for (let stripe = x + (hasText ? span.text.length * 6.6 + 10 : 5); stripe < x + width - 3; stripe += 8) {
        shape.append(s("line", { class: "stripe", x1: stripe, x2: stripe + 3, y1: y + 15, y2: y + 3 }));
      }
    }
    if (span.look === "failed" && width > 14) {
      const middle = x + width / 2;
      shape.append(s("path", { class: "cross", d: `M${middle - 3} ${y + 6}l6 6m0 -6l-6 6` }));
    }
    if (hasText) shape.append(s("text", { class: "inside", x: x + 6, y: y + 13 }, span.text));
    return shape;
  }

  addMark(lane, span, shape) {
    const label = `${lane.name}: ${span.label}`;
    shape.setAttribute("tabindex", "-1");
    shape.setAttribute("role", "button");
    shape.setAttribute("aria-label", label);
    shape.dataset.mark = `${lane.key}@${span.from}`;
    shape.seekTime = span.from;
    shape.lane = lane;
    shape.label = label;
    this.marks.push(shape);
    this.chart.append(shape);
  }

  label(text, y) {
    const letters = this.isNarrow ? Math.floor(this.width / 6.8) : 28;
    const shown = text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
    return s("text", { class: "name", x: this.isNarrow ? 0 : 8, y }, s("title", {}, text), shown);
  }

  // Stations

  drawStations(group, top) {
    const rows = new Map();
    let y = top;
    for (const row of group.rows) {
      rows.set(row.key, y + stationHeight / 2);
      if (row.isFirst) {
        const name = row.processName;
        this.chart.append(s("line", { class: "rule", x1: 0, x2: this.width, y1: y, y2: y }));
        if (!this.isNarrow) this.chart.append(s("text", { class: "name", x: 8, y: y + 12 }, name));
      }
      this.chart.append(s("text", { class: "station", x: this.isNarrow ? 0 : this.left - 12, y: y + 12,
        "text-anchor": this.isNarrow ? "start" : "end" }, row.station));
      y += stationHeight;
    }
    const width = this.left + this.room;
    for (const row of group.rows) {
      const middle = rows.get(row.key);
      let path = "";
      let last = -Infinity;
      const first = Math.max(0, lastIndexAt(row.times, this.from - 1e-9));
      for (let index = first; index < row.times.length && row.times[index] <= this.to; index++) {
        const x = this.x(row.times[index]);
        if (x < this.left || x - last < 1) continue;
        last = x;
        path += `M${x.toFixed(1)} ${middle - 4}v8`;
      }
      if (path) this.chart.append(s("path", { class: `ticks ${this.run.colorOf(row.process)}`, d: path }));
      this.chart.append(s("line", { class: "row", x1: this.left, x2: width, y1: middle, y2: middle }));
    }
    this.drawWays(group, rows);
    return y;
  }

  drawWays(group, rows) {
    const shown = group.ways.filter((way) => way.to >= this.from && way.from <= this.to);
    const last = {};
    for (const way of shown) {
      // Where ways are too near to be told apart, the first of a few pixels stands for the others.
      const start = this.x(way.from);
      if (start - (last[way.look] ?? -Infinity) < wayDistance) continue;
      last[way.look] = start;
      const points = way.points.map(([time, key]) => [this.x(time), rows.get(key)]).filter(([, y]) => y !== undefined);
      if (points.length < 2) continue;
      const d = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
      const [endX, endY] = points[points.length - 1];
      const arrow = `M${(endX - 3.5).toFixed(1)} ${endY - 5}L${endX.toFixed(1)} ${endY}L${(endX + 3.5).toFixed(1)} ${endY - 5}`;
      const shape = s("g", { class: `way ${way.look}` },
        s("path", { class: "reach", d }), s("path", { class: "line", d }), s("path", { class: "arrow", d: arrow }),
        s("circle", { cx: points[0][0], cy: points[0][1], r: 3 }));
      this.addMark(group, way, shape);
    }
  }

  // Mouse and keys

  listen() {
    const { body } = this;
    const at = (event) => event.clientX - body.getBoundingClientRect().left;
    body.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        this.zoom(Math.exp(event.deltaY * 0.004), this.time(at(event)));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        this.pan((event.deltaX || event.deltaY) / this.room);
      }
    }, { passive: false });
    let drag = null;
    body.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      drag = { x: at(event), from: this.from, to: this.to, isScrub: event.target.closest(".axis") !== null, moved: false };
      if (drag.isScrub) {
        body.setPointerCapture(event.pointerId);
        this.playback.pause();
        this.playback.seek(this.time(drag.x));
      }
    });
    body.addEventListener("pointermove", (event) => {
      if (drag === null) return this.showTip(event.target.closest("[data-mark]"), at(event), event);
      const x = at(event);
      if (drag.isScrub) return this.playback.seek(this.time(clamp(x, this.left, this.left + this.room)));
      if (Math.abs(x - drag.x) < 4 && !drag.moved) return undefined;
      if (!drag.moved) body.setPointerCapture(event.pointerId);
      drag.moved = true;
      const shift = ((drag.x - x) / this.room) * (drag.to - drag.from);
      return this.setView(drag.from + shift, drag.to + shift);
    });
    body.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved && !drag.isScrub) {
        const mark = event.target.closest("[data-mark]");
        const x = at(event);
        this.playback.pause();
        if (mark) this.playback.seek(mark.seekTime);
        else if (x >= this.left) this.playback.seek(this.time(x));
      }
      drag = null;
    });
    body.addEventListener("pointercancel", () => { drag = null; });
    body.addEventListener("pointerleave", () => this.showTip(null));
    body.addEventListener("dblclick", (event) => this.zoom(1 / 2.5, this.time(at(event))));
    this.scroller.addEventListener("focusin", (event) => {
      const mark = event.target.closest("[data-mark]");
      if (!mark) return;
      const box = mark.getBoundingClientRect();
      const frame = body.getBoundingClientRect();
      this.showTip(mark, box.left - frame.left + 8, { clientY: box.bottom });
    });
    this.scroller.addEventListener("focusout", () => this.showTip(null));
    this.chart.addEventListener("keydown", (event) => this.handleKey(event));
  }

  showTip(mark, x, event) {
    this.tip.hidden = !mark;
    if (!mark) return;
    this.tip.textContent = mark.label;
    const frame = this.body.getBoundingClientRect();
    const width = Math.min(340, frame.width - 16);
    this.tip.style.maxWidth = `${width}px`;
    this.tip.style.left = `${clamp(x + 10, 4, Math.max(4, frame.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${event.clientY - frame.top + 14}px`;
  }

  /** The position of a mark's lane among all lanes. */
  order(mark) { return this.laneOrder.get(mark.lane) ?? this.laneOrder.size; }

  /** One mark can be reached with the tab key; arrows go on from there. */
  makeTabStop() { this.marks[0]?.setAttribute("tabindex", "0"); }

  handleKey(event) {
    const mark = event.target.closest("[data-mark]");
    const index = this.marks.indexOf(mark);
    if (index < 0) return;
    const others = {
      ArrowRight: () => this.marks[index + 1], ArrowLeft: () => this.marks[index - 1],
      ArrowDown: () => this.marks.slice(index).find((one) => one.lane !== mark.lane),
      ArrowUp: () => this.marks.slice(0, index).reverse().find((one) => one.lane !== mark.lane),
    };
    if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      this.playback.seek(mark.seekTime);
      return;
    }
    if (!others[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    const next = others[event.key]();
    if (!next) return;
    mark.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus({ preventScroll: false });
    this.playback.seek(next.seekTime);
  }
}

/** Returns the mark of a state that lasts no time: a disc with a check or a cross. */
function decision(look, x, y) {
  const sign = look === "ended" ? "l2 2.5 4-5" : "l5 5m0-5l-5 5";
  const start = look === "ended" ? `M${x - 3} ${y + 0.5}` : `M${x - 2.5} ${y - 2.5}`;
  return s("g", { class: `span ${look} decision` }, s("circle", { cx: x, cy: y, r: 7.5 }), s("path", { class: "cross", d: start + sign }));
}

function niceStep(raw) {
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 5, 10].find((one) => raw <= one * power);
  return factor * power;
}

// Lanes

function makeLanes(run, words) {
  const groups = [
    { kind: "fingers", title: words.lanesFingers, lanes: fingerLanes(run) },
    { kind: "recognizers", title: words.lanesRecognizers, lanes: recognizerLanes(run, words) },
    { kind: "holds", title: words.lanesHolds, lanes: holdLanes(run, words) },
    { kind: "turns", title: words.lanesTurns, lanes: turnLanes(run, words) },
  ].filter((group) => group.lanes.length > 0);
  const stations = stationGroup(run, words);
  if (stations.rows.length > 0) groups.push(stations);
  return groups;
}

/** Puts spans that overlap in different lanes. */
function packed(spans, end) {
  const lanes = [];
  for (const span of spans) {
    const free = lanes.find((lane) => lane.end <= span.from);
    if (free) {
      free.spans.push(span);
      free.end = span.to ?? end;
    } else {
      lanes.push({ spans: [span], end: span.to ?? end });
    }
  }
  return lanes;
}

function fingerLanes(run) {
  const contacts = [...new Set(run.fingers.map((finger) => finger.contact))];
  return contacts.flatMap((contact) => {
    const own = run.fingers.filter((finger) => finger.contact === contact).map((finger) => {
      const to = finger.up ?? run.end;
      const touch = finger.touch === null ? "" : `touch ${finger.touch}`;
      const end = finger.up === null ? "" : finger.cancelled ? ", cancelled" : "";
      return { from: finger.down, to, look: `finger c${finger.color}`, text: touch,
        label: `${touch || "contact"}, ${moment(finger.down)}, ${milliseconds(to - finger.down)}${end}` };
    });
    return packed(own, run.end).map((lane, index) => ({ key: `finger ${contact} ${index}`, name: `finger ${contact}`, spans: lane.spans }));
  });
}

function recognizerLanes(run, words) {
  const apps = new Set(run.recognizers.map((one) => one.process));
  return run.recognizers.map((one) => ({
    key: `recognizer ${one.process} ${one.identity}`,
    name: apps.size > 1 ? `${one.name} (${run.processes[one.process]})` : one.name,
    spans: one.spans.map((span) => {
      const until = span.deadline === null ? "" : `, ${filled(words.until, moment(span.deadline))}`;
      const reason = span.reason ? `: ${span.reason}` : "";
      return { ...span, look: span.state, text: span.state, isPoint: span.to === span.from,
        isDecision: span.to === span.from && ["ended", "failed", "cancelled"].includes(span.state),
        label: `${span.state}${reason}${until} (${moment(span.from)})` };
    }),
  }));
}

function holdLanes(run, words) {
  const holders = [...new Set(run.holds.map((hold) => hold.holder))];
  return holders.flatMap((holder) => {
    const own = run.holds.filter((hold) => hold.holder === holder).map((hold) => {
      const time = milliseconds((hold.to ?? run.end) - hold.from);
      const text = hold.touch === null ? filled(words.displayFrame, hold.reason)
        : `${filled(words.touches, hold.touch)} ${filled(words.heldUntil, time)}`;
      const reason = hold.touch === null ? time : hold.reason;
      const fate = hold.discarded ? `, ${words.discarded}` : "";
      return { ...hold, look: "hold", text: hold.touch === null ? "" : filled(words.touches, hold.touch),
        label: `${text}${fate}${reason ? `: ${reason}` : ""}` };
    });
    return packed(own, run.end).map((lane, index) => ({ key: `hold ${holder} ${index}`, name: holder, spans: lane.spans }));
  });
}

function turnLanes(run, words) {
  const apps = [...new Set(run.turns.map((turn) => turn.process))];
  return apps.map((process) => ({
    key: `turns ${process}`, name: run.processes[process],
    spans: run.turns.filter((turn) => turn.process === process).map((turn) => {
      const takes = turn.end === null ? "" : `, ${filled(words.turnTakes, milliseconds(turn.end - turn.at))}`;
      const stations = turn.stations.map((station) => run.stations[station]).join(", ");
      return { from: turn.at, to: turn.end ?? turn.at, isPoint: true, look: "turn",
        label: `${moment(turn.at)}, ${filled(words.turn, turn.count, stations)}${takes}` };
    }),
  }));
}

/** The stations of each process as rows, and the way of each scan through them. */
function stationGroup(run, words) {
  const rows = [];
  const index = (name) => run.stations.indexOf(name);
  run.processes.forEach((name, process) => {
    const stations = name === "input-kit" ? [0, 1, 2] : name === "system-server" ? [3]
      : name.startsWith("app") ? [4, 5, 6, 7, 8, 9, 10, 11, 12] : [];
    stations.forEach((station, order) => {
      rows.push({ key: `${process} ${station}`, process, processName: name, station: run.stations[station],
        isFirst: order === 0, times: [] });
    });
  });
  const byKey = new Map(rows.map((row) => [row.key, row]));
  for (const fact of run.facts) byKey.get(`${fact.process} ${fact.station}`)?.times.push(fact.at);
  const kit = run.processes.indexOf("input-kit");
  const server = run.processes.indexOf("system-server");
  const reached = new Map();
  for (const turn of run.turns) {
    const deepest = Math.max(...turn.stations.filter((station) => station <= index("action")));
    reached.set(`${turn.process} ${turn.at}`, deepest);
  }
  const ways = run.ways.filter((way) => way.stamps.length >= 3).map((way) => {
    const [device, sent, received, forwarded, arrived, handled] = way.stamps;
    const points = [[device, `${kit} 0`], [sent, `${kit} 2`], [received, `${server} 3`]];
    if (forwarded !== undefined) points.push([forwarded, `${server} 3`]);
    if (way.process >= 0 && arrived !== undefined) {
      points.push([arrived, `${way.process} 4`]);
      const deepest = reached.get(`${way.process} ${arrived}`) ?? 8;
      points.push([handled ?? arrived, `${way.process} ${Math.max(4, deepest)}`]);
    }
    const [began, moved, , ended, cancelled] = way.phases;
    const phases = [[began, "began"], [moved, "moved"], [ended, "ended"], [cancelled, "cancelled"]]
      .filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
    const look = way.outcome !== "delivered" ? "dropped" : began > 0 ? "began" : ended > 0 ? "ended" : "moved";
    const last = way.stamps[way.stamps.length - 1];
    const fate = way.outcome === "delivered" ? run.processes[way.process] ?? "" : `${way.outcome} ${way.reason}`;
    return { points, look, from: device, to: last,
      label: `${moment(device)} → ${fate}: ${phases.join(", ") || way.outcome}, ${milliseconds(last - device)}` };
  });
  return { kind: "stations", key: "ways", title: words.lanesStations, name: words.ways, rows, ways };
}
