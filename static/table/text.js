// The table as a list of terms and texts, as templates/matches/_text.html writes it, once somebody has opened it.

import { TABLE } from "./marks.js";
import { LETTERS } from "./reducer.js";
import { safe } from "./words.js";

/** A side's figure and what it captured, in words. */
export function captures(view, side) {
  const kinds = view.kinds(view.now.trays[side]).map(([kind, own]) => view.labelled(view.words.ui(kind), view.list(own)));
  return [view.figure(side), ...kinds].map((text) => view.words.stopped(text)).join(" ");
}

/** What is seen of a seat's hand, in words. */
export function hand(view, seat) {
  const label = view.handLabel(seat);
  return view.words.stopped(view.isOpen(seat) ? view.labelled(label, view.list(view.now.hands[seat])) : label);
}

function middle(view) {
  const { now, words } = view;
  const up = now.up ? [view.labelled(words.ui("turned_up"), words.card(now.up))] : [];
  const ended = view.marks(TABLE).map((mark) => words.stopped(mark));
  return [
    view.replay.hasDiscards ? [words.ui("discard", { number: now.discard.length }), view.list(now.discard)] : [words.ui("field"), view.list(now.field)],
    [words.ui("pile", { number: now.pile }), [...up, ...ended].join(" ")],
  ];
}

/** Everything on the table, the seats in turn after the one at the bottom. */
export function text(view) {
  const { replay, words } = view;
  const rows = middle(view);
  for (let offset = 1; offset <= replay.sides.length; offset += 1) {
    const seat = (view.first + offset) % replay.sides.length;
    const ended = view.marks(seat).map((mark) => words.stopped(mark));
    const own = view.isTeam ? [] : [captures(view, seat)];
    rows.push([view.words.name(seat), [...ended, hand(view, seat), ...own].join(" ")]);
  }
  if (view.isTeam) view.now.trays.forEach((_, side) => rows.push([LETTERS[side], captures(view, side)]));
  return rows.map(([term, said]) => `<dt>${safe(term)}</dt><dd>${safe(said)}</dd>`).join("");
}
