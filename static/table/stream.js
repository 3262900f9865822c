// News of one table: the site's stream of events says that something changed, and the table is looked at every few
// seconds anyway, by which the others see that one is still there. Without the stream it is looked at more often.

const LOOK_MS = 7000;
const LOST_MS = 2000;
const AGAIN_MS = 4000;

export class Stream {
  /** onNews(): something may have changed. */
  constructor({ liveChannel, version, token }, onNews) {
    Object.assign(this, { channel: liveChannel, token, onNews, seen: Number(version) || 0, source: null, timer: 0 });
    addEventListener("online", () => { this.open(); this.onNews(); });
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", ({ persisted }) => { if (persisted) { this.open(); this.onNews(); } });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.onNews(); });
    this.open();
  }

  open() {
    this.close();
    const known = encodeURIComponent(`${this.channel}=${this.seen}`);
    const source = new EventSource(`/events/?ch=${encodeURIComponent(this.channel)}&seen=${known}&token=${encodeURIComponent(this.token)}`);
    source.addEventListener("open", () => this.look(LOOK_MS));
    source.addEventListener("change", (event) => this.heard(event));
    source.addEventListener("error", () => {
      this.look(LOST_MS);
      // The browser gives up after an answer that is none; where the stream merely broke off, it opens it again itself.
      if (source.readyState === EventSource.CLOSED) this.again = setTimeout(() => this.open(), AGAIN_MS);
    });
    this.source = source;
    this.look(LOOK_MS);
  }

  look(every) {
    clearInterval(this.timer);
    this.timer = setInterval(this.onNews, every);
  }

  heard({ data }) {
    const newest = Math.max(...[JSON.parse(data)].flat().filter(({ ch }) => ch === this.channel).map(({ ver }) => ver));
    if (newest <= this.seen) return;
    this.seen = newest;
    this.onNews();
  }

  /** The page shows what this version tells. */
  saw(version) { this.seen = Math.max(this.seen, version); }

  close() {
    this.source?.close();
    clearInterval(this.timer);
    clearTimeout(this.again);
  }
}
