// Results that a phone keeps because they could not be sent (tables.js) are sent from here, too: each once, by its key.
import { forget, kept, keptNames } from "./kept.js";

const bar = document.querySelector("[data-results-waiting]");
const PLACE = /^hanami (\/x\/[0-9a-f-]{36}\/)$/;
const AGAIN_MS = 5000;
let sending = false;
let mustOpen = false;

const waiting = () => keptNames().filter((name) => PLACE.test(name));

function show() {
  const n = waiting().length;
  bar.hidden = !n;
  const words = n === 1 ? bar.dataset.wordsOne : `${n} ${bar.dataset.wordsMore}`;
  const said = mustOpen ? bar.dataset.wordsScan : words;
  const line = bar.querySelector("p");
  if (line.textContent !== said) line.textContent = said;
}

async function send(name) {
  const data = new FormData();
  for (const [field, value] of JSON.parse(kept(name) ?? "[]")) data.append(field, value);
  data.append("csrfmiddlewaretoken", bar.querySelector("[name=csrfmiddlewaretoken]").value);
  const answer = await fetch(`${name.match(PLACE)[1]}report/`, { method: "POST", body: data, redirect: "manual" });
  if (answer.type === "opaqueredirect") forget(name);
  else if (answer.status < 500 && answer.status !== 429) mustOpen = true; // refused: the table's page says why
}

async function sendAll() {
  if (sending) return;
  sending = true;
  mustOpen = false;
  try {
    for (const name of waiting()) await send(name);
  } catch {
    setTimeout(sendAll, AGAIN_MS); // no connection: it is kept, and tried again
  } finally {
    sending = false;
    show();
  }
}

if (bar && waiting().length) {
  show();
  sendAll();
  addEventListener("online", sendAll);
}
