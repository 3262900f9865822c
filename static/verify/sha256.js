// SHA-256 (FIPS 180-4) of our own: on plain http, as in a hall's own network, browsers offer no crypto.subtle.

/** The first 32 bits of the fractional parts of the cube roots (k) and square roots (h) of the first primes. */
const K = new Uint32Array(64);
const H = new Uint32Array(8);
for (let n = 2, count = 0; count < 64; n += 1) {
  let isPrime = true;
  for (let d = 2; d * d <= n; d += 1) if (n % d === 0) isPrime = false;
  if (!isPrime) continue;
  if (count < 8) H[count] = Math.floor((Math.sqrt(n) % 1) * 2 ** 32);
  K[count] = Math.floor((Math.cbrt(n) % 1) * 2 ** 32);
  count += 1;
}

const turned = (word, by) => (word >>> by) | (word << (32 - by));

function padded(bytes) {
  const all = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const end = new DataView(all.buffer);
  end.setUint32(all.length - 8, Math.floor(bytes.length / 2 ** 29));
  end.setUint32(all.length - 4, (bytes.length * 8) >>> 0);
  return end;
}

function compress(state, block, at) {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) w[i] = block.getUint32(at + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [w[i - 15], w[i - 2]];
    const s0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const s1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
}

/** The 32 bytes of SHA-256 over bytes. */
export function sha256(bytes) {
  const state = Uint32Array.from(H);
  const blocks = padded(bytes);
  for (let at = 0; at < blocks.byteLength; at += 64) compress(state, blocks, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

/** Bytes as hexadecimal digits. */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Hexadecimal digits as bytes; null for anything else. */
export function unhex(text) {
  if (typeof text !== "string" || !/^(?:[0-9a-f]{2}){1,64}$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}
