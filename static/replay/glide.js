// Cards glide from where they were to where they are. They jump when motion is reduced.

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const GLIDE_MS = 320;

/** Where every open card lies now, by code. */
export function rects(table) {
  const found = new Map();
  if (reduced.matches) return found;
  for (const card of table.querySelectorAll("[data-card]")) found.set(card.dataset.card, card.getBoundingClientRect());
  const pile = table.querySelector(".rp-stack")?.getBoundingClientRect();
  if (pile?.width) found.set("pile", pile);
  return found;
}

/** Let each card that has moved glide in from its old place, new ones from the pile. */
export function glide(table, before) {
  if (reduced.matches || !before.size) return;
  const moves = [];
  for (const card of table.querySelectorAll("[data-card]")) {
    const from = before.get(card.dataset.card) ?? (card.classList.contains("moved") ? before.get("pile") : null);
    const to = card.getBoundingClientRect();
    if (from?.width && to.width) moves.push([card, from, to]);
  }
  for (const [card, from, to] of moves) {
    const [x, y] = [from.left - to.left, from.top - to.top];
    if (Math.abs(x) + Math.abs(y) < 2) continue;
    const start = { transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})`, transformOrigin: "0 0", zIndex: 3 };
    card.animate([start, { transform: "none", transformOrigin: "0 0", zIndex: 3 }], { duration: GLIDE_MS, easing: "cubic-bezier(.2, .7, .2, 1)" });
  }
}
