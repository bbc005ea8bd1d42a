/**
 * The database fails under a running server: it stays up, says clearly what is wrong, and goes on when
 * the fault ends, with nothing lost of what it acknowledged. `npm run bench -- faults` does it at 500
 * statements for each kind of fault, and writes what it found into docs/faults.md.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFaultScene, type FaultScene } from '../support/fault-scene.ts';
import { faultKinds } from '../support/faulty-driver.ts';

const faults = 25;
const rounds = 8;
let scene: FaultScene;

beforeAll(async () => {
  scene = await openFaultScene();
}, 60_000);

afterAll(() => scene.close());

describe('a server whose database fails while it scans and serves', () => {
  test.each(faultKinds)(
    'answers clearly to SQLITE_%s, and writes again as soon as that ends',
    async (kind) => {
      const { unclear, unrecovered, ...tally } = await scene.hurt(kind, faults);

      expect({ unclear, unrecovered }).toEqual({ unclear: [], unrecovered: [] });
      expect(tally.faults).toBe(faults);
    },
    120_000,
  );

  test('reads on while the disk is read-only, and writes again as soon as it is not', async () => {
    const { answers, unclear, unrecovered } = await scene.hurt('READONLY', rounds);

    expect({ unclear, unrecovered }).toEqual({ unclear: [], unrecovered: [] });
    expect([...answers.keys()].sort()).toEqual(
      expect.arrayContaining(['200', '503 storage_read_only']),
    );
  }, 120_000);

  test('has lost nothing that it acknowledged, and its scan ends with the right items', async () => {
    expect(await scene.wrongs()).toEqual([]);
  }, 120_000);
});
