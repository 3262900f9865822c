// Half a move, and from one best moment to the next: what few readers ask a replay for.

import { beats } from "./parts.js";

/** Half a move forwards (1) or back (-1): hand card, then turned-up card. */
export function beat(viewer, direction) {
  const { deal, move, parts } = viewer.spot;
  const all = (number) => beats(viewer.replay.deals[deal - 1].moves[number] ?? { effects: [] });
  if (direction > 0) {
    const found = all(move);
    viewer.go(parts.length + 1 < found.length ? { deal, move, parts: found.slice(0, parts.length + 1) } : viewer.beside(1));
  } else if (parts.length) {
    viewer.go({ deal, move, parts: parts.slice(0, -1) });
  } else {
    const found = all(move - 1);
    viewer.go(found.length > 1 ? { deal, move: move - 1, parts: found.slice(0, -1) } : viewer.beside(-1));
  }
}

/** The next of the best moments; after the last, the first. */
export function toBest(viewer) {
  const { best } = viewer;
  if (!best.length) return;
  viewer.bestAt = ((viewer.bestAt ?? -1) + 1) % best.length;
  const [deal, move] = best[viewer.bestAt].split(".").map(Number);
  viewer.go({ deal, move });
  viewer.part("done").textContent = viewer.words.ui("best", { number: viewer.bestAt + 1, all: best.length });
}
