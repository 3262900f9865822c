// News of one table: the site's stream of events says that something changed. Every few seconds the page says that one
// is still there, and hears whether it has missed something. Without the stream it looks at the table, more often.

const HERE_MS = 7000;
const LOST_MS = 2000;
const AGAIN_MS = 4000;

export class Stream {
  /** onNews(): something may have changed. page: {etag, isLoading}, of the view it has, and while it asks. */
  constructor({ liveChannel, version, token, here }, onNews, page) {
    Object.assign(this, { channel: liveChannel, token, here, onNews, page, seen: Number(version) || 0, source: null, timer: 0 });
    const again = () => { this.open(); this.onNews(); };
    addEventListener("online", again);
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", ({ persisted }) => { if (persisted) again(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.onNews(); });
    this.open();
  }

  open() {
    this.close();
    const known = encodeURIComponent(`${this.channel}=${this.seen}`);
    const source = new EventSource(`/events/?ch=${encodeURIComponent(this.channel)}&seen=${known}&token=${encodeURIComponent(this.token)}`);
    source.addEventListener("open", () => this.every(HERE_MS, () => this.sayHere()));
    source.addEventListener("change", (event) => this.heard(event));
    source.addEventListener("error", () => {
      this.every(LOST_MS, this.onNews);
      // The browser gives up after an answer that is none; where the stream merely broke off, it opens it again itself.
      if (source.readyState === EventSource.CLOSED) this.again = setTimeout(() => this.open(), AGAIN_MS);
    });
    this.source = source;
    this.every(HERE_MS, this.onNews);
  }

  every(ms, act) {
    clearInterval(this.timer);
    this.timer = setInterval(act, ms);
  }

  async sayHere() {
    const { etag } = this.page;
    const reply = await fetch(this.here, { headers: { "If-None-Match": etag }, cache: "no-store" }).catch(() => null);
    // What came meanwhile, or is under way, is newer than what was asked about.
    if (reply?.status !== 304 && etag === this.page.etag && !this.page.isLoading) this.onNews();
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
