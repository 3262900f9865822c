// Yaku and knowledge, beside the table for those who look at them: the twin of core/replay/table.py.

import { first } from "./lists.js";
import { become, parsed } from "./morph.js";
import { safe, sideName } from "./words.js";

function yaku(view) {
  const { now: { trays }, words, tables, replay } = view;
  return Object.entries(tables.yaku).map(([name, cards]) => {
    const holders = cards.map((card) => trays.findIndex((tray) => tray.includes(card)));
    const held = new Set(holders.filter((side) => side >= 0));
    const state = held.size > 1 ? "dead" : held.size && !holders.includes(-1) ? "done" : "";
    const trio = cards.map((card, i) => {
      const side = holders[i];
      if (side < 0) return view.card(card, "hc ghost", words.ui("missing", { card: words.card(card) }));
      const label = words.ui("holds", { card: words.card(card), who: sideName(replay, side) });
      return `<span class="s${first(view, side)}">${view.card(card, "hc", label)}</span>`;
    });
    const told = state && `<span class="sr"> ${view.ui(state)}</span>`;
    return `<li${state && ` class="${state}"`}><h4>${safe(words.book.yaku[name])}${told}</h4><p class="rp-trio">${trio.join("")}</p></li>`;
  }).join("");
}

function known(view) {
  const { known: seen, replay, now, spot } = view;
  const said = view.knowledge().map((each) => `<li>${safe(each)}</li>`).join("");
  if (!seen) return `<ul>${said}</ul>`;
  const own = seen.blind ? [] : now.hands[spot.view - 1];
  const look = (card) => (own.includes(card) ? "own" : seen.unseen.includes(card) ? "ghost" : "seen");
  const months = [...Map.groupBy(replay.cards, (card) => card.slice(0, 2)).values()];
  const lines = months.map((cards) => `<li>${cards.map((card) => view.small(card, look(card))).join("")}</li>`);
  return `<ol class="rp-cal" aria-hidden="true">${lines.join("")}</ol><ul class="sr">${said}</ul>`;
}

/** Draw both for the place that is shown. */
export function draw(replay) {
  const { view } = replay;
  if (replay.part("yaku")) become(replay.part("yaku"), parsed(yaku(view)));
  replay.part("known").innerHTML = known(view);
}
