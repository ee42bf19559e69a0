// editor.js: the text of a scene with numbers of lines, and the errors of the server at their lines.
//
//     shown ──input──▶ changed ──apply──▶ sent ──┬─ accepted ─▶ shown
//                         ▲                      │
//                         └──── error at a line ─┘
//
// Input     the scene of the group, the person's keys
// Output    `apply` with the text
// Knows     a text. No YAML.
import { h, filled, setAttribute, setText } from "./markup.js";

export class SceneEditor {
  /** `apply` returns a promise; a `Refusal` is shown at its line. */
  constructor(element, words, apply) {
    Object.assign(this, { words, apply, shown: "" });
    this.numbers = h("div", { class: "numbers", "aria-hidden": "true" });
    this.mark = h("div", { class: "mark", hidden: true });
    this.text = h("textarea", { id: "scene-text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off",
      rows: 16, "aria-label": words.sceneText, "aria-describedby": "scene-keys" });
    this.error = h("p", { class: "error", id: "scene-error", role: "alert" });
    this.error.hidden = true;
    this.button = h("button", { type: "button", class: "tool strong", id: "scene-apply", onclick: () => this.send() }, words.applyScene);
    this.revert = h("button", { type: "button", class: "tool", id: "scene-revert", onclick: () => this.show(this.shown) }, words.revert);
    this.state = h("span", { class: "soft", role: "status" });
    element.append(
      h("div", { class: "editor" }, h("div", { class: "gutter" }, this.numbers), this.mark, this.text),
      this.error,
      h("div", { class: "line" }, this.button, this.revert, this.state,
        h("span", { class: "soft keys", id: "scene-keys" }, words.sceneKeys)));
    this.text.addEventListener("input", () => this.changed());
    this.text.addEventListener("scroll", () => this.scroll(), { passive: true });
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.send();
    });
    this.show("");
  }

  get isChanged() { return this.text.value !== this.shown; }

  /** Shows the text of the group's scene. A text that a person is changing stays unless `isForced`. */
  show(text, isForced = true) {
    const wasChanged = this.isChanged;
    this.shown = text ?? "";
    if (isForced || !wasChanged) this.text.value = this.shown;
    this.showError(null);
    this.changed();
  }

  changed() {
    const count = this.text.value.split("\n").length;
    if (count !== this.count) {
      this.count = count;
      this.numbers.textContent = Array.from({ length: count }, (_, index) => index + 1).join("\n");
    }
    this.setState(this.isChanged ? this.words.sceneChanged : "");
    this.allow(this.reason);
  }

  setState(text) { setText(this.state, text); }

  scroll() {
    this.numbers.style.transform = `translateY(${-this.text.scrollTop}px)`;
    this.mark.style.transform = `translateY(${-this.text.scrollTop}px)`;
  }

  /** Allows applying, or says why not. */
  allow(reason) {
    this.reason = reason;
    this.button.disabled = Boolean(reason) || this.text.value.trim() === "" || this.isSending === true;
    this.button.title = reason ?? "";
    this.text.readOnly = Boolean(reason);
    this.revert.disabled = !this.isChanged;
  }

  async send() {
    if (this.button.disabled) return;
    this.isSending = true;
    this.allow(this.reason);
    this.setState(this.words.sceneStarts);
    try {
      const text = this.text.value;
      await this.apply(text);
      this.show(text, false);
      this.setState(this.words.sceneApplied);
    } catch (error) {
      this.showError(error);
    } finally {
      this.isSending = false;
      this.allow(this.reason);
    }
  }

  showError(error) {
    this.error.hidden = error === null;
    this.mark.hidden = !(error?.line > 0);
    setAttribute(this.text, "aria-invalid", error === null ? null : "true");
    setAttribute(this.text, "aria-errormessage", error === null ? null : "scene-error");
    if (error === null) return;
    this.setState("");
    this.error.dataset.line = error.line ?? "";
    setText(this.error, error.line > 0 ? filled(this.words.errorAt, error.line, error.message) : error.message);
    if (!(error.line > 0)) return;
    this.mark.style.setProperty("--line", error.line - 1);
    const lines = this.text.value.split("\n");
    const before = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const spot = before + Math.max(0, (error.column ?? 1) - 1);
    this.text.focus();
    this.text.setSelectionRange(spot, spot);
    const height = parseFloat(getComputedStyle(this.text).lineHeight);
    const top = (error.line - 1) * height;
    if (top < this.text.scrollTop || top > this.text.scrollTop + this.text.clientHeight - height * 2) {
      this.text.scrollTop = top - this.text.clientHeight / 3;
    }
    this.scroll();
  }
}
