// What one seat could know at a place: the twin of core/replay/knowledge.py.

import { positionAt } from "./reducer.js";

const GAJI = "11.4";

/** Whether a seat has not looked at its hand yet: the dealer of Nuki may declare first. */
export function isBlind(replay, deal, move, seat) {
  if (!replay.options.mizuten || seat !== deal.dealer) return false;
  for (const one of deal.moves.slice(0, move).reverse()) {
    if (one.events.some((event) => event.code === "misdeal")) return true;
    if ("see" in one.action || "mizuten" in one.action) return false;
  }
  return true;
}

function follow(seen, seat, effects) {
  for (const [card, source, target] of effects) {
    if (source === "p") {
      seen.piled.delete(card);
      if (target[0] === "h") {
        seen.piled.clear(); // dealt again: it and all others may be anywhere
        seen.shown.clear();
      }
    } else if (target === "p") {
      if (source[0] !== "h" || source === `h${seat}` || seen.shown.has(card)) seen.piled.add(card);
    } else if (target[0] === "h") {
      seen.shown.add(card);
    }
  }
}

function hear(seen, events) {
  for (const event of events) {
    if (!("by" in event)) continue;
    for (const card of [...(event.cards ?? []), event.card]) if (card) seen.shown.add(card);
  }
}

/** {hands: what all know of every hand, pile, unseen, blind} after move `move` of a deal. */
export function knownAt(replay, deal, move, seat) {
  const seen = { shown: new Set(), piled: new Set() };
  follow(seen, seat, deal.start);
  hear(seen, deal.events);
  for (const one of deal.moves.slice(0, move)) {
    follow(seen, seat, one.effects);
    hear(seen, one.events);
    if (one.action.blocked_choice === "return") seen.shown.add(GAJI);
  }
  const now = positionAt(replay, deal, move);
  const blind = isBlind(replay, deal, move, seat);
  seen.piled.delete(now.up);
  const hands = now.hands.map((hand) => hand.filter((card) => seen.shown.has(card)));
  const told = new Set([...now.trays.flat(), ...now.field, ...now.discard, ...now.out, now.up, ...(blind ? [] : now.hands[seat]), ...seen.piled, ...hands.flat()]);
  return { hands, pile: [...seen.piled].sort(), unseen: replay.cards.filter((card) => !told.has(card)), blind };
}
