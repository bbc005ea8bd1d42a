/**
 * License keys: `VIT1.<base64url of canonical claims>.<base64url of the issuer's Ed25519
 * signature>`. The server verifies them itself, so no plugin gets the key. Only one spelling of
 * each is accepted, so a key cannot be varied into another one.
 */
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { LicenseClaims } from '../../../plugin-api/index.ts';
import {
  canonicalText,
  decodeCanonical,
  fromBase64url,
  toBase64url,
} from '../../people/identity/index.ts';

/** Why a license key was refused. */
export type LicenseFault =
  | 'MALFORMED'
  | 'BAD_SIGNATURE'
  | 'EXPIRED'
  | 'UNKNOWN_ISSUER'
  | 'AUTHORITY_UNREACHABLE'
  | 'REFUSED';

/** The claims of a key, once its signature is verified. */
export type KeyVerdict =
  | { readonly ok: true; readonly claims: LicenseClaims }
  | {
      readonly ok: false;
      readonly code: 'MALFORMED' | 'BAD_SIGNATURE' | 'UNKNOWN_ISSUER';
      readonly message: string;
    };

const prefix = 'VIT1';
const longestKey = 8192;
const mostLimits = 100;
const latestSeconds = Date.UTC(9999, 11, 31) / 1000;

/** Parses a key and verifies its signature; `issuer` is the public key, 64 hex digits. */
export function verifyLicenseKey(licenseKey: string, issuer: string | null): KeyVerdict {
  const read = readLicenseKey(licenseKey);
  if (read === null) {
    const message = 'This is not a license key: a key has the form VIT1.<claims>.<signature>.';
    return { ok: false, code: 'MALFORMED', message };
  }
  if (issuer === null) {
    const message = 'This server has no license issuer; its operator must set --license-issuer.';
    return { ok: false, code: 'UNKNOWN_ISSUER', message };
  }
  if (!verify(null, read.signed, publicKeyOf(issuer), read.signature)) {
    const message = "The key was not signed by this server's license issuer, or was changed since.";
    return { ok: false, code: 'BAD_SIGNATURE', message };
  }
  return { ok: true, claims: read.claims };
}

/** The claims of a key, without verification; `null` when it is malformed. */
export function readLicenseKey(licenseKey: string) {
  if (licenseKey.length > longestKey) return null;
  const [form, payload, signature, ...rest] = licenseKey.split('.');
  if (form !== prefix || payload === undefined || signature === undefined) return null;
  const decoded = decodeCanonical(payload, longestKey);
  const signatureBytes = fromBase64url(signature);
  const claims = decoded && toClaims(decoded.value);
  if (rest.length > 0 || claims === null || signatureBytes?.length !== 64) return null;
  return { claims, signed: decoded?.bytes ?? new Uint8Array(), signature: signatureBytes };
}

/** Creates a key. Throws a RangeError for claims that a server would refuse. */
export function issueLicenseKey(claims: LicenseClaims, privateKey: KeyObject): string {
  if (toClaims({ ...claims }) === null)
    throw new RangeError('These are not valid claims of a license.');
  const signed = new TextEncoder().encode(canonicalText({ ...claims }));
  return `${prefix}.${toBase64url(signed)}.${toBase64url(sign(null, signed, privateKey))}`;
}

/** The last characters of a key, by which users recognize it. */
export const maskedKey = (licenseKey: string): string => `****${licenseKey.slice(-4)}`;

/** The public key of a private key in the form of the settings: 64 hex digits. */
export function issuerOf(privateKey: KeyObject): string {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('hex');
}

function publicKeyOf(issuer: string): KeyObject {
  const x = Buffer.from(issuer, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** Exactly the six claims: an unknown claim might be a restriction, so it is refused. */
function toClaims(value: Readonly<Record<string, unknown>>): LicenseClaims | null {
  const { id, tier, limits, seats, iat, exp, ...others } = value;
  const isComplete =
    Object.keys(others).length === 0 &&
    isName(id) &&
    isName(tier) &&
    isLimits(limits) &&
    isWhole(seats, 1, 1_000_000) &&
    isWhole(iat, 0, latestSeconds) &&
    isWhole(exp, 1, latestSeconds) &&
    iat < exp;
  return isComplete ? { id, tier, limits, seats, iat, exp } : null;
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[^\p{C}]{1,100}$/u.test(value) && value.trim() === value;

/** Limits by name, in claims and verdicts. */
export const isLimits = (value: unknown): value is Readonly<Record<string, number>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= mostLimits &&
  Object.entries(value).every(
    ([name, amount]) => isName(name) && isWhole(amount, 0, Number.MAX_SAFE_INTEGER),
  );

const isWhole = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
