// tabs.js: tabs of which one panel is shown (WAI-ARIA, pattern "Tabs", with automatic activation).
//
// Input     keys and clicks
// Output    `changed` with the name of the tab
// Knows     names and elements
//
// Sources   documented  WAI-ARIA Authoring Practices, Tabs
import { h } from "./markup.js";

export class Tabs {
  /** `tabs` are [name, title, panel]; ids begin with `id`. */
  constructor(id, label, tabs, changed = () => {}) {
    Object.assign(this, { changed, names: tabs.map(([name]) => name) });
    this.buttons = tabs.map(([name, title]) => h("button", { type: "button", role: "tab", id: `${id}-tab-${name}`,
      "aria-controls": `${id}-panel-${name}`, onclick: () => this.choose(name) }, title));
    this.panels = tabs.map(([name, , panel]) => {
      panel.id = `${id}-panel-${name}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `${id}-tab-${name}`);
      return panel;
    });
    this.list = h("div", { class: "tabs", role: "tablist", "aria-label": label }, this.buttons);
    this.list.addEventListener("keydown", (event) => {
      const index = this.names.indexOf(this.current);
      const count = this.names.length;
      const next = { ArrowRight: (index + 1) % count, ArrowLeft: (index + count - 1) % count, Home: 0, End: count - 1 }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      this.choose(this.names[next]);
      this.buttons[next].focus();
    });
    this.choose(this.names[0]);
  }

  choose(name) {
    if (name === this.current) return;
    this.current = name;
    this.names.forEach((one, index) => {
      const isChosen = one === name;
      this.buttons[index].setAttribute("aria-selected", String(isChosen));
      this.buttons[index].tabIndex = isChosen ? 0 : -1;
      this.panels[index].hidden = !isChosen;
    });
    this.changed(name);
  }
}
