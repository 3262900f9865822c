// The table as markup, as templates/felt/table.html writes it. What people named is escaped.

import { number, safe, sideName } from "./words.js";
import { TABLE, boardAt } from "./marks.js";
import { LETTERS, apply, positionAt, seatsOf, totalsAt, victoriesAt } from "./reducer.js";
import { ending } from "./lists.js";

const KINDS = ["bright", "animal", "ribbon", "chaff"];
const PLACES = 6;
const TILTS = 5;

/** How a card lies, always the same way, as if laid by hand. */
const tilt = (code) => `t${(Number(code.slice(0, 2)) * 7 + Number(code[3]) * 3) % TILTS}`;

/** Words for those who do not see what they stand beside. */
const sr = (text) => `<span class="sr">${safe(text)}</span>`;

const id = (code) => `c${code.replace(".", "0")}`;

export class View {
  constructor(replay, words, tables, { sprite, back, crests }) {
    Object.assign(this, { replay, words, tables, sprite, back, crests });
    this.isTeam = replay.sideCount < replay.sides.length;
    this.isValued = Object.keys(tables.values).length > 0;
    this.penalty = replay.options.yaku_penalty;
  }

  ui(key, values) { return safe(this.words.ui(key, values)); }

  use(symbol) { return `<use href="${this.sprite}#${symbol}"/>`; }

  plain(symbol, look) { return `<svg class="hc ${look}">${this.use(symbol)}</svg>`; }

  small(code, look = "") { return this.plain(id(code), look); }

  thumb(code) { return `<svg>${this.use(id(code))}</svg>`; }

  /** A team's letter, or its emblem. */
  mark(seat) { return this.isTeam ? `<span class="rp-letter">${LETTERS[this.replay.sides[seat]]}</span>` : this.emblem(seat); }

  /** The class of its colour: team mates have that of their first seat. */
  colour(seat) { return `s${this.replay.sides.indexOf(this.replay.sides[seat])}`; }

  emblem(seat) { return `<svg class="rp-crest"><use href="${this.crests}#s${seat}"/></svg>`; }

  card(code, look, name, marker = "") {
    const over = this.tables.overlays[code];
    const glyph = over ? this.use(`g-${over}`) : "";
    const sign = marker && this.drawn.has(code) ? `<g class="from">${this.use("back")}</g>` : "";
    return `<svg class="${look}" role="img" aria-label="${safe(name)}"${marker}>${this.use(id(code))}${glyph}${sign}</svg>`;
  }

  face(code) {
    const look = `hc ${tilt(code)}${this.moved.has(code) ? " moved" : ""}`;
    return this.card(code, look, this.words.card(code), ` data-card="${code}"`);
  }

  backs(count) {
    return `<svg class="hc" aria-hidden="true">${this.use(this.back)}</svg>`.repeat(count);
  }

  kinds(tray) {
    return KINDS.map((kind) => [kind, tray.filter((card) => this.tables.kinds[card] === kind).sort()])
      .filter(([, cards]) => cards.length);
  }

  points(tray) { return tray.reduce((sum, card) => sum + (this.tables.values[card] ?? 0), 0); }

  /** What the deal would count for a side if it ended now. */
  standing(side) {
    const others = this.now.trays.flatMap((tray, other) => (other === side ? [] : this.words.made([], tray)));
    return this.points(this.now.trays[side]) - others.length * (this.penalty ?? 0);
  }

  figure(side) {
    const { name, points, decimal } = this.words.book.unit;
    const key = this.byVictories ? "victories" : points === 1 ? "total" : "total_in";
    const figure = this.figures[side];
    return this.words.ui(key, { number: number(figure), units: number(figure / points).replace(".", decimal), unit: name });
  }

  glyph(kind) { return `<svg>${this.use(`i-${kind}`)}</svg>`; }

  account(side, hasTray, isNamed = true) {
    const standing = this.standing(side);
    const points = (this.byVictories || standing < 0 ? "" : "+") + number(standing); // beside a total
    const more = hasTray && this.isValued && (standing || this.now.trays[side].length) ? ` <span data-of="${this.ui("pts", { points })}">${this.ui(this.penalty === undefined ? "points" : "so_far", { number: points })}</span>` : "";
    return `<p class="rp-fig"${isNamed ? ` data-side="${side}"` : ""}><b aria-hidden="true" data-unit="${this.ui(this.byVictories ? "won" : "sum")}">${safe(number(this.figures[side]))}</b> ${sr(this.figure(side))}${more}</p>`;
  }

