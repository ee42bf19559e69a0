// touch.js: pointers and keys on the phone's glass as contacts.
//
//     up ──pointer down, key down──▶ down ──┬─ pointer up, key up ─▶ ended
//                                           └─ pointer lost, window left, connection lost, Escape ─▶ cancelled
//
// Input     Pointer Events with their coalesced samples; keys
// Output    samples [contact, phase, x, y, force, time], and the event `change`
// Knows     the glass and its size in points. No connection, no run.
import { clamp } from "./markup.js";

const [began, moved, ended, cancelled] = [0, 1, 2, 3];
/** The most contacts, and the most samples of a message. */
const [contactLimit, messageLimit] = [10, 200];
/** The least time between two messages of moves, in milliseconds. A mouse may have 1,000 samples a second. */
const movePause = 4;
/** The distance of two parallel fingers in points, and the length of a tap that a key or a list makes in milliseconds. */
const [pairDistance, tapTime] = [72, 60];

export class TouchInput extends EventTarget {
  /** `send` gets samples in the order in which they happened. */
  constructor(glass, send) {
    super();
    Object.assign(this, { glass, send });
    /** `one`, `pinch` (a second finger opposite), `pair` (a second finger beside). */
    this.mode = "one";
    this.contacts = new Map();
    this.pointers = new Map();
    [this.queue, this.lastFlush, this.timer] = [[], 0, 0];
    this.hover = null;
    this.cursor = null;
    this.samples = 0;
    this.listen();
  }

  resize(width, height) {
    [this.width, this.height] = [width, height];
    this.middle = { x: width / 2, y: height / 2 };
    this.cursor = null;
  }

  // Pointers

  listen() {
    const { glass } = this;
    glass.addEventListener("pointerdown", (event) => this.pointerDown(event));
    // A raw update comes before the frame that would deliver the move.
    const move = "onpointerrawupdate" in window ? "pointerrawupdate" : "pointermove";
    glass.addEventListener(move, (event) => this.pointerMove(event));
    glass.addEventListener("pointermove", (event) => this.pointerHover(event));
    glass.addEventListener("pointerup", (event) => this.pointerUp(event));
    glass.addEventListener("pointercancel", (event) => this.pointerLost(event.pointerId));
    glass.addEventListener("lostpointercapture", (event) => this.pointerLost(event.pointerId));
    glass.addEventListener("pointerleave", () => this.showHover(null));
    for (const name of ["contextmenu", "dragstart", "selectstart"]) {
      glass.addEventListener(name, (event) => event.preventDefault());
    }
    glass.addEventListener("keydown", (event) => this.keyDown(event));
    glass.addEventListener("keyup", (event) => this.keyUp(event));
    glass.addEventListener("blur", () => this.release("key"));
    window.addEventListener("blur", () => this.cancelAll());
    window.addEventListener("keyup", (event) => {
      if (event.key === "Alt") this.showHover(null);
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.cancelAll();
    });
  }

  position(event) {
    const box = this.glass.getBoundingClientRect();
    return {
      x: clamp(((event.clientX - box.left) / box.width) * this.width, 0, this.width),
      y: clamp(((event.clientY - box.top) / box.height) * this.height, 0, this.height),
    };
  }

  pointerDown(event) {
    if (event.button !== 0 || !this.width) return;
    event.preventDefault();
    this.glass.focus({ preventScroll: true, focusVisible: false });
    const spot = this.position(event);
    const second = this.contacts.size > 0 ? null
      : event.altKey || this.mode === "pinch" ? "opposite" : this.mode === "pair" ? "beside" : null;
    const contact = this.land(spot, force(event), event.timeStamp);
    if (!contact) return;
    const pointer = { contact, other: null, last: spot, middle: { ...this.middle } };
    if (second === "beside") {
      const side = spot.x + pairDistance <= this.width ? pairDistance : -pairDistance;
      pointer.offset = { x: side, y: 0 };
    }
    this.pointers.set(event.pointerId, pointer);
    if (second) pointer.other = this.land(this.otherSpot(pointer, spot), force(event), event.timeStamp);
    this.showHover(null);
    this.flush();
    // A pointer of the document's own events cannot be captured.
    try {
      this.glass.setPointerCapture(event.pointerId);
    } catch {
      return;
    }
  }

  pointerMove(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const samples = event.getCoalescedEvents?.() ?? [];
    for (const sample of samples.length > 0 ? samples : [event]) {
      const spot = this.position(sample);
      // With Shift both fingers go the same way: the middle between them moves.
      if (pointer.other && !pointer.offset && event.shiftKey) {
        pointer.middle.x += spot.x - pointer.last.x;
        pointer.middle.y += spot.y - pointer.last.y;
      }
      this.move(pointer.contact, spot, force(sample), sample.timeStamp);
      if (pointer.other) this.move(pointer.other, this.otherSpot(pointer, spot), force(sample), sample.timeStamp);
      pointer.last = spot;
    }
    this.flushSoon();
  }

