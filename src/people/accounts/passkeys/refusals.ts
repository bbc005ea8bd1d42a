import { AppError } from '../../../platform/errors.ts';

/**
 * Maps errors of the library to messages. Its own messages quote input of the client, so they are
 * not shown.
 */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/counter/i, 'Its counter did not grow: it may have been copied. Remove it and add a new one.'],
  [/origin/i, 'It was created for another address than that of this server.'],
  [/RP ID/i, 'It was created for another server.'],
  [/User verification/i, 'It did not verify its user by PIN, fingerprint or face.'],
  [/user (was )?not present|presence/i, 'Its user was not present.'],
  [/challenge/i, 'The challenge is not the one that was issued.'],
  [/type/i, 'It was created for another purpose.'],
];

/** Turns any error while reading a reply of a client into a refusal of the passkey. */
export function passkeyRefusal(error: unknown): Error {
  if (error instanceof AppError) return error;
  const words = error instanceof Error ? error.message : '';
  const why = reasons.find(([pattern]) => pattern.test(words))?.[1];
  return new AppError('passkey_refused', { why: why ?? 'Its signature is not valid.' });
}
