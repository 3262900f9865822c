// A lesson at the table. The page is whole without this script: each answer is a link to the next step. Here the next
// step is fetched instead, and its cards fly.

import { Choices } from "./choices.js";
import { Drawing } from "./drawing.js";
import "./enter.js";

const AGAIN_MS = 2000;
const home = document.getElementById("live-table");
const coach = document.getElementById("lesson-coach");
const net = document.getElementById("live-net");
const drawing = new Drawing(home, open);
const choices = new Choices(home, (_, a) => step(`?a=${a}`), {});

/** What we would play has a mark, and what it takes. */
function open() {
  choices.open();
  const { card, take, matches = "" } = home.querySelector("[data-advised]")?.dataset ?? {};
  for (const each of [card, ...(take === "all" ? matches : take || matches).split(" ")]) {
    if (!each) continue;
    const place = `[data-card="${each}"]`;
    home.querySelector(`.rp-me .rp-hand ${place}, .rp-places ${place}`)?.classList.add("advised");
  }
}

function connected(is) {
  net.hidden = is;
  net.textContent = is ? "" : net.dataset.lost;
}

async function step(address) {
  drawing.fresh.clear();
  let view;
  try {
    const reply = await fetch(`${address}&part=1&after=${drawing.shown}`, { cache: "no-store" });
    if (!reply.ok) throw new Error(String(reply.status));
    view = await reply.json();
  } catch {
    connected(false);
    setTimeout(() => step(address), AGAIN_MS);
    return;
  }
  connected(true);
  history.pushState(null, "", view.address);
  await drawing.show(view);
  coach.innerHTML = view.part.told;
  if (document.activeElement === document.body) coach.querySelector(".acts button")?.focus({ preventScroll: true });
  if (coach.getBoundingClientRect().top < 0) coach.scrollIntoView({ block: "start" });
}

// One step back is another page, as it is without a script. Who went on before this script was there is shown what they
// went to. Of several answers in an address the server takes the last.
addEventListener("popstate", () => location.reload());
if ((new URLSearchParams(location.search).getAll("a").pop() ?? "") !== home.dataset.answers) location.reload();

drawing.shown = Number(home.dataset.after);
open();
