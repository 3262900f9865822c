// A table in the browser. The page is whole without this script: it takes the same markup from the server, piece by
// piece, with the moves that led there, and lets their cards fly.

import { Choices } from "./choices.js";
import { Clocks } from "./clocks.js";
import { Drawing } from "./drawing.js";
import { Motion } from "./motion.js";
import { drawAgain, hashOf, nonceOf } from "./nonce.js";
import { keepPromise } from "./promise.js";
import "./sharing.js";
import { Stream } from "./stream.js";

const AGAIN_MS = 2000;
const REMATCH_MS = 180_000;
const SETTINGS = "hanami table";
const home = document.getElementById("live-table");
const told = document.getElementById("live-told");
const score = document.getElementById("live-score");
const net = document.getElementById("live-net");

const page = {
  after: null, // moves that were fetched
  latest: null, // the newest view that was fetched
  etag: "",
  lag: 0,
  queue: Promise.resolve(),
  isLoading: false,
  isAgain: false,
  answer: null, // {n, a}: chosen, and not known to have arrived
  isSending: false,
  hasMissed: false, // news came while an answer was under way
  reached: 0, // the version of the live channel with which the last reply came
  greeted: new Map(), // what each seat has said last
};

function kept() {
  try {
    return JSON.parse(localStorage.getItem(SETTINGS)) ?? {};
  } catch {
    return {};
  }
}
const settings = kept();

const drawing = new Drawing(home, (view) => {
  clocks.show(view);
  choices.open();
});
const clocks = new Clocks(home);
const choices = new Choices(home, answer, settings);

const token = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

function connected(is) {
  net.hidden = is;
  const words = is ? "" : page.answer ? net.dataset.kept : net.dataset.lost;
  if (net.textContent !== words) net.textContent = words;
}

/** The address of something, with what the reader knows already. */
function address(path) { return `${path}?part=1${page.after === null ? "" : `&after=${page.after}`}`; }

function news() {
  if (page.isSending) page.hasMissed = true;
  else refresh();
}

async function refresh() {
  if (page.isLoading) {
    page.isAgain = true;
    return;
  }
  page.isLoading = true;
  page.isAgain = false;
  try {
    const began = performance.now();
    const reply = await fetch(address(home.dataset.view), { headers: page.etag ? { "If-None-Match": page.etag } : {}, cache: "no-store" });
    page.lag = performance.now() - began;
    clocks.sync(Number(reply.headers.get("X-Hanami-Now")));
    if (reply.status >= 500) throw new Error(String(reply.status));
    if (reply.ok) await accept(reply);
    else if (reply.status !== 304) page.etag = "";
    connected(true);
    if (page.answer) sendAnswer();
  } catch {
    connected(false);
  } finally {
    page.isLoading = false;
    if (page.isAgain) refresh();
  }
}

async function accept(reply) {
  const view = await reply.json();
  if (page.latest && view.version < page.latest.version) return;
  // The same for every `after`: what an answer has brought need not be fetched again.
  page.etag = reply.headers.get("ETag") ?? "";
  page.reached = Number(reply.headers.get("X-Hanami-Version"));
  stream.saw(page.reached);
  page.latest = view;
  page.after = view.told;
  if (view.hash_wanted && !page.hasAnnounced) announce();
  if (view.nonce_wanted) showNonce(view);
  if (["finished", "aborted"].includes(view.state)) page.closing ??= setTimeout(() => stream.close(), REMATCH_MS);
  page.queue = page.queue.then(async () => say(view, await drawing.show(view)));
}

function post(path, values) {
  return fetch(address(path), { method: "POST", headers: { Accept: "application/json", "X-CSRFToken": token() }, body: new URLSearchParams(values) });
}

async function tell(path, values) {
  const reply = await post(path, values);
  if (reply.ok) await accept(reply);
}

async function showNonce(view) {
  const nonce = nonceOf(view.table);
  try {
    if (!nonce || !keepPromise(view, nonce, hashOf(nonce))) return;
    await tell(home.dataset.nonce, { nonce });
  } catch {
    setTimeout(showNonce, AGAIN_MS, view);
  }
}

/** Take part in the shuffle after all, where the service has drawn: the table had to wait. */
async function announce() {
  page.hasAnnounced = true;
  try {
    await tell(home.dataset.announce, { nonce_hash: drawAgain(home.dataset.table) });
  } catch {
    // Not sent, or not kept by this browser: the service's draw stays, and the proof says so.
  }
}

