// Clocks beside the names, which run down by the server's time.

const TICK_MS = 250;
const LOW_MS = 20000;

function shown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const pair = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${pair(seconds % 60)}` : `${Math.floor(minutes / 60)}:${pair(minutes % 60)}:${pair(seconds % 60)}`;
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
    for (const place of this.home.querySelectorAll("[data-clock]")) {
      const seat = Number(place.dataset.clock);
      const had = this.times[seat];
      if (had === undefined || had === null) continue;
      const isRunning = this.turn?.seat === seat;
      const left = had - (isRunning ? Math.max(0, now - this.turn.asked_at) : 0);
      const text = shown(left);
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("low", isRunning && left < LOW_MS);
    }
  }
}
