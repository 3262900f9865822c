// <hanami-replay>: the page of one position, taken over to step through the record. Without script every
// control is a link to the same place. Focus moves only when the reader moves it.

import { split } from "./parts.js";
import { clamp, read, step } from "./reducer.js";
import { View } from "./view.js";
import { Words } from "./words.js";
import { Motion, reduced } from "./motion.js";
import { become, parsed } from "./morph.js";
import { brought, moment, moves } from "./lists.js";

const RATES = { "½": 0.5, 1: 1, 2: 2, 4: 4 };
const SLOW_TO_FAST = ["½", "1", "2", "4"];
/** Milliseconds for a move at speed 1, and of rest after a longer one. */
const SHOW_MS = 1600;
const REST_MS = 300;
const SWIPE = 40;
const HASH = /^#d(\d+)m(\d+)(?:[ ,+]?s(\d+))?$/;

async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error();
  return response.json();
}

const mark = (element, name, is, value = "true") => (is ? element.setAttribute(name, value) : element.removeAttribute(name));

/** Let results look as they do; nothing waits for their sheet but a page that begins with one. */
const resultsDressed = () => new Promise((done) => {
  const sheet = document.querySelector("[data-later]");
  if (sheet) sheet.media = "all";
  if (!sheet || sheet.sheet || document.readyState === "complete") done();
  else for (const heard of [sheet, window]) heard.addEventListener("load", done); // the window's, too, where it failed
});

class Replay extends HTMLElement {
  async connectedCallback() {
    if (this.words) return;
    const { record, words, sprite, back, crests, deal, move, view } = this.dataset;
    this.spot = { deal: Number(deal), move: Number(move), view: Number(view), parts: [] };
    this.guessing = null;
    this.best = (this.dataset.best ?? "").split(" ").filter(Boolean);
    let place;
    try {
      const [document_, { book, tables }] = await Promise.all([load(record), load(words)]);
      this.replay = read(document_);
      this.words = new Words(this.replay, book, tables);
      this.view = new View(this.replay, this.words, tables, { sprite, back, crests });
      Object.assign(this.spot, place = this.hashed());
      const dressed = resultsDressed();
      await Promise.all([this.know(this.spot.view), place && dressed]);
    } catch {
      this.dataset.state = "failed";
      this.fail();
      return;
    }
    this.motion = new Motion(this.part("table"), this.part("fly"), (code) => (code ? this.view.small(code) : this.view.plain(back, "back")));
    this.wire();
    this.shownDeal = Number(deal); // the moves that the page came with
    if (place || !this.part("table").children.length) this.draw({ quiet: true });
    else this.adopt();
    this.dataset.state = "ready";
    this.dispatchEvent(new Event("ready"));
  }

  disconnectedCallback() {
    this.stop();
    this.controller?.abort();
  }

  fail() { this.part("failed").hidden = false; }

  part(name) { return this.querySelector(`[data-rp="${name}"]`); }

