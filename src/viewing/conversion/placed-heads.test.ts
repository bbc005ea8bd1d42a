import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { PlacedHeads } from './placed-heads.ts';
import type { ConverterRow } from './head-store.ts';

/** Places work at the server `own` among these, of which some answer; gives where, or `null` for here. */
function scene(rows: readonly ConverterRow[], silent: readonly string[] = []) {
  const asked: string[] = [];
  const clock = createFakeClock();
  const placed = new PlacedHeads({
    database: { read: { raw: async () => rows } as never },
    server: 'own',
    asked: {
      post: async (address) => {
        asked.push(address);
        return silent.includes(address) ? null : Buffer.from(address);
      },
    },
    clock,
  });
  const place = async (work: string, weight = 10) =>
    (await placed.place({ work, weight, body: new Uint8Array() }))?.toString() ?? null;
  return { asked, clock, placed, place };
}

const row = (id: string, load: number): ConverterRow => ({ id, address: `at ${id}`, load });

test('a process is placed where there is the least work, and here where nobody has less', async () => {
  const { place } = scene([row('own', 10), row('a', 11), row('b', 1)]);

  expect(await place('one', 5)).toBe('at b');
  // What was placed a moment ago counts before the database knows it.
  expect(await place('two', 5)).toBe('at b');
  expect(await place('three', 5)).toBeNull();
  expect(await place('one', 5)).toBe('at b');
});

test('parts of one work that are asked for at once come from one process', async () => {
  const { place } = scene([row('a', 0), row('b', 0), row('own', 5)]);
  const first = await place('one');

  expect([await place('one'), await place('one')]).toEqual([first, first]);
});

test('what was placed is forgotten when the database knows it', async () => {
  const { place, clock } = scene([row('own', 10), row('b', 1)]);
  const first = await place('one', 20);
  const second = await place('two', 20);
  await clock.advance(3000);

  expect([first, second, await place('three', 20)]).toEqual(['at b', null, 'at b']);
});

test('works spread over servers with as much work, and each has its place', async () => {
  const works = Array.from({ length: 20 }, (_, n) => `work ${n}`);
  const at = async (work: string) => scene([row('a', 0), row('b', 0)]).place(work);
  const places = await Promise.all(works.map(at));

  expect(new Set(places).size).toBe(2);
  expect(await Promise.all(works.map(at))).toEqual(places);
});

test('one that does not answer is passed over', async () => {
  const { place, asked } = scene([row('a', 0), row('own', 5), row('b', 2)], ['at a', 'at b']);

  expect(await place('one')).toBeNull();
  expect(asked).toEqual(['at a', 'at b']);
});

test('whether another one converts is looked up again and again, until the end', async () => {
  const rows = [row('own', 0)];
  const { placed, clock } = scene(rows);
  placed.watch();
  await clock.advance(0);
  const before = placed.hasOthers();
  rows.push(row('a', 0));
  await clock.advance(5000);
  const after = placed.hasOthers();
  placed.close();
  await clock.advance(5000);

  expect([before, after, clock.timers()]).toEqual([false, true, 0]);
});
