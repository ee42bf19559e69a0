// phone.js: the screen of a run with the fingers on it, at one time.
//
//     scenes ─▶ Screen ─────────────┐
//     fingers ─▶ dots and trails ───┴─▶ phone
//
// Input     Run, Playback
// Knows     fingers as values. Colors of the page are in page.css.
import { h, s, clamp, lastIndexAt, setText } from "./markup.js";
import { Screen, placementIn } from "./screen.js";

/** The time for which a lift stays visible, and that for which a hit path stays lit. */
const [fadeTime, litTime] = [260, 450];

export class Phone {
  constructor(element, run, playback, words) {
    Object.assign(this, { element, run, playback, words });
    this.screen = new Screen(words);
    this.caption = h("p", { class: "caption", "aria-live": "polite" });
    element.append(h("div", { class: "phone" }, this.screen.glass), this.caption);
    this.screen.resize(run.width, run.height);
    this.marks = run.fingers.map((finger) => this.makeFinger(finger));
    this.show(playback.time);
    playback.addEventListener("time", () => this.show(playback.time));
  }

  show(time) {
    const scenes = this.run.scenesAt(time);
    const key = scenes.map((scene) => `${scene.process}:${scene.change}`).join(" ");
    if (key !== this.key) {
      this.key = key;
      this.screen.draw(scenes);
    }
    this.showFingers(time, scenes);
    this.lightPath(time);
  }

  // Fingers

  makeFinger(finger) {
    const parts = {
      trail: s("path", { class: "trail" }), halo: s("circle", { r: 22, class: "halo" }),
      dot: s("circle", { r: 5, class: "dot" }),
    };
    const group = s("g", { class: `finger c${finger.color}` }, parts.trail, parts.halo, parts.dot);
    group.style.display = "none";
    this.screen.overlay.append(group);
    return { group, finger, shown: -2, ...parts };
  }

  showFingers(time, scenes) {
    for (const mark of this.marks) {
      const { finger } = mark;
      const since = finger.up === null ? 0 : time - finger.up;
      const isShown = time >= finger.down && since < fadeTime * 4 && finger.points.length > 0;
      mark.group.style.display = isShown ? "" : "none";
      if (!isShown) continue;
      const place = placementIn(scenes.find((one) => one.process === finger.space));
      const index = Math.max(0, lastIndexAt(finger.points, time, (point) => point.at));
      const { x, y } = place(finger.points[index]);
      for (const circle of [mark.halo, mark.dot]) {
        circle.setAttribute("cx", x);
        circle.setAttribute("cy", y);
      }
      if (mark.shown !== index || mark.key !== this.key) {
        [mark.shown, mark.key] = [index, this.key];
        const first = Math.max(0, index - 400);
        mark.trail.setAttribute("d", finger.points.slice(first, index + 1).map((point, order) => {
          const spot = place(point);
          return `${order === 0 ? "M" : "L"}${spot.x.toFixed(1)} ${spot.y.toFixed(1)}`;
        }).join(""));
      }
      const fade = clamp(since / fadeTime, 0, 1);
      mark.halo.setAttribute("r", 22 + 14 * fade);
      mark.halo.style.opacity = 1 - fade;
      mark.dot.style.opacity = 1 - fade;
      mark.trail.style.opacity = clamp(1 - since / (fadeTime * 4), 0, 1) * 0.9;
    }
  }

  // The hit path

  lightPath(time) {
    const lit = new Map();
    let names = [];
    for (const finger of this.run.fingers) {
      const interaction = this.run.interactions[finger.interaction];
      if (!interaction || interaction.path.length === 0) continue;
      const until = Math.max(finger.up ?? Infinity, interaction.hitAt + litTime);
      if (time < interaction.hitAt || time > until) continue;
      interaction.path.forEach((identity, order) => {
        const key = `${interaction.process} ${identity}`;
        lit.set(key, Math.min(order, lit.get(key) ?? Infinity));
      });
      names = interaction.names;
    }
    this.screen.light(lit);
    setText(this.caption, names.length > 0 ? `${this.words.hitPath}: ${names.join(" ‹ ")}` : "");
  }
}