  wire() {
    this.controller = new AbortController();
    const { signal } = this.controller;
    this.addEventListener("click", (event) => this.onClick(event), { signal });
    this.addEventListener("submit", (event) => this.onAsk(event), { signal });
    this.part("scrub").addEventListener("input", ({ target }) => this.go({ deal: this.spot.deal, move: Number(target.value) }), { signal });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal, capture: true });
    addEventListener("hashchange", () => this.enter(this.hashed()), { signal });
    this.querySelector("#rp-text").addEventListener("toggle", () => this.drawText(), { signal });
    this.wireTouch(signal);
    this.querySelector('[data-go="play"]').hidden = false;
    for (const name of ["tools", "tabs", "ask", "scrub"]) this.part(name).hidden = false;
  }

  wireTouch(signal) {
    let from = null;
    const hear = (name, act) => this.part("table").addEventListener(name, act, { signal, passive: true });
    hear("touchstart", ({ touches }) => { from = touches.length === 1 ? touches[0] : null; });
    hear("touchend", ({ changedTouches: [to] }) => {
      const [x, y] = from ? [to.clientX - from.clientX, to.clientY - from.clientY] : [0, 0];
      if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) this.control(x < 0 ? "after" : "before");
    });
  }

  hashed() {
    const found = HASH.exec(decodeURIComponent(location.hash));
    if (!found) return null;
    const [deal, move, view] = found.slice(1).map((text) => Number(text ?? 0));
    return { ...clamp(this.replay, deal, move), view: view <= this.replay.sides.length ? view : 0 };
  }

  /** What a seat could know is loaded once somebody looks from one. */
  async know(view) {
    if (view) this.view.knowledge ??= await import("./knowledge.js");
  }

  async enter(place) {
    this.entering = place; // what is asked for meanwhile comes in its place
    try {
      await this.know(place?.view);
      if (this.entering === place) this.go(place);
    } catch { this.fail(); }
  }

  hash({ deal, move }) { return `#d${deal}m${move}${this.spot.view ? `s${this.spot.view}` : ""}`; }

  address(hash) {
    const lang = new URLSearchParams(location.search).get("lang");
    return `${location.pathname}${lang ? `?lang=${encodeURIComponent(lang)}` : ""}${hash}`;
  }

  go(place) {
    if (!place) return;
    const was = this.spot;
    this.spot = { ...was, parts: [], ...place };
    history.replaceState(null, "", this.address(this.hash(this.spot)));
    this.draw({ was });
  }

  beside(by) { return step(this.replay, this.spot, by); }

  jump(deal) {
    if (deal >= 1 && deal <= this.replay.deals.length) this.go({ deal, move: 0 });
  }

  see(view) {
    if (view <= this.replay.sides.length) this.enter({ view });
  }

  /** {hand, flip, rest}: the effects of a step, or half of one; null for none. */
  between(was, { deal, move, view, parts }) {
    const next = this.replay.deals[was.deal - 1].moves[was.move];
    const isWhole = move === was.move + 1 && !parts.length;
    const done = was.parts.length;
    if (!next || deal !== was.deal || view !== was.view) return null;
    if (!isWhole && (move !== was.move || parts.length !== done + 1)) return null;
    const all = Object.entries(split(next)).filter(([, effects]) => effects.length);
    const found = Object.fromEntries(all.slice(done, isWhole ? all.length : done + 1));
    if (isWhole && next.flip && !next.effects.some(([card]) => card === next.flip)) found.flip = [[next.flip, "p", "up"]];
    return found;
  }

  /** The server has drawn this place. */
  adopt() {
    this.view.look(this.spot);
    this.drawLog();
    this.drawMoves();
    this.narrate(true);
  }

  draw({ quiet = false, was = null } = {}) {
    const { spot, view } = this;
    this.motion.finish();
    const parts = was && !reduced.matches ? this.between(was, spot) : null;
    const before = parts && this.motion.measure();
    view.look(spot);
    become(this.part("table"), parsed(view.table()));
    this.drawText();
    this.drawLog();
    this.drawMoves();
    this.drawSteps();
    this.drawPanels();
    this.narrate(quiet);
    if (parts) this.move(parts, before);
  }

  /** Let the cards of a move fly; what it brought floats and rises when it is whole. */
  move(parts, before) {
    const { deal, move } = this.spot;
    const { side, gain, yaku: made } = this.spot.parts.length ? { gain: 0, yaku: [] } : brought(this.view, this.replay.deals[deal - 1], move);
    this.motion.play(parts, before, {
      rate: RATES[this.part("speed").value],
      gain: gain > 0 ? { side, text: `+${gain}` } : null,
      show: made.length ? moment(this.view, made) : "",
    });
  }

  drawMoves() {
    const { deal, move } = this.spot;
    const list = this.part("moves");
    const isNew = this.shownDeal !== deal;
    if (isNew || !list.children.length) list.innerHTML = moves(this.view, deal, (place) => this.hash(place), this.best);
    this.shownDeal = deal;
    for (const link of list.querySelectorAll("a")) {
      const own = Number(link.dataset.move);
      mark(link, "aria-current", own === move, "step");
      link.setAttribute("href", this.hash({ deal, move: own }));
      link.parentElement.hidden = this.guessing && own > move;
    }
    const current = list.querySelector("[aria-current]")?.parentElement;
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    const last = this.replay.deals[deal - 1].moves.length;
    const isHidden = (own) => this.guessing && (own > deal || (own === deal && move < last)); // it tells how the deal ends
    for (const cell of this.querySelectorAll(".rp-score :is(rect,tr>:not(:first-child,.rp-sum))")) {
      const own = Number(cell.dataset.deal ?? cell.cellIndex);
      cell.classList.toggle("now", own === deal);
      cell.classList.toggle("hide", isHidden(own));
      if (isNew && cell.scope && own === deal) cell.closest("div").scrollLeft = cell.offsetLeft - 147;
    }
    if (this.guessing) this.game.offer(this);
  }

  /** Nothing is drawn that no tab shows. */
  async drawPanels() {
    if (this.dataset.tab === "moves") return;
    try {
      this.panels ??= await import("./panels.js");
      this.panels.draw(this);
    } catch {
      this.fail();
    }
  }

  /** Nor the text before somebody opens it. */
  async drawText() {
    const place = this.part("text");
    const isSeen = this.querySelector("#rp-text").open;
    if (!isSeen) { place.replaceChildren(); return; } // it may name hands the view does not know
    try {
      this.texts ??= await import("./text.js");
      place.innerHTML = this.texts.text(this.view);
    } catch {
      place.replaceChildren(); // it shows another place or view
      this.fail();
    }
  }

  async drawLog() {
    const place = this.part("log");
    if (place) (await import("./log.js")).draw(place, this.spot, this.view);
  }

  drawSteps() {
    const { deal, view } = this.spot;
    const to = (number) => (this.replay.deals[number - 1] ? { deal: number, move: 0 } : null);
    const places = { up: to(deal - 1), before: this.beside(-1), after: this.beside(1), down: to(deal + 1) };
    for (const [name, place] of Object.entries(places)) {
      const link = this.querySelector(`.rp-steps [data-go="${name}"]`);
      mark(link, "href", place, place && this.hash(place));
      mark(link, "aria-disabled", !place);
      const label = link.querySelector("small");
      if (label) label.textContent = label.textContent.replace(/\d+/, (place ?? this.spot).deal);
    }
    for (const link of this.querySelectorAll("[data-view]")) mark(link, "aria-current", Number(link.dataset.view) === view);
  }

  narrate(quiet) {
    const { deal, move, parts } = this.spot;
    const number = this.replay.deals[deal - 1].moves.length;
    const place = this.part("words");
    const ariaValueText = this.words.ui("place", { deal, deals: this.replay.deals.length, move, moves: number }) + (parts.length ? " ½" : "");
    this.part("where").textContent = ariaValueText;
    Object.assign(this.part("scrub"), { max: number, value: move, ariaValueText }).style.setProperty("--at", move / number);
    place.textContent = this.words.at(this.spot, false);
    place.classList.toggle("long", place.textContent.length > 180); // as in the template
    const by = this.view.here?.seat;
    if (by >= 0) place.insertAdjacentHTML("afterbegin", `<span class="${this.view.colour(by)}">${this.view.emblem(by)}</span>`);
    mark(place, "tabindex", place.scrollHeight > place.clientHeight + 1, "0"); // focus shows all
    if (!quiet && (!this.timer || move === number)) this.say(this.words.at(this.spot));
  }

  /** In two polite regions in turn: one repeated is read again. */
  say(sentence) {
    const regions = this.querySelectorAll('[data-rp="say"]');
    this.turn = 1 - (this.turn ?? 1);
    regions[this.turn].textContent = sentence;
    regions[1 - this.turn].textContent = "";
  }

  note(said) {
    this.part("done").textContent = said;
    if (said) this.say(said);
  }

  onClick(event) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const picked = event.target.closest(".pick");
    if (picked) { this.game.guess(this, picked.dataset.card); return; }
    const target = event.target.closest("[data-go], [data-do], .rp-tabs button, a[data-move], a[data-view], a[data-jump], [data-rp=words]");
    if (!target) return;
    const { go, do: act, tab, move, view, jump, rp } = target.dataset;
    if (rp === "words") { target.classList.toggle("open"); return; }
    event.preventDefault();
    if (go) this.control(go);
    else if (act) this.tool(act, target);
    else if (tab) this.show(tab);
    else if (move !== undefined) this.go({ deal: this.shownDeal, move: Number(move) });
    else if (view !== undefined) this.see(Number(view));
    else if (jump) this.jump(Number(jump));
  }

  control(name) {
    const by = { before: -1, after: 1 }[name];
    if (name === "play") this.toggle();
    else if (by) this.go(this.beside(by));
    else this.jump(this.spot.deal + (name === "up" ? -1 : 1));
  }

  tool(name, button) {
    const acts = {
      keys: () => this.part("keys").showPopover(),
      guess: () => this.toggleGuess(button),
      link: () => import("./copy.js").then(({ copy }) => copy(this), () => this.note(this.words.ui("copy_by_hand"))),
      best: () => this.leap("toBest"),
      sound: () => Motion.hear(this.press(button)),
      speed: () => this.faster(1, true),
    };
    acts[name]();
  }

  press(button) {
    const is = button.ariaPressed !== "true";
    button.ariaPressed = is;
    return is;
  }

  async leap(act, by) {
    try {
      (await import("./jumps.js"))[act](this, by);
    } catch { this.fail(); }
  }

  async onAsk(event) {
    const form = event.target.closest('[data-rp="ask"]');
    if (!form) return;
    event.preventDefault();
    (await import("./ask.js")).ask(this, form.querySelector("input")); // few ask
  }

  onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog:popover-open")) return;
    const { target } = event;
    const isOurs = target === document.body || this.contains(target) || target.id === "main";
    if (!isOurs || (target.type !== "range" && target.closest("input, textarea, select, [contenteditable]"))) return;
    if (target.closest(".pick") && ["Enter", " "].includes(event.key)) { event.preventDefault(); this.game.guess(this, target.dataset.card); return; }
    if (event.key === " " && target.closest("a, button, summary")) return;
    if (["Home", "End", "ArrowUp", "ArrowDown"].includes(event.key) && target.matches(".rp-moves, .rp-words, .rp-scrub")) return;
    const act = this.keyAct(event);
    if (act) event.preventDefault();
    act?.();
  }

  keyAct({ key, shiftKey }) {
    const { deals } = this.replay;
    const arrows = {
      ArrowLeft: () => (shiftKey ? this.leap("beat", -1) : this.control("before")),
      ArrowRight: () => (shiftKey ? this.leap("beat", 1) : this.control("after")),
      ArrowUp: () => this.control("up"),
      ArrowDown: () => this.control("down"),
      Home: () => this.go({ deal: 1, move: 0 }),
      End: () => this.go({ deal: deals.length, move: deals.at(-1).moves.length }),
    };
    if (arrows[key]) return arrows[key];
    if (document.documentElement.hasAttribute("data-no-keys")) return null;
    if (/^[0-7]$/.test(key)) return () => this.see(Number(key));
    const letters = { " ": () => this.toggle(), y: () => this.fold("yaku"), t: () => this.fold("text"), k: () => this.fold("known"), b: () => this.tool("best"), "?": () => this.tool("keys"), "+": () => this.faster(1), "-": () => this.faster(-1) };
    return letters[key] ?? null;
  }

  show(name) {
    this.dataset.tab = name;
    for (const button of this.part("tabs").children) button.ariaPressed = button.dataset.tab === name;
    this.drawPanels();
  }

  fold(name) {
    const panel = this.querySelector(`#rp-${name}`);
    if (!panel) return;
    if (name === "text") panel.open = !panel.open;
    else this.show(this.dataset.tab === name ? "moves" : name);
    if (panel.open ?? this.dataset.tab === name) panel.querySelector("summary, h3").focus();
  }

  async toggleGuess(button) {
    this.game ??= await import("./guess.js");
    this.game.toggle(this, this.press(button));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (!this.beside(1)) this.jump(1);
    this.pressed(true);
    return this.tick();
  }

  faster(by, wraps) {
    const speed = this.part("speed");
    const at = SLOW_TO_FAST.indexOf(speed.value) + by;
    const next = SLOW_TO_FAST[wraps ? at % SLOW_TO_FAST.length : at];
    if (!next) return;
    speed.value = next;
    speed.lastChild.textContent = this.words.ui("speed", { number: `${next}×` });
    if (this.timer) this.await(); // another speed counts at once
    this.say(speed.textContent);
  }

  await() {
    clearTimeout(this.timer);
    const moment_ = Math.max(SHOW_MS, this.motion.end && this.motion.end + REST_MS);
    this.timer = setTimeout(() => this.tick(), moment_ / RATES[this.part("speed").value]);
  }

  tick() {
    const next = this.beside(1);
    if (!next) return this.stop();
    this.timer ||= -1; // it plays: moves are not said one by one
    this.go(next);
    return this.await();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.words) this.pressed(false);
  }

  pressed(is) {
    const button = this.querySelector('[data-go="play"]');
    button.ariaPressed = is;
    button.querySelector(".sr").textContent = this.words.ui(is ? "pause" : "play");
  }
}

customElements.define("hanami-replay", Replay);
