// Notes that stay on the table while a deal is played: twin of core/replay/marks.py.

import { eventKey, fill, moveKey } from "./words.js";

/** Where a note stands that belongs to no seat. */
export const TABLE = -1;

/** The notes after move `move` of a deal, by place: a seat or TABLE. */
export function boardAt(words, deal, move) {
  const known = words.book.own.marks;
  const notes = new Map();
  const put = (place, group, text) => {
    const kept = (notes.get(place) ?? []).filter(([own]) => !group || own !== group);
    notes.set(place, text ? [...kept, [group, text]] : kept);
  };
  const places = (mark, told) => {
    if (!mark.seats.length) return [TABLE];
    if (mark.seats.includes("*")) return words.replay.sides.keys();
    return mark.seats.filter((key) => key in told).flatMap((key) => told[key]).map((one) => words.seat(one));
  };
  const write = (key, told) => {
    for (const mark of known[key] ?? []) {
      const kinds = Object.entries(mark.values);
      if (!kinds.every(([name]) => name in told)) continue;
      const text = fill(mark.text, Object.fromEntries(kinds.map(([name, kind]) => [name, words.value(kind, told[name])])));
      for (const place of places(mark, told)) put(place, mark.group, text);
    }
  };
  const tell = (events) => events.forEach((event) => write(eventKey(known, event), event));
  tell(deal.events);
  for (const one of deal.moves.slice(0, move)) {
    write(moveKey(known, one), { ...one.action, by: one.seat });
    if (one.flip) write("flip", one);
    tell(one.events);
  }
  return (place) => (notes.get(place) ?? []).map(([, text]) => text);
}
