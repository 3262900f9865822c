// The clock of a round. The server says when it ends and what time it is there; the page only shows what is left, by
// how much its own clock differs, so nothing drifts and a wrong clock does no harm. Without script the end is there.
const offsets = new WeakMap();

function show(clock) {
  const left = clock.querySelector("[data-left]");
  if (!left || "stands" in clock.dataset) return;
  if (!offsets.has(clock)) offsets.set(clock, Number(clock.dataset.now) - Date.now());
  const ms = Number(clock.dataset.ends) - Date.now() - offsets.get(clock);
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (left.textContent !== text) left.textContent = text;
  const over = ms <= 0;
  if (left.hidden === over) return;
  left.hidden = over;
  clock.querySelector("[data-over]").hidden = !over;
  clock.querySelector(".ends").hidden = over;
  clock.classList.toggle("over", over);
}

function tick() {
  document.querySelectorAll(".round-clock").forEach(show);
}

const [arrival] = performance.getEntriesByType("navigation");
// A page that the browser kept and shows again tells an old time: live.js asks for the present one.
if (arrival?.type === "back_forward") document.dispatchEvent(new Event("page-stale"));
tick();
setInterval(tick, 250);
