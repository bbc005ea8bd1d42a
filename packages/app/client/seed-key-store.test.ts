import { describe, expect, test } from 'vitest';
import { isSignedBy } from '../../lib/identity-protocol/index.ts';
import { createMemoryKeyStore, createSeedKeyStore, type SecretPlace } from './index.ts';

function placeOf(start: Uint8Array | null = null): SecretPlace & { kept: () => Uint8Array | null } {
  let kept = start;
  return {
    kept: () => kept,
    read: async () => kept,
    write: async (secret) => {
      kept = Uint8Array.from(secret);
    },
    remove: async () => {
      kept = null;
    },
  };
}

describe('a key that an app keeps as 32 bytes', () => {
  test('is created once, from 32 random bytes, and is the same after a restart', async () => {
    const place = placeOf();
    const asked: number[] = [];
    const random = (length: number): Uint8Array<ArrayBuffer> => {
      asked.push(length);
      return new Uint8Array(length).fill(3);
    };
    const first = await createSeedKeyStore(place, random).create();
    const again = await createSeedKeyStore(place, random).create();
    const loaded = await createSeedKeyStore(place, random).load();

    expect(asked).toEqual([32]);
    expect(place.kept()).toEqual(new Uint8Array(32).fill(3));
    expect([again.publicKey, loaded?.publicKey]).toEqual([first.publicKey, first.publicKey]);
    // The public key of this private key, from the vectors of the protocol.
    expect(first.publicKey).toBe(
      'ed4928c628d1c2c6eae90338905995612959273a5c63f93636c14614ac8737d1',
    );
  });

  test('creates signatures that its public key verifies', async () => {
    const key = await createMemoryKeyStore().create();
    const bytes = new TextEncoder().encode('hello');
    expect(await isSignedBy(key.publicKey, bytes, await key.sign(bytes))).toBe(true);
  });

  test('can be removed', async () => {
    const place = placeOf();
    const keys = createSeedKeyStore(place);
    await keys.create();
    await keys.remove();
    expect([place.kept(), await keys.load()]).toEqual([null, null]);
  });

  test.each([0, 31, 33, 64])('is refused when the store returns %i bytes', async (length) => {
    const keys = createSeedKeyStore(placeOf(new Uint8Array(length)));
    await expect(keys.load()).rejects.toMatchObject({ code: 'store_failed' });
  });
});
