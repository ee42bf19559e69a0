// inspect.js: the page of a running group: its phone, what decides about a touch, and what a person can do to it.
//
//     Live ─ picture ─▶ Device ─────────────── drawn in the frame
//          ─ record ──▶ Run ─▶ why, now, timeline, hops ─ one in each frame, only those in sight
//          ─ facts, group ─▶ log, distribution, processes
//
// Input     the words in the page (InspectPage), the server's messages
// Output    touches and requests; `window.touchline` for tests
// Knows     every component by its constructor
import { h, filled, setText } from "./markup.js";
import { Run } from "./run.js";
import { Playback } from "./playback.js";
import { Timeline } from "./timeline.js";
import { Explanation } from "./explanation.js";
import { Latency } from "./latency.js";
import { Live } from "./live.js";
import { Device, boxOf, touchable } from "./device.js";
import { ViewList } from "./tree.js";
import { Layers } from "./layers.js";
import { Now } from "./now.js";
import { Distribution } from "./distribution.js";
import { Log } from "./log.js";
import { Controls, Acts } from "./controls.js";
import { Tabs } from "./tabs.js";
import { icon, showRun } from "./page.js";

const { words, language, stations } = JSON.parse(document.getElementById("inspector-data").textContent);
/** Least times between two drawings in milliseconds, and the time for which a path stays lit after the lift. */
const [treePause, logPause, litTime] = [120, 150, 1500];
const [noticeTime, noticeLimit, sampleLimit] = [12_000, 4, 200];

class Inspector {
  constructor(root) {
    this.live = new Live();
    this.playback = new Playback(0, 1, []);
    this.run = new Run(emptyRecord());
    [this.record, this.isHeld, this.apps] = [null, false, []];
    this.counters = { pictures: { received: 0, drawn: 0, acknowledged: 0 }, records: 0, facts: 0, frames: 0, longestFrame: 0,
      lateFrames: 0, samplesSent: 0 };
    this.latencies = [];
    this.waiting = [];
    this.dirty = new Set();
    this.sight = new Map();
    this.make(root);
    this.listen();
    requestAnimationFrame(() => this.frame());
    this.live.connect();
  }

  // Elements

  make(root) {
    this.device = new Device(words, (samples) => this.sendTouch(samples));
    root.append(this.makeBar(), this.makeNotices(), this.makeMain());
    this.lookView = h("div", { id: "lookback-view" });
    this.lookView.hidden = true;
    root.append(this.lookView);
    this.said = h("div", { class: "unseen", role: "status", id: "said" });
    root.append(this.said);
    this.showState({ state: "connecting", reason: "" });
    this.setHeld(false);
  }

  makeBar() {
    this.title = h("h1", { id: "run-name" }, words.inspector);
    this.connection = h("p", { class: "connection", id: "connection" });
    this.hold = h("button", { type: "button", class: "tool", id: "hold", onclick: () => this.setHeld(!this.isHeld) });
    const theme = h("button", { type: "button", class: "tool", id: "theme", onclick: () => this.nextTheme() });
    this.theme = theme;
    this.setTheme(readTheme());
    this.bar = h("header", { class: "bar" },
      h("div", { class: "titles" }, h("p", { class: "kicker" }, `Touchline · ${words.inspector}`), this.title),
      this.connection, h("div", { class: "line" }, this.hold, theme));
    return this.bar;
  }

  makeNotices() {
    this.banner = h("p", { class: "banner", id: "banner", role: "alert" });
    this.banner.hidden = true;
    this.notices = h("ul", { class: "notices", id: "notices", "aria-live": "polite", "aria-label": words.messages });
    return h("div", {}, h("div", { class: "top-notes" }, this.banner), this.notices);
  }