  pointerUp(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    this.pointers.delete(event.pointerId);
    this.lift(pointer.contact, ended, event.timeStamp);
    if (pointer.other) this.lift(pointer.other, ended, event.timeStamp);
    this.flush();
  }

  pointerLost(identity) {
    const pointer = this.pointers.get(identity);
    if (!pointer) return;
    this.pointers.delete(identity);
    this.lift(pointer.contact, cancelled);
    if (pointer.other) this.lift(pointer.other, cancelled);
    this.flush();
  }

  otherSpot({ middle, offset }, { x, y }) {
    const other = offset ? { x: x + offset.x, y: y + offset.y } : { x: 2 * middle.x - x, y: 2 * middle.y - y };
    return { x: clamp(other.x, 0, this.width), y: clamp(other.y, 0, this.height) };
  }

  /** Shows where two fingers would land. */
  pointerHover(event) {
    if (this.pointers.size > 0 || event.pointerType === "touch" || !this.width) return;
    const kind = event.altKey || this.mode === "pinch" ? {} : this.mode === "pair" ? { offset: { x: pairDistance, y: 0 } } : null;
    if (!kind) return void this.showHover(null);
    const spot = this.position(event);
    if (kind.offset && spot.x + pairDistance > this.width) kind.offset.x = -pairDistance;
    this.showHover([spot, this.otherSpot({ middle: this.middle, ...kind }, spot)]);
  }

  showHover(spots) {
    if (spots === null && this.hover === null) return;
    this.hover = spots;
    this.changed();
  }

  // Keys: a cursor, and a finger under it while a key is down

  get keyStep() { return 10; }

  keyDown(event) {
    if (event.ctrlKey || event.metaKey || !this.width) return;
    const step = event.shiftKey ? 1 : this.keyStep;
    const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (ways[event.key]) {
      event.preventDefault();
      const { x, y } = this.cursor ?? this.middle;
      const [dx, dy] = this.cursor ? ways[event.key] : [0, 0];
      this.moveCursor({ x: clamp(x + dx, 0, this.width), y: clamp(y + dy, 0, this.height) });
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (event.repeat || this.pointers.has("key")) return;
      this.moveCursor(this.cursor ?? this.middle);
      const contact = this.land(this.cursor, -1, event.timeStamp);
      if (contact) this.pointers.set("key", { contact, other: null });
      this.flush();
    } else if (event.key === "Escape") {
      this.cancelAll();
    }
  }

  keyUp(event) {
    if (event.key === " " || event.key === "Enter") this.pointerUp({ pointerId: "key", timeStamp: event.timeStamp });
  }

  moveCursor(spot) {
    this.cursor = spot;
    const pointer = this.pointers.get("key");
    if (pointer) {
      this.move(pointer.contact, spot, -1, performance.now());
      this.flushSoon();
    }
    this.changed();
    this.dispatchEvent(new Event("cursor"));
  }

  release(identity) { this.pointerLost(identity); }

  /** Taps a spot without a pointer, through the same contacts. */
  tap(spot) {
    const contact = this.land(spot, -1, performance.now());
    if (!contact) return;
    const identity = `tap ${contact.id}`;
    this.pointers.set(identity, { contact, other: null });
    this.flush();
    setTimeout(() => this.pointerUp({ pointerId: identity, timeStamp: performance.now() }), tapTime);
  }

  // Contacts

  land({ x, y }, pressure, at) {
    let id = 0;
    while (this.contacts.has(id)) id++;
    if (id >= contactLimit) return null;
    const contact = { id, x, y, force: pressure };
    this.contacts.set(id, contact);
    this.note(contact, began, at);
    return contact;
  }

  move(contact, { x, y }, pressure, at) {
    if (contact.x === x && contact.y === y && contact.force === pressure) return;
    Object.assign(contact, { x, y, force: pressure });
    this.note(contact, moved, at);
  }

  lift(contact, phase, at = performance.now()) {
    this.contacts.delete(contact.id);
    this.note(contact, phase, at);
  }

  /** Cancels every finger that is down. */
  cancelAll() {
    for (const identity of [...this.pointers.keys()]) this.pointerLost(identity);
    this.showHover(null);
  }

  note(contact, phase, at) {
    this.samples++;
    this.queue.push([contact.id, phase, rounded(contact.x), rounded(contact.y), contact.force, at]);
    this.changed();
  }

  changed() { this.dispatchEvent(new Event("change")); }

  flushSoon() {
    const wait = this.lastFlush + movePause - performance.now();
    if (wait <= 0) this.flush();
    else if (this.timer === 0) this.timer = setTimeout(() => this.flush(), wait);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.queue.length === 0) return;
    this.lastFlush = performance.now();
    while (this.queue.length > 0) this.send(this.queue.splice(0, messageLimit));
  }
}

/** The force of a pen or of a finger on glass that measures it, 0…1; -1 for one that is not measured. */
function force({ pointerType, pressure }) {
  return pointerType === "mouse" || pressure === 0.5 || pressure === 0 ? -1 : pressure;
}

function rounded(value) { return Math.round(value * 100) / 100; }
