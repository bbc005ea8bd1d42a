import { createHash } from 'node:crypto';

const prime = 2_147_483_647;

/** SQL of a number that orders rows by chance: the same for the same seed. Columns are integers. */
export function chanceOf(column: string, seed: string): string {
  const bytes = createHash('sha256').update(seed).digest();
  const factor = (bytes.readUInt32BE(0) % (prime - 2)) + 1;
  const shift = bytes.readUInt32BE(4) % prime;
  // The square breaks the even steps of neighbours. No product is above 64 bits.
  const mixed = `((cast(${column} as bigint) * ${factor} + ${shift}) % ${prime})`;
  return `((${mixed} * ${mixed}) % ${prime})`;
}
