// The command box: short questions about the table, answered in words.

import { knowledge } from "./panels.js";
import { clamp } from "./reducer.js";
import { captures, hand } from "./text.js";
import { sideName } from "./words.js";

/** Answer what stands in the box. */
export function ask(element, input) {
  const found = answer(element, input.value.trim());
  if (found.place) element.go(found.place);
  element.part("answer").textContent = found.place ? element.words.at(element.spot) : found.text;
  input.select();
}

/** What a command says, as {text}, or where it leads, as {place}. */
function answer(element, command) {
  const { view, words, spot, replay } = element;
  const [name, rest = ""] = command.split(/\s+/, 2);
  const seats = replay.sides.map((_, seat) => seat);
  switch (name) {
    case "h": return { text: seats.map((seat) => view.labelled(view.words.name(seat), hand(view, seat))).join(" ") };
    case "f": {
      const month = rest.padStart(2, "0");
      return { text: view.list(view.now.field.filter((card) => card && (!rest || card.startsWith(month)))) };
    }
    case "c": {
      const side = Number(rest || 1) - 1;
      if (!view.now.trays[side]) break;
      return { text: captures(view, side) };
    }
    case "s": return { text: words.inTurn("comma", view.now.trays.map((_, side) => view.labelled(sideName(replay, side), view.figure(side)))) };
    case "k": return { text: knowledge(view).join(" ") };
    case "l": return { text: words.at(spot) };
    case "g": {
      const found = /^d(\d+)(?:m(\d+))?$/.exec(rest);
      if (found) return { place: clamp(replay, Number(found[1]), Number(found[2] ?? 0)) };
      break;
    }
    default:
  }
  return { text: words.ui("unknown") };
}
