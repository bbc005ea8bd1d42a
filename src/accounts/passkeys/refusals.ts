import { AppError } from '../../errors.ts';

/** What the check of a signature complains of, and what we say: its own words quote the client. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/counter/i, 'Its counter went back: it may have been copied. Remove it and add a new one.'],
  [/origin/i, 'It was made for another address than this server has.'],
  [/RP ID/i, 'It was made for another server.'],
  [/User verification/i, 'It did not verify its user by PIN, fingerprint or face.'],
  [/user (was )?not present|presence/i, 'Nobody touched it.'],
  [/challenge/i, 'The challenge is not the one that was given.'],
  [/type/i, 'It was made for something else.'],
];

/** A refusal of a passkey, from whatever went wrong in reading what a client sent. */
export function passkeyRefusal(error: unknown): Error {
  if (error instanceof AppError) return error;
  const words = error instanceof Error ? error.message : '';
  const why = reasons.find(([pattern]) => pattern.test(words))?.[1];
  return new AppError('passkey_refused', { why: why ?? 'Its signature does not fit.' });
}
