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

/** What the seat of a view could know, a sentence each. */
export function knowledge(view) {
  const { known: seen, words, replay, spot } = view;
  if (!seen) return [words.ui("knows_all")];
  const said = seen.blind ? [words.ui("blind")] : [];
  seen.hands.forEach((cards, seat) => {
    if (cards.length && seat !== spot.view - 1) said.push(words.ui("in_hand", { who: words.name(seat), cards: view.list(cards) }));
  });
  if (seen.pile.length) said.push(words.ui("in_pile", { cards: view.list(seen.pile) }));
  return [...said, words.ui("unseen", { number: seen.unseen.length, cards: view.list(seen.unseen) })];
}

function known(view) {
  const { known: seen, replay, now, spot } = view;
  const said = knowledge(view).map((each) => `<li>${safe(each)}</li>`).join("");
  if (!seen) return `<ul>${said}</ul>`;
  const own = seen.blind ? [] : now.hands[spot.view - 1];
  const look = (card) => (own.includes(card) ? "own" : seen.unseen.includes(card) ? "ghost" : "seen");
  const months = [...Map.groupBy(replay.cards, (card) => card.slice(0, 2)).values()];
  const lines = months.map((cards) => `<li>${cards.map((card) => view.small(card, look(card))).join("")}</li>`);
  return `<ol class="rp-cal" aria-hidden="true">${lines.join("")}</ol><ul class="sr">${said}</ul>`;
}

/** The players once more, above what each of them could know. */
function choice(replay) {
  const links = replay.part("views").cloneNode(true);
  links.firstElementChild.remove(); // all hands open
  for (const name of ["data-rp", "aria-label"]) links.removeAttribute(name);
  links.setAttribute("aria-labelledby", "rp-known-title");
  replay.part("known").before(links);
}

/** Draw both for the place that is shown. */
export function draw(replay) {
  const { view } = replay;
  if (!replay.querySelector("#rp-known nav")) choice(replay);
  if (replay.part("yaku")) become(replay.part("yaku"), parsed(yaku(view)));
  replay.part("known").innerHTML = known(view);
}
