// What anybody can check of a record without knowing the rules: the twin of core/replay/proof.py, the same
// checks in the same order with the same codes. It takes what anyone may have pasted.

import { hashed, recordHash, shuffled } from "./deck.js";
import { checkNonces } from "./nonces.js";

class Fault extends Error {
  constructor(code, key, told = {}) {
    super(code);
    Object.assign(this, { code, key, told });
  }
}

const short = (value, most = 20) => String(value ?? "").slice(0, most);

function checked(key, check, values = {}) {
  const found = { key, values, state: "ok", code: "", fault: "", told: {} };
  try {
    check();
  } catch (error) {
    const [code, fault, told] = error instanceof Fault ? [error.code, error.key, error.told] : ["record.malformed", "wrong_shape", {}];
    Object.assign(found, { state: "bad", code, fault, told });
  }
  return found;
}

const open = (key, fault) => ({ key, values: {}, state: "open", code: "", fault, told: {} });
const malformed = (key) => checked(key, () => { throw new Fault("record.malformed", "wrong_shape"); });

function list(value) {
  if (!Array.isArray(value)) throw new TypeError();
  return value;
}

function pairs(one, other) {
  if (list(one).length !== list(other).length) throw new TypeError();
  return one.map((value, i) => [value, other[i]]);
}

// -- cards ------------------------------------------------------------------------------------------------------------

function agreeing(expected, found) {
  const most = Math.min(expected.length, found.length);
  for (let place = 0; place < most; place += 1) if (expected[place] !== found[place]) return place;
  return most;
}

function same(expected, found, key, told) {
  const place = agreeing(expected, found);
  if (place === expected.length && place === found.length) return;
  throw new Fault("record.order", key, { ...told, place: place + 1, expected: expected[place] ?? "", found: short(found[place]) });
}

/** The order of a shuffle inside a deal: which of the recipe's two it is the cards tell themselves. */
function further(found, seed, deal, thrown, number, deck) {
  const cards = deck.filter((card) => found.includes(card));
  if (!found.every((card) => deck.includes(card))) throw new TypeError();
  const both = [shuffled("return", seed, deal, thrown, cards), shuffled("reshuffle", seed, deal, number, cards)];
  return agreeing(both[1], found) > agreeing(both[0], found) ? both[1] : both[0];
}

function orders(all, deal, seed, deck) {
  if (list(all)[0]?.length !== deck.length) {
    throw new Fault("record.orders", "wrong_length", { deal, order: 1, has: all[0]?.length ?? 0, should: deck.length });
  }
  let [thrown, inside] = [0, 0];
  all.forEach((found, i) => {
    const isWhole = list(found).length === deck.length;
    const expected = isWhole ? shuffled("deck", seed, deal, thrown, deck) : further(found, seed, deal, thrown - 1, inside, deck);
    if (isWhole) thrown += 1;
    else inside += 1;
    same(expected, found, "wrong_card", { deal, order: i + 1 });
  });
}

function* cards(record, seed, decks) {
  yield checked("commit", () => {
    const [should, has] = [hashed(seed), record.fair.commit];
    if (should !== has) throw new Fault("record.commit", "wrong_commit", { should, has: short(has, 100) });
  });
  const deck = decks[record?.ruleset?.game];
  if (!deck || !Array.isArray(record.draws) || !Array.isArray(record.deals) || !record.deals.every((deal) => Array.isArray(deal?.orders))) {
    yield malformed("decks");
    return;
  }
  if (record.draws.length) {
    yield checked("draws", () => record.draws.forEach((found, i) => {
      const expected = shuffled("dealer", seed, 0, i, deck).slice(0, list(found).length);
      same(expected, found, "wrong_draw", { order: i + 1 });
    }));
  }
  for (const [i, deal] of record.deals.entries()) {
    const n = deal.orders.length;
    yield checked(n === 1 ? "deal" : "orders", () => orders(deal.orders, i + 1, seed, deck), { deal: i + 1, orders: n });
  }
}

// -- the replay's cards against the orders ----------------------------------------------------------------------------

/** Whether these are the same cards, in any order. */
function sameSet(one, other) {
  if ([...one, ...other].some((card) => typeof card !== "string")) throw new TypeError();
  return [...one].sort().join() === [...other].sort().join();
}

/** The draw pile of a deal, as the orders say it lies: what leaves it must be what is next. */
class Pile {
  constructor(deal, all) {
    Object.assign(this, { deal, orders: list(all), order: -1, place: 0, isNew: true });
  }

  follow(effects, move) {
    let run = [];
    for (const [card, source, target] of list(effects)) {
      if (source === "p") run.push(card);
      else if (target === "p") {
        this.take(run, move);
        [run, this.isNew] = [[], true];
      }
    }
    this.take(run, move);
  }

