// The effects of a move told apart; its beats are the parts that do something.

export function split(move) {
  const cut = move.effects.findLastIndex(([, source]) => source[0] === "h") + 1;
  const pile = move.effects.findIndex(([, source]) => source === "p");
  return {
    hand: move.effects.slice(0, cut),
    flip: pile < 0 ? [] : move.effects.slice(cut, pile + 1),
    rest: move.effects.slice(pile < 0 ? cut : pile + 1),
  };
}

export const beats = (move) => Object.values(split(move)).filter((part) => part.length);
