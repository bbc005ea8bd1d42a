/**
 * When a client's passes begin. A device renews every 30 days from passes that were signed ahead, so
 * that it works for up to eight months without its user; each sign-in of the user fills them up.
 */
import { passLifetimeSeconds, renewableAfterSeconds } from '../../identity/primitives/index.ts';

const step = renewableAfterSeconds;
const ahead = 6;
const reach = ahead * step;
const near = step / 2;

/** Seconds at which the first pass and the six after it begin. */
export const firstSlots = (now: number): readonly number[] =>
  Array.from({ length: ahead + 1 }, (_, index) => now + index * step);

/**
 * Which passes a client lacks, by when those it has begin. One that is due gets a pass from now on,
 * or the device would wait for its first future one until its last has ended.
 */
export function missingSlots(iats: readonly number[], now: number): readonly number[] {
  const newest = Math.max(...iats.filter((iat) => iat <= now), -Infinity);
  const future = iats.filter((iat) => iat > now);
  const slots: number[] = [];
  for (let slot = Math.max(newest + step, now); slot <= now + reach; slot += step) slots.push(slot);
  const isTaken = (slot: number): boolean => future.some((iat) => Math.abs(iat - slot) <= near);
  return slots.filter((slot) => slot === now || !isTaken(slot));
}

/** When a pass that begins then ends. */
export const endOf = (iat: number): number => iat + passLifetimeSeconds;