  tray(side) {
    const captures = this.ui("captures", { number: this.now.trays[side].length });
    const kinds = this.kinds(this.now.trays[side]);
    const counts = kinds.map(([kind, own]) => `<i>${this.glyph(kind)}${own.length}</i>`).join("");
    const rows = kinds.map(([kind, own]) =>
      `<p class="rp-kind"><span>${this.glyph(kind)}${sr(this.words.ui(kind))} ${own.length}</span>${own.map((card) => this.face(card)).join("")}</p>`);
    return `<button class="rp-open" popovertarget="tray-${side}"><span${counts && ' class="sr"'}>${captures}</span><b aria-hidden="true">${counts}</b></button>`
      + `<div class="rp-tray" id="tray-${side}" popover><p class="rp-sheet">${safe(sideName(this.replay, side))}</p><div class="rp-kinds">${rows.join("") || `<p class="rp-label">${captures}</p>`}</div></div>`;
  }

  /** Whether a hand is shown: all of them, or one's own unless it was not looked at yet. */
  isOpen(seat) {
    const { view, deal, move } = this.spot;
    return view === 0 || (view === seat + 1 && !this.knowledge.isBlind(this.replay, this.replay.deals[deal - 1], move, seat));
  }

  shown(seat) { return (this.known?.hands[seat] ?? []).filter((card) => this.now.hands[seat].includes(card)); }

  handLabel(seat) {
    const count = this.now.hands[seat].length;
    const shown = this.isOpen(seat) ? [] : this.shown(seat);
    if (shown.length) return this.words.ui("shown", { number: count - shown.length, cards: this.list(shown) });
    return this.words.ui(this.isOpen(seat) ? "hand" : "hidden", { number: count });
  }

  handCards(seat) {
    const hand = this.now.hands[seat];
    const isOpen = this.isOpen(seat);
    const shown = isOpen ? hand : this.shown(seat);
    const cards = shown.map((card) => this.face(card)).join("") + this.backs(hand.length - shown.length);
    return `<p class="rp-hand${isOpen ? "" : " rp-hidden"}">${sr(this.handLabel(seat))}${cards}</p>`;
  }

  /** Whether a seat only watches: its hand went back, and it has not played a card. */
  isOut(seat) { return this.spot.move && !this.now.hands[seat].length && !this.playing.includes(seat); }

  seat(seat, offset) {
    const { replay, spot } = this;
    const deal = replay.deals[spot.deal - 1];
    const side = replay.sides[seat];
    const hasTurn = deal.moves[spot.move]?.seat === seat;
    const hasTray = !this.isTeam && !replay.hasDiscards;
    const name = safe(replay.names[seat]);
    const tags = this.marks(seat).map(safe).join(" · ");
    const title = (this.isTeam ? `<span class="rp-letter">${this.replay.labels[seat]}</span> ` : "")
      + `${this.emblem(seat)} <span class="rp-name">${name}</span>`
      + (seat === deal.dealer ? ` <small class="rp-dealer" title="${this.ui("dealer")}">${this.ui("dealer")}</small>` : "")
      + (tags && ` <small class="rp-tag">${tags}</small>`)
      + (hasTurn ? ` <small class="sr">${this.ui("turn")}</small>` : "");
    const states = { "rp-me": !offset, mover: this.here?.seat === seat, turn: hasTurn, out: this.isOut(seat) };
    const look = ["rp-seat", this.colour(seat), ...Object.keys(states).filter((name) => states[name])].join(" ");
    const team = this.isTeam ? ` data-team="${LETTERS[side]}"` : "";
    return `<section class="${look}" data-off="${offset}" data-seat="${seat}"${team} aria-label="${name}"><h3>${title}</h3>`
      + this.account(side, hasTray, !this.isTeam) + this.handCards(seat) + (hasTray ? this.tray(side) : "") + "</section>";
  }

