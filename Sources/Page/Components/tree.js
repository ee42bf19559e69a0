// tree.js: the views of all apps as a tree (WAI-ARIA, pattern "Tree View"), and what one view is.
//
//     scenes ─▶ one row for each view that no closed row contains ─▶ row with the focus ─ chosen ─▶ details
//
// Input     ScreenModel
// Output    `point` (the view under the mouse), `choose` (the view that is chosen), `tap`
// Knows     views as values. No run.
//
// Sources   documented  WAI-ARIA Authoring Practices, Tree View
import { h, Keyed, filled, setAttribute, setText } from "./markup.js";
import { keyOf } from "./device.js";
import { labelOf } from "./run.js";

export class ViewList {
  constructor(element, words, { point, choose, tap }) {
    Object.assign(this, { words, point, choose, tap });
    [this.closed, this.rows, this.chosen, this.path] = [new Set(), [], null, new Map()];
    this.tree = h("div", { class: "tree", role: "tree", "aria-label": words.tree });
    this.none = h("p", { class: "quiet" }, words.noScreen);
    this.details = h("div", { class: "details", id: "view-details", hidden: true });
    this.keyed = new Keyed(this.tree, (row) => row.key, () => this.makeRow(), (element, row) => this.changeRow(element, row));
    element.append(this.none, this.tree, this.details);
    this.tree.addEventListener("keydown", (event) => this.handleKey(event));
    this.tree.addEventListener("click", (event) => {
      const row = event.target.closest("[data-key]");
      if (!row) return;
      if (event.target.closest(".twisty") && row.hasAttribute("aria-expanded")) this.toggle(row.dataset.key);
      else this.select(row.dataset.key);
    });
    this.tree.addEventListener("pointerover", (event) => point(event.target.closest("[data-key]")?.dataset.key ?? null));
    this.tree.addEventListener("pointerleave", () => point(null));
  }

  update(model) {
    this.model = model;
    this.rows = [];
    for (const scene of model.list) {
      let hidden = Infinity;
      scene.views.forEach((view, index) => {
        if (view.d > hidden) return;
        hidden = Infinity;
        const key = keyOf(scene, view);
        const hasViews = scene.views[index + 1]?.d > view.d;
        const isClosed = hasViews && this.closed.has(key);
        if (isClosed) hidden = view.d;
        this.rows.push({ key, view, scene, hasViews, isClosed, isOfMany: model.list.length > 1 });
      });
    }
    this.none.hidden = this.rows.length > 0;
    this.tree.hidden = this.rows.length === 0;
    if (!this.rows.some((row) => row.key === this.focus)) this.focus = this.rows[0]?.key;
    const hadFocus = this.tree.contains(document.activeElement);
    this.keyed.update(this.rows);
    if (hadFocus && !this.tree.contains(document.activeElement)) this.keyed.elements.get(this.focus)?.focus();
    if (this.chosen !== null) this.showDetails();
  }

  makeRow() {
    return h("div", { class: "row", role: "treeitem" }, h("span", { class: "twisty", "aria-hidden": "true" }),
      h("span", { class: "class" }), h("span", { class: "id" }), h("span", { class: "said" }), h("span", { class: "traits" }));
  }

