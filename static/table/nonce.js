// One's part in the shuffle: drawn when one sits down, of which only the hash is sent. The text stays in this tab until
// the table asks for it, and for those who compare it with the proof.

import { hex, sha256 } from "../verify/sha256.js";

const LATEST = "hanami nonce";
const keyOf = (table) => `${LATEST} ${table}`;

/** What is announced of a nonce. */
export const hashOf = (nonce) => `sha256:${hex(sha256(new TextEncoder().encode(nonce)))}`;

/** Draw and keep a nonce; return its hash. key: for a table at which one sits. */
function draw(key = LATEST) {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem(key, nonce);
  return hashOf(nonce);
}

/** The hash of another nonce for a table at which one sits. */
export const drawAgain = (table) => draw(keyOf(table));

/** The nonce with which one sat down at a table, the page that follows; null if there is none. */
export function nonceOf(table) {
  const latest = sessionStorage.getItem(LATEST);
  if (latest && !sessionStorage.getItem(keyOf(table))) {
    sessionStorage.setItem(keyOf(table), latest);
    sessionStorage.removeItem(LATEST);
  }
  return sessionStorage.getItem(keyOf(table));
}

// At a table that is there the nonce takes the place of an earlier one; a new table has no name yet.
const keyFor = (form) => {
  const table = /\/play\/([0-9a-f-]{36})\/do\/sit\//.exec(form.action)?.[1];
  return table ? keyOf(table) : LATEST;
};

// Who types a phrase wants that one. Sent twice, a form announces one nonce, whose text is here.
document.addEventListener("submit", ({ target: form }) => {
  if (!form.matches("[data-draws]")) return;
  const announced = form.elements.nonce_hash;
  if (form.elements.phrase?.value.trim()) { announced?.remove(); return; }
  if (announced) return;
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "nonce_hash" });
  try {
    field.value = draw(keyFor(form));
    form.append(field);
  } catch {
    // A browser that keeps nothing: the service draws for this seat, and the proof says so.
  }
});
addEventListener("pageshow", () => document.querySelector("[name=nonce_hash]")?.remove()); // for another table
