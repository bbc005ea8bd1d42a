/**
 * The database fails under a running server: it stays up, says clearly what is wrong, and goes on when
 * the fault ends, with nothing lost of what it acknowledged. `npm run bench -- faults` does it at every
 * statement that it finds for each kind of fault, and writes what it found into docs/faults.md.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFaultScene, type FaultScene } from '../support/faults/fault-scene.ts';
import { createSweeper, errandsOf } from '../support/faults/fault-sweeps.ts';
import { createTally } from '../support/faults/fault-tally.ts';
import { faultKinds } from '../support/storage/faulty-driver.ts';

const faults = 25;
const readOnlyRounds = 8;
let scene: FaultScene;

beforeAll(async () => {
  scene = await openFaultScene();
});

afterAll(() => scene.close());

describe('a server whose database fails while it scans and serves', () => {
  test.each(faultKinds)(
    'answers clearly to SQLITE_%s, and writes again as soon as that ends',
    async (kind) => {
      const tally = createTally(kind);

      await scene.hurt(tally, faults);

      expect(tally).toMatchObject({ faults, unclear: [], unrecovered: [] });
    },
    120_000,
  );

  test.each([
    ['FULL', 'collections'],
    ['CORRUPT', 'groups and invites'],
    ['BUSY', 'a plugin of the marketplace'],
    ['IOERR', 'webhooks'],
  ] as const)(
    'does to the end, after SQLITE_%s, what was stopped in the middle of %s',
    async (kind, what) => {
      const tally = createTally(kind);
      const sweeper = createSweeper(scene);
      const errands = errandsOf(scene).filter(({ name }) => name === what);

      await sweeper.errands(tally, errands, 1);

      expect(tally).toMatchObject({ unclear: [], unrecovered: [] });
      expect(tally.faults).toBeGreaterThan(errands.length);
    },
    120_000,
  );

  test('reads on while the disk is read-only, and writes again as soon as it is not', async () => {
    const tally = createTally('READONLY');

    await scene.hurt(tally, readOnlyRounds);

    expect(tally).toMatchObject({ unclear: [], unrecovered: [] });
    expect([...tally.answers.keys()].sort()).toEqual(
      expect.arrayContaining(['200', '503 storage_read_only']),
    );
  });

  test('has lost nothing that it acknowledged, and its scan ends with the right items', async () => {
    expect(await scene.wrongs()).toEqual([]);
  });
});
