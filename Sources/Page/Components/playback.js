// playback.js: the time that all components show, and its movement.
//
//     paused ◀──pause, end──▶ playing, at a speed
//
// Input     buttons and keys (page.js), clicks on a component
// Output    the events `time` and `state`
// Knows     a beginning, an end and moments at which something happens. No run.
import { clamp, lastIndexAt } from "./markup.js";

export const speeds = [1, 0.25, 0.1, 0.02];

export class Playback extends EventTarget {
  /** `start` is where playing begins again after the end. */
  constructor(begin, end, moments, start = begin) {
    super();
    [this.begin, this.end, this.moments, this.start] = [begin, end, moments, start];
    [this.time, this.speed, this.isPlaying] = [begin, 1, false];
  }

  seek(time) {
    const target = clamp(time, this.begin, this.end);
    if (target === this.time) return;
    this.time = target;
    this.dispatchEvent(new Event("time"));
  }

  setSpeed(speed) {
    this.speed = speed;
    this.dispatchEvent(new Event("state"));
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Plays from here, or at the end from the start. */
  play() {
    if (this.isPlaying) return;
    if (this.time >= this.end) this.seek(this.start);
    this.isPlaying = true;
    this.dispatchEvent(new Event("state"));
    let last = null;
    const advance = (now) => {
      if (!this.isPlaying) return;
      if (last !== null) this.seek(this.time + (now - last) * this.speed);
      last = now;
      if (this.time >= this.end) this.pause();
      else requestAnimationFrame(advance);
    };
    requestAnimationFrame(advance);
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.dispatchEvent(new Event("state"));
  }

  /** Goes to the next moment at which something happens, or to the one before. */
  step(direction) {
    this.pause();
    const index = lastIndexAt(this.moments, this.time);
    const isExact = index >= 0 && this.moments[index] === this.time;
    const next = direction > 0 ? index + 1 : isExact ? index - 1 : index;
    this.seek(this.moments[clamp(next, 0, this.moments.length - 1)] ?? this.time);
  }
}