  makeMain() {
    const card = (id, title, ...extra) => {
      const body = h("div", { class: "body" });
      const element = h("section", { class: "card", id, "aria-labelledby": `${id}-title` },
        h("div", { class: "card-head" }, h("h2", { id: `${id}-title` }, title), extra), body);
      return { body, element };
    };
    this.whatIf = h("button", { type: "button", class: "tool", id: "whatif", onclick: () => this.askWhatIf() }, words.whatIf);
    this.whatIf.disabled = true;
    const cards = { why: card("why", words.lastTouch, this.whatIf), now: card("now", words.decides), views: card("views", words.views),
      timeline: card("timeline", words.timeline), control: card("control", words.control), latency: card("latency", words.latency),
      log: card("log", words.callbacks) };
    this.answers = h("div", { id: "whatif-answers", class: "answers", role: "status" });
    cards.why.body.append(this.answers);
    this.why = new Explanation(cards.why.body, this.run, this.playback, { ...words, nothingHappened: words.nothingTouched }, true);
    this.welcome = h("ul", { class: "welcome" }, [words.welcomePointer, words.welcomeSecond, words.welcomeKeys, words.welcomeControl]
      .map((text) => h("li", {}, text)));
    cards.why.body.append(this.welcome);
    this.now = new Now(cards.now.body, words);
    this.makeViews(cards.views.body);
    this.lanes = new Timeline(cards.timeline.body, this.run, this.playback, words);
    this.noTimeline = h("p", { class: "quiet" }, words.noTimeline);
    cards.timeline.body.prepend(this.noTimeline);
    cards.timeline.body.classList.add("nothing");
    this.lanes.body.addEventListener("pointerdown", () => this.setHeld(true));
    this.distribution = new Distribution(cards.latency.body, words);
    const hops = h("details", { class: "more" }, h("summary", {}, words.hops));
    const hopsBody = h("div");
    hops.append(hopsBody);
    cards.latency.body.append(hops);
    hops.addEventListener("toggle", () => this.need("hops"));
    this.hops = hops;
    this.latency = new Latency(hopsBody, this.run, this.playback, words);
    this.controls = new Controls(cards.control.body, this.live, words, {
      tell: (text) => this.tell(text), renamed: (name, current) => this.showName(name, current), lookBack: (button) => this.lookBack(button),
    });
    this.log = new Log(cards.log.body, words, stations);
    this.panels = h("div", { class: "panels" }, Object.values(cards).map(({ element }) => element));
    this.watchSight(cards);
    this.main = h("main", { id: "inspector" }, this.makePhone(), this.panels);
    return this.main;
  }

  makePhone() {
    const modes = [["one", words.fingersOne], ["pinch", words.fingersPinch], ["pair", words.fingersPair]].map(([mode, title]) =>
      h("button", { type: "button", class: "tool", id: `mode-${mode}`, onclick: () => {
        this.device.input.mode = mode;
        for (const button of modes) button.setAttribute("aria-pressed", String(button.id === `mode-${mode}`));
      }, "aria-pressed": String(mode === "one") }, title));
    this.spoken = h("p", { class: "caption", id: "spoken", "aria-live": "polite" });
    const acts = h("div", { class: "acts", id: "acts" });
    this.acts = new Acts(acts, words, async (body, button) => {
      await this.controls.try("/api/act", body, button);
    });
    const list = h("ul", { class: "choices" });
    this.targetCount = h("span", { class: "soft" });
    this.targets = h("details", { class: "more", id: "targets" },
      h("summary", {}, words.touchables, " ", this.targetCount), list);
    this.noTargets = h("p", { class: "quiet" }, words.noTouchables);
    this.targets.append(this.noTargets);
    this.targets.addEventListener("toggle", () => { this.treeVersion = -1; });
    this.targetList = list;
    this.targetRows = new Map();
    return h("section", { id: "phone", "aria-labelledby": "phone-title", tabindex: "-1" },
      h("h2", { class: "unseen", id: "phone-title" }, words.phone), this.device.element, this.spoken,
      h("div", { class: "segments", role: "group", "aria-label": words.fingersOf }, modes), acts,
      h("p", { class: "unseen", id: "glass-help" }, words.glassHelp), this.targets);
  }

  makeViews(body) {
    const choose = (key) => {
      this.device.set("chosenKey", key);
      if (this.layers) this.layers.light(this.device.path, key, this.device.model);
    };
    const [tree, layers] = [h("div", { class: "tree-panel" }), h("div", { class: "layer-panel" })];
    this.tree = new ViewList(tree, words, { point: (key) => this.device.set("pointedKey", key), choose, tap: (key) => this.tapView(key) });
    this.tree.model = this.device.model;
    this.layers = new Layers(layers, words, (key) => this.tree.select(key));
    this.viewTabs = new Tabs("views", words.views, [["tree", words.tree, tree], ["layers", words.layers, layers]], () => {
      this.treeDue = 0;
      this.treeVersion = -1;
    });
    body.append(this.viewTabs.list, tree, layers);
  }

