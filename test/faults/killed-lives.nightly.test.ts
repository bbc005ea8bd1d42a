/**
 * kill -9 at random moments. The lives run the server's domains without HTTP and isolates, and so start
 * in a quarter of a second: what they prove is the storage, the queue, the library, the audit log and
 * the backups. What the upgrades prove is the way back. Whole servers are killed in the middle of
 * deliveries here, of scans, ingests and upgrades of plugins in the files beside this one. `npm run
 * bench -- kills` does it a thousand times.
 */
import { expect, onTestFinished, test } from 'vitest';
import { openKilledDeliveries } from '../support/faults/killed-deliveries.ts';
import { openKilledLives } from '../support/faults/killed-lives.ts';
import { openKilledMigrations } from '../support/faults/killed-migrations.ts';
import { seeded } from '../support/seeded.ts';

const [lives, upgrades, deliveries] = [20, 6, 4];
const longestLifeMs = 250;
const longestDeliveryMs = 800;

/** Another one in each run; the line of a failed run has it. */
function newSeed(): number {
  const seed = Date.now() % 1_000_000;
  console.log(`seed ${seed}`);
  return seed;
}

test(
  `what was acknowledged before ${lives} kills is there, whole, and the jobs go on`,
  { timeout: 600_000 },
  async () => {
    const killed = await openKilledLives(seeded(newSeed()), longestLifeMs);
    onTestFinished(killed.close);

    for (let kill = 0; kill < lives; kill++) await killed.kill();

    expect(await killed.wrongs()).toEqual([]);
    const { films, kv, audit, backup } = killed.heard();
    expect(Math.min(films, kv, audit, backup)).toBeGreaterThan(0);
  },
);

test(
  `a database whose upgrade is killed is of the old version or of the new, and the way back is whole`,
  { timeout: 300_000 },
  async () => {
    const killed = await openKilledMigrations(seeded(newSeed()));
    onTestFinished(killed.close);

    for (let kill = 0; kill < upgrades; kill++) await killed.kill();

    expect(killed.wrongs).toEqual([]);
  },
);

test(
  `what was acknowledged before ${deliveries} kills of a whole server is delivered`,
  { timeout: 300_000 },
  async () => {
    const killed = await openKilledDeliveries(seeded(newSeed()), longestDeliveryMs);
    onTestFinished(killed.close);

    for (let kill = 0; kill < deliveries; kill++) await killed.kill();

    expect(await killed.wrongs()).toEqual([]);
    expect(killed.acknowledged()).toBeGreaterThan(0);
  },
);
