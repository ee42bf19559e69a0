// controls.js: what a person does to the group: another scene, thresholds, recordings, processes, buttons of the phone.
//
//     choices, dials ─▶ fields ─▶ requests ─▶ answers: the scene as it is now, or an error as a notice
//
// Input     answers of /api, message `group`
// Output    requests (Live.ask)
// Knows     names. No view, no run.
import { h, Keyed, filled, setAttribute, setText } from "./markup.js";
import { SceneEditor } from "./editor.js";
import { Tabs } from "./tabs.js";

const speeds = [0.1, 0.25, 0.5, 1, 2, 4];
const faults = ["stop", "continue", "slow", "normal", "kill"];
const dialPause = 250;

export class Controls {
  /** `tell` shows an error; `renamed` gets the scene or app that runs. */
  constructor(element, live, words, { tell, renamed, lookBack }) {
    Object.assign(this, { live, words, tell, renamed, lookBack });
    this.choices = null;
    const panels = { run: h("div"), scene: h("div"), dials: h("div"), recordings: h("div"), group: h("div") };
    this.makeRun(panels.run);
    this.editor = new SceneEditor(panels.scene, words, (yaml) => this.start({ yaml }));
    this.makeDials(panels.dials);
    this.makeRecordings(panels.recordings);
    this.makeGroup(panels.group);
    this.note = h("p", { class: "note", id: "not-ours" }, words.notOurs);
    this.note.hidden = true;
    this.tabs = new Tabs("control", words.controlTabs, [["run", words.tabRun, panels.run], ["scene", words.tabScene, panels.scene],
      ["dials", words.tabDials, panels.dials], ["recordings", words.tabRecordings, panels.recordings],
      ["group", words.tabGroup, panels.group]], (name) => this.open(name));
    element.append(this.tabs.list, this.note, ...Object.values(panels));
    this.isReady = true;
  }

  open(name) {
    if (this.isReady && name === "dials") this.loadDials();
  }

  /** Does something; shows the server's error if it says no. Returns the answer, or null. */
  async try(path, body, button = null) {
    if (button) button.setAttribute("aria-busy", "true");
    try {
      return await this.live.ask(path, body);
    } catch (error) {
      this.tell(error.message);
      return null;
    } finally {
      button?.removeAttribute("aria-busy");
    }
  }

  /** Asks what can be chosen. */
  async load() {
    const choices = await this.try("/api/choices", null);
    if (!choices) return;
    this.choices = choices;
    this.showChoices();
    this.showCurrent(choices.current ?? {});
    if (this.tabs.current === "dials") this.loadDials();
  }

  // What runs

  makeRun(panel) {
    const { words } = this;
    this.choice = h("select", { id: "choice" });
    this.startButton = h("button", { type: "button", class: "tool strong", id: "start", onclick: () => this.startChosen() }, words.start);
    this.lookButton = h("button", { type: "button", class: "tool", id: "lookback", onclick: () => this.lookBack(this.lookButton) }, words.lookBack);
    this.startButton.disabled = true;
    panel.append(
      h("div", { class: "line grow" }, h("label", { class: "field" }, h("span", {}, words.sceneOrApp), this.choice), this.startButton),
      h("p", { class: "quiet" }, words.startHelp),
      h("div", { class: "line" }, this.lookButton, h("span", { class: "soft" }, words.lookBackHelp)));
  }

  showChoices() {
    const { words, choices } = this;
    const options = (items, kind) => items.map((item) => h("option", { value: `${kind} ${item.name ?? item}` },
      item.title ? `${item.name}: ${item.title}` : item.name ?? item));
    const { value } = this.choice;
    this.choice.replaceChildren(
      ...(choices.apps?.length > 0 ? [h("optgroup", { label: words.apps }, options(choices.apps, "app"))] : []),
      ...(choices.scenes?.length > 0 ? [h("optgroup", { label: words.scenes }, options(choices.scenes, "scene"))] : []));
    if (value) this.choice.value = value;
    this.recordings.update(choices.recordings ?? []);
    this.noRecordings.hidden = (choices.recordings ?? []).length > 0;
  }

  showCurrent(current) {
    this.current = current;
    const isOurs = current.own !== false;
    this.note.hidden = isOurs;
    const reason = isOurs ? null : this.words.notOurs;
    this.startButton.disabled = !isOurs || this.choice.options.length === 0;
    this.startButton.title = reason ?? "";
    this.editor.show(current.yaml ?? "", false);
    this.editor.allow(reason);
    const chosen = current.scene ? `scene ${current.scene}` : current.app ? `app ${current.app}` : null;
    if (chosen) this.choice.value = chosen;
    this.renamed(current.scene ?? current.app ?? null, current);
    this.showFaults();
  }

  startChosen() {
    const split = this.choice.value.indexOf(" ");
    if (split < 0) return;
    this.start({ [this.choice.value.slice(0, split)]: this.choice.value.slice(split + 1) }).catch((error) => this.tell(error.message));
  }

