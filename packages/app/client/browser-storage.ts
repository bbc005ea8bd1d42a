import { toHex } from '../../lib/identity-protocol/index.ts';
import { IdentityError } from './identity-error.ts';
import { createIdbTable, type IdbFactory } from './indexed-db.ts';
import { isRecord } from './json.ts';
import type { ClientKey, KeyStore } from './key-store.ts';
import type { TextStore } from './store.ts';

/** Both stores of a browser, in one database of the page's origin. */
export interface BrowserStorage {
  /** The private key is created by WebCrypto and is not extractable. */
  readonly keys: KeyStore;
  readonly store: TextStore;
}

/** Replacements for parts of the browser. */
export interface BrowserStorageOptions {
  /** A name that is unique for each app of the origin. */
  readonly name?: string;
  readonly indexedDB?: IdbFactory;
}

/** The type has different names in the platform's types. */
type Subtle = typeof globalThis.crypto.subtle;
type PrivateKey = Parameters<Subtle['sign']>[1];

const keyName = 'key';

/** Stores key and texts in IndexedDB. Browsers without Ed25519 in WebCrypto are `unsupported`. */
export function createBrowserStorage(options: BrowserStorageOptions = {}): BrowserStorage {
  const { name = 'vitrine', indexedDB = foundFactory() } = options;
  const subtle = foundSubtle();
  const table = createIdbTable(indexedDB, name);

  async function create(): Promise<ClientKey> {
    const pair = await generate(subtle);
    if (!('privateKey' in pair)) return lost();
    const publicKey = toHex(new Uint8Array(await subtle.exportKey('raw', pair.publicKey)));
    const made = { privateKey: pair.privateKey, publicKey };
    return toKey(await table.getOrPut(keyName, made), subtle) ?? lost();
  }

  return {
    keys: {
      load: async () => toKey(await table.get(keyName), subtle),
      create,
      remove: () => table.remove(keyName),
    },
    store: {
      getItem: async (key) => {
        const text = await table.get(key);
        return typeof text === 'string' ? text : null;
      },
      setItem: (key, text) => table.put(key, text),
      removeItem: (key) => table.remove(key),
    },
  };
}

async function generate(subtle: Subtle) {
  try {
    return await subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  } catch (cause) {
    throw new IdentityError('unsupported', {
      cause,
      detail: 'WebCrypto does not support Ed25519 here.',
    });
  }
}

function toKey(stored: unknown, subtle: Subtle): ClientKey | null {
  if (!isRecord(stored)) return null;
  const { privateKey, publicKey } = stored;
  if (!isPrivateKey(privateKey) || typeof publicKey !== 'string') return null;
  return {
    publicKey,
    sign: async (bytes) => new Uint8Array(await subtle.sign('Ed25519', privateKey, bytes)),
  };
}

const isPrivateKey = (value: unknown): value is PrivateKey =>
  isRecord(value) && value['type'] === 'private';

const lost = (): never => {
  throw new IdentityError('store_failed', { detail: 'The key was not stored.' });
};

function foundFactory(): IdbFactory {
  const found: unknown = Reflect.get(globalThis, 'indexedDB');
  if (isFactory(found)) return found;
  throw new IdentityError('unsupported', { detail: 'IndexedDB is not available here.' });
}

const isFactory = (value: unknown): value is IdbFactory =>
  typeof value === 'object' && value !== null && 'open' in value;

function foundSubtle(): Subtle {
  const { subtle } = globalThis.crypto;
  if (subtle) return subtle;
  throw new IdentityError('unsupported', {
    detail: 'WebCrypto is not available here; a page must be loaded over https.',
  });
}
