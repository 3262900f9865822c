// A page that follows its channels. The stream says only {ch, ver}; the page then asks for its own fragment with its
// ETag, so nothing is sent that the reader could not have loaded. Parts marked data-part are swapped only where their
// words changed: open explanations, focus and scroll stay.

const bar = document.querySelector("[data-live]");
const POLL_MS = 20000;
// The page is fetched so long after news: once for what comes together, not by a whole hall at once.
const SOONEST_MS = 300;
const LATEST_MS = 1200;
const SAY_MS = 5000;

const seen = new Map();
let source = null;
let failures = 0;
let poll = 0;
let timer = 0;
let loading = false;
let again = false;
let paused = false;
let lost = false;
let etag = "";
let edition = 0; // one more whenever the page has changed itself, as after saving a row
let saidAt = 0;
const still = matchMedia("(prefers-reduced-motion: reduce)");

function channels() {
  return bar.dataset.live.split(",").filter(Boolean).map((text) => {
    const [name, version] = text.split("@");
    return [name, Number(version) || 0];
  });
}

function show(state, words) {
  bar.dataset.state = state;
  bar.querySelector(".words").textContent = `${words} ${new Date().toLocaleTimeString([], { hour12: false })}`;
}

function build() {
  const add = (to, tag, values) => to.appendChild(Object.assign(document.createElement(tag), values));
  const { wordsPause, wordsRetry, wordsLive } = bar.dataset;
  add(bar, "span", { className: "dot" });
  const says = add(bar, "span", { className: "says" });
  add(says, "span", { className: "words" });
  add(says, "button", { type: "button", textContent: wordsPause, onclick: togglePause });
  const onclick = () => { failures = 0; open(); refresh(); };
  add(says, "button", { type: "button", textContent: wordsRetry, hidden: true, onclick }).dataset.retry = "";
  add(bar, "span", { className: "sr" }).setAttribute("role", "status");
  show("live", wordsLive);
}

function togglePause() {
  paused = !paused;
  bar.querySelector("button").textContent = paused ? bar.dataset.wordsResume : bar.dataset.wordsPause;
  if (paused) {
    close();
    bar.querySelector("[data-retry]").hidden = true;
    show("paused", bar.dataset.wordsPaused);
  } else {
    open();
    refresh();
  }
}

function keep(part) {
  const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
  const active = part.contains(document.activeElement) ? document.activeElement : null;
  return () => {
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (active && !active.isConnected) likeIt(part, active)?.focus({ preventScroll: true });
  };
}

// What stands for an element that was swapped away: the one of its id, else the one that does the same.
function likeIt(part, gone) {
  if (gone.id) return document.getElementById(gone.id);
  const home = gone.tagName === "SUMMARY" ? gone.closest("[id]") : null;
  if (home) return document.querySelector(`#${CSS.escape(home.id)} > summary`);
  const does = (each) => [each.getAttribute("href"), each.getAttribute("name"), each.textContent].join("\n");
  return [...part.querySelectorAll(gone.tagName)].find((each) => does(each) === does(gone));
}

// What a part shows, without the tokens of its forms, which differ in every answer.
function shown(part) {
  return part.innerHTML.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");
}

function swap(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  for (const part of document.querySelectorAll("[data-part]")) {
    const next = fresh.getElementById(part.id);
    if (!next || shown(next) === shown(part)) continue;
    const restore = keep(part);
    part.replaceChildren(...next.childNodes);
    restore();
  }
  document.dispatchEvent(new CustomEvent("page-refreshed", { detail: fresh }));
  say(fresh.querySelector("[data-say]")?.textContent ?? "");
  const next = fresh.querySelector("[data-live]")?.dataset;
  Object.assign(bar.dataset, next);
  // When it is over: no channels.
  if (!next?.live) finish();
}

// Rows of a ranking slide to their new places: event.css names them.
function slide(put) {
  const may = window.ViewTransitionTypeSet && !still.matches && document.querySelector("[data-slides]");
  if (may) document.startViewTransition({ update: put, types: ["slide"] });
  else put();
}

function say(sentence) {
  const voice = bar.querySelector("[role=status]");
  const clean = sentence.trim().replace(/\s+/g, " ");
  if (!clean || voice.textContent === clean || Date.now() - saidAt < SAY_MS) return;
  saidAt = Date.now();
  voice.textContent = clean;
}

function finish() {
  close();
  bar.hidden = true;
}

async function refresh() {
  if (loading) {
    again = true;
    return;
  }
  loading = true;
  const before = edition;
  try {
    const headers = { "X-Fragment": "true" };
    if (etag) headers["If-None-Match"] = etag;
    const answer = await fetch(location.href, { headers, cache: "no-store" });
    const words = answer.status === 200 ? await answer.text() : "";
    // The page changed itself meanwhile: the answer may be older.
    if (before !== edition) again = true;
    else if (words) {
      etag = answer.headers.get("ETag") ?? "";
      slide(() => swap(words));
    }
    if (answer.ok || answer.status === 304) stamp();
    else fail();
  } catch {
    fail();
  } finally {
    loading = false;
    if (again) later();
    again = false;
  }
}

// The last good data stays; a button is for readers who do not want to wait.
function fail() {
  lost = true;
  bar.querySelector("[data-retry]").hidden = paused;
  if (!paused) show("failed", bar.dataset.wordsFailed);
}

function stamp() {
  bar.querySelector("[data-retry]").hidden = true;
  if (lost && !paused && !source) { // the connection is back: listen again instead of looking every 20 seconds
    failures = 0;
    open();
  }
  lost = false;
  if (!paused) show(source ? "live" : "polling", source ? bar.dataset.wordsLive : bar.dataset.wordsPolling);
}

function later() {
  if (!timer) timer = setTimeout(() => { timer = 0; refresh(); }, SOONEST_MS + Math.random() * (LATEST_MS - SOONEST_MS));
}

function heard(event) {
  const news = [JSON.parse(event.data)].flat();
  const newer = news.filter(({ ch, ver }) => ver > (seen.get(ch) ?? 0));
  for (const { ch, ver } of newer) seen.set(ch, ver);
  if (newer.length) later();
}

function open() {
  close();
  if (document.hidden || paused) return;
  if (failures >= 3) {
    poll = setInterval(refresh, POLL_MS);
    show("polling", bar.dataset.wordsPolling);
    return;
  }
  const wanted = channels().map(([name]) => encodeURIComponent(name)).join(",");
  const known = [...seen].map(([name, version]) => encodeURIComponent(`${name}=${version}`)).join(",");
  const token = bar.dataset.token ? `&token=${encodeURIComponent(bar.dataset.token)}` : "";
  source = new EventSource(`/events/?ch=${wanted}&seen=${known}${token}`);
  source.addEventListener("open", () => { failures = 0; show("live", bar.dataset.wordsLive); });
  source.addEventListener("change", heard);
  source.addEventListener("error", () => {
    failures += 1;
    if (failures >= 3 || source?.readyState === EventSource.CLOSED) {
      failures = Math.max(failures, 3);
      open();
    }
  });
}

function close() {
  source?.close();
  source = null;
  clearInterval(poll);
}

if (bar && bar.dataset.live && "EventSource" in window) {
  for (const [name, version] of channels()) seen.set(name, version);
  build();
  open();
  document.addEventListener("visibilitychange", () => {
    if (paused) return;
    if (document.hidden) close();
    else { failures = 0; open(); refresh(); }
  });
  document.addEventListener("page-changed", () => { edition += 1; });
  document.addEventListener("page-stale", refresh);
  window.addEventListener("pagehide", close);
}
