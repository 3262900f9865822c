// What the reader's own bot printed before the move that is shown; the whole log at the foot of the page marks it.

import { safe } from "./words.js";

export function draw(place, { deal, move }, view) {
  const said = [];
  for (const piece of document.querySelectorAll(".rp-log [data-at]")) {
    const isHere = piece.dataset.at === `${deal}.${move}`;
    if (isHere) piece.setAttribute("aria-current", "true");
    else piece.removeAttribute("aria-current");
    const text = piece.querySelector("pre")?.textContent ?? piece.querySelector("strong")?.textContent.trim().replace(/\s+/g, " ");
    if (isHere) said.push(`<p>${view.ui("printed", { who: piece.dataset.who })}</p><pre>${safe(text ?? "")}</pre>`);
  }
  place.innerHTML = said.join("") || `<p class="soft">${view.ui("no_print")}</p>`;
}
