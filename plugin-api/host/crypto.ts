import { closed, type MethodRecords } from '../server/method-record.ts';

/** Bytes as a plugin passes them: a string is UTF-8 text. */
export type CryptoBytes = string | { readonly base64: string } | { readonly hex: string };

/** How an answer writes its bytes. */
export type CryptoEncoding = 'base64' | 'hex';

/** A hash function. MD5 and SHA-1 are for services that demand them; they do not resist collisions. */
export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha512';

/**
 * `host.crypto`: cryptography that the sandbox lacks. It computes only what it is given and keeps
 * nothing. No permission needed. An input has at most 1 MiB as JSON. A key that the plugin should
 * never see belongs in `host.secrets`.
 *
 * Errors: `invalid_argument` (wrong lengths, base64, hex, text with half of a surrogate pair, or bytes
 * that do not open), `too_large`.
 *
 * @example
 * const { digest } = await host.crypto.digest({ algorithm: 'sha256', message: 'The Night Train (1999)' });
 */
export interface CryptoService {
  /** The digest of `message`, as `hex` when `encoding` is absent. */
  readonly digest: (input: {
    readonly algorithm: HashName;
    readonly message: CryptoBytes;
    readonly encoding?: CryptoEncoding;
  }) => Promise<{ readonly digest: string }>;
  /** The HMAC of `message` (RFC 2104), as `hex` when `encoding` is absent. */
  readonly hmac: (input: {
    readonly algorithm: Exclude<HashName, 'md5'>;
    /** At least 1 byte. */
    readonly key: CryptoBytes;
    readonly message: CryptoBytes;
    readonly encoding?: CryptoEncoding;
  }) => Promise<{ readonly mac: string }>;
  /**
   * Encrypts with AES-256-GCM (NIST SP 800-38D) under a random nonce. `sealed` is base64 of the nonce
   * (12 bytes), the ciphertext and the tag (16 bytes), in this order. One key may seal at most 2^32
   * messages.
   */
  readonly seal: (input: {
    /** 32 bytes. */
    readonly key: CryptoBytes;
    readonly message: CryptoBytes;
    /** Authenticated, but not encrypted: `open` needs the same. */
    readonly associated?: CryptoBytes;
  }) => Promise<{ readonly sealed: string }>;
  /**
   * Decrypts what `seal` made. Rejects with `invalid_argument` when the key, `associated` or any byte
   * differs.
   */
  readonly open: (input: {
    /** 32 bytes. */
    readonly key: CryptoBytes;
    /** Base64. */
    readonly sealed: string;
    readonly associated?: CryptoBytes;
    /** `utf8` when absent; it rejects for bytes that are not text. */
    readonly encoding?: CryptoEncoding | 'utf8';
  }) => Promise<{ readonly message: string }>;
  /** Whether an Ed25519 signature (RFC 8032) of `message` is valid. */
  readonly verify: (input: {
    /** 32 bytes. */
    readonly publicKey: CryptoBytes;
    readonly message: CryptoBytes;
    /** 64 bytes. */
    readonly signature: CryptoBytes;
  }) => Promise<{ readonly valid: boolean }>;
  /** Whether both have the same bytes, in a time that does not depend on where they differ. */
  readonly equal: (input: {
    readonly a: CryptoBytes;
    readonly b: CryptoBytes;
  }) => Promise<{ readonly equal: boolean }>;
  /** Unpredictable random bytes, as `hex` when `encoding` is absent. */
  readonly random: (input: {
    /** 1 to 65 536 bytes. */
    readonly count: number;
    readonly encoding?: CryptoEncoding;
  }) => Promise<{ readonly bytes: string }>;
}

const own = { permission: null, scope: 'none', viewer: 'none' } as const;
const text = { type: 'string' } as const;
const encoding = { enum: ['base64', 'hex'] } as const;
const bytes = { anyOf: [text, closed({ base64: text }), closed({ hex: text })] } as const;

/** What the server knows of each method. @internal */
export const cryptoMethods = {
  digest: {
    ...own,
    needs: { algorithm: { enum: ['md5', 'sha1', 'sha256', 'sha512'] }, message: bytes },
    takes: { encoding },
    done: { english: 'computed a checksum', german: 'eine Prüfsumme berechnet' },
  },
  hmac: {
    ...own,
    needs: { algorithm: { enum: ['sha1', 'sha256', 'sha512'] }, key: bytes, message: bytes },
    takes: { encoding },
    done: { english: 'computed a signature', german: 'eine Signatur berechnet' },
  },
  seal: {
    ...own,
    needs: { key: bytes, message: bytes },
    takes: { associated: bytes },
    done: { english: 'encrypted something', german: 'etwas verschlüsselt' },
  },
  open: {
    ...own,
    needs: { key: bytes, sealed: text },
    takes: { associated: bytes, encoding: { enum: ['base64', 'hex', 'utf8'] } },
    done: { english: 'decrypted something', german: 'etwas entschlüsselt' },
  },
  verify: {
    ...own,
    needs: { publicKey: bytes, message: bytes, signature: bytes },
    done: { english: 'checked a signature', german: 'eine Signatur geprüft' },
  },
  equal: {
    ...own,
    needs: { a: bytes, b: bytes },
    done: { english: 'compared two values', german: 'zwei Werte verglichen' },
  },
  random: {
    ...own,
    needs: { count: { type: 'integer', minimum: 1, maximum: 65_536 } },
    takes: { encoding },
    done: { english: 'made random bytes', german: 'Zufallswerte erzeugt' },
  },
} as const satisfies MethodRecords<CryptoService>;
