/** Checks for the fields of signed objects (identity protocol, section 3.1). */
import { isHex32 } from './hex.ts';
import { textLike, type Check } from './shape.ts';

/**
 * Separates seconds from milliseconds: seconds reach it in the year 5138, milliseconds did in 1973.
 */
const between = 100_000_000_000;

const isSafe = (value: unknown): value is number => Number.isSafeInteger(value);

/** Unix seconds. */
export const isSeconds: Check<number> = (value): value is number =>
  isSafe(value) && value > 0 && value < between;

/** Unix milliseconds. */
export const isMilliseconds: Check<number> = (value): value is number =>
  isSafe(value) && value > between;

/** `app_<slug>`. */
export const isAppId = textLike(/^app_[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/);

/** A UUID of version 4, in lower case. */
export const isClientId = textLike(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

/** An opaque id of a user. */
export const isUserId = textLike(/^[A-Za-z0-9_-]{1,64}$/);

/** A public key, a server id, a challenge: 32 bytes in lower-case hex. */
export const isKey: Check<string> = isHex32;

const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A name for display: 1 to 64 code points, NFC, without control and bidi characters. */
export const isShownName: Check<string> = (value): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  Array.from(value).length <= 64 &&
  value.isWellFormed() &&
  value.normalize('NFC') === value &&
  !unseen.test(value);

/** `servers:*`, or one server. */
export const isScope = textLike(/^servers:(?:\*|[0-9a-f]{64})$/);

/** A whole number from 0. */
export const isCount: Check<number> = (value): value is number => isSafe(value) && value >= 0;

const privateHost =
  /^(?:localhost|[^.:[\]]+|.+\.local|.+\.home\.arpa|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|\[(?:::1|f[cd][0-9a-f:]+|fe[89ab][0-9a-f:]+)\])$/;

/**
 * The address of a server: origin and path without a trailing slash, in the spelling of the URL
 * standard. Plain http is allowed only for hosts of a home network (RFC 1918, link-local, ULA,
 * `.local`, `.home.arpa`, one label).
 */
export const isBaseUrl: Check<string> = (value): value is string => {
  if (typeof value !== 'string' || value.length > 500 || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password, search, hash, href } = new URL(value);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  if (value.endsWith('/') || (href !== value && href !== `${value}/`)) return false;
  return protocol === 'https:' || (protocol === 'http:' && privateHost.test(hostname));
};
