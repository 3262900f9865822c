// <hanami-replay>: the server's page of one position, taken over by a script that steps through the whole record.
// Without the script every control is a link to the same place. Focus moves only when the reader moves it.

import { beats, clamp, read, step } from "./reducer.js";
import { View, safe } from "./view.js";
import { Words, sideName } from "./words.js";
import { answer } from "./ask.js";
import { glide, rects } from "./glide.js";

/** Milliseconds a move, by the number that the reader chooses. */
const SPEEDS = { "½": 3200, 1: 1600, 2: 800, 4: 400 };
const SLOW_TO_FAST = ["½", "1", "2", "4"];
const SHOW_MS = 1600;
const HASH = /^#d(\d+)m(\d+)(?:[ ,+]?s(\d+))?$/;
const lettersAllowed = () => !document.documentElement.hasAttribute("data-no-keys");

async function load(url) {
  const response = await fetch(url, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

class Replay extends HTMLElement {
  async connectedCallback() {
    if (this.words) return;
    const { record, words, sprite, back, deal, move, view } = this.dataset;
    this.spot = { deal: Number(deal), move: Number(move), view: Number(view), parts: [] };
    try {
      const [document_, { book, tables }] = await Promise.all([load(record), load(words)]);
      this.replay = read(document_);
      this.words = new Words(this.replay, book, tables);
      this.view = new View(this.replay, this.words, tables, sprite, back);
    } catch {
      this.dataset.state = "failed"; // the links go on working
      this.part("failed").hidden = false;
      return;
    }
    this.wire();
    this.shownDeal = this.spot.deal;
    if (this.fromHash()) this.draw({ quiet: true });
    else this.adopt();
    this.dataset.state = "ready";
    this.demonstrate();
  }

  /** A page about one moment plays on to its end automatically, once, and says each move. data-until: "deal.move". */
  demonstrate() {
    const { until } = this.dataset;
    if (!until || location.hash) return;
    const place = () => `${this.spot.deal}.${this.spot.move}`;
    let here = place();
    const on = () => {
      if (here !== place() || !this.isConnected) return; // the reader has taken over
      if (here === until) this.say(this.words.at(this.spot));
      else this.go(step(this.replay, this.spot, 1));
      here = place();
      if (here !== until) setTimeout(on, SHOW_MS);
    };
    setTimeout(on, SHOW_MS);
  }

  disconnectedCallback() {
    this.stop();
    this.controller?.abort();
  }

  part(name) { return this.querySelector(`[data-rp="${name}"]`); }

  wire() {
    this.controller = new AbortController();
    const { signal } = this.controller;
    this.addEventListener("click", (event) => this.onClick(event), { signal });
    this.addEventListener("submit", (event) => this.onAsk(event), { signal });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal, capture: true });
    window.addEventListener("hashchange", () => { if (this.fromHash()) this.draw(); }, { signal });
    this.querySelector('[data-go="play"]').hidden = false;
    for (const name of ["tools", "ask"]) this.part(name).hidden = false;
  }

  // -- where we are -----------------------------------------------------------------------------------------------

  fromHash() {
    const found = HASH.exec(decodeURIComponent(location.hash));
    if (!found) return false;
    const [deal, move, view] = found.slice(1).map((text) => Number(text ?? 0));
    this.spot = { ...clamp(this.replay, deal, move), view: this.seatOr0(view), parts: [] };
    return true;
  }

  seatOr0(view) { return view <= this.replay.sides.length ? view : 0; }

  hash({ deal, move }) { return `#d${deal}m${move}${this.spot.view ? `s${this.spot.view}` : ""}`; }

  /** This page at a place; its language stays. */
  address(hash) {
    const lang = new URLSearchParams(location.search).get("lang");
    return `${location.pathname}${lang ? `?lang=${encodeURIComponent(lang)}` : ""}${hash}`;
  }

  go(place, options) {
    if (!place) return;
    this.spot = { ...this.spot, parts: [], ...place };
    history.replaceState(null, "", this.address(this.hash(this.spot)));
    this.draw(options);
  }

  clamped(deal, move) { return clamp(this.replay, deal, move); }

  sideName(side) { return sideName(this.replay, side); }

  jump(deal) {
    if (deal >= 1 && deal <= this.replay.deals.length) this.go({ deal, move: 0 });
  }

  see(view) {
    if (view <= this.replay.sides.length) this.go({ deal: this.spot.deal, move: this.spot.move, view });
  }

  /** Half a move on or back: first the hand card, then the turned-up card. */
  beat(direction) {
    const { deal, move, parts } = this.spot;
    const moves = this.replay.deals[deal - 1].moves;
    if (direction > 0) {
      const all = moves[move] ? beats(moves[move]) : [];
      if (parts.length + 1 < all.length) this.go({ deal, move, parts: all.slice(0, parts.length + 1) });
      else this.go(step(this.replay, this.spot, 1));
    } else if (parts.length) {
      this.go({ deal, move, parts: parts.slice(0, -1) });
    } else {
      const all = move > 0 ? beats(moves[move - 1]) : [];
      if (all.length > 1) this.go({ deal, move: move - 1, parts: all.slice(0, -1) });
      else this.go(step(this.replay, this.spot, -1));
    }
  }

  /** The server has drawn this place: the same table, words and places, to the letter. */
  adopt() {
    this.view.look(this.spot);
    this.drawLog();
    this.drawMoves();
  }

  // -- drawing ----------------------------------------------------------------------------------------------------

  draw({ quiet = false } = {}) {
    const { spot, view } = this;
    view.look(spot);
    const table = this.part("table");
    const before = quiet ? null : rects(table);
    const open = table.querySelector("[popover]:popover-open")?.id;
    table.innerHTML = view.table();
    if (open) document.getElementById(open)?.showPopover();
    if (before) glide(table, before);
    if (this.part("yaku")) this.part("yaku").innerHTML = view.yaku();
    this.part("text").innerHTML = view.text();
    this.part("known").innerHTML = view.knowledge().map((said) => `<li>${safe(said)}</li>`).join("");
    this.drawLog();
    this.drawMoves();
    this.drawSteps();
    this.narrate(quiet);
  }

  drawMoves() {
    const { deal, move } = this.spot;
    const list = this.part("moves");
    if (this.shownDeal !== deal) list.innerHTML = this.view.moves(deal, (place) => this.hash(place));
    this.shownDeal = deal;
    for (const link of list.querySelectorAll("a")) {
      const own = Number(link.dataset.move);
      link.toggleAttribute("aria-current", own === move);
      if (own === move) link.setAttribute("aria-current", "step");
      link.setAttribute("href", this.hash({ deal, move: own }));
      link.parentElement.hidden = this.guessing && own > move;
    }
    const current = list.querySelector("[aria-current]")?.parentElement;
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    const last = this.replay.deals[deal - 1].moves.length;
    for (const cell of this.part("strip").children) {
      const own = Number(cell.dataset.deal);
      cell.classList.toggle("now", own === deal);
      cell.hidden = this.guessing && (own > deal || (own === deal && move < last)); // it would tell how the deal ends
    }
  }

  /** What the reader's own bots printed before this move, beside it; marked in the whole log below as well. */
  drawLog() {
    const place = this.part("log");
    if (!place) return;
    const at = `${this.spot.deal}.${this.spot.move}`;
    const said = [];
    for (const piece of document.querySelectorAll(".rp-log [data-at]")) {
      const isHere = piece.dataset.at === at;
      piece.toggleAttribute("aria-current", isHere);
      if (!isHere) continue;
      piece.setAttribute("aria-current", "true");
      const fault = piece.querySelector("strong")?.textContent.trim().replace(/\s+/g, " ");
      const text = piece.querySelector("pre")?.textContent ?? fault ?? "";
      said.push(`<p>${safe(this.words.ui("printed", { who: piece.dataset.who }))}</p><pre>${safe(text)}</pre>`);
    }
    place.innerHTML = said.join("") || `<p class="soft">${safe(this.words.ui("no_print"))}</p>`;
  }

  drawSteps() {
    const { deal, view } = this.spot;
    const last = this.replay.deals.length;
    const places = {
      up: deal > 1 ? { deal: deal - 1, move: 0 } : null,
      before: step(this.replay, this.spot, -1),
      after: step(this.replay, this.spot, 1),
      down: deal < last ? { deal: deal + 1, move: 0 } : null,
    };
    for (const [name, place] of Object.entries(places)) {
      const link = this.querySelector(`[data-go="${name}"]`);
      if (place) link.setAttribute("href", this.hash(place));
      else link.removeAttribute("href");
      link.toggleAttribute("aria-disabled", !place);
      if (!place) link.setAttribute("aria-disabled", "true");
    }
    for (const link of this.part("views").children) {
      link.toggleAttribute("aria-current", Number(link.dataset.view) === view);
      if (link.hasAttribute("aria-current")) link.setAttribute("aria-current", "true");
    }
  }

  narrate(quiet) {
    const { deal, move, parts } = this.spot;
    const said = this.words.at({ deal, move });
    const moves = this.replay.deals[deal - 1].moves.length;
    const values = { deal, deals: this.replay.deals.length, move, moves };
    this.part("where").textContent = this.words.ui("place", values) + (parts.length ? " ½" : "");
    this.part("words").textContent = said;
    if (!quiet && (!this.timer || move === moves)) this.say(said);
  }

  /** Two polite regions take turns, so that a repeated sentence is read again. */
  say(sentence) {
    const regions = this.querySelectorAll('[data-rp="say"]');
    this.turn = 1 - (this.turn ?? 1);
    regions[this.turn].textContent = sentence;
    regions[1 - this.turn].textContent = "";
  }

  // -- what the reader does ---------------------------------------------------------------------------------------

  onClick(event) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const target = event.target.closest("[data-go], [data-do], a[data-move], a[data-view], a[data-jump]");
    if (!target) return;
    event.preventDefault();
    const { go, do: act, move, view, jump } = target.dataset;
    if (go) this.control(go);
    else if (act) this.tool(act, target);
    else if (move !== undefined) this.go({ deal: this.shownDeal, move: Number(move) });
    else if (view !== undefined) this.see(Number(view));
    else if (jump) this.jump(Number(jump));
  }

  control(name) {
    const { deal } = this.spot;
    if (name === "play") this.toggle();
    else if (name === "before") this.go(step(this.replay, this.spot, -1));
    else if (name === "after") this.go(step(this.replay, this.spot, 1));
    else this.jump(deal + (name === "up" ? -1 : 1));
  }

  tool(name, button) {
    if (name === "keys") this.part("keys").showModal();
    if (name === "guess") {
      this.guessing = !this.guessing;
      button.setAttribute("aria-pressed", String(this.guessing));
      this.stop();
      this.drawMoves();
      this.part("done").textContent = this.guessing ? this.words.ui("guessing") : "";
      if (this.guessing) this.say(this.words.ui("guessing"));
    }
    if (name === "link") this.copyLink();
    if (name === "speed") this.pace(SLOW_TO_FAST[(SLOW_TO_FAST.indexOf(button.value) + 1) % SLOW_TO_FAST.length]);
  }

  /** The address of this place on the page of the match. Plain http and frames may not copy: then it is said. */
  async copyLink() {
    const url = location.origin + (this.dataset.page ?? location.pathname) + this.hash(this.spot);
    let said = "copied";
    try {
      await navigator.clipboard.writeText(url);
    } catch {
      said = "copy_by_hand";
    }
    this.part("done").textContent = this.words.ui(said);
    this.say(this.words.ui(said));
  }

  onAsk(event) {
    const form = event.target.closest('[data-rp="ask"]');
    if (!form) return;
    event.preventDefault();
    const input = form.querySelector("input");
    const found = answer(this, input.value.trim());
    if (found.place) this.go(found.place);
    this.part("answer").textContent = found.place ? this.words.at(this.spot) : found.text;
    input.select();
  }

  onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target;
    const isOurs = target === document.body || this.contains(target) || target.id === "main";
    if (!isOurs || target.closest("input, textarea, select, [contenteditable]")) return;
    if (event.key === " " && target.closest("a, button, summary")) return;
    if (["Home", "End", "ArrowUp", "ArrowDown"].includes(event.key) && target === this.part("moves")) return;
    const act = this.keyAct(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  keyAct({ key, shiftKey }) {
    const { deals } = this.replay;
    const arrows = {
      ArrowLeft: () => (shiftKey ? this.beat(-1) : this.control("before")),
      ArrowRight: () => (shiftKey ? this.beat(1) : this.control("after")),
      ArrowUp: () => this.control("up"),
      ArrowDown: () => this.control("down"),
      Home: () => this.go({ deal: 1, move: 0 }),
      End: () => this.go({ deal: deals.length, move: deals.at(-1).moves.length }),
    };
    if (arrows[key]) return arrows[key];
    if (!lettersAllowed()) return null;
    if (/^[0-7]$/.test(key)) return () => this.see(Number(key));
    const letters = { " ": () => this.toggle(), y: () => this.fold("rp-yaku"), t: () => this.fold("rp-text"), k: () => this.fold("rp-known"), "?": () => this.tool("keys"), "+": () => this.faster(1), "-": () => this.faster(-1) };
    return letters[key] ?? null;
  }

  fold(id) {
    const panel = document.getElementById(id);
    if (!panel) return;
    panel.open = !panel.open;
    if (panel.open) panel.querySelector("summary").focus();
  }

  // -- playing ----------------------------------------------------------------------------------------------------

  toggle() {
    if (this.timer) this.stop();
    else {
      this.timer = setInterval(() => this.tick(), SPEEDS[this.part("speed").value]);
      this.pressed(true);
      this.tick();
    }
  }

  faster(by) {
    const speed = this.part("speed");
    const next = SLOW_TO_FAST[SLOW_TO_FAST.indexOf(speed.value) + by];
    if (next) this.pace(next);
  }

  pace(next) {
    const speed = this.part("speed");
    speed.value = next;
    speed.textContent = this.words.ui("speed", { number: `${next}×` });
    this.paced();
    this.say(speed.textContent);
  }

  /** Another speed counts at once, also while it plays. */
  paced() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = setInterval(() => this.tick(), SPEEDS[this.part("speed").value]);
  }

  tick() {
    const next = step(this.replay, this.spot, 1);
    if (next) this.go(next);
    else this.stop();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    if (this.words) this.pressed(false);
  }

  pressed(is) {
    const button = this.querySelector('[data-go="play"]');
    button.setAttribute("aria-pressed", String(is));
    button.querySelector(".sr").textContent = this.words.ui(is ? "pause" : "play");
  }
}

customElements.define("hanami-replay", Replay);