  /** Replaces the group. Throws `Refusal`. */
  async start(what) {
    this.startButton.setAttribute("aria-busy", "true");
    try {
      const answer = await this.live.ask("/api/group", what);
      if (answer.current) this.showCurrent(answer.current);
      else await this.load();
    } finally {
      this.startButton.removeAttribute("aria-busy");
    }
  }

  // Thresholds

  makeDials(panel) {
    const { words } = this;
    this.dialList = h("div", { class: "dials", id: "dials" });
    this.noDials = h("p", { class: "quiet" }, words.noDials);
    this.again = h("button", { type: "button", class: "tool strong", id: "again", onclick: () => this.try("/api/again", {}, this.again) }, words.tryAgain);
    this.repeats = h("input", { type: "checkbox", id: "again-always" });
    panel.append(this.noDials, this.dialList,
      h("div", { class: "line" }, this.again, h("label", { class: "check" }, this.repeats, h("span", {}, words.tryAgainAlways))),
      h("p", { class: "quiet" }, words.dialsHelp));
    this.dials = new Keyed(this.dialList, (dial) => dial.id, (dial) => this.makeDial(dial), (row, dial) => this.changeDial(row, dial));
  }

  makeDial(dial) {
    const id = `dial-${dial.id}`;
    const slider = h("input", { type: "range", id });
    const output = h("output", { for: id });
    const row = h("div", { class: "dial", "data-id": dial.id },
      h("label", { for: id }, h("b"), h("span", { class: "soft" })), output, slider);
    const show = () => {
      const text = `${slider.value}${row.dial.unit ? ` ${row.dial.unit}` : ""}`;
      setText(output, text);
      slider.setAttribute("aria-valuetext", text);
    };
    slider.addEventListener("input", show);
    slider.addEventListener("change", () => {
      clearTimeout(row.timer);
      row.timer = setTimeout(() => this.setDial(row, Number(slider.value)), dialPause);
    });
    Object.assign(row, { slider, show });
    return row;
  }

  changeDial(row, dial) {
    row.dial = dial;
    const [name, view] = row.firstChild.children;
    setText(name, dial.label);
    setText(view, dial.view ?? "");
    for (const key of ["min", "max", "step"]) setAttribute(row.slider, key, dial[key]);
    if (document.activeElement !== row.slider) row.slider.value = dial.value;
    row.slider.disabled = this.current?.own === false;
    row.show();
  }

  async loadDials() {
    const answer = await this.try("/api/dials", null);
    if (!answer) return;
    this.showDials(Array.isArray(answer) ? answer : answer.dials ?? []);
  }

  showDials(dials) {
    this.noDials.hidden = dials.length > 0;
    this.dials.update(dials);
  }

  async setDial(row, value) {
    const answer = await this.try("/api/dials", { id: row.dial.id, value }, row);
    if (!answer) return void this.loadDials();
    if (answer.current) this.showCurrent(answer.current);
    else if (answer.yaml) this.editor.show(answer.yaml, false);
    if (answer.dials) this.showDials(answer.dials);
    if (this.repeats.checked) await this.try("/api/again", {}, this.again);
  }

  // Recordings

  makeRecordings(panel) {
    const { words } = this;
    this.speed = h("select", { id: "play-speed" }, speeds.map((speed) => h("option", { value: speed }, `${speed}×`)));
    this.speed.value = "1";
    const list = h("ul", { class: "choices" });
    this.noRecordings = h("p", { class: "quiet" }, words.noRecordings);
    const stop = h("button", { type: "button", class: "tool", id: "play-stop", onclick: () => this.try("/api/play/stop", {}, stop) }, words.stopPlaying);
    panel.append(h("div", { class: "line" }, h("label", { class: "field" }, h("span", {}, words.speed), this.speed), stop),
      this.noRecordings, list);
    this.recordings = new Keyed(list, (one) => one.name, (one) => {
      const button = h("button", { type: "button", class: "tool",
        onclick: () => this.try("/api/play", { recording: one.name, speed: Number(this.speed.value) }, button) }, words.play);
      button.setAttribute("aria-label", `${words.play}: ${one.title ?? one.name}`);
      return h("li", { class: "recording", "data-name": one.name }, button, h("span"), h("span", { class: "soft" }));
    }, (row, one) => {
      setText(row.children[1], one.title ?? one.name);
      setText(row.children[2], one.seconds === undefined ? "" : `${one.seconds.toFixed(1)} s`);
    });
  }

  // Processes

  makeGroup(panel) {
    const { words } = this;
    this.noGroup = h("p", { class: "quiet" }, words.noGroup);
    const list = h("ul", { class: "processes", id: "processes" });
    panel.append(this.noGroup, list, h("p", { class: "quiet" }, words.groupHelp));
    this.processes = new Keyed(list, (one) => one.name, (one) => this.makeProcess(one), (row, one) => this.changeProcess(row, one));
  }

