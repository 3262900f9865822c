// A result counts once, however bad the connection is. It is sent in the background with the form's key; if that fails,
// whether the phone says so or not, it is kept on the phone and sent again with the same key until the server has
// answered, also after the page was closed and opened again. Without script the form is an ordinary form.
import { forget, keep, kept } from "./kept.js";

const form = document.querySelector("form[data-keep]");
const note = document.querySelector("[data-waiting]");
const place = `hanami ${location.pathname.replace(/report\/$/, "")}`;
const AGAIN_MS = [2000, 5000, 10000, 20000];
let tries = 0;
let timer = 0;
let sending = false;

const waiting = () => JSON.parse(kept(place) ?? "null");

function done() {
  forget(place);
  note.hidden = true;
  tries = 0;
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(send, AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)]);
  tries += 1;
  note.dataset.tries = tries;
}

// The token of the page counts, not that of the time it was kept; a page of a signed-out session gives a new one.
function body(fields) {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  data.append("csrfmiddlewaretoken", form.elements.namedItem("csrfmiddlewaretoken").value);
  return data;
}

async function send() {
  const fields = waiting();
  if (!fields || sending) return;
  sending = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: body(fields), redirect: "manual" });
    if (answer.status >= 500 || answer.status === 429) throw new Error(String(answer.status));
    await show(answer, fields);
  } catch {
    note.hidden = false;
    later();
  } finally {
    sending = false;
  }
}

// Taken: the table as it is now. Refused: the same words as without script, what was typed stays.
async function show(answer, fields) {
  if (answer.status === 403 || answer.status === 404) { // the slip's cookie is gone: what was typed stays here
    note.hidden = true;
    document.querySelector("[data-scan]").hidden = false;
    return;
  }
  done();
  if (answer.type === "opaqueredirect") {
    location.replace(location.pathname.replace(/report\/$/, ""));
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const said = fresh.querySelector("[role=alert]");
  fill(fields);
  form.querySelector("[role=alert]")?.remove();
  if (!said) return;
  said.tabIndex = -1;
  note.after(said);
  said.focus();
}

function fill(fields) {
  for (const [name, value] of fields) {
    const field = form.elements.namedItem(name);
    if (field?.type === "checkbox") field.checked = true;
    else if (field && "value" in field && name !== "key") field.value = value;
  }
}

if (form && note) {
  form.addEventListener("submit", (event) => {
    const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
    if (!keep(place, JSON.stringify(fields))) return; // no room, or not allowed: nothing is promised
    event.preventDefault();
    note.hidden = navigator.onLine;
    tries = 0;
    send();
  });
  addEventListener("online", () => { tries = 0; send(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  const fields = waiting();
  note.hidden = !fields;
  if (fields) {
    fill(fields);
    send();
  }
} else {
  forget(place);
}
