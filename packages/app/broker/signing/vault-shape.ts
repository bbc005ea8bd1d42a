/** Checks that a value is a vault, and that the user signed it in this form. */
import {
  canonicalText,
  fromBase64url,
  isSignedObjectBy,
  openRecord,
  toHex,
} from '../../../lib/identity-protocol/index.ts';
import type { Vault, VaultWrap } from '../service/web-api.ts';
import { sha256 } from './sha256.ts';

const mostWraps = 32;
const longestRef = 1400;

/** Whether a JSON value has exactly the shape of a vault. The signature is not checked. */
export function isVault(value: unknown): value is Vault {
  if (!hasKeys(value, ['key', 'proof', 'rev', 'wraps'])) return false;
  const { rev, wraps, key, proof } = value;
  return (
    isCount(rev) &&
    Array.isArray(wraps) &&
    wraps.length <= mostWraps &&
    wraps.every(isWrap) &&
    new Set(wraps.map(({ type, ref }) => `${type} ${ref}`)).size === wraps.length &&
    hasKeys(key, ['ct', 'iv', 'userPubKey', 'v']) &&
    key['v'] === 1 &&
    isBytes(key['iv'], 12) &&
    isText(key['ct'], 400) &&
    openRecord('vault', proof)?.record.userPubKey === key['userPubKey']
  );
}

/**
 * Whether the user's key signed this revision with these wraps. It detects a wrap that was added,
 * removed, or taken from an older revision.
 */
export async function isVaultProven(
  { rev, wraps, key, proof }: Vault,
  { userId, userPubKey }: { readonly userId: string; readonly userPubKey: string },
): Promise<boolean> {
  const read = openRecord('vault', proof);
  if (read === null || key.userPubKey !== userPubKey) return false;
  const { record, opened } = read;
  const isSame = record.rev === rev && record.userId === userId && record.userPubKey === userPubKey;
  if (!isSame || record.wraps !== (await wrapsHash(wraps))) return false;
  return isSignedObjectBy(userPubKey, opened);
}

/** SHA-256 of the canonical JSON of the list of wraps, as used in the proof. */
export async function wrapsHash(wraps: readonly VaultWrap[]): Promise<string> {
  const list = canonicalText({ wraps }).slice('{"wraps":'.length, -1);
  return toHex(await sha256(new TextEncoder().encode(list)));
}

function isWrap(value: unknown): value is VaultWrap {
  const names = ['ct', 'iv', 'ref', 'salt', 'type', 'v'];
  const isPassphrase = isObject(value) && value['type'] === 'passphrase';
  if (!hasKeys(value, isPassphrase ? [...names, 'kdf'] : names)) return false;
  const { type, ref, salt, iv, ct, v, kdf } = value;
  return (
    v === 1 &&
    isBytes(salt, 32) &&
    isBytes(iv, 12) &&
    isBytes(ct, 48) &&
    (type === 'prf'
      ? isText(ref, longestRef)
      : type === 'recovery'
        ? ref === 'recovery'
        : type === 'passphrase' && isBytes(ref, 16) && isKdf(kdf))
  );
}

const isKdf = (value: unknown): boolean =>
  hasKeys(value, ['m', 'p', 't']) && Object.values(value).every(isCount);

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasKeys = (value: unknown, names: readonly string[]): value is Json =>
  isObject(value) &&
  Object.keys(value).length === names.length &&
  names.every((name) => Object.hasOwn(value, name));

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && fromBase64url(value) !== null;

const isBytes = (value: unknown, length: number): boolean =>
  typeof value === 'string' && value.length < 100 && fromBase64url(value)?.length === length;
