import { publicKeyOf, signWith } from '../../lib/identity-protocol/index.ts';
import { IdentityError } from './identity-error.ts';
import type { ClientKey, KeyStore } from './key-store.ts';
import { systemRandom, type RandomBytes } from './random.ts';

/**
 * A store for 32 secret bytes: the keychain, a secure store, a file that only its user can read. Do
 * not use one that is synchronized with other devices: each device must have its own key.
 */
export interface SecretPlace {
  readonly read: () => Promise<Uint8Array | null>;
  readonly write: (secret: Uint8Array) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** A key that the app stores as 32 bytes; for Node and React Native. */
export function createSeedKeyStore(
  place: SecretPlace,
  random: RandomBytes = systemRandom,
): KeyStore {
  async function load(): Promise<ClientKey | null> {
    const seed = await place.read();
    return seed && toKey(seed);
  }
  return {
    load,
    create: async () => {
      const known = await load();
      if (known) return known;
      const seed = random(32);
      await place.write(seed);
      return toKey(seed);
    },
    remove: () => place.remove(),
  };
}

async function toKey(seed: Uint8Array): Promise<ClientKey> {
  if (seed.length !== 32)
    throw new IdentityError('store_failed', {
      detail: `The stored key has ${seed.length} bytes and must have 32.`,
    });
  const own = new Uint8Array(seed);
  return { publicKey: await publicKeyOf(own), sign: (bytes) => signWith(own, bytes) };
}

/** A key in memory, for tests and short-lived processes. */
export function createMemoryKeyStore(random: RandomBytes = systemRandom): KeyStore {
  let stored: Uint8Array | null = null;
  return createSeedKeyStore(
    {
      read: async () => stored,
      write: async (secret) => {
        stored = secret;
      },
      remove: async () => {
        stored = null;
      },
    },
    random,
  );
}