  /** Panels out of sight are drawn when they come into sight. */
  watchSight(cards) {
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) this.sight.set(entry.target.id, entry.isIntersecting);
    }, { rootMargin: "120px" });
    for (const { element } of Object.values(cards)) observer.observe(element);
  }

  isInSight(id) { return this.sight.get(id) !== false; }

  // Messages

  listen() {
    const { live } = this;
    const on = (name, action) => live.addEventListener(name, (event) => action(event.detail));
    on("state", (detail) => this.showState(detail));
    on("hello", (hello) => this.begin(hello));
    on("picture", (picture) => {
      this.counters.pictures.received++;
      if (this.banner.dataset.state === "reset") this.showBanner(null);
      this.device.model.apply(picture);
      this.picture = picture.n;
    });
    on("record", ({ run }) => {
      this.counters.records++;
      this.record = run;
      if (!this.isHeld) this.isRecordNew = true;
    });
    on("facts", (message) => this.readFacts(message));
    on("group", (message) => {
      this.group = message;
      this.need("group");
    });
    on("fingers", ({ others }) => this.device.set("others", others.map(([x, y]) => ({ x, y }))));
    on("reset", ({ why }) => {
      this.reset();
      this.say(why ?? words.restarted);
      this.showBanner("reset", why ?? words.restarted);
      this.load();
    });
    on("error", ({ message }) => this.tell(message));
    this.playback.addEventListener("state", () => {});
    // A person who goes to a moment wants to look at it: later windows wait.
    const pause = this.playback.pause.bind(this.playback);
    this.playback.pause = () => {
      pause();
      this.setHeld(true);
    };
    this.device.input.addEventListener("cursor", () => this.speakCursor());
    this.device.screen.glass.addEventListener("blur", () => { this.device.isDirty = true; });
    this.device.screen.glass.addEventListener("focus", () => { this.device.isDirty = true; });
  }

  /** The host's time of the group's zero in milliseconds. */
  get zero() {
    const { zero, at } = this.hello;
    return zero === undefined ? this.live.hostTime(this.heardAt) - (at ?? 0) / 1e6 : zero / 1e6;
  }

  begin(hello) {
    this.reset();
    this.hello = hello;
    this.heardAt = performance.now();
    this.apps = hello.apps ?? [];
    const [width, height] = hello.screen;
    this.device.resize(width, height);
    this.layers.resize(width, height);
    if (hello.name) this.showName(hello.name);
    this.showBanner(null);
    this.load();
  }

  /** Asks what can be chosen, and shows the buttons of the phone for it. */
  async load() {
    await this.controls.load();
    this.acts.show(this.controls.choices?.acts, this.apps);
  }

  /** Forgets what the group before showed. */
  reset() {
    this.device.input.cancelAll();
    this.device.reset();
    this.record = emptyRecord();
    this.run = new Run(this.record);
    [this.picture, this.waiting, this.paths] = [null, [], new Map()];
    this.answers.replaceChildren();
    this.device.screen.glass.classList.remove("touched");
    this.setHeld(false);
    this.isRecordNew = true;
    this.treeVersion = -1;
  }

  showName(name, current = null) {
    const text = name ?? current?.name ?? this.hello?.name ?? words.inspector;
    setText(this.title, text);
    document.title = `${text} · Touchline`;
  }

  // Touches

  sendTouch(samples) {
    this.counters.samplesSent += samples.length;
    const isBegin = samples.some(([, phase]) => phase === 0);
    if (isBegin) {
      this.device.screen.glass.classList.add("touched");
      if (this.isHeld) this.setHeld(false);
      for (const [id, phase, , , , at] of samples) if (phase === 0) this.waiting.push({ touch: id, input: at });
      if (this.waiting.length > 20) this.waiting.shift();
    }
    if (!this.live.send({ t: "touch", at: performance.now(), c: samples }) && isBegin) this.device.input.cancelAll();
  }

  tapView(key) {
    const found = this.device.model.find(key);
    if (!found) return;
    const box = boxOf(found);
    this.device.input.tap({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }

  readFacts(message) {
    const facts = this.log.add(message);
    this.counters.facts += facts.length;
    this.need("log");
    if (this.waiting.length === 0) return;
    for (const fact of facts) {
      if (this.waiting.length === 0) return;
      if (fact.stationName !== "event" || !/^touch \d+ began/.test(fact.text)) continue;
      const found = this.landingBefore(this.zero + fact.at);
      if (!found) continue;
      const { touch, input } = found;
      const heard = performance.now() - input;
      const host = this.live.hostTime(input);
      this.latencies.push({ touch, input, host, toBegan: this.zero + fact.at - host, heard });
      if (this.latencies.length > sampleLimit) this.latencies.shift();
    }
  }

  /**
   * Removes and returns the newest own landing that was not after a time of the host, with those before it, whose facts were
   * lost; null without one. Both clocks are known to about a millisecond.
   */
  landingBefore(time) {
    let index = this.waiting.length - 1;
    while (index >= 0 && !(this.live.hostTime(this.waiting[index].input) <= time + 1)) index--;
    return index < 0 ? null : this.waiting.splice(0, index + 1)[index];
  }

  speakCursor() {
    clearTimeout(this.speakTimer);
    this.speakTimer = setTimeout(() => {
      const { cursor } = this.device.input;
      if (!cursor) return;
      setText(this.spoken, filled(words.cursorAt, Math.round(cursor.x), Math.round(cursor.y), this.device.nameAt(cursor)));
    }, 250);
  }

  // Frames

  need(name) { this.dirty.add(name); }

  frame() {
    const now = performance.now();
    requestAnimationFrame(() => this.frame());
    this.counters.frames++;
    if (this.lastFrame && now - this.lastFrame > 20) this.counters.lateFrames++;
    this.lastFrame = now;
    const isDrawn = this.device.draw();
    if (isDrawn) this.counters.pictures.drawn++;
    if (this.picture !== null && this.picture !== this.acknowledged) {
      this.acknowledged = this.picture;
      if (this.live.send({ t: "got", n: this.picture })) this.counters.pictures.acknowledged++;
    }
    if (this.isRecordNew && this.lookView.hidden) this.takeRecord();
    else if (this.lookView.hidden) this.drawOne(now);
    this.showPath(now);
    this.counters.longestFrame = Math.max(this.counters.longestFrame, performance.now() - now);
  }

  /** Makes a run of the newest record. Its parts are drawn in the frames after. */
  takeRecord() {
    this.isRecordNew = false;
    this.run = new Run(this.record, (interaction) => this.device.model.sceneOf(interaction.app));
    this.keepPaths();
    const { run, playback } = this;
    [playback.begin, playback.end, playback.moments, playback.time] = [run.begin, run.end, run.moments, run.end];
    for (const name of ["why", "now", "timeline", "hops"]) this.need(name);
    // Ledgers are in frames, which a page of a running group does not get: it has no hops then.
    this.hops.hidden = run.ways.length === 0;
    const isEmpty = run.interactions.length === 0;
    this.welcome.hidden = !isEmpty;
    this.noTimeline.hidden = !isEmpty;
    this.noTimeline.parentElement.classList.toggle("nothing", isEmpty);
    const last = run.interactions[run.interactions.length - 1];
    this.whatIf.disabled = !last;
    this.announce(last);
  }

  /** A view may be elsewhere later: the path that was found first is kept. */
  keepPaths() {
    for (const interaction of this.run.interactions) {
      const key = `${interaction.began} ${interaction.name}`;
      const known = this.paths.get(key);
      if (known) interaction.path = known;
      else if (interaction.path.length > 0) this.paths.set(key, interaction.path);
    }
    while (this.paths.size > 500) this.paths.delete(this.paths.keys().next().value);
  }

  /** Draws one part that is due and in sight, so that no frame waits for all of them. */
  drawOne(now) {
    const { model } = this.device;
    const parts = {
      why: () => this.why.update(this.run), now: () => this.now.update(this.run), timeline: () => this.lanes.update(this.run),
      hops: () => this.latency.update(this.run), log: () => this.log.show(),
      group: () => {
        this.distribution.update(this.group.latency);
        this.controls.showGroup(this.group.processes ?? []);
      },
    };
    const cardOf = { hops: "latency", group: "control" };
    for (const [name, draw] of Object.entries(parts)) {
      if (!this.dirty.has(name)) continue;
      if (name === "hops" && !this.hops.open) continue;
      if (name === "log" && now < (this.logDue ?? 0)) continue;
      if (name !== "group" && !this.isInSight(cardOf[name] ?? name)) continue;
      this.dirty.delete(name);
      if (name === "log") this.logDue = now + logPause;
      draw();
      return;
    }
    if (model.version === this.treeVersion || now < (this.treeDue ?? 0)) return;
    [this.treeVersion, this.treeDue] = [model.version, now + treePause];
    if (this.isInSight("views")) {
      if (this.viewTabs.current === "tree") this.tree.update(model);
      else this.layers.update(model);
    }
    this.showTargets();
  }

  /** Lights the path of the last hit: on the phone for a while, in the tree and the layers until the next touch. */
  showPath(now) {
    const last = this.run.interactions[this.run.interactions.length - 1];
    const path = last?.path ?? [];
    if (path !== this.pathShown) {
      this.pathShown = path;
      this.keys = new Map(path.map((identity, order) => [`${last.app} ${identity}`, order]));
      this.tree.light(this.keys);
      if (this.viewTabs.current === "layers") this.layers.light(this.keys, this.tree.chosen, this.device.model);
      else this.layers.path = this.keys;
      this.litUntil = now + litTime;
    }
    if (this.device.input.contacts.size > 0) this.litUntil = now + litTime;
    this.device.set("path", now < (this.litUntil ?? 0) ? this.keys : none);
  }

  showTargets() {
    const { model, width, height } = this.device;
    const found = touchable(model, width, height);
    setText(this.targetCount, `(${found.length})`);
    this.noTargets.hidden = found.length > 0;
    if (!this.targets.open) return;
    const rows = new Map();
    const elements = found.slice(0, 200).map((target) => {
      const row = this.targetRows.get(target.key) ?? this.makeTarget(target.key);
      setText(row.firstChild, target.name ? `${target.name} · ${target.kind}` : target.kind);
      rows.set(target.key, row);
      return row;
    });
    for (const [key, row] of this.targetRows) if (!rows.has(key)) row.remove();
    this.targetRows = rows;
    elements.forEach((row, index) => {
      if (this.targetList.children[index] !== row) this.targetList.insertBefore(row, this.targetList.children[index] ?? null);
    });
  }

  makeTarget(key) {
    return h("li", {}, h("button", { type: "button", class: "tool", "data-key": key, onclick: () => this.tapView(key),
      onfocus: () => this.device.set("pointedKey", key), onblur: () => this.device.set("pointedKey", null) }));
  }

  // What the page says

  /** Says once what became of a touch, when it is over. */
  announce(last) {
    if (!last || last.ended === null) return;
    clearTimeout(this.announceTimer);
    this.announceTimer = setTimeout(() => {
      const text = `${last.kind === "finger" ? `finger ${last.name}` : last.name}: ${last.cause}`;
      if (text !== this.announced || last.began !== this.announcedAt) this.say(text);
      [this.announced, this.announcedAt] = [text, last.began];
    }, 700);
  }

  say(text) { setText(this.said, text); }

  /** Shows an error of the server until it is dismissed, or for a while. */
  tell(text) {
    const close = h("button", { type: "button", class: "round small", "aria-label": words.dismiss, onclick: () => row.remove() }, "×");
    const row = h("li", { class: "notice" }, h("span", {}, text), close);
    this.notices.append(row);
    while (this.notices.childElementCount > noticeLimit) this.notices.firstChild.remove();
    setTimeout(() => row.remove(), noticeTime);
  }

  showState({ state, reason }) {
    this.connection.dataset.state = state;
    setText(this.connection, { connecting: words.connecting, live: words.connected, lost: words.lost }[state]);
    if (state === "lost") {
      this.device.input.cancelAll();
      this.device.set("others", []);
      this.showBanner("lost", reason ? `${words.lostHelp} ${reason}` : words.lostHelp);
    }
    this.main.classList.toggle("away", state !== "live");
  }

  showBanner(state, text = "") {
    this.banner.hidden = state === null;
    this.banner.dataset.state = state ?? "";
    setText(this.banner, text);
  }

  /** Holds what decides, so that it can be read. The phone goes on. */
  setHeld(isHeld) {
    this.isHeld = isHeld;
    this.hold.setAttribute("aria-pressed", String(isHeld));
    setText(this.hold, isHeld ? words.goOn : words.holdStill);
    this.hold.title = words.holdHelp;
    this.main?.classList.toggle("held", isHeld);
    if (!isHeld && this.record) this.isRecordNew = true;
  }

  // What if

  async askWhatIf() {
    this.answers.replaceChildren(h("p", { class: "quiet" }, words.whatIfRuns));
    const answer = await this.controls.try("/api/whatif", { interaction: "last" }, this.whatIf);
    if (!answer) return void this.answers.replaceChildren();
    const changes = answer.answers ?? answer.changes ?? [];
    const title = changes.length === 0 ? filled(words.whatIfNone, answer.plays ?? 0)
      : filled(answer.prevents ? words.whatIfPrevents : words.whatIfHelps, answer.plays ?? 0);
    const close = h("button", { type: "button", class: "round small", "aria-label": words.dismiss,
      onclick: () => this.answers.replaceChildren() }, "×");
    this.answers.replaceChildren(h("div", { class: "line" }, h("h3", {}, title), close),
      h("ul", {}, changes.map((change) => h("li", {}, h("b", {}, change.text ?? String(change)),
        change.because ? h("span", { class: "soft" }, ` ${change.because}`) : null))));
  }

  // Looking back

  async lookBack(button) {
    this.device.input.cancelAll();
    const answer = await this.controls.try("/api/lookback", {}, button);
    if (!answer) return;
    const back = h("button", { type: "button", class: "tool strong", id: "live", onclick: () => this.goLive() }, words.backToLive);
    const root = h("main", { class: "recorded" });
    this.lookView.replaceChildren(h("div", { class: "look-bar" }, back, h("span", { class: "soft" }, words.lookBackNote)), root);
    this.bar.hidden = true;
    this.main.hidden = true;
    this.lookView.hidden = false;
    this.looked = showRun(root, { name: answer.name ?? this.title.textContent, words, run: answer.run ?? answer.record });
    scrollTo(0, 0);
    back.focus();
  }

  goLive() {
    this.looked?.close();
    this.looked = null;
    this.lookView.replaceChildren();
    this.lookView.hidden = true;
    this.bar.hidden = false;
    this.main.hidden = false;
    this.isRecordNew = true;
    this.controls.lookButton.focus();
  }

  // Theme

  nextTheme() {
    const order = ["auto", "light", "dark"];
    const theme = order[(order.indexOf(this.themeName) + 1) % order.length];
    this.setTheme(theme);
    try {
      localStorage.setItem("touchline-theme", theme);
    } catch {
      return;
    }
  }

  setTheme(name) {
    this.themeName = name;
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    const title = { auto: words.themeAuto, light: words.themeLight, dark: words.themeDark }[name];
    this.theme.replaceChildren(icon("M12 4a8 8 0 1 0 0 16z"), h("span", {}, title));
    this.theme.title = words.theme;
    this.theme.setAttribute("aria-label", `${words.theme}: ${title}`);
  }

  /** What tests read. */
  get view() {
    const { counters, live } = this;
    return {
      version: 1, state: live.state, offset: live.offset, roundTrip: live.roundTrip ?? null, browser: this.hello?.browser ?? null,
      ...counters, pictures: { ...counters.pictures }, contacts: [...this.device.input.contacts.values()].map((one) => ({ ...one })),
      latencies: this.latencies.map((one) => ({ ...one })), isHeld: this.isHeld,
    };
  }
}

const none = new Map();

function readTheme() {
  try {
    const name = localStorage.getItem("touchline-theme");
    return ["light", "dark"].includes(name) ? name : "auto";
  } catch {
    return "auto";
  }
}

/** A record of a group in which nothing has happened. */
function emptyRecord() {
  return { version: 1, virtual: false, hidesPositions: false, begin: 0, end: 0, screen: [375, 667], processes: [], stations: [],
    facts: { at: [], process: [], station: [], text: [], texts: [] }, fingers: [], recognizers: [], holds: [], turns: [],
    interactions: [], ways: [], screens: [], gaps: [], cuts: [] };
}

document.documentElement.lang = language;
const inspector = new Inspector(document.getElementById("page"));
Object.defineProperty(window, "touchline", { get: () => inspector.view });
