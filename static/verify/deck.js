// Every order of cards from a seed: the twin of engine/deck.py. And canonical JSON, the twin of engine/canonical.py.

import { hex, sha256 } from "./sha256.js";
import { shake256 } from "./shake256.js";

const text = new TextEncoder();
const BLOCK = 136;

/** The cards of a list (in code order) as a stream shuffles them: Fisher-Yates from the last down, a byte per draw. */
export function shuffled(label, seed, first, second, cards) {
  const head = text.encode(`hanafuda/${label}/1\0`);
  const asked = new Uint8Array(head.length + seed.length + 8);
  asked.set(head);
  asked.set(seed, head.length);
  const counters = new DataView(asked.buffer, head.length + seed.length);
  counters.setUint32(0, first);
  counters.setUint32(4, second);
  const order = [...cards];
  let [draws, at] = [shake256(asked, BLOCK), 0];
  for (let i = order.length - 1; i > 0;) {
    if (at === draws.length) draws = shake256(asked, at * 2);
    const byte = draws[at];
    at += 1;
    if (byte >= 256 - (256 % (i + 1))) continue; // it would favour some cards
    const j = byte % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
    i -= 1;
  }
  return order;
}

export class NotPlain extends Error {}

/** Code points, as Python sorts keys; the default would put some rare letters elsewhere. */
function byCodePoint(one, other) {
  const [a, b] = [[...one], [...other]];
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = a[i].codePointAt(0) - b[i].codePointAt(0);
    if (difference) return difference;
  }
  return a.length - b.length;
}

function quoted(string) {
  if (!string.isWellFormed?.() && /[\ud800-\udfff]/.test(string.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""))) {
    throw new NotPlain();
  }
  return JSON.stringify(string);
}

/** UTF-8 JSON with sorted keys and no spaces; only integers, strings, lists, objects, null. Throws NotPlain. */
export function canonical(value) {
  if (value === null) return "null";
  if (typeof value === "string") return quoted(value);
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") throw new NotPlain();
  const keys = Object.keys(value).sort(byCodePoint);
  return `{${keys.map((key) => `${quoted(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** `sha256:` and the digits, of bytes or of a text. */
export const hashed = (what) => `sha256:${hex(sha256(typeof what === "string" ? text.encode(what) : what))}`;

/** The hash of a record. */
export const recordHash = (record) => hashed(canonical(record));