function answer(n, a) {
  page.answer = { n, a };
  drawing.fresh.clear();
  sendAnswer();
}

/** Send the answer in hand, with the number of its question: sent twice it is one. */
async function sendAnswer() {
  if (page.isSending) return;
  page.isSending = true;
  const sent = page.answer;
  try {
    const reply = await post(home.dataset.answer, { ...sent, lag_ms: Math.min(1000, Math.round(page.lag)) });
    if (reply.status >= 500 || reply.status === 429) throw new Error(String(reply.status));
    page.answer = null;
    connected(true);
    if (reply.ok) await accept(reply);
    else await refused(reply);
  } catch {
    connected(false);
    setTimeout(() => page.answer && sendAnswer(), AGAIN_MS);
  } finally {
    page.isSending = false;
    if (page.hasMissed && stream.seen > page.reached) refresh();
    page.hasMissed = false;
  }
}

/** The table says no: it has changed meanwhile. Say why, and draw how it is. */
async function refused(reply) {
  const { title = "" } = await reply.json().catch(() => ({}));
  Object.assign(page, { after: null, etag: "", latest: null });
  await refresh();
  page.queue = page.queue.then(() => { if (title) told.append(line(title)); });
}

function line(text) {
  return Object.assign(document.createElement("span"), { className: "live-news", textContent: `${text} ` });
}

// -- what is said

/** Say what others did and whose turn it is, once the cards lie. */
function say(view, news) {
  const said = [...greetings(view), ...news.filter(({ seat }) => seat !== view.me).slice(-3).map(({ text }) => text)].join(" ");
  const next = document.createElement("p");
  next.innerHTML = view.part.told;
  score.innerHTML = view.part.score;
  const earlier = news.length ? null : told.querySelector(".live-news")?.cloneNode(true);
  if (said || earlier) next.append(said ? line(said) : earlier);
  const clean = (node) => node.textContent.trim().replace(/\s+/g, " ");
  if (clean(next) !== clean(told)) told.replaceChildren(...next.childNodes);
  mark(view);
}

/** The title says when it is one's turn. */
function mark(view) {
  const isOwn = view.turn?.seat === view.me && view.state === "playing" && !view.paused_at;
  document.title = document.title.replace(/^(● )?/, isOwn ? "● " : "");
}

/** What others have said since the last look. */
function greetings({ seats, me }) {
  const all = seats.filter(({ seat, greeting }) => greeting && seat !== me);
  const fresh = all.filter(({ seat, greeting }) => page.greeted.get(seat) !== greeting.text + greeting.after);
  for (const { seat, greeting } of fresh) page.greeted.set(seat, greeting.text + greeting.after);
  return fresh.map(({ name, greeting }) => `${name}: ${greeting.text}`);
}

// -- settings

function toggle(name, change) {
  const button = document.querySelector(`[data-tool="${name}"]`);
  const show_ = () => { button.ariaPressed = Boolean(settings[name]); };
  button.addEventListener("click", () => {
    settings[name] = !settings[name];
    try {
      localStorage.setItem(SETTINGS, JSON.stringify(settings));
    } catch { /* a browser that keeps nothing */ }
    show_();
    change();
  });
  show_();
}

document.querySelector("[data-tools]").hidden = false;
toggle("confirm", () => choices.draw());
toggle("sound", () => Motion.hear(settings.sound));
if (settings.sound) addEventListener("pointerdown", () => Motion.hear(settings.sound), { once: true });

// What is said at the table goes without another page.
document.getElementById("live-greet")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { target: form, submitter: button } = event;
  const reply = await post(form.getAttribute("action"), new FormData(form, button)).catch(() => null);
  if (!reply?.ok) return;
  if (button.ariaPressed) button.ariaPressed = button.ariaPressed !== "true";
  await accept(reply);
});

/** The page shows a match as the server wrote it: what is fetched first is only what came since. */
function begin({ view, etag, now }) {
  Object.assign(page, { latest: view, after: view.told, etag });
  clocks.sync(now);
  clocks.show(view);
  drawing.begin(view.told);
  mark(view);
}

nonceOf(home.dataset.table);
if (home.dataset.first) begin(JSON.parse(home.dataset.first));
choices.open();
const stream = new Stream(home.dataset, news, page);
refresh();
