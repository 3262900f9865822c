// Every move in words: the twin of core/replay/words.py, over the same book of words.

import { split } from "./parts.js";
import { positionAt, seatOf, seatsOf } from "./reducer.js";

const GAJI = "11.4";
const FULL_MONTH = 4;

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** Text made safe for markup. */
export const safe = (text) => String(text).replace(/[&<>"']/g, (mark) => ESCAPES[mark]);

/** Put values into a message; a parameter without value stays. */
export const fill = (message, values) => message.replace(/%\((\w+)\)s/g, (whole, name) => values[name] ?? whole);

export const number = (value) => String(value).replace("-", "\u2212");

/** The players of a side, joined, each named once. */
export const sideName = (replay, side) => [...new Set(seatsOf(replay, side).map((seat) => replay.names[seat]))].join(" + ");

/** The name of a move among the words of a game: with its value, once more in a row, or bare. */
export function moveKey(known, { action, seat }, last) {
  const [kind, value] = Object.entries(action)[0] ?? ["", ""];
  const again = last?.seat === seat && kind in last.action ? [`${kind} again`] : [];
  return [`${kind} ${value}`, ...again].find((name) => name in known) ?? kind;
}

/** The name of an event among those words: `begin forced_out` if somebody was, else `begin`. */
export function eventKey(known, event) {
  const isThere = ([, value]) => (Array.isArray(value) ? value.length : value);
  return Object.entries(event).filter(isThere).map(([key]) => `${event.code} ${key}`).find((name) => name in known) ?? event.code;
}

/** The field cards that went into a tray; into any, since a claim may pass one on at once. */
export const takenBy = (effects, tray = "c") =>
  effects.flatMap(([card, source, target]) => (source === "f" && target.startsWith(tray) ? [card] : [])).sort();

export class Words {
  constructor(replay, book, tables) { Object.assign(this, { replay, book, tables }); }

  card(code) { return this.book.cards[code] ?? code; }
  flower(month) { return this.book.flowers[month - 1]; }
  ui(key, values = {}) { return fill(this.book.interface[key], values); }
  phrase(key, values) { return fill(this.book.phrases[key], values); }
  name(seat) { return this.replay.called[seat]; }

  cards(codes) { return this.listed(codes.map((code) => this.card(code))); }

  listed(names) {
    if (names.length < 2) return names.join("");
    return this.phrase("and", { list: this.inTurn("comma", names.slice(0, -1)), last: names.at(-1) });
  }

  /** Put together as a language does it: `comma` (a list), `part` (of a sum), `then`, `more` (sentences). */
  inTurn(key, parts) {
    return parts.length ? parts.reduce((one, other) => this.phrase(key, { one, other, part: one, next: other })) : "";
  }

  stopped(text) { return this.phrase("stop", { text }); }

  made(before, after) {
    return Object.entries(this.tables.yaku)
      .filter(([, cards]) => cards.every((card) => after.includes(card)) && !cards.every((card) => before.includes(card)))
      .map(([name]) => name);
  }

  play(move, who, effects) {
    const card = move.action.play;
    const target = move.action.take;
    const left = effects.find(([one]) => one === card);
    const taken = takenBy(effects);
    if (left?.[2][0] === "c" && taken.length) return this.phrase("take", { who, card: this.card(card), taken: this.cards(taken) });
    if (target?.includes(".")) return this.phrase("name", { who, card: this.card(card), target: this.card(target) });
    return this.phrase("lay", { who, card: this.card(card) });
  }

  blocked(choice, who, tray, effects) {
    if (choice === "leave" || choice === "return") return this.phrase(choice, { who, card: this.card(GAJI) });
    const taken = takenBy(effects, tray);
    if (taken.length && effects.some(([card, , target]) => card === GAJI && target === tray)) {
      return this.phrase("take", { who, card: this.card(GAJI), taken: this.cards(taken) });
    }
    return this.phrase("name_again", { who, target: this.card(choice) });
  }

  action(move, pending, last) {
    const { action } = move;
    const who = this.name(move.seat);
    const tray = `c${this.replay.sides[move.seat]}`;
    const parts = split(move);
    if ("play" in action) return this.play(move, who, parts.hand);
    if ("hiki" in action) return this.phrase("hiki", { who, flower: this.flower(action.hiki) });
    if ("draw_only" in action) return this.phrase("draw_only", { who });
    if ("blocked_choice" in action) {
      return this.blocked(action.blocked_choice, who, tray, parts.hand.length ? parts.hand : parts.flip);
    }
    if ("draw_take" in action && pending) {
      return this.phrase("choose", { who, card: this.card(pending), taken: this.cards(takenBy(parts.flip)) });
    }
    const { moves } = this.book.own;
    const said = moves[moveKey(moves, move, last)];
    if (said) return this.own(said, { ...action, by: move.seat });
    return this.phrase("other", { who, text: Object.entries(action).map(([key, one]) => `${key} ${one}`).join(" ") });
  }

  own(said, told) {
    const values = { who: "by" in told ? this.value("seat", told.by) : "" };
    for (const [name, kind] of Object.entries(said.values)) {
      if (name in told) values[name] = this.value(kind, told[name]);
    }
    return fill(said.text, values);
  }

  value(kind, value) {
    switch (kind) {
      case "seat": return this.name(this.seat(value));
      case "seats": return this.listed(value.map((one) => this.name(this.seat(one))));
      case "score": return [...value].sort((a, b) => b - a).map(number).join(" : ");
      case "side": return sideName(this.replay, value);
      case "card": return this.card(value);
      case "cards": return this.cards(value);
      case "flower": return this.flower(value);
      case "yaku": return this.book.yaku[value] ?? value;
      case "number": return number(value);
      default: return String(value);
    }
  }

  seat(value) { return typeof value === "string" ? seatOf(value) : value; }

  flip(move) {
    if (move.flip === null) return [];
    const card = this.card(move.flip);
    const own = move.effects.find(([one, source]) => one === move.flip && source === "p");
    if (!own) return [this.phrase("flip_wait", { card })];
    const turned = this.book.own.moves.flip;
    if (own[2] === "d" && turned) return [this.own(turned, { flip: move.flip, by: move.seat })];
    if (own[2] === "f") return [this.phrase("flip_lay", { card })];
    const taken = takenBy(split(move).flip);
    return [taken.length ? this.phrase("flip_take", { card, taken: this.cards(taken) }) : this.phrase("flip_pass", { card })];
  }

  event(event) {
    const side = "side" in event ? sideName(this.replay, event.side) : "";
    switch (event.code) {
      case "triple": return [];
      case "hiki_block":
      case "forbidden": return [this.phrase(event.code === "forbidden" ? event.code : "blocked", { who: this.name(event.by), flower: this.flower(event.month) })];
      case "transfer":
      case "flip_transfer": return [this.phrase("transfer", { who: side, card: this.card(event.card) })];
      case "end_claim": return [this.phrase("claim", { who: side, cards: this.cards(event.cards) })];
      default: {
        const { events } = this.book.own;
        const said = events[eventKey(events, event)];
        return [said ? this.own(said, event) : this.phrase("event", { text: event.code })];
      }
    }
  }

  forfeit({ seat, code }) {
    return this.phrase("forfeit", { who: this.name(seat), text: this.book.causes[code] ?? code });
  }

  forfeits(deal, move) {
    return this.replay.forfeits
      .filter((one) => one.deal === deal.number && one.move === move.number && one.seat === move.seat)
      .map(this.forfeit, this);
  }

  /** The yaku of a move, unless the game's own words have said so. */
  yaku(before, after, events) {
    const { events: known } = this.book.own;
    const told = events.flatMap((event) =>
      Object.entries(known[eventKey(known, event)]?.values ?? {}).flatMap(([key, kind]) => (kind === "yaku" ? [event[key]] : [])));
    return after.trays.flatMap((tray, side) =>
      this.made(before.trays[side], tray).filter((name) => !told.includes(name)).map((name) => this.phrase("yaku", { yaku: this.book.yaku[name] ?? name })));
  }

  move(deal, at) {
    const move = deal.moves[at - 1];
    const before = positionAt(this.replay, deal, at - 1);
    const byHand = (event) => ["hiki_block", "forbidden", "triple"].includes(event.code);
    const said = [...this.forfeits(deal, move), this.action(move, before.up, deal.moves[at - 2])];
    for (const event of move.events.filter(byHand)) said.push(...this.event(event));
    if (move.events.some((event) => event.code === "hiki_block")
      && move.effects.some(([card, , target]) => card === GAJI && target === "f")) {
      said.push(this.phrase("stays", { card: this.card(GAJI) }));
    }
    said.push(...this.flip(move));
    const { events } = this.book.own;
    const later = move.events.filter((one) => !byHand(one));
    const isOwn = (event) => eventKey(events, event) in events;
    const tell = (found) => found.flatMap((event) => this.event(event));
    const made = this.yaku(before, positionAt(this.replay, deal, at), move.events);
    return [...said, ...tell(later.filter((one) => !isOwn(one))), ...made, ...tell(later.filter(isOwn))];
  }

  dealt(deal) {
    const said = [this.phrase("dealt", { who: this.name(deal.dealer), number: number(deal.number) })];
    const months = deal.start.flatMap(([card, source, target]) => (source === "f" && target[0] === "c" ? [card.slice(0, 2)] : []));
    for (const month of [...new Set(months)].sort()) {
      if (months.filter((one) => one === month).length !== FULL_MONTH) continue;
      const who = sideName(this.replay, this.replay.sides[deal.dealer]);
      said.push(this.phrase("setup", { who, flower: this.flower(Number(month)) }));
    }
    const { events } = this.book.own;
    for (const event of deal.events) {
      const key = eventKey(events, event);
      if (key in events) said.push(this.own(events[key], event));
    }
    const early = deal.number === 1 ? this.replay.forfeits.filter((one) => one.deal === 0) : [];
    return [...said, ...early.map(this.forfeit, this)];
  }

  scores(deal) {
    const parts = deal.score.map((score, side) =>
      this.phrase("score", { who: sideName(this.replay, side), number: number(score) }));
    const said = this.stopped(this.phrase("deal_over", { number: String(deal.number), scores: this.inTurn("comma", parts) }));
    if (deal.winner === null) return said;
    const side = this.replay.sides[deal.winner];
    const lines = this.line(deal, side);
    const winner = this.phrase(lines ? "deal_won" : "deal_won_only", { who: sideName(this.replay, side), lines });
    return this.inTurn("more", [said, this.stopped(winner)]);
  }

  /** Where a side's score comes from. */
  line(deal, side) {
    const lines = deal.lines.filter((line) => line.side === side);
    const total = number(deal.score[side]);
    const parts = this.inTurn("part", lines.map((line) => this.part(line)));
    if (lines.length > 1) return this.phrase("line_sum", { parts, number: total });
    return lines.length ? parts : deal.score[side] ? total : "";
  }

  /** The same part by part; what one other takes by its yaku is one. */
  parts(deal, side, points) {
    const own = deal.lines.filter((line) => line.side === side);
    const groups = Map.groupBy(own, (line) => (line.code === "opp_yaku" ? line.by ?? line : line)).values();
    const { tie } = this.book.own.lines;
    const isTie = tie && this.replay.sides[deal.winner] === side && deal.score.filter((one) => one === deal.score[side]).length > 1;
    const said = [...points, ...[...groups].map((all) => this.part({ ...all[0], v: all.reduce((sum, { v }) => sum + v, 0) }, all)), ...(isTie ? [tie] : [])];
    const last = said.pop() ?? this.line(deal, side);
    return [...said.map((part) => this.phrase("part", { part, next: "" })), last];
  }

  part({ code, v, yaku = null, by = null }, all = [{ yaku }]) {
    const values = { number: number(v), text: this.book.own.lines[code] ?? code };
    if (by !== null) values.who = sideName(this.replay, by);
    if (code === "opp_yaku" && by !== null) return this.phrase("line_yaku", { ...values, yaku: this.inTurn("comma", all.map((one) => this.book.signs[one.yaku] ?? one.yaku)) });
    if (code === "cards") return this.phrase("line_cards", values);
    if (by === null && v > 0) values.number = `+${v}`;
    if (yaku !== null) {
      const name = this.book.yaku[yaku] ?? yaku;
      values.text = code === "yaku" ? name : this.phrase("line_named", { ...values, yaku: name });
    }
    if (!v) return values.text;
    return this.phrase(by === null ? "line_other" : v > 0 ? "line_from" : "line_to", values);
  }

  at({ deal, move }, full = true) {
    const here = this.replay.deals[deal - 1];
    const said = this.stopped(this.inTurn("then", move ? this.move(here, move) : this.dealt(here)));
    return full && move === here.moves.length && here.score.length ? this.inTurn("more", [said, this.scores(here)]) : said;
  }
}
