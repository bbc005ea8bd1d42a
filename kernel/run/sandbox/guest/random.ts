/**
 * Random bytes without a call to the host: ChaCha20 (RFC 8439), keyed with 32 bytes of the operating
 * system, with fast key erasure. The first half of each block becomes the next key and only the rest
 * is output, so the state reveals no earlier output.
 */
export type RandomBytes = (into: Uint8Array) => void;

const rotations = [16, 12, 8, 7] as const;

export function createRandom(seed: Uint8Array): RandomBytes {
  let key = wordsOf(seed);
  let pool = new Uint8Array(32);
  let used = pool.length;
  return (into) => {
    for (let index = 0; index < into.length; index++) {
      if (used === pool.length) {
        const block = chacha20Block(key, 0, [0, 0, 0]);
        key = wordsOf(block.subarray(0, 32));
        pool = block.slice(32);
        used = 0;
      }
      into[index] = pool[used] ?? 0;
      pool[used++] = 0;
    }
  };
}

/** One block of 64 bytes. */
export function chacha20Block(
  key: Uint32Array,
  counter: number,
  nonce: readonly [number, number, number],
): Uint8Array<ArrayBuffer> {
  const start = new Uint32Array(16);
  start.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
  start.set(key, 4);
  start[12] = counter;
  start.set(nonce, 13);
  const state = start.slice();
  for (let round = 0; round < 10; round++) {
    for (let column = 0; column < 4; column++) {
      quarter(state, column, 4 + column, 8 + column, 12 + column);
    }
    for (let column = 0; column < 4; column++) {
      quarter(
        state,
        column,
        4 + ((column + 1) % 4),
        8 + ((column + 2) % 4),
        12 + ((column + 3) % 4),
      );
    }
  }
  const block = new DataView(new ArrayBuffer(64));
  state.forEach((word, index) => block.setUint32(index * 4, word + (start[index] ?? 0), true));
  return new Uint8Array(block.buffer);
}

function quarter(state: Uint32Array, a: number, b: number, c: number, d: number): void {
  const steps = [
    [a, b, d],
    [c, d, b],
    [a, b, d],
    [c, d, b],
  ] as const;
  steps.forEach(([sum, added, mixed], index) => {
    const total = ((state[sum] ?? 0) + (state[added] ?? 0)) >>> 0;
    state[sum] = total;
    const word = (state[mixed] ?? 0) ^ total;
    const bits = rotations[index] ?? 0;
    state[mixed] = (word << bits) | (word >>> (32 - bits));
  });
}

/** 32-bit words, the lowest byte first. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.byteLength >> 2 }, (_, index) =>
    view.getUint32(index * 4, true),
  );
}
