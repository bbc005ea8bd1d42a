/** `signature.json`: the files of a package, signed by its publisher. */
import { createHash } from 'node:crypto';
import { canonicalText, isSigned, isUsableKey, signed, type Signer } from './signature.ts';
import type { PackageFiles } from './tar.ts';

/** What a publisher signs. */
export interface PackageClaims {
  readonly id: string;
  readonly version: string;
  readonly publisherKey: string;
  /** SHA-256 in hex of every file except `signature.json`, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** The claims, or why they do not hold. */
export type SignatureReading =
  | { readonly ok: true; readonly claims: PackageClaims }
  | { readonly ok: false; readonly fault: string };

export const signatureFile = 'signature.json';

const longestSignature = 262_144;

/** The text of `signature.json` for these files. */
export function signatureOf(
  files: PackageFiles,
  { id, version }: Pick<PackageClaims, 'id' | 'version'>,
  signer: Signer,
): string {
  const publisherKey = signer.publicKey;
  return canonicalText(signed({ id, version, publisherKey, files: digests(files) }, signer));
}

/** Parses `signature.json` and checks it against the files. */
export async function readSignature(files: PackageFiles): Promise<SignatureReading> {
  const bytes = files.get(signatureFile);
  if (bytes === undefined)
    return refused('The package is not signed: its author signs it with vitrine plugin sign.');
  const claims = claimsIn(bytes);
  if (claims === null) return refused('signature.json is not in its one canonical form.');
  const mismatch = mismatchIn(claims.files, digests(files));
  if (mismatch !== null) return refused(mismatch);
  const { publisherKey } = claims;
  return isUsableKey(publisherKey) && (await isSigned(claims, publisherKey))
    ? { ok: true, claims }
    : refused('signature.json was not signed with the key that it names.');
}

const refused = (fault: string): SignatureReading => ({ ok: false, fault });

/** The claims with their signature, as in the file. */
type SignedClaims = PackageClaims & Readonly<Record<string, unknown>>;

function claimsIn(bytes: Uint8Array): SignedClaims | null {
  if (bytes.length > longestSignature) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return isClaims(value) && canonicalText(value) === text ? value : null;
  } catch {
    return null;
  }
}

const members = 'files,id,publisherKey,signature,version';

function isClaims(value: unknown): value is SignedClaims {
  if (!isMap(value) || Object.keys(value).sort().join() !== members) return false;
  const { id, version, publisherKey, files } = value;
  return (
    typeof id === 'string' &&
    typeof version === 'string' &&
    typeof publisherKey === 'string' &&
    isMap(files) &&
    Object.values(files).every((digest) => /^[0-9a-f]{64}$/.test(String(digest)))
  );
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function digests(files: PackageFiles): Readonly<Record<string, string>> {
  const own = [...files].filter(([path]) => path !== signatureFile);
  return Object.fromEntries(
    own.map(([path, content]) => [path, createHash('sha256').update(content).digest('hex')]),
  );
}

function mismatchIn(
  claimed: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): string | null {
  const paths = new Set([...Object.keys(claimed), ...Object.keys(found)]);
  for (const path of paths) {
    if (!Object.hasOwn(found, path)) return `${path} is in signature.json but is missing.`;
    if (!Object.hasOwn(claimed, path)) return `${path} is not in signature.json.`;
    if (claimed[path] !== found[path]) return `${path} is not the file that was signed.`;
  }
  return null;
}