  makeProcess({ name }) {
    const { words } = this;
    const titles = { stop: words.faultStop, continue: words.faultContinue, slow: words.faultSlow, normal: words.faultNormal, kill: words.faultKill };
    const buttons = faults.map((act) => {
      const button = h("button", { type: "button", class: "tool", "data-fault": act, "aria-label": `${titles[act]}: ${name}`,
        onclick: () => this.try("/api/process", { name, act }, button) }, titles[act]);
      return button;
    });
    const row = h("li", { class: "process", "data-name": name },
      h("div", { class: "line" }, h("span", { class: "lamp", "aria-hidden": "true" }), h("b", {}, name), h("span", { class: "said" })),
      h("div", { class: "line", role: "group", "aria-label": name }, buttons));
    row.buttons = buttons;
    return row;
  }

  changeProcess(row, one) {
    const { words } = this;
    const [lamp, , text] = row.firstChild.children;
    setAttribute(row, "data-state", one.state);
    setAttribute(lamp, "class", `lamp ${one.state}`);
    const parts = [one.state, one.pid ? `pid ${one.pid}` : ""];
    if (one.rss) parts.push(`${(one.rss / 1048576).toFixed(1)} MB`);
    if (one.cpu !== undefined && one.cpu !== null) parts.push(`${(one.cpu * 100).toFixed(0)} % CPU`);
    if (one.restarts > 0) parts.push(filled(words.restarts, one.restarts));
    setText(text, parts.filter(Boolean).join(" · "));
  }

  showGroup(processes) {
    const before = this.processes.elements.size;
    this.noGroup.hidden = processes.length > 0;
    this.processes.update(processes);
    if (this.processes.elements.size !== before) this.showFaults();
  }

  /** A fault of a group that is not ours is refused; its button says so. */
  showFaults() {
    const allowed = this.choices?.faults ?? [];
    for (const row of this.processes.elements.values()) {
      for (const button of row.buttons) {
        const isAllowed = this.current?.own !== false && allowed.includes(button.dataset.fault);
        button.disabled = !isAllowed;
        button.title = isAllowed ? "" : this.current?.own === false ? this.words.notOurs : this.words.notAllowed;
      }
    }
  }
}

/** Acts of one app, or of two: below the others, with the choice of the app. */
const ofApps = ["foreground", "split", "overlay", "suspend", "terminate", "launch"];
const needsTwo = ["split", "overlay"];
/** Acts with a value: each press sends the next one. */
const turns = { orientation: ["landscapeRight", "portraitUpsideDown", "landscapeLeft", "portrait"], keyboard: [216, 0], display: ["off", "on"] };

/** The buttons of the phone itself. */
export class Acts {
  constructor(element, words, act) {
    Object.assign(this, { words, act, presses: new Map() });
    this.app = h("select", { id: "act-app", "aria-label": words.actApp });
    this.list = h("div", { class: "line", role: "group", "aria-label": words.acts });
    this.appList = h("div", { class: "line" });
    this.more = h("details", { class: "more", id: "act-more" }, h("summary", {}, words.actMore),
      h("div", { class: "acts-of-apps" }, h("label", { class: "slide" }, h("span", {}, words.actApp), this.app), this.appList));
    element.append(this.list, this.more);
    this.titles = { home: words.actHome, interrupt: words.actInterrupt, resume: words.actResume, lock: words.actLock,
      unlock: words.actUnlock, foreground: words.actForeground, suspend: words.actSuspend, split: words.actSplit,
      overlay: words.actOverlay, alert: words.actAlert, orientation: words.actOrientation, keyboard: words.actKeyboard,
      terminate: words.actTerminate, launch: words.actLaunch, display: words.actDisplay };
    this.show([], []);
  }

  /** Shows a button for each act that the server offers. */
  show(acts, apps) {
    const known = (acts ?? []).map((one) => one.name ?? one);
    this.apps = apps.map((name) => Number(name.replace(/\D/g, "")) || name);
    this.app.replaceChildren(...apps.map((name, index) => h("option", { value: this.apps[index] }, name)));
    const buttons = (names) => names.map((name) => this.makeButton(name));
    this.list.replaceChildren(...buttons(known.filter((name) => !ofApps.includes(name))));
    this.appList.replaceChildren(...buttons(known.filter((name) => ofApps.includes(name))));
    this.list.hidden = this.list.childElementCount === 0;
    this.more.hidden = this.appList.childElementCount === 0;
  }

  makeButton(name) {
    const button = h("button", { type: "button", class: "tool", "data-act": name, onclick: () => this.press(name, button) }, this.titles[name] ?? name);
    if (needsTwo.includes(name) && this.apps.length < 2) {
      button.disabled = true;
      button.title = this.words.needsTwoApps;
    }
    return button;
  }

  press(name, button) {
    const app = this.apps.length > 0 ? Number(this.app.value) || this.apps[0] : undefined;
    const body = { act: name, app };
    if (needsTwo.includes(name)) body.with = this.apps.find((one) => one !== app);
    if (turns[name]) {
      const count = this.presses.get(name) ?? 0;
      this.presses.set(name, count + 1);
      body.value = turns[name][count % turns[name].length];
    }
    this.act(body, button);
  }
}