  places() {
    const { now } = this;
    if (this.replay.hasDiscards) {
      const path = now.discard.map((card) => `<li>${this.face(card)}</li>`).join("");
      return `<div class="rp-discard"><ol class="rp-path">${path}</ol><small>${this.ui("discard", { number: now.discard.length })}</small></div>`;
    }
    const places = this.used.map((card) => (card ? `<li>${this.face(card)}</li>` : '<li class="gap" aria-hidden="true"></li>')).join("");
    return `<ol class="rp-places">${places}</ol>`;
  }

  field() {
    const { now } = this;
    const up = now.up ? `<span class="rp-up">${this.face(now.up)}<small>${this.ui("turned_up")}</small></span>` : "";
    const marks = this.marks(TABLE).map((mark) => `<small class="rp-mark">${safe(mark)}</small>`).join("");
    return `<section class="rp-field r${Math.ceil(this.used.length / PLACES)}${this.end ? " over" : ""}" aria-label="${this.ui("field")}">${this.places()}${this.end}`
      + `<div class="rp-pile"><span class="rp-stack">${this.backs(now.pile ? 1 : 0)}</span>${up}<small>${this.ui("pile", { number: now.pile })}</small>${marks}</div></section>`;
  }

  teams() {
    if (!this.isTeam) return "";
    const trays = this.now.trays.map((_, side) => {
      const name = safe(sideName(this.replay, side));
      const [seat] = seatsOf(this.replay, side);
      return `<section class="rp-seat rp-team s${seat}" data-team="${LETTERS[side]}" aria-label="${name}"><h3>${this.mark(seat)} <span class="rp-name">${name}</span></h3>${this.account(side, true)}${this.tray(side)}</section>`;
    });
    return `<div class="rp-trays">${trays.join("")}</div>`;
  }

  /** Take a spot in: everything below is drawn from it. */
  look(spot) {
    const deal = this.replay.deals[spot.deal - 1];
    this.here = deal.moves[spot.move - (spot.parts.length ? 0 : 1)];
    this.spot = spot;
    this.now = positionAt(this.replay, deal, spot.move);
    for (const part of spot.parts) apply(this.now, part); // half of the next move
    const { hands } = positionAt(this.replay, deal, deal.moves.length);
    const done = deal.moves.flatMap(({ effects }) => effects);
    const plays = (seat) => hands[seat].length || done.some(([, from, to]) => from === `h${seat}` && "fc".includes(to[0]));
    this.playing = [...this.replay.sides.keys()].filter((seat) => this.isTeam || this.replay.hasDiscards || plays(seat));
    const isDuel = !spot.view && this.replay.sides.length === 4 && this.playing.length === 2;
    this.first = isDuel ? this.playing[0] : Math.max(spot.view - 1, 0); // the seat at the bottom
    this.known = spot.view ? this.knowledge.knownAt(this.replay, deal, spot.move, spot.view - 1) : null;
    this.marks = boardAt(this.words, deal, spot.move);
    this.byVictories = this.replay.options.scoring === "victories";
    this.figures = this.byVictories ? victoriesAt(this.replay, spot) : totalsAt(this.replay, spot);
    const effects = spot.parts.at(-1) ?? this.here?.effects ?? [];
    this.moved = new Set(effects.map(([card]) => card));
    this.drawn = new Set(effects.flatMap(([card, source]) => (source === "p" ? card : [])));
    this.used = this.now.field.slice(0, Math.max(this.now.field.findLastIndex(Boolean) + 1, PLACES));
    this.end = ending(this);
  }

  table() {
    const seats = this.replay.sides.length;
    const others = Array.from({ length: seats - 1 }, (_, i) => (this.first + i + 1) % seats);
    const out = others.filter((seat) => !this.playing.includes(seat));
    const isDuel = seats === 4 && out.length === 2; // who plays alone of the others sits opposite
    const drawn = others.map((seat, i) => this.seat(seat, isDuel ? [2, 1, 3][out.indexOf(seat) + 1] : i + 1));
    return `<div class="rp-others">${drawn.join("")}</div>${this.field()}${this.seat(this.first, 0)}${this.teams()}`;
  }

  list(cards) {
    return this.words.inTurn("comma", cards.filter(Boolean).map((card) => this.words.card(card))) || this.words.ui("empty");
  }

  labelled(label, text) { return this.words.phrase("label", { label, text }); }
}
