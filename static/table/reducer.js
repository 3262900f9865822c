// Positions of a replay from its record document: the twin of core/replay/reducer.py. No rules in here:
// every effect says which card goes from which zone to which.

/** All 48 codes, for a record that does not tell its orders. */
const ALL = Array.from({ length: 48 }, (_, i) => `${String(Math.floor(i / 4) + 1).padStart(2, "0")}.${(i % 4) + 1}`);

export const LETTERS = "ABCDEFG";

export const seatOf = (text) => (typeof text === "string" ? Number(text.slice(1)) : null);

function readMove(data) {
  const { by, flip = null, ...action } = data.a;
  const events = (data.ev ?? []).map((event) => (typeof event === "string" ? { code: event } : event));
  return { number: data.m, seat: seatOf(by) ?? 0, action, flip, effects: data.fx, events };
}

function readDeal(record, view) {
  return {
    number: record.n,
    dealer: seatOf(record.dealer) ?? 0,
    winner: seatOf(record.winner),
    start: view.fx0 ?? [],
    events: (view.ev0 ?? []).map((event) => (typeof event === "string" ? { code: event } : event)),
    moves: (view.moves ?? []).map(readMove),
    lines: view.lines ?? [],
    score: record.score ?? [],
    total: view.total ?? [],
    victories: record.victories ?? [],
  };
}

/** Names of the seats; one that several sides have gets side and seat: `A1 Plum`. */
function toldApart(names, sides) {
  const shared = (name) => new Set(sides.filter((_, seat) => names[seat] === name)).size > 1;
  return names.map((name, seat) => (shared(name) ? `${LETTERS[sides[seat]]}${seat + 1} ${name}` : name));
}

/** Of its team, and which of it: "A2"; nothing where nobody shares a side. */
function label(side, seat, sides) {
  const before = sides.slice(0, seat).filter((each) => each === side).length;
  return new Set(sides).size < sides.length ? `${LETTERS[side]}${before + 1}` : "";
}

/** The whole match of a record document as plain values. called: the names of the seats in sentences. */
export function read({ record, view }) {
  const cards = [...(record.deals.find((deal) => deal.orders?.length)?.orders[0] ?? ALL)].sort();
  const sides = record.seats.map((seat) => seat.side);
  const names = toldApart(sides.map((_, seat) => view.names?.[seat] || `p${seat}`), sides);
  const labels = sides.map(label);
  return {
    sides,
    names,
    labels,
    called: names.map((name, seat) => `${labels[seat]} ${name}`.trimStart()),
    sideCount: Math.max(...sides) + 1,
    result: record.result,
    game: record.ruleset.game,
    deck: cards.length,
    cards,
    options: record.ruleset.options,
    hasDiscards: (view.deals[0]?.fx0 ?? []).some(([, , target]) => target === "d"),
    forfeits: record.forfeits ?? [],
    deals: record.deals.map((deal, i) => readDeal(deal, view.deals[i])),
  };
}

export const seatsOf = (replay, side) => replay.sides.flatMap((own, seat) => (own === side ? [seat] : []));

function zone(position, name) {
  if (name[0] === "h") return position.hands[Number(name.slice(1))];
  if (name[0] === "c") return position.trays[Number(name.slice(1))];
  return name === "d" ? position.discard : position.out;
}

function leave(position, card, source) {
  if (source === "p") {
    if (position.up === card) position.up = null;
    else position.pile -= 1;
  } else if (source === "f") {
    position.field[position.field.indexOf(card)] = null;
  } else {
    const cards = zone(position, source);
    cards.splice(cards.indexOf(card), 1);
  }
}

function arrive(position, card, target) {
  if (target === "p") {
    position.pile += 1;
  } else if (target === "f") {
    const free = position.field.indexOf(null);
    if (free < 0) position.field.push(card);
    else position.field[free] = card;
  } else {
    const cards = zone(position, target);
    cards.push(card);
    if (target[0] === "h") cards.sort();
  }
}

export function apply(position, effects) {
  for (const [card, source, target] of effects) {
    leave(position, card, source);
    arrive(position, card, target);
  }
}

function play(position, move) {
  apply(position, move.effects);
  if (move.flip !== null && !move.effects.some(([card]) => card === move.flip)) {
    position.up = move.flip;
    position.pile -= 1;
  }
}

/** The position after move `number` of a deal; 0 is the fresh deal. */
export function positionAt(replay, deal, number) {
  const position = {
    hands: replay.sides.map(() => []),
    trays: Array.from({ length: replay.sideCount }, () => []),
    field: [], pile: replay.deck, discard: [], out: [], up: null,
  };
  apply(position, deal.start);
  for (const move of deal.moves.slice(0, number)) play(position, move);
  return position;
}

export function clamp(replay, deal, move) {
  const d = Math.min(Math.max(deal, 1), replay.deals.length);
  return { deal: d, move: Math.min(Math.max(move, 0), replay.deals[d - 1].moves.length) };
}

/** The place one move before (-1) or after (1), across deals; null at the ends of the match. */
export function step(replay, { deal, move }, direction) {
  const next = move + direction;
  if (next >= 0 && next <= replay.deals[deal - 1].moves.length) return { deal, move: next };
  const other = replay.deals[deal - 1 + direction];
  return other ? { deal: other.number, move: direction > 0 ? 0 : other.moves.length } : null;
}

/** The running score per side: a deal counts once it is over. */
export function totalsAt(replay, { deal, move }) {
  const here = replay.deals[deal - 1];
  if (move === here.moves.length && here.total.length) return here.total;
  return deal > 1 ? replay.deals[deal - 2].total : Array(replay.sideCount).fill(0);
}

/** Victories per side so far, counted like the totals. */
export function victoriesAt(replay, { deal, move }) {
  const done = move === replay.deals[deal - 1].moves.length ? deal : deal - 1;
  const won = Array(replay.sideCount).fill(0);
  for (const one of replay.deals.slice(0, done)) one.victories.forEach((count, side) => { won[side] += count; });
  return won;
}
