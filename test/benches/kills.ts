import { openKilledIngest } from '../support/killed-ingest.ts';
import type { Figure } from './figure.ts';

const films = 3000;
const longestLifeMs = 2000;
/** A kill may come when the ingest is just through: so many tries for each that has to hit. */
const mostTries = 3;

/** kill -9 at so many random moments of an ingest, and what it loses, doubles or gets wrong: nothing. */
export async function benchKills(kills: number): Promise<readonly Figure[]> {
  const ingest = await openKilledIngest(films, longestLifeMs);
  try {
    let hits = 0;
    let tries = 0;
    while (hits < kills && tries < kills * mostTries) {
      if (await ingest.kill()) hits += 1;
      tries += 1;
    }
    const faults = await ingest.faults();
    for (const fault of faults.slice(0, 20)) console.error(fault);
    const figure = (name: string, ours: number, goal: number, unit: string): Figure => ({
      name: `kills: ${name}, ${films} films`,
      ours,
      bare: null,
      unit,
      goal,
    });
    return [
      figure('kills in the middle of an ingest', hits, -kills, 'kills'),
      figure('items lost, doubled or wrong', faults.length, 0, 'faults'),
    ];
  } finally {
    await ingest.close();
  }
}
