/**
 * The start times of a client's passes. A device renews every 30 days from passes that were signed
 * in advance, so it works for up to eight months without its user; each sign-in of the user tops
 * them up.
 */
import {
  passLifetimeSeconds,
  renewableAfterSeconds,
} from '../../../lib/identity-protocol/index.ts';

const step = renewableAfterSeconds;
const ahead = 6;
const reach = ahead * step;
const near = step / 2;

/** The start times, in seconds, of the first pass and the six after it. */
export const firstSlots = (now: number): readonly number[] =>
  Array.from({ length: ahead + 1 }, (_, index) => now + index * step);

/**
 * The start times of missing passes, given those that exist. A client whose newest pass is due gets
 * one from now on; otherwise it would have to wait for a future pass until its last one has
 * expired.
 */
export function missingSlots(iats: readonly number[], now: number): readonly number[] {
  const newest = Math.max(...iats.filter((iat) => iat <= now), -Infinity);
  const future = iats.filter((iat) => iat > now);
  const slots: number[] = [];
  for (let slot = Math.max(newest + step, now); slot <= now + reach; slot += step) slots.push(slot);
  const isTaken = (slot: number): boolean => future.some((iat) => Math.abs(iat - slot) <= near);
  return slots.filter((slot) => slot === now || !isTaken(slot));
}

/** When a pass with that start expires. */
export const endOf = (iat: number): number => iat + passLifetimeSeconds;
