// Guessing the next move: the cards of the hand that moves next may be picked, and the choice is compared.

import { split } from "./parts.js";
import { step } from "./reducer.js";

/** The hand card of a move, if it begins with one. */
const played = (move) => split(move).hand.find(([, source]) => source === `h${move.seat}`)?.[0];

/** Begin or leave off. */
export function toggle(viewer, is) {
  viewer.guessing = is ? { right: 0, all: 0 } : null;
  viewer.toggleAttribute("data-guess", is);
  viewer.stop();
  viewer.draw({ quiet: true });
  viewer.note(is ? viewer.words.ui("guessing") : "");
}

/** Let a card of the hand that moves next be picked. */
export function offer(viewer) {
  const { deal, move, parts } = viewer.spot;
  const next = viewer.replay.deals[deal - 1].moves[move];
  if (!next || parts.length || !played(next)) return;
  for (const card of viewer.querySelectorAll(`.rp-seat[data-seat="${next.seat}"] .rp-hand [data-card]`)) {
    card.classList.add("pick");
    card.setAttribute("tabindex", "0");
    card.setAttribute("role", "button");
  }
}

/** Compare the card that was picked, and show the move. */
export function guess(viewer, card) {
  const { deal, move } = viewer.spot;
  const next = viewer.replay.deals[deal - 1].moves[move];
  const own = played(next);
  viewer.guessing.all += 1;
  viewer.guessing.right += own === card;
  viewer.go(step(viewer.replay, viewer.spot, 1));
  const values = { who: viewer.words.name(next.seat), card: viewer.words.card(own), ...viewer.guessing };
  const said = viewer.words.ui(own === card ? "guess_right" : "guess_wrong", values);
  viewer.part("done").textContent = said;
  viewer.say(viewer.words.inTurn("more", [said, viewer.words.at(viewer.spot)]));
}
