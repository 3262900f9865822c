// The parts of a move: what its hand card did, what the turned-up card did, and what followed automatically.

/** The effects of a move told apart: hand card, turned-up card, and the rest. */
export function split(move) {
  const cut = move.effects.findLastIndex(([, source]) => source[0] === "h") + 1;
  const pile = move.effects.findIndex(([, source]) => source === "p");
  return {
    hand: move.effects.slice(0, cut),
    flip: pile < 0 ? [] : move.effects.slice(cut, pile + 1),
    rest: move.effects.slice(pile < 0 ? cut : pile + 1),
  };
}

/** The beats of a move: its parts that do something. */
export const beats = (move) => Object.values(split(move)).filter((part) => part.length);
