// A table in the browser. The page is whole without this script: it takes the same markup from the server, piece by
// piece, with the moves that led there, and lets their cards fly.

import { Choices } from "./choices.js";
import { Clocks } from "./clocks.js";
import { Flight } from "./flight.js";
import { drawAgain, hashOf, nonceOf } from "./nonce.js";
import { keepPromise } from "./promise.js";
import { listen } from "./sound.js";
import { Stream } from "./stream.js";

const AGAIN_MS = 2000;
const SETTINGS = "hanami table";
const home = document.getElementById("live-table");
const told = document.getElementById("live-told");
const net = document.getElementById("live-net");

const page = {
  after: null, // moves that were fetched
  shown: null, // moves that stand on the table
  latest: null, // the newest view that was fetched
  etag: "",
  lag: 0,
  queue: Promise.resolve(),
  isLoading: false,
  isAgain: false,
  answer: null, // {n, a}: chosen, and not known to have arrived
  isSending: false,
  fresh: new Set(), // cards that others have moved since one's own last turn
};

function kept() {
  try {
    return JSON.parse(localStorage.getItem(SETTINGS)) ?? {};
  } catch {
    return {};
  }
}
const settings = kept();

const flight = new Flight(home);
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
    if (reply.status >= 500) throw new Error(String(reply.status));
    page.etag = reply.headers.get("ETag") ?? "";
    if (reply.ok) await accept(reply);
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
  clocks.sync(Number(reply.headers.get("X-Hanami-Now")));
  const view = await reply.json();
  if (page.latest && view.version < page.latest.version) return;
  page.latest = view;
  page.after = view.told;
  if (view.hash_wanted && !page.hasAnnounced) announce();
  if (view.nonce_wanted) showNonce(view);
  if (["finished", "aborted"].includes(view.state) && (view.result?.match || !view.result)) stream.close();
  page.queue = page.queue.then(() => show(view));
}

async function post(path, values) {
  return fetch(address(path), { method: "POST", headers: { Accept: "application/json", "X-CSRFToken": token() }, body: new URLSearchParams(values) });
}

async function showNonce(view) {
  const nonce = nonceOf(view.table);
  try {
    if (!nonce || !keepPromise(view, nonce, hashOf(nonce))) return;
    const reply = await post(home.dataset.nonce, { nonce });
    if (reply.ok) await accept(reply);
  } catch {
    setTimeout(showNonce, AGAIN_MS, view);
  }
}

/** Take part in the shuffle after all, where the service has drawn: the table had to wait for somebody else. */
async function announce() {
  page.hasAnnounced = true;
  try {
    const reply = await post(home.dataset.announce, { nonce_hash: drawAgain(home.dataset.table) });
    if (reply.ok) await accept(reply);
  } catch {
    // Not sent, or not kept by this browser: the service's draw stays, and the proof says so.
  }
}

function answer(n, a) {
  page.answer = { n, a };
  page.fresh.clear();
  sendAnswer();
}

/** Send the answer in hand. It carries the number of the question: sent twice it is one answer. */
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
  }
}

/** The table says no: it has changed meanwhile. Say why, and draw how it is. */
async function refused(reply) {
  const { title = "" } = await reply.json().catch(() => ({}));
  page.after = null;
  page.etag = "";
  page.latest = null;
  await refresh();
  page.queue = page.queue.then(() => { if (title) told.append(line(title)); });
}

function line(text) {
  return Object.assign(document.createElement("span"), { className: "live-news", textContent: `${text} ` });
}

// -- drawing

function fragment(markup) {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  return holder.content;
}

