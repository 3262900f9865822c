// Sitting down with one page less in between: the table is opened, and one's part in the shuffle shown, while this page
// still stands and fetches what the table needs. Where anything is in the way, the form is sent as without a script.

import { hashOf, nonceOf } from "./nonce.js";
import { keepPromise } from "./promise.js";

const OPENS = 'form[data-draws][action$="/play/open/"]';

async function post(address, fields) {
  const reply = await fetch(address, { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(fields) });
  if (!reply.ok) throw new Error(String(reply.status));
  return reply.json();
}

async function show(view, table, csrfmiddlewaretoken) {
  const nonce = view.nonce_wanted && nonceOf(view.table);
  if (nonce && keepPromise(view, nonce, hashOf(nonce))) await post(new URL("do/nonce/", table), { csrfmiddlewaretoken, nonce });
}

async function enter(form) {
  const fields = new FormData(form);
  const view = await post(form.action, fields);
  const table = new URL(`../${view.table}/`, form.action);
  // The table is open: when its page fails to show now, it asks again there. The form sent again would open a second one.
  await show(view, table, fields.get("csrfmiddlewaretoken")).catch(() => {});
  location.assign(table);
}

// After nonce.js, which has put the hash into the form.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches(OPENS)) return;
  event.preventDefault();
  if (form.ariaBusy) return;
  form.ariaBusy = "true";
  enter(form).catch(() => form.submit());
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll(OPENS)) form.ariaBusy = null;
});