  changeRow(element, { key, view, scene, hasViews, isClosed, isOfMany }) {
    const order = this.path.get(key);
    const state = [key, view.c, view.id, view.t, view.g, view.s, view.h, view.a, view.d, hasViews, isClosed, isOfMany, order,
      key === this.chosen, key === this.focus].join("\n");
    if (element.state === state) return;
    element.state = state;
    setAttribute(element, "data-key", key);
    setAttribute(element, "aria-level", view.d + 1);
    setAttribute(element, "aria-expanded", hasViews ? String(!isClosed) : null);
    setAttribute(element, "aria-selected", String(key === this.chosen));
    setAttribute(element, "tabindex", key === this.focus ? "0" : "-1");
    setAttribute(element, "data-hit", order === undefined ? null : order === 0 ? "hit" : "around");
    element.classList.toggle("gone", view.h === true || view.a === 0);
    if (element.depth !== view.d) {
      element.depth = view.d;
      element.style.setProperty("--depth", Math.min(view.d, 14));
    }
    const marks = [...(view.g ?? []), ...(view.s ? [this.words.secure] : []), ...(view.h ? [this.words.hidden] : [])];
    // Rows out of sight are not rendered, and would have no name.
    setAttribute(element, "aria-label", [labelOf(view), ...(view.t ? [view.t] : []), ...marks].join(", "));
    const [, type, identity, said, traits] = element.children;
    setText(type, view.c);
    setText(identity, view.id ?? (isOfMany && view.d === 0 ? scene.process : ""));
    setText(said, view.t ? `“${view.t}”` : "");
    setText(traits, marks.join(" · "));
  }

  // The chosen view

  select(key) {
    this.focus = key ?? this.focus;
    this.chosen = key;
    this.choose(key);
    this.update(this.model);
    this.showDetails();
  }

  /** Lights the path of the last hit. */
  light(path) {
    this.path = path;
    if (this.model) this.update(this.model);
  }

  showDetails() {
    const found = this.chosen === null ? null : this.model.find(this.chosen);
    this.details.hidden = !found;
    if (!found) return;
    const { view } = found;
    const { words } = this;
    const round = (value) => String(Math.round(value * 10) / 10);
    const facts = [[words.frame, view.f.map(round).join(", ")]];
    if (view.a !== undefined) facts.push([words.alpha, round(view.a)]);
    if (view.g) facts.push([words.recognizers, view.g.join(", ")]);
    if (view.sc) facts.push([words.scrolled, `${round(view.sc[0])}, ${round(view.sc[1])} / ${round(view.sc[2])} × ${round(view.sc[3])}`]);
    if (view.ct) {
      const state = [view.ct.e ? words.enabled : words.disabled, ...(view.ct.h ? [words.highlighted] : []),
        ...(view.ct.s ? [words.selected] : []), ...(view.ct.v === undefined ? [] : [filled(words.value, round(view.ct.v))])];
      facts.push([words.control, state.join(", ")]);
    }
    if (view.u) facts.push([words.touchesOff, ""]);
    const text = JSON.stringify([view.c, view.id, facts]);
    if (text === this.shownDetails) return;
    this.shownDetails = text;
    this.details.replaceChildren(
      h("div", { class: "line" }, h("b", {}, labelOf(view)),
        h("button", { type: "button", class: "tool", onclick: () => this.tap(this.chosen) }, words.tapIt)),
      h("dl", { class: "pairs" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
  }

  // Keys

  toggle(key) {
    if (this.closed.has(key)) this.closed.delete(key);
    else this.closed.add(key);
    this.update(this.model);
  }

  moveFocus(index) {
    const row = this.rows[index];
    if (!row) return;
    this.focus = row.key;
    this.update(this.model);
    const element = this.keyed.elements.get(row.key);
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
    this.point(row.key);
  }

  handleKey(event) {
    const index = this.rows.findIndex((row) => row.key === this.focus);
    const row = this.rows[index];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const outer = () => this.rows.slice(0, index).findLastIndex((one) => one.scene === row.scene && one.view.d < row.view.d);
    const actions = {
      ArrowDown: () => this.moveFocus(index + 1), ArrowUp: () => this.moveFocus(index - 1),
      Home: () => this.moveFocus(0), End: () => this.moveFocus(this.rows.length - 1),
      ArrowRight: () => (row.isClosed ? this.toggle(row.key) : row.hasViews && this.moveFocus(index + 1)),
      ArrowLeft: () => (row.hasViews && !row.isClosed ? this.toggle(row.key) : this.moveFocus(outer())),
      Enter: () => this.select(row.key), " ": () => this.select(row.key), Escape: () => this.select(null),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}
