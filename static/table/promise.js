// What one was promised at a table before one showed one's nonce: kept in this browser, compared with the record by
// verify/verify.js. A service that chose its own part afterwards is found out.

const PREFIX = "hanami table ";
const MOST = 60;

/** What is kept of a table: {nonce, seat, commitment, hashes}; null if nothing is. */
export function promiseOf(table) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + table));
  } catch {
    return null;
  }
}

/** Keep what a view promises, and return whether one's nonce may be shown: once, and only beside one's own hash. */
export function keepPromise({ table, me, commitment, hashes }, nonce, hash) {
  if (hashes[me] !== hash || hashes.includes(null)) return false;
  const kept = promiseOf(table);
  const promise = { nonce, seat: me, commitment, hashes };
  if (kept?.nonce === nonce) return JSON.stringify({ ...kept, at: 0 }) === JSON.stringify({ ...promise, at: 0 });
  try {
    forgetOldest();
    localStorage.setItem(PREFIX + table, JSON.stringify({ ...promise, at: Date.now() }));
  } catch {
    // A browser that keeps nothing compares nothing; the record is checked all the same.
  }
  return true;
}

function forgetOldest() {
  const kept = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  kept.sort((one, other) => (promiseOf(other)?.at ?? 0) - (promiseOf(one)?.at ?? 0));
  for (const table of kept.slice(MOST - 1)) localStorage.removeItem(PREFIX + table);
}

/** The line of a proof that compares a record with what was promised here; null if nothing was. */
export function promiseCheck(record) {
  const promise = promiseOf(record?.match);
  if (!promise) return null;
  const { stage, deal_set: dealSet, nonces } = record.fair ?? {};
  const found = Array.isArray(nonces) ? nonces : [];
  const isKept = stage === promise.commitment && dealSet === record.match && found[promise.seat]?.nonce === promise.nonce
    && JSON.stringify(found.map((one) => one?.hash)) === JSON.stringify(promise.hashes);
  const state = isKept ? { state: "ok", code: "", fault: "" } : { state: "bad", code: "proof.other_promise", fault: "wrong_promise" };
  return { key: "promise", values: { seat: promise.seat + 1 }, told: {}, ...state };
}
