/**
 * `npm test` runs a sample of each long sweep (kills, faults, older databases, random cases), so that
 * the suite stays short. `npm run nightly` runs the whole suite with every case of each sweep.
 */
export const isNightly = process.env['VITRINE_NIGHTLY'] === '1';

/** So many rounds: the first number in the suite, the second one by night. */
export const rounds = (inSuite: number, nightly: number): number => (isNightly ? nightly : inSuite);

/** All cases by night; in the suite at most so many, spread evenly, with the first, and with the last if they are more than one. */
export function sampleOf<Case>(cases: readonly Case[], most: number): readonly Case[] {
  if (isNightly || cases.length <= most) return cases;
  const step = (cases.length - 1) / Math.max(most - 1, 1);
  return Array.from({ length: most }, (_, no) => cases[Math.round(no * step)] as Case);
}
