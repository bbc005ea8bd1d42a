import { getPublicKey, Point } from '@noble/ed25519';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUsableKey } from './index.ts';
import { createIsValidKey, createWebX25519, isValidKey } from './key-validation.ts';
import extracts from './vectors/extracts.json' with { type: 'json' };

const torsion = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Whether the platform alone accepts the key. */
async function isYesOfMachine(key: string): Promise<boolean> {
  const x25519 = createWebX25519();
  let isBack = false;
  await createIsValidKey(async (u) => {
    const back = await x25519(u);
    isBack = hexOf(back) === hexOf(u);
    return back;
  })(key);
  return isBack;
}

test('every generated key is valid, and the platform accepts it', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, async (seed) => {
      const key = hexOf(getPublicKey(seed));
      expect(await isYesOfMachine(key)).toBe(true);
      expect(isUsableKey(key)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('a key with a component of small order is refused, as by the rule', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, fc.integer({ min: 1, max: 7 }), async (seed, times) => {
      const own = Point.fromBytes(getPublicKey(seed));
      const key = own.add(torsion.multiply(BigInt(times), false)).toHex();
      expect(isUsableKey(key)).toBe(false);
      expect(await isYesOfMachine(key)).toBe(false);
      expect(await isValidKey(key)).toBe(false);
    }),
    { numRuns: 40 },
  );
});

test('any 32 bytes, most of which are not a point of the group, give the result of the rule', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, async (bytes) => {
      expect(await isValidKey(hexOf(bytes))).toBe(isUsableKey(hexOf(bytes)));
    }),
    { numRuns: 100 },
  );
});

test('the platform returns no equal u for a key that the rule refuses', async () => {
  const refused: string[] = [];
  for (let at = 0; refused.length < 30; at += 1) {
    const key = hexOf(globalThis.crypto.getRandomValues(new Uint8Array(32)));
    if (!isUsableKey(key)) refused.push(key);
  }
  for (const key of refused) expect(await isYesOfMachine(key)).toBe(false);
});

test('points of small order, and other spellings, are refused without the platform', async () => {
  const points = Array.from({ length: 8 }, (_, times) =>
    times === 0 ? Point.ZERO : torsion.multiply(BigInt(times), false),
  );
  const odd = [`ee${'ff'.repeat(30)}7f`, `01${'00'.repeat(30)}80`, 'ff'.repeat(32)];
  for (const key of [...points.map((point) => point.toHex()), ...odd]) {
    expect(await createIsValidKey(() => Promise.reject(new Error('It was asked.')))(key)).toBe(
      false,
    );
    expect(await isValidKey(key)).toBe(false);
  }
  for (const value of [null, 1, '', 'AB'.repeat(32), 'ab'.repeat(31)])
    expect(await isValidKey(value)).toBe(false);
});

test('the keys of all vectors give the same result with and without the platform', async () => {
  const text = JSON.stringify(extracts);
  const keys = new Set(text.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? []);
  expect(keys.size).toBeGreaterThan(10);
  for (const key of keys) {
    expect(await isValidKey(key)).toBe(isUsableKey(key));
    expect(await createIsValidKey(null)(key)).toBe(isUsableKey(key));
  }
});

test('if the platform fails, or returns another value, the rule decides', async () => {
  const key = hexOf(getPublicKey(new Uint8Array(32)));
  expect(await createIsValidKey(() => Promise.reject(new Error('none')))(key)).toBe(true);
  expect(await createIsValidKey(async () => new Uint8Array(32))(key)).toBe(true);
});
