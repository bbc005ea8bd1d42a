import { IdentityError } from './identity-error.ts';

/** So many bytes that nobody can foretell. */
export type RandomBytes = (length: number) => Uint8Array<ArrayBuffer>;

/** The randomness of the platform. */
export const systemRandom: RandomBytes = (length) => {
  // React Native has it only where the app brings it.
  if (typeof globalThis.crypto?.getRandomValues !== 'function')
    throw new IdentityError('unsupported', { detail: 'There is no crypto.getRandomValues here.' });
  return globalThis.crypto.getRandomValues(new Uint8Array(length));
};

/** A number from 0 to below 1, to spread what many devices do at the same time. */
export function fraction(random: RandomBytes): number {
  return random(4).reduce((value, byte) => (value + byte) / 256, 0);
}
