// The table as markup, the same that templates/matches/_table.html writes. Everything that people named is escaped.

import { number, sideName } from "./words.js";
import { TABLE, boardAt } from "./marks.js";
import { isBlind, knownAt } from "./knowledge.js";
import { apply, positionAt, totalsAt, victoriesAt } from "./reducer.js";

const KINDS = ["bright", "animal", "ribbon", "chaff"];
const LETTERS = "ABCDEFG";
const PLACES = 6;
const FAN = 8;
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** Text made safe for markup. */
export const safe = (text) => String(text).replace(/[&<>"']/g, (mark) => ESCAPES[mark]);

export class View {
  constructor(replay, words, tables, sprite, back) {
    Object.assign(this, { replay, words, tables, sprite, back });
    this.isTeam = replay.sideCount < replay.sides.length;
  }

  /** The position of a spot; `beat` extra parts of the next move are done already. */
  position({ deal, move, parts }) {
    const position = positionAt(this.replay, this.replay.deals[deal - 1], move);
    for (const part of parts) apply(position, part);
    return position;
  }

  card(code, look, name, marker = "") {
    const over = this.tables.overlays[code];
    const glyph = over ? `<use href="${this.sprite}#g-${over}"/>` : "";
    const id = code.replace(".", "0");
    return `<svg class="${look}" role="img" aria-label="${safe(name)}"${marker}><use href="${this.sprite}#c${id}"/>${glyph}</svg>`;
  }

  face(code) {
    const look = `hc${this.tables.special.includes(code) ? " special" : ""}${this.moved.has(code) ? " moved" : ""}`;
    return this.card(code, look, this.words.card(code), ` data-card="${code}"`);
  }

  backs(count) {
    return `<svg class="hc" aria-hidden="true"><use href="${this.sprite}#${this.back}"/></svg>`.repeat(count);
  }

  kinds(tray) {
    return KINDS.map((kind) => [kind, tray.filter((card) => this.tables.kinds[card] === kind).sort()])
      .filter(([, cards]) => cards.length);
  }

  figure(side) {
    const { name, points, decimal } = this.words.book.unit;
    const key = this.replay.scoring === "victories" ? "victories" : points === 1 ? "total" : "total_in";
    const figure = this.figures[side];
    return this.words.ui(key, { number: number(figure), units: number(figure / points).replace(".", decimal), unit: name });
  }

  glyph(kind) {
    return `<svg class="rp-glyph" viewBox="0 0 16 16" aria-hidden="true"><use href="${this.sprite}#i-${kind}" width="16" height="16"/></svg>`;
  }

  account(side) {
    const points = this.now.trays[side].reduce((sum, card) => sum + (this.tables.values[card] ?? 0), 0);
    return `<p class="rp-fig"><b>${safe(this.figure(side))}</b> <span>${safe(this.words.ui("points", { number: points }))}</span></p>`;
  }

  tray(side) {
    const cards = this.now.trays[side];
    const kinds = this.kinds(cards).map(([kind, own]) =>
      `<p class="rp-kind"><span class="rp-label">${this.glyph(kind)}<span class="sr">${safe(this.words.ui(kind))}</span> ${own.length}</span>${own.map((card) => this.face(card)).join("")}</p>`);
    const captures = (count) => safe(this.words.ui("captures", { number: count }));
    return `<button type="button" class="rp-open" popovertarget="tray-${side}">${captures(cards.length)}</button>`
      + `<div class="rp-tray" id="tray-${side}" popover><p class="rp-sheet">${safe(sideName(this.replay, side))}</p>${kinds.join("") || `<p class="rp-label">${captures(0)}</p>`}</div>`;
  }

  /** Whether the cards of a hand are shown: all of them, or one's own unless it was not looked at yet. */
  isOpen(seat) {
    const { view, deal, move } = this.spot;
    return view === 0 || (view === seat + 1 && !isBlind(this.replay, this.replay.deals[deal - 1], move, seat));
  }

  /** The cards of a hidden hand that all have seen. */
  shown(seat) { return this.known ? this.known.hands[seat].filter((card) => this.now.hands[seat].includes(card)) : []; }

  handLabel(seat) {
    const count = this.now.hands[seat].length;
    const shown = this.isOpen(seat) ? [] : this.shown(seat);
    if (shown.length) return this.words.ui("shown", { number: count - shown.length, cards: this.list(shown) });
    return this.words.ui(this.isOpen(seat) ? "hand" : "hidden", { number: count });
  }

  /** What the seat of the view could know here, a sentence each. */
  knowledge() {
    const { known, words } = this;
    if (!known) return [words.ui("knows_all")];
    const said = known.blind ? [words.ui("blind")] : [];
    known.hands.forEach((cards, seat) => {
      if (cards.length && seat !== this.spot.view - 1) said.push(words.ui("in_hand", { who: this.replay.names[seat], cards: this.list(cards) }));
    });
    if (known.pile.length) said.push(words.ui("in_pile", { cards: this.list(known.pile) }));
    return [...said, words.ui("unseen", { number: known.unseen.length, cards: this.list(known.unseen) })];
  }

  seat(seat, offset) {
    const { words, now, spot } = this;
    const deal = this.replay.deals[spot.deal - 1];
    const side = this.replay.sides[seat];
    const isActive = seat === this.active;
    const isShared = this.isTeam || this.replay.hasDiscards;
    const hand = now.hands[seat];
    const isOpen = this.isOpen(seat);
    const title = [
      this.isTeam ? `<span class="rp-letter">${LETTERS[side]}</span> ` : "",
      `<span class="rp-name">${safe(this.replay.names[seat])}</span>`,
      seat === deal.dealer ? ` <small class="rp-tag">${safe(words.ui("dealer"))}</small>` : "",
      ...this.marks(seat).map((mark) => ` <small class="rp-tag rp-mark">${safe(mark)}</small>`),
      isActive ? ` <small class="rp-tag rp-last">${safe(words.ui("moved"))}</small>` : "",
    ].join("");
    const label = safe(this.handLabel(seat));
    const shown = isOpen ? hand : this.shown(seat);
    const cards = shown.map((card) => this.face(card)).join("") + this.backs(hand.length - shown.length);
    const team = this.isTeam ? ` data-team="${LETTERS[side]}"` : "";
    return `<section class="rp-seat${offset ? "" : " rp-me"}${isActive ? " active" : ""}" data-off="${offset}"${team} aria-label="${safe(this.replay.names[seat])}"><h3>${title}</h3>`
      + (isShared ? `<p class="rp-fig"><b>${safe(this.figure(side))}</b></p>` : this.account(side))
      + `<p class="rp-hand${isOpen ? "" : " rp-hidden"}"><span class="sr">${label}</span>${cards}</p>`
      + (isShared ? "" : this.tray(side)) + "</section>";
  }

  places() {
    const { now, words } = this;
    if (this.replay.hasDiscards) {
      const fan = now.discard.slice(-FAN).map((card) => `<li>${this.face(card)}</li>`).join("");
      return `<div class="rp-discard"><ol class="rp-fan">${fan}</ol><small>${safe(words.ui("discard", { number: now.discard.length }))}</small></div>`;
    }
    const used = now.field.findLastIndex(Boolean) + 1;
    const places = now.field.slice(0, Math.max(used, PLACES)).map((card) => (card ? `<li>${this.face(card)}</li>` : '<li class="gap" aria-hidden="true"></li>'));
    return `<ol class="rp-places">${places.join("")}</ol>`;
  }

  field() {
    const { now, words } = this;
    const up = now.up ? `<span class="rp-up">${this.face(now.up)}<small>${safe(words.ui("turned_up"))}</small></span>` : "";
    const marks = this.marks(TABLE).map((mark) => `<small class="rp-mark">${safe(mark)}</small>`).join("");
    return `<section class="rp-field" aria-label="${safe(words.ui("field"))}">${this.places()}`
      + `<div class="rp-pile"><span class="rp-stack">${this.backs(now.pile ? 1 : 0)}</span>${up}<small>${safe(words.ui("pile", { number: now.pile }))}</small>${marks}</div></section>`;
  }

  teams() {
    if (!this.isTeam) return "";
    const trays = this.now.trays.map((_, side) => {
      const name = safe(sideName(this.replay, side));
      return `<section class="rp-seat rp-team" data-team="${LETTERS[side]}" aria-label="${name}"><h3><span class="rp-letter">${LETTERS[side]}</span> ${name}</h3>${this.account(side)}${this.tray(side)}</section>`;
    });
    return `<div class="rp-trays">${trays.join("")}</div>`;
  }

  /** Take a spot in: everything below is drawn from it. */
  look(spot) {
    const deal = this.replay.deals[spot.deal - 1];
    const here = spot.parts.length ? deal.moves[spot.move] : deal.moves[spot.move - 1];
    this.spot = spot;
    this.now = this.position(spot);
    this.known = spot.view ? knownAt(this.replay, deal, spot.move, spot.view - 1) : null;
    this.marks = boardAt(this.words, deal, spot.move);
    this.figures = this.replay.scoring === "victories" ? victoriesAt(this.replay, spot) : totalsAt(this.replay, spot);
    this.active = here ? here.seat : -1;
    const effects = spot.parts.length ? spot.parts.at(-1) : (here?.effects ?? []);
    this.moved = new Set(effects.map(([card]) => card));
  }

  table() {
    const seats = this.replay.sides.length;
    const first = Math.max(this.spot.view - 1, 0);
    const others = Array.from({ length: seats - 1 }, (_, i) => this.seat((first + i + 1) % seats, i + 1));
    return `<div class="rp-others">${others.join("")}</div>${this.field()}${this.seat(first, 0)}${this.teams()}`;
  }

  /** How far every side is; at big tables those who hold nothing share one chip. */
  chips(holders, all, names) {
    const chip = (who, held, dead) => {
      const state = held === all ? "done" : dead ? "dead" : held ? "held" : "none";
      const text = state === "done" || state === "dead" ? this.words.ui(state) : this.words.ui("of", { held, all });
      return `<span class="${state}">${safe(who)} <b>${safe(text)}</b></span>`;
    };
    const sides = names.map((who, side) => ({
      who, held: holders.filter((one) => one === side).length, dead: holders.some((one) => one >= 0 && one !== side),
    }));
    const shown = sides.filter(({ held }) => held || names.length <= 3);
    const rest = shown.length < sides.length ? chip(this.words.ui(shown.length ? "others" : "everybody"), 0, shown.length > 0) : "";
    return shown.map(({ who, held, dead }) => chip(who, held, dead)).join("") + rest;
  }

  yaku() {
    const { trays } = this.now;
    const names = trays.map((_, side) => sideName(this.replay, side));
    return Object.entries(this.tables.yaku).map(([name, cards]) => {
      const holders = cards.map((card) => trays.findIndex((tray) => tray.includes(card)));
      const trio = cards.map((card, i) => {
        const holder = holders[i];
        const key = holder < 0 ? "missing" : "holds";
        const label = this.words.ui(key, { card: this.words.card(card), who: names[holder] });
        return this.card(card, holder < 0 ? "hc ghost" : "hc", label);
      });
      const chips = this.chips(holders, cards.length, names);
      return `<li><h4>${safe(this.words.book.yaku[name])}</h4><p class="rp-trio">${trio.join("")}</p><p class="rp-chips">${chips}</p></li>`;
    }).join("");
  }

  list(cards) {
    return this.words.inTurn("comma", cards.filter(Boolean).map((card) => this.words.card(card))) || this.words.ui("empty");
  }

  captures(side) {
    const kinds = this.kinds(this.now.trays[side]).map(([kind, own]) => this.labelled(this.words.ui(kind), this.list(own)));
    return [this.figure(side), ...kinds].map((text) => this.words.stopped(text)).join(" ");
  }

  hand(seat) {
    const label = this.handLabel(seat);
    return this.words.stopped(this.isOpen(seat) ? this.labelled(label, this.list(this.now.hands[seat])) : label);
  }

  labelled(label, text) { return this.words.phrase("label", { label, text }); }

  /** The table as a list of terms and texts. */
  text() {
    const { now, words } = this;
    const seats = this.replay.sides.length;
    const first = Math.max(this.spot.view - 1, 0);
    const up = now.up ? [this.labelled(words.ui("turned_up"), words.card(now.up))] : [];
    const ended = (marks) => marks.map((mark) => words.stopped(mark));
    const rows = [
      this.replay.hasDiscards ? [words.ui("discard", { number: now.discard.length }), this.list(now.discard)] : [words.ui("field"), this.list(now.field)],
      [words.ui("pile", { number: now.pile }), [...up, ...ended(this.marks(TABLE))].join(" ")],
    ];
    for (let offset = 1; offset <= seats; offset += 1) {
      const seat = (first + offset) % seats;
      const said = [...ended(this.marks(seat)), this.hand(seat), ...(this.isTeam ? [] : [this.captures(seat)])];
      rows.push([this.replay.names[seat], said.join(" ")]);
    }
    if (this.isTeam) now.trays.forEach((_, side) => rows.push([LETTERS[side], this.captures(side)]));
    return rows.map(([term, text]) => `<dt>${safe(term)}</dt><dd>${safe(text)}</dd>`).join("");
  }

  /** The moves of a deal, each a link. */
  moves(deal, link) {
    return this.replay.deals[deal - 1].moves.concat(null).map((_, move) =>
      `<li><a href="${safe(link({ deal, move }))}" data-move="${move}"><span class="rp-n">${move}</span> ${safe(this.words.at({ deal, move }))}</a></li>`).join("");
  }
}
