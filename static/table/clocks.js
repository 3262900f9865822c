// Clocks beside the names, which run down by the server's time.

const TICK_MS = 250;
const LOW_MS = 20000;
const SLOW_MS = 10000; // SLOW_AFTER of the server

function shown(ms) {
  const all = Math.max(0, Math.ceil(ms / 1000));
  const parts = [all / 3600, (all / 60) % 60, all % 60].map((number) => String(Math.floor(number)).padStart(2, "0"));
  return parts.join(":").replace(/^(00:)?0?/, "");
}

export class Clocks {
  constructor(home) {
    Object.assign(this, { home, ahead: 0, times: [], turn: null, pausedAt: null });
    setInterval(() => this.tick(), TICK_MS);
  }

  /** now: the server's time in ms as it answered. */
  sync(now) { if (now) this.ahead = now - Date.now(); }

  show({ times = [], turn, paused_at: pausedAt }) {
    Object.assign(this, { times, turn, pausedAt });
    this.tick();
  }

  tick() {
    // While its event is paused a clock shows what it had left then.
    const now = this.pausedAt ?? Date.now() + this.ahead;
    const waits = document.querySelector("[data-slow]");
    if (waits && now - this.turn?.asked_at > SLOW_MS) {
      waits.textContent = waits.dataset.slow;
      delete waits.dataset.slow;
    }
    for (const place of this.home.querySelectorAll("[data-clock]")) {
      const seat = Number(place.dataset.clock);
      const had = this.times[seat];
      if ((had ?? null) === null) continue;
      const isRunning = this.turn?.seat === seat;
      const left = had - (isRunning ? Math.max(0, now - this.turn.asked_at) : 0);
      const text = shown(left);
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("low", isRunning && left < LOW_MS);
    }
  }
}
