// The nonces of a table, and the seed that follows from them: the twin of engine/record_fair.py.

import { hashed } from "./deck.js";
import { hex, sha256, unhex } from "./sha256.js";

const DRAWN_BY = ["browser", "phrase", "program", "service"];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BLOCK = 64;
const text = new TextEncoder();

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** HMAC-SHA-256 with a key of at most 64 bytes. */
function hmac(key, message) {
  const block = joined(key, new Uint8Array(BLOCK - key.length));
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

function string(value) {
  if (typeof value !== "string") throw new TypeError();
  return value;
}

/** Check the nonces of a record. fault(code, key, values) makes what is thrown for something that does not fit. */
export function checkNonces(record, fault) {
  const { nonces, secret, stage, commit, deal_set: dealSet } = record.fair;
  if (!Array.isArray(nonces)) throw new TypeError();
  if (nonces.length !== record.seats.length) throw fault("record.nonce", "wrong_nonce", { seat: 1 });
  nonces.forEach(({ seat, by, nonce, hash }, i) => {
    const fits = string(seat) === `p${i}` && DRAWN_BY.includes(string(by)) && hashed(string(nonce)) === string(hash);
    if (!fits) throw fault("record.nonce", "wrong_nonce", { seat: i + 1 });
  });
  const key = unhex(string(secret));
  if (!key || hex(key) !== secret || hashed(key) !== stage) throw fault("record.secret", "wrong_secret", {});
  if (!UUID.test(string(dealSet))) throw new TypeError();
  const mix = sha256(text.encode(nonces.map(({ nonce }, i) => `p${i} ${nonce}\n`).join("")));
  const seed = hmac(key, joined(text.encode("match/1\0"), mix, unhex(dealSet.replaceAll("-", ""))));
  if (hashed(seed) !== commit) throw fault("record.commit", "wrong_seed", {});
}
