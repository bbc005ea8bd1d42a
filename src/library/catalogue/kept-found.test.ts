import { beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from './access/index.ts';
import type { Entity } from './entity.ts';
import type { Item } from './item.ts';
import { createKeptFound, type KeptFound, type ReadThings } from './kept-found.ts';
import type { WantedIds } from './read-ahead.ts';

let writes: number;
/** Writes to a table of which items have nothing. */
let writesApart: number;
let readings: WantedIds[];
let kept: KeptFound;

beforeEach(() => {
  writes = 0;
  writesApart = 0;
  readings = [];
  kept = createKeptFound({ database: { writes: countWrites }, maxBytes: 20_000 });
});

const countWrites = (apart?: ReadonlySet<string>): number =>
  apart?.has('jobs') === true ? writes : writes + writesApart;

/** Things that say in which reading they were read; what is called `gone` is not there. */
async function read(ids: WantedIds): Promise<ReadThings> {
  const no = readings.push(ids);
  const there = (list: readonly string[]) => list.filter((id) => !id.startsWith('gone'));
  return {
    items: there(ids.items).map((id) => ({ id, title: `read ${no}` }) as Item),
    entities: there(ids.entities).map((id) => ({ id, name: `read ${no}` }) as Entity),
    bytes: 1000 * (ids.items.length + ids.entities.length),
  };
}

async function find(items: readonly string[], entities: readonly string[] = [], reader = admin) {
  const things = await kept.complete(reader, { items, entities }, read);
  return Object.fromEntries([
    ...things.items.map(({ id, title }) => [id, title]),
    ...things.entities.map(({ id, name }) => [id, name]),
  ]) as Record<string, string>;
}

const films = { no: 1, id: 'films', name: 'Films', type: 'movies', roots: [], hidden: false };
const whole: Scope = {
  libraries: [{ ...films, certifications: null, share: null }],
  showsHidden: false,
  findsHidden: true,
  showsPaths: false,
};
const admin = { scope: whole, profileId: 'admin' };

describe('what was found lately', () => {
  test('is read once, and only what else is found after that', async () => {
    await find(['i1', 'i2'], ['e1']);

    expect(await find(['i2', 'i3'], ['e1'])).toEqual({ i2: 'read 1', i3: 'read 2', e1: 'read 1' });
    expect(readings).toEqual([
      { items: ['i1', 'i2'], entities: ['e1'] },
      { items: ['i3'], entities: [] },
    ]);
    await find(['i3'], ['e1']);
    expect(readings).toHaveLength(2);
  });

  test('is known not to be there', async () => {
    await find(['gone'], ['gone']);

    expect(await find(['gone'], ['gone'])).toEqual({});
    expect(readings).toHaveLength(1);
  });

  test('keeps an item and an entity of one id apart', async () => {
    await find(['same']);
    await kept.complete(admin, { items: [], entities: ['same'] }, read);

    expect(readings).toHaveLength(2);
  });

  test('is read again after a write, but not after one that it has nothing of', async () => {
    await find(['i1']);
    writesApart += 1;
    expect(await find(['i1'])).toEqual({ i1: 'read 1' });
    writes += 1;

    expect(await find(['i1'])).toEqual({ i1: 'read 2' });
  });

  test('is read again when something was written while it was read', async () => {
    await kept.complete(admin, { items: ['i1'], entities: [] }, (ids) => {
      writes += 1;
      return read(ids);
    });

    expect(await find(['i1'])).toEqual({ i1: 'read 2' });
  });

  test('is given to nobody who may see something else', async () => {
    await find(['i1']);

    const only = (...certifications: string[]): Scope => ({
      ...whole,
      libraries: [{ ...films, certifications: new Set(certifications), share: null }],
    });
    const others = [
      { ...admin, profileId: 'another' },
      { ...admin, scope: { ...whole, showsHidden: true } },
      { ...admin, scope: { ...whole, libraries: [] } },
      { ...admin, scope: only('PG') },
      { ...admin, scope: only('PG', 'R') },
    ];
    for (const [at, other] of others.entries())
      expect(await find(['i1'], [], other)).toEqual({ i1: `read ${at + 2}` });
    expect(await find(['i1'], [], { ...admin, scope: { ...whole } })).toEqual({ i1: 'read 1' });
  });

  test('is forgotten where it would take too much memory, the oldest first', async () => {
    for (let at = 0; at < 30; at++) await find([`i${at}`]);
    readings = [];

    await find(['i29', 'i25']);
    expect(readings).toEqual([]);
    await find(['i0']);
    expect(readings).toHaveLength(1);
  });

  test('is not kept when it could not be read', async () => {
    const fail = () => Promise.reject(new Error('The disk is gone.'));
    const broken = kept.complete(admin, { items: ['i1'], entities: [] }, fail);

    await expect(broken).rejects.toThrow('The disk is gone.');
    expect(await find(['i1'])).toEqual({ i1: 'read 1' });
  });
});
