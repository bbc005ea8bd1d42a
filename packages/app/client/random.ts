import { IdentityError } from './identity-error.ts';

/** Returns cryptographically secure random bytes. */
export type RandomBytes = (length: number) => Uint8Array<ArrayBuffer>;

/** The random generator of the platform. */
export const systemRandom: RandomBytes = (length) => {
  // In React Native the app must provide it.
  if (typeof globalThis.crypto?.getRandomValues !== 'function')
    throw new IdentityError('unsupported', {
      detail: 'crypto.getRandomValues is not available here.',
    });
  return globalThis.crypto.getRandomValues(new Uint8Array(length));
};

/** A number from 0 to below 1, to spread the requests of many devices. */
export function fraction(random: RandomBytes): number {
  return random(4).reduce((value, byte) => (value + byte) / 256, 0);
}