  take(run, move) {
    if (!run.length) return;
    if (this.isNew) this.begin(run);
    const expected = this.orders[this.order].slice(this.place, this.place + run.length);
    this.place += run.length;
    if (sameSet(expected, run)) return;
    const should = expected.find((card) => !run.includes(card)) ?? "";
    const has = run.find((card) => !expected.includes(card)) ?? run[0];
    const at = move ? { move } : {};
    throw new Fault("view.order", move ? "wrong_turned" : "wrong_dealt", { deal: this.deal, ...at, expected: should, found: short(has) });
  }

  /** Go on to the first later order that begins with these cards; the others were thrown in unseen. */
  begin(run) {
    const later = this.orders.findIndex((order, i) => i > this.order && sameSet(order.slice(0, run.length), run));
    this.order = later >= 0 ? later : Math.min(this.order + 1, this.orders.length - 1);
    [this.place, this.isNew] = [0, false];
  }
}

function flow(record, view) {
  pairs(record.deals, view.deals).forEach(([deal, shown], i) => {
    const pile = new Pile(i + 1, deal.orders);
    pile.follow(shown.fx0, 0);
    for (const move of list(shown.moves)) pile.follow(move.fx, move.m);
  });
}

// -- sums and places --------------------------------------------------------------------------------------------------

function equal(should, has, code, key, told) {
  if (!Number.isSafeInteger(has) || should !== has) throw new Fault(code, key, { ...told, should, has: short(has) });
}

const sideCount = (record) => Math.max(...record.seats.map((seat) => seat.side)) + 1;
const added = (one, other) => pairs(one, other).map(([a, b]) => a + b);

function lines(record, view) {
  pairs(record.deals, view.deals).forEach(([deal, shown], i) => (deal.score ?? []).forEach((score, side) => {
    const should = shown.lines.filter((line) => line.side === side).reduce((sum, line) => sum + line.v, 0);
    equal(should, score, "view.lines", "wrong_lines", { deal: i + 1, side: side + 1 });
  }));
}

function totals(record, view) {
  const none = Array(sideCount(record)).fill(0);
  for (const [figure, key] of [["score", "wrong_score"], ["victories", "wrong_victories"]]) {
    const sums = record.deals.reduce((sum, deal) => added(sum, deal[figure] ?? none), none);
    pairs(sums, record.result[figure]).forEach(([should, has], i) => equal(should, has, "record.sum", key, { side: i + 1 }));
  }
  let sums = none;
  pairs(record.deals, view.deals).forEach(([deal, shown], n) => {
    sums = added(sums, deal.score ?? none);
    pairs(sums, shown.total).forEach(([should, has], i) => equal(should, has, "view.total", "wrong_total", { deal: n + 1, side: i + 1 }));
  });
}

function isHigher(one, other) {
  const i = one.findIndex((value, at) => value !== other[at]);
  return i >= 0 && one[i] > (other[i] ?? -Infinity);
}

function ranked(record) {
  const { result, ruleset, forfeits } = record;
  const figures = list(result[ruleset.options.scoring === "victories" ? "victories" : "score"]);
  if (!figures.every(Number.isSafeInteger)) throw new TypeError();
  const gone = new Map();
  for (const one of list(forfeits)) {
    const { side } = record.seats[one.seat];
    const when = [one.deal, one.move];
    if (!gone.has(side) || isHigher(gone.get(side), when)) gone.set(side, when);
  }
  const keys = figures.map((figure, side) => (gone.has(side) ? [0, ...gone.get(side)] : [1, figure, 0]));
  pairs(keys, result.rank).forEach(([key, has], i) => {
    equal(1 + keys.filter((other) => isHigher(other, key)).length, has, "record.rank", "wrong_place", { side: i + 1 });
  });
}

/** Places by the figure that decides the match; a four of a kind in Poka wins it regardless of the points (R88). */
function places(record, view) {
  const last = view?.deals?.at?.(-1)?.lines;
  if (!Array.isArray(last)) return malformed("places");
  if (last.some((line) => line?.code === "buttakuri")) return open("places", "no_rank");
  return checked("places", () => ranked(record));
}

/** Check a document step by step. seed: its bytes, or null while it is not revealed; decks: the cards of every game. */
export function* prove({ record, view, hash }, seed, decks) {
  yield checked("hash", () => {
    const should = recordHash(record);
    if (should !== hash) throw new Fault("record.hash", "wrong_hash", { should, has: short(hash, 100) });
  });
  if (record?.fair && typeof record.fair === "object" && "nonces" in record.fair) {
    yield checked("nonces", () => checkNonces(record, (...fault) => new Fault(...fault)));
  }
  if (seed) yield* cards(record, seed, decks);
  else yield open("decks", "no_seed");
  yield checked("flow", () => flow(record, view));
  yield checked("lines", () => lines(record, view));
  yield checked("totals", () => totals(record, view));
  yield places(record, view);
}
