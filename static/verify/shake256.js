// SHAKE-256 (FIPS 202) of our own: no browser offers it. Lanes are 64-bit BigInts; a deck needs one permutation or two.

const RATE = 136;
const ROUNDS = 24;
const MASK = (1n << 64n) - 1n;
const turned = (lane, by) => ((lane << by) | (lane >> (64n - by))) & MASK;

/** The round constants, from the degree-8 shift register of the standard. */
const IOTA = [];
for (let round = 0, register = 1; round < ROUNDS; round += 1) {
  let constant = 0n;
  for (let bit = 0; bit < 7; bit += 1) {
    if (register & 1) constant |= 1n << BigInt(2 ** bit - 1);
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
  }
  IOTA.push(constant);
}

/** Where rho and pi carry each lane: [from, to, turned by]. */
const WAYS = [];
for (let step = 0, x = 1, y = 0; step < ROUNDS; step += 1) {
  const [nextX, nextY] = [y, (2 * x + 3 * y) % 5];
  WAYS.push([x + 5 * y, nextX + 5 * nextY, BigInt((((step + 1) * (step + 2)) / 2) % 64)]);
  [x, y] = [nextX, nextY];
}

function permute(lanes) {
  for (const constant of IOTA) {
    const columns = [0, 1, 2, 3, 4].map((x) => lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20]);
    const mixed = columns.map((_, x) => columns[(x + 4) % 5] ^ turned(columns[(x + 1) % 5], 1n));
    for (let i = 0; i < 25; i += 1) lanes[i] ^= mixed[i % 5];
    const moved = [lanes[0]];
    for (const [from, to, by] of WAYS) moved[to] = turned(lanes[from], by);
    for (let i = 0; i < 25; i += 1) {
      const row = i - (i % 5);
      lanes[i] = moved[i] ^ (~moved[row + ((i + 1) % 5)] & MASK & moved[row + ((i + 2) % 5)]);
    }
    lanes[0] ^= constant;
  }
}

/** The first `size` bytes of SHAKE-256 over bytes. */
export function shake256(bytes, size) {
  const blocks = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE);
  blocks.set(bytes);
  blocks[bytes.length] = 0x1f;
  blocks[blocks.length - 1] |= 0x80;
  const read = new DataView(blocks.buffer);
  const lanes = Array(25).fill(0n);
  for (let at = 0; at < blocks.length; at += RATE) {
    for (let i = 0; i < RATE / 8; i += 1) lanes[i] ^= read.getBigUint64(at + i * 8, true);
    permute(lanes);
  }
  const out = new DataView(new ArrayBuffer(Math.ceil(size / RATE) * RATE));
  for (let at = 0; at < out.byteLength; at += RATE) {
    if (at) permute(lanes);
    for (let i = 0; i < RATE / 8; i += 1) out.setBigUint64(at + i * 8, lanes[i], true);
  }
  return new Uint8Array(out.buffer, 0, size);
}
