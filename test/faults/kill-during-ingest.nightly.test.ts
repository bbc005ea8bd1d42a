/**
 * kill -9 at random moments of an ingest: after the restart it ends with every item right, nothing
 * lost and nothing doubled. `npm run bench -- kills` does the same a hundred times.
 */
import { expect, onTestFinished, test } from 'vitest';
import { openKilledIngest } from '../support/faults/killed-ingest.ts';

const kills = 4;
const films = 1200;
const longestLifeMs = 500;

test(
  `an ingest that is killed ${kills} times ends with every item once, and right`,
  { timeout: 240_000 },
  async () => {
    const ingest = await openKilledIngest(films, longestLifeMs);
    onTestFinished(ingest.close);

    let hits = 0;
    for (let kill = 0; kill < kills; kill++) if (await ingest.kill()) hits += 1;

    expect(hits).toBeGreaterThan(0);
    expect(await ingest.faults()).toEqual([]);
  },
);
