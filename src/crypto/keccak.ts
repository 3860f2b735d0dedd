/**
 * Keccak-256, as Ethereum uses it: on the path of every paid request, where the general implementation that ethers brings
 * takes four times as long. One straight line of statements on 32-bit halves, for nothing else is fast in JavaScript.
 */

const RATE_BYTES = 136;
const RATE_WORDS = RATE_BYTES / 4;
const DIGEST_WORDS = 8;
const ROUNDS = 24;
/** 25 lanes of 64 bits, the low half before the high one. */
const STATE_WORDS = 50;

/** Shared by all calls, which end before another begins: memory outside of the heap is what would cost most of a short hash. */
const state = new Int32Array(STATE_WORDS);
const block = Buffer.alloc(RATE_BYTES);

/** 32 bytes. */
export function keccak256(data: Uint8Array): Buffer {
  state.fill(0);
  let start = 0;
  for (; start + RATE_BYTES <= data.length; start += RATE_BYTES) {
    block.set(data.subarray(start, start + RATE_BYTES));
    absorb(state, block);
  }
  const rest = data.length - start;
  block.fill(0);
  block.set(data.subarray(start));
  // Padding: a one bit behind the data, another at the very end.
  block[rest]! ^= 0x01;
  block[RATE_BYTES - 1]! ^= 0x80;
  absorb(state, block);
  const digest = Buffer.allocUnsafe(4 * DIGEST_WORDS);
  for (let word = 0; word < DIGEST_WORDS; word += 1) digest.writeInt32LE(state[word]!, 4 * word);
  return digest;
}

function absorb(lanes: Int32Array, bytes: Buffer): void {
  for (let word = 0; word < RATE_WORDS; word += 1) lanes[word]! ^= bytes.readInt32LE(4 * word);
  permute(lanes);
}

const ROUND_CONSTANTS = halvesOf([
  0x0000000000000001n,
  0x0000000000008082n,
  0x800000000000808an,
  0x8000000080008000n,
  0x000000000000808bn,
  0x0000000080000001n,
  0x8000000080008081n,
  0x8000000000008009n,
  0x000000000000008an,
  0x0000000000000088n,
  0x0000000080008009n,
  0x000000008000000an,
  0x000000008000808bn,
  0x800000000000008bn,
  0x8000000000008089n,
  0x8000000000008003n,
  0x8000000000008002n,
  0x8000000000000080n,
  0x000000000000800an,
  0x800000008000000an,
  0x8000000080008081n,
  0x8000000000008080n,
  0x0000000080000001n,
  0x8000000080008008n,
]);

function halvesOf(lanes: readonly bigint[]): Int32Array {
  return Int32Array.from(lanes.flatMap((lane) => [Number(lane & 0xffffffffn) | 0, Number(lane >> 32n) | 0]));
}

