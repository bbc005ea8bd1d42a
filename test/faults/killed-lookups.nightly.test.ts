/**
 * kill -9 while films are looked up in catalogues on the network: after the restart no item and no
 * look-up is lost or counted twice, locks and edits hold, and all jobs end.
 */
import { expect, onTestFinished, test } from 'vitest';
import { openKilledLookups } from '../support/faults/killed-lookups.ts';
import { rounds } from '../support/run/nightly.ts';
import { seeded } from '../support/seeded.ts';

const kills = rounds(2, 16);
const films = rounds(120, 400);

test(
  `look-ups that are killed ${kills} times end with the last answers once, and with all that people said`,
  { timeout: 600_000 },
  async () => {
    const seed = Date.now() % 1_000_000;
    console.log(`seed ${seed}`);
    const random = seeded(seed);
    const lookups = await openKilledLookups(films);
    onTestFinished(lookups.close);

    for (let kill = 0; kill < kills; kill++) await lookups.kill(0.05 + 0.95 * random());

    expect(await lookups.faults()).toEqual([]);
  },
);
