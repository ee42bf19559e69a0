// live.js: the connection to `touchline inspect`: messages, requests and the clock of the group's host.
//
//     connecting ──hello──▶ live ──close, error──▶ lost ──after a pause──▶ connecting
//
// Input     the server's messages; the page's fingers and questions
// Output    one event for each kind of message, `state`
// Knows     sockets and the token. No run, no element.

/** Pauses before another attempt in milliseconds. The last one is repeated. */
const pauses = [250, 500, 1000, 2000];
/**
 * Exchanges of the clock after a start, their distance, and the distance of later ones, in milliseconds. The server takes the
 * fingers of a page that is silent.
 */
const [clockExchanges, clockPause, clockPeriod] = [6, 60, 2000];

/** An answer of the server that says no. `line` and `column` are those of a text that the page sent. */
export class Refusal extends Error {
  constructor({ message, line = null, column = null }, status) {
    super(message);
    Object.assign(this, { line, column, status });
  }
}

export class Live extends EventTarget {
  constructor(place = location) {
    super();
    this.token = new URLSearchParams(place.search).get("token") ?? "";
    this.address = `ws://${place.host}/live?token=${encodeURIComponent(this.token)}`;
    this.state = "connecting";
    [this.attempts, this.clocks, this.best, this.offset, this.sentOffset] = [0, 0, [], null, null];
  }

  // The socket

  connect() {
    this.enter("connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.receive(event.data);
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.lose(event.reason);
    });
  }

  enter(state, reason = "") {
    if (state === this.state && reason === "") return;
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: { state, reason } }));
  }

  lose(reason) {
    clearInterval(this.clockTimer);
    this.socket = null;
    this.enter("lost", reason);
    const pause = pauses[Math.min(this.attempts++, pauses.length - 1)];
    setTimeout(() => this.connect(), pause);
  }

  receive(text) {
    const message = JSON.parse(text);
    switch (message.t) {
      case "hello":
        this.attempts = 0;
        this.startClock();
        this.dispatchEvent(new CustomEvent("hello", { detail: message }));
        this.enter("live");
        return;
      case "clock": this.readClock(message); return;
      default: this.dispatchEvent(new CustomEvent(message.t, { detail: message }));
    }
  }

  /** Sends a message now. Returns whether there is a connection. */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Returns the host's time of a moment of this page in milliseconds; null before the first exchange. */
  hostTime(at) { return this.offset === null ? null : at + this.offset / 1e6; }

  // The clock

  startClock() {
    clearInterval(this.clockTimer);
    [this.clocks, this.best, this.sentOffset] = [0, [], null];
    const ask = () => this.send({ t: "clock", n: ++this.clocks, at: performance.now() });
    ask();
    let count = 1;
    this.clockTimer = setInterval(() => {
      if (count++ < clockExchanges) return void ask();
      clearInterval(this.clockTimer);
      this.clockTimer = setInterval(ask, clockPeriod);
    }, clockPause);
  }

  /** The exchange with the shortest way knows the host's clock best. */
  readClock({ at, host }) {
    const now = performance.now();
    this.best.push({ roundTrip: now - at, offset: host - ((at + now) / 2) * 1e6 });
    if (this.best.length > 12) this.best.shift();
    const shortest = this.best.reduce((one, other) => (other.roundTrip < one.roundTrip ? other : one));
    [this.offset, this.roundTrip] = [shortest.offset, shortest.roundTrip];
    // A difference below 0.2 ms is less than what the browser's clock can tell.
    if (this.best.length < 3 || Math.abs(this.offset - (this.sentOffset ?? Infinity)) < 200_000) return;
    this.sentOffset = this.offset;
    this.send({ t: "offset", ns: Math.round(this.offset) });
  }

  // Requests

  /** Returns the server's answer. Throws `Refusal` for an answer that says no, and for none. */
  async ask(path, body = null) {
    let response;
    try {
      response = await fetch(path, {
        method: body === null ? "GET" : "POST", cache: "no-store",
        headers: { Authorization: `Bearer ${this.token}`, ...(body === null ? {} : { "Content-Type": "application/json" }) },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new Refusal({ message: error.message }, 0);
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok || answer.error) {
      throw new Refusal(answer.error ?? { message: `${path}: ${response.status}` }, response.status);
    }
    return answer;
  }
}