/** Keccak-f[1600]. Names: `c` and `d` of columns, `u` of lanes before and `b` after they are moved; `l` and `h` are halves. */
function permute(lanes: Int32Array): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    // Theta: the parities of the columns, and what each column is changed by.
    const c0l = lanes[0]! ^ lanes[10]! ^ lanes[20]! ^ lanes[30]! ^ lanes[40]!;
    const c0h = lanes[1]! ^ lanes[11]! ^ lanes[21]! ^ lanes[31]! ^ lanes[41]!;
    const c1l = lanes[2]! ^ lanes[12]! ^ lanes[22]! ^ lanes[32]! ^ lanes[42]!;
    const c1h = lanes[3]! ^ lanes[13]! ^ lanes[23]! ^ lanes[33]! ^ lanes[43]!;
    const c2l = lanes[4]! ^ lanes[14]! ^ lanes[24]! ^ lanes[34]! ^ lanes[44]!;
    const c2h = lanes[5]! ^ lanes[15]! ^ lanes[25]! ^ lanes[35]! ^ lanes[45]!;
    const c3l = lanes[6]! ^ lanes[16]! ^ lanes[26]! ^ lanes[36]! ^ lanes[46]!;
    const c3h = lanes[7]! ^ lanes[17]! ^ lanes[27]! ^ lanes[37]! ^ lanes[47]!;
    const c4l = lanes[8]! ^ lanes[18]! ^ lanes[28]! ^ lanes[38]! ^ lanes[48]!;
    const c4h = lanes[9]! ^ lanes[19]! ^ lanes[29]! ^ lanes[39]! ^ lanes[49]!;
    const d0l = c4l ^ ((c1l << 1) | (c1h >>> 31));
    const d0h = c4h ^ ((c1h << 1) | (c1l >>> 31));
    const d1l = c0l ^ ((c2l << 1) | (c2h >>> 31));
    const d1h = c0h ^ ((c2h << 1) | (c2l >>> 31));
    const d2l = c1l ^ ((c3l << 1) | (c3h >>> 31));
    const d2h = c1h ^ ((c3h << 1) | (c3l >>> 31));
    const d3l = c2l ^ ((c4l << 1) | (c4h >>> 31));
    const d3h = c2h ^ ((c4h << 1) | (c4l >>> 31));
    const d4l = c3l ^ ((c0l << 1) | (c0h >>> 31));
    const d4h = c3h ^ ((c0h << 1) | (c0l >>> 31));

    // Rho and pi: each lane is turned and moved.
    const u0l = lanes[0]! ^ d0l;
    const u0h = lanes[1]! ^ d0h;
    const b0l = u0l;
    const b0h = u0h;
    const u1l = lanes[2]! ^ d1l;
    const u1h = lanes[3]! ^ d1h;
    const b10l = (u1l << 1) | (u1h >>> 31);
    const b10h = (u1h << 1) | (u1l >>> 31);
    const u2l = lanes[4]! ^ d2l;
    const u2h = lanes[5]! ^ d2h;
    const b20l = (u2h << 30) | (u2l >>> 2);
    const b20h = (u2l << 30) | (u2h >>> 2);
    const u3l = lanes[6]! ^ d3l;
    const u3h = lanes[7]! ^ d3h;
    const b5l = (u3l << 28) | (u3h >>> 4);
    const b5h = (u3h << 28) | (u3l >>> 4);
    const u4l = lanes[8]! ^ d4l;
    const u4h = lanes[9]! ^ d4h;
    const b15l = (u4l << 27) | (u4h >>> 5);
    const b15h = (u4h << 27) | (u4l >>> 5);
    const u5l = lanes[10]! ^ d0l;
    const u5h = lanes[11]! ^ d0h;
    const b16l = (u5h << 4) | (u5l >>> 28);
    const b16h = (u5l << 4) | (u5h >>> 28);
    const u6l = lanes[12]! ^ d1l;
    const u6h = lanes[13]! ^ d1h;
    const b1l = (u6h << 12) | (u6l >>> 20);
    const b1h = (u6l << 12) | (u6h >>> 20);
    const u7l = lanes[14]! ^ d2l;
    const u7h = lanes[15]! ^ d2h;
    const b11l = (u7l << 6) | (u7h >>> 26);
    const b11h = (u7h << 6) | (u7l >>> 26);
    const u8l = lanes[16]! ^ d3l;
    const u8h = lanes[17]! ^ d3h;
    const b21l = (u8h << 23) | (u8l >>> 9);
    const b21h = (u8l << 23) | (u8h >>> 9);
    const u9l = lanes[18]! ^ d4l;
    const u9h = lanes[19]! ^ d4h;
    const b6l = (u9l << 20) | (u9h >>> 12);
    const b6h = (u9h << 20) | (u9l >>> 12);
    const u10l = lanes[20]! ^ d0l;
    const u10h = lanes[21]! ^ d0h;
    const b7l = (u10l << 3) | (u10h >>> 29);
    const b7h = (u10h << 3) | (u10l >>> 29);
    const u11l = lanes[22]! ^ d1l;
    const u11h = lanes[23]! ^ d1h;
    const b17l = (u11l << 10) | (u11h >>> 22);
    const b17h = (u11h << 10) | (u11l >>> 22);
    const u12l = lanes[24]! ^ d2l;
    const u12h = lanes[25]! ^ d2h;
    const b2l = (u12h << 11) | (u12l >>> 21);
    const b2h = (u12l << 11) | (u12h >>> 21);
    const u13l = lanes[26]! ^ d3l;
    const u13h = lanes[27]! ^ d3h;
    const b12l = (u13l << 25) | (u13h >>> 7);
    const b12h = (u13h << 25) | (u13l >>> 7);
    const u14l = lanes[28]! ^ d4l;
    const u14h = lanes[29]! ^ d4h;
    const b22l = (u14h << 7) | (u14l >>> 25);
    const b22h = (u14l << 7) | (u14h >>> 25);
    const u15l = lanes[30]! ^ d0l;
    const u15h = lanes[31]! ^ d0h;
    const b23l = (u15h << 9) | (u15l >>> 23);
    const b23h = (u15l << 9) | (u15h >>> 23);
    const u16l = lanes[32]! ^ d1l;
    const u16h = lanes[33]! ^ d1h;
    const b8l = (u16h << 13) | (u16l >>> 19);
    const b8h = (u16l << 13) | (u16h >>> 19);
    const u17l = lanes[34]! ^ d2l;
    const u17h = lanes[35]! ^ d2h;
    const b18l = (u17l << 15) | (u17h >>> 17);
    const b18h = (u17h << 15) | (u17l >>> 17);
    const u18l = lanes[36]! ^ d3l;
    const u18h = lanes[37]! ^ d3h;
    const b3l = (u18l << 21) | (u18h >>> 11);
    const b3h = (u18h << 21) | (u18l >>> 11);
    const u19l = lanes[38]! ^ d4l;
    const u19h = lanes[39]! ^ d4h;
    const b13l = (u19l << 8) | (u19h >>> 24);
    const b13h = (u19h << 8) | (u19l >>> 24);
    const u20l = lanes[40]! ^ d0l;
    const u20h = lanes[41]! ^ d0h;
    const b14l = (u20l << 18) | (u20h >>> 14);
    const b14h = (u20h << 18) | (u20l >>> 14);
    const u21l = lanes[42]! ^ d1l;
    const u21h = lanes[43]! ^ d1h;
    const b24l = (u21l << 2) | (u21h >>> 30);
    const b24h = (u21h << 2) | (u21l >>> 30);
    const u22l = lanes[44]! ^ d2l;
    const u22h = lanes[45]! ^ d2h;
    const b9l = (u22h << 29) | (u22l >>> 3);
    const b9h = (u22l << 29) | (u22h >>> 3);
    const u23l = lanes[46]! ^ d3l;
    const u23h = lanes[47]! ^ d3h;
    const b19l = (u23h << 24) | (u23l >>> 8);
    const b19h = (u23l << 24) | (u23h >>> 8);
    const u24l = lanes[48]! ^ d4l;
    const u24h = lanes[49]! ^ d4h;
    const b4l = (u24l << 14) | (u24h >>> 18);
    const b4h = (u24h << 14) | (u24l >>> 18);

    // Chi and iota: each row is mixed, and the first lane gets the round's constant.
    lanes[0] = b0l ^ (~b1l & b2l) ^ ROUND_CONSTANTS[2 * round]!;
    lanes[1] = b0h ^ (~b1h & b2h) ^ ROUND_CONSTANTS[2 * round + 1]!;
    lanes[2] = b1l ^ (~b2l & b3l);
    lanes[3] = b1h ^ (~b2h & b3h);
    lanes[4] = b2l ^ (~b3l & b4l);
    lanes[5] = b2h ^ (~b3h & b4h);
    lanes[6] = b3l ^ (~b4l & b0l);
    lanes[7] = b3h ^ (~b4h & b0h);
    lanes[8] = b4l ^ (~b0l & b1l);
    lanes[9] = b4h ^ (~b0h & b1h);
    lanes[10] = b5l ^ (~b6l & b7l);
    lanes[11] = b5h ^ (~b6h & b7h);
    lanes[12] = b6l ^ (~b7l & b8l);
    lanes[13] = b6h ^ (~b7h & b8h);
    lanes[14] = b7l ^ (~b8l & b9l);
    lanes[15] = b7h ^ (~b8h & b9h);
    lanes[16] = b8l ^ (~b9l & b5l);
    lanes[17] = b8h ^ (~b9h & b5h);
    lanes[18] = b9l ^ (~b5l & b6l);
    lanes[19] = b9h ^ (~b5h & b6h);
    lanes[20] = b10l ^ (~b11l & b12l);
    lanes[21] = b10h ^ (~b11h & b12h);
    lanes[22] = b11l ^ (~b12l & b13l);
    lanes[23] = b11h ^ (~b12h & b13h);
    lanes[24] = b12l ^ (~b13l & b14l);
    lanes[25] = b12h ^ (~b13h & b14h);
    lanes[26] = b13l ^ (~b14l & b10l);
    lanes[27] = b13h ^ (~b14h & b10h);
    lanes[28] = b14l ^ (~b10l & b11l);
    lanes[29] = b14h ^ (~b10h & b11h);
    lanes[30] = b15l ^ (~b16l & b17l);
    lanes[31] = b15h ^ (~b16h & b17h);
    lanes[32] = b16l ^ (~b17l & b18l);
    lanes[33] = b16h ^ (~b17h & b18h);
    lanes[34] = b17l ^ (~b18l & b19l);
    lanes[35] = b17h ^ (~b18h & b19h);
    lanes[36] = b18l ^ (~b19l & b15l);
    lanes[37] = b18h ^ (~b19h & b15h);
    lanes[38] = b19l ^ (~b15l & b16l);
    lanes[39] = b19h ^ (~b15h & b16h);
    lanes[40] = b20l ^ (~b21l & b22l);
    lanes[41] = b20h ^ (~b21h & b22h);
    lanes[42] = b21l ^ (~b22l & b23l);
    lanes[43] = b21h ^ (~b22h & b23h);
    lanes[44] = b22l ^ (~b23l & b24l);
    lanes[45] = b22h ^ (~b23h & b24h);
    lanes[46] = b23l ^ (~b24l & b20l);
    lanes[47] = b23h ^ (~b24h & b20h);
    lanes[48] = b24l ^ (~b20l & b21l);
    lanes[49] = b24h ^ (~b20h & b21h);
  }
}