async function show(view) {
  const body = fragment(view.part.body);
  const news = view.moves.filter((move) => page.shown !== null && move.told > page.shown);
  const deal = view.deals.at(-1)?.number ?? 0;
  const from = Number(home.querySelector("[data-deal]")?.dataset.deal ?? deal);
  const isGap = page.shown === null || view.resync || (news.length > 0 && news[0].told !== page.shown + 1);
  for (const { seat, fx } of news) if (seat !== view.me) fx.forEach(([card]) => page.fresh.add(card));
  let isDrawn = false;
  const draw = () => { isDrawn = true; put(view, body); };
  if (!isGap && (news.length || deal > from)) {
    const waits = view.me !== null && view.times.every((time) => time === null);
    const ended = (number) => body.querySelector(`[data-ended="${number}"] .rp-end`)?.cloneNode(true);
    await flight.play(news, { deal, shown: from, show: draw, ended, waits, rise: (move) => risen(move, view) });
  }
  if (!isDrawn) draw();
  page.shown = view.told;
  say(view, isGap ? [] : news);
}

/** What rises in the middle when a move has made a yaku. */
function risen(move, view) {
  const made = move.ev.filter(({ code }) => code === "yaku").map(({ yaku }) => view.board.yaku.find(({ id }) => id === yaku)).filter(Boolean);
  if (!made.length) return "";
  const cards = [...new Set(made.flatMap((one) => one.cards.map(([card]) => card)))].slice(0, 5);
  const name = document.createElement("strong");
  name.textContent = made.map((one) => one.name).join(" · ");
  return `<p>${cards.map((card) => flight.draw(card)).join("")}</p>${name.outerHTML}`;
}

/** What is open and where the focus is stays so in the new markup. */
function put(view, body) {
  const folds = [...home.querySelectorAll("details[id]")].map(({ id, open }) => [id, open]);
  const sheet = home.querySelector(".rp-tray:popover-open")?.id;
  const focus = home.contains(document.activeElement) ? document.activeElement : null;
  if (isSame(body)) return;
  home.replaceChildren(body);
  for (const [id, open] of folds) document.getElementById(id)?.toggleAttribute("open", open);
  if (sheet && innerWidth < 720) document.getElementById(sheet)?.showPopover();
  for (const card of page.fresh) home.querySelector(`.rp-table [data-card="${card}"]`)?.classList.add("moved");
  clocks.show(view);
  choices.open();
  if (focus && !home.contains(document.activeElement)) likeIt(focus)?.focus({ preventScroll: true });
}

/** Whether the page shows this already: nothing is drawn again that somebody may be about to touch. */
function isSame(body) {
  const holder = document.createElement("div");
  holder.append(body.cloneNode(true));
  const clean = (markup) => markup.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");
  const next = clean(holder.innerHTML);
  const is = next === page.drawn;
  page.drawn = next;
  return is;
}

function likeIt(gone) {
  if (gone.dataset.card) return home.querySelector(`.rp-me [data-card="${gone.dataset.card}"][tabindex]`);
  const home_ = gone.closest("details[id]");
  return home_ && document.getElementById(home_.id)?.querySelector("summary");
}

/** Say what others did and whose turn it is, once the cards lie. */
function say(view, news) {
  const said = news.filter(({ seat }) => seat !== view.me).slice(-3).map(({ text }) => text).join(" ");
  const next = document.createElement("p");
  next.innerHTML = view.part.told;
  const earlier = news.length ? null : told.querySelector(".live-news")?.cloneNode(true);
  if (said || earlier) next.append(said ? line(said) : earlier);
  const clean = (node) => node.textContent.trim().replace(/\s+/g, " ");
  if (clean(next) !== clean(told)) told.replaceChildren(...next.childNodes);
  const isOwn = view.turn && view.turn.seat === view.me && view.state === "playing";
  document.title = document.title.replace(/^(● )?/, isOwn ? "● " : "");
}

// -- settings

function tool(name, act) {
  const button = document.querySelector(`[data-tool="${name}"]`);
  button.addEventListener("click", act);
  return button;
}

function toggle(name, change) {
  const show_ = () => button.setAttribute("aria-pressed", String(Boolean(settings[name])));
  const button = tool(name, () => {
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
toggle("sound", () => listen(settings.sound));
tool("keys", () => document.getElementById("live-keys").showModal());
if (settings.sound) addEventListener("pointerdown", () => listen(settings.sound), { once: true });

nonceOf(home.dataset.table);
choices.open();
const stream = new Stream(home.dataset, refresh);
refresh();
