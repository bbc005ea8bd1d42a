import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { openTestLibrary, type TestLibrary } from '../../../test/support/library/library.ts';
import { createIndexerBackfill, type IndexerBackfill } from './index.ts';

/** A plugin of these tests, with its manifest and its grant. */
interface Indexer {
  readonly stages?: readonly string[];
  readonly isRemote?: boolean;
  readonly answersVersion?: number;
  readonly supports?: boolean | 'fails';
}

let library: TestLibrary;
let clock: FakeClock;
let running: Record<string, Indexer>;
/** Those that are there, and do not run. */
let disabled: readonly string[];
let backfill: IndexerBackfill;
let listeners: Map<string, () => void>;

beforeEach(async () => {
  library = await openTestLibrary();
  clock = createFakeClock();
  running = { names: { stages: ['name', 'full'] } };
  disabled = [];
  backfill = open();
});

afterEach(async () => {
  await backfill.stop();
  await library.close();
});

function open(): IndexerBackfill {
  listeners = new Map();
  return createIndexerBackfill({
    database: library.storage.database,
    call: async (pluginId) => {
      const { supports = true } = running[pluginId] ?? {};
      if (supports === 'fails') throw new Error('It does not run.');
      return supports;
    },
    providers: () => Object.keys(running),
    isInstalled: (pluginId) => pluginId in running || disabled.includes(pluginId),
    indexers: {
      hasStage: (pluginId, stage) => (running[pluginId]?.stages ?? ['full']).includes(stage),
      isRemote: (pluginId) => running[pluginId]?.isRemote ?? false,
    },
    answersVersionOf: (pluginId) => running[pluginId]?.answersVersion ?? 1,
    retryQueue: { wake: () => undefined },
    booted: async () => undefined,
    clock,
    log: silentLog,
  });
}

/** Looks, as at the start or after a plugin has started, and waits until all is put down. */
async function look(): Promise<void> {
  const wake = listeners.get('plugin.started');
  if (wake) wake();
  else backfill.start({ listen });
  await asleep();
}

const asleep = (): Promise<void> => eventually('it sleeps', () => clock.timers() > 0);

function listen(name: string, listener: () => void): () => void {
  listeners.set(name, listener);
  return () => void listeners.delete(name);
}

async function found(count: number): Promise<void> {
  const name = `Films ${count}`;
  const root = `file:///${count}`;
  const { id: libraryId } = await library.libraries.create({ name, type: 'movies', roots: [root] });
  const files = Array.from({ length: count }, (_, at) => ({
    uri: `${root}/Film%20${String(at).padStart(5, '0')}/a.mkv`,
    size: 1,
    modifiedAt: 1,
  }));
  const range = { libraryId, root, after: null, through: null, unreadable: [] };
  await library.reconcile({ ...range, files });
}

/** How many items are queued; clears the queue. */
async function waiting(): Promise<number> {
  const { read, write } = library.storage.database;
  const rows = await read('items_to_ask').pluck('item_id');
  await write((trx) => trx('items_to_ask').delete());
  expect(new Set(rows).size).toBe(rows.length);
  return rows.length;
}

describe('a new indexer', () => {
  test('is not asked about existing items when it was there from the first start', async () => {
    await found(3);

    await look();

    expect(await waiting()).toBe(0);
  });

  test('is asked once about all items of the libraries that it supports', async () => {
    await look();
    await found(2100);

    running = { ...running, catalogue: {}, other: { supports: false }, old: { stages: ['name'] } };
    await look();
    const first = await waiting();
    await look();

    expect(first).toBe(2100);
    expect(await waiting()).toBe(0);
  });

  test('is one that was removed and is there again, and not one that was disabled', async () => {
    await look();
    const names = running;
    running = { ...names, catalogue: {} };
    await look();
    await found(3);

    running = names;
    disabled = ['catalogue'];
    await look();
    running = { ...names, catalogue: {} };
    await look();
    const enabled = await waiting();
    running = names;
    disabled = [];
    await look();
    running = { ...names, catalogue: {} };
    await look();

    expect(enabled).toBe(0);
    expect(await waiting()).toBe(3);
  });

  test('is asked when it was granted the network, and not when that grant was removed', async () => {
    await look();
    await found(3);
    running = { ...running, catalogue: {} };
    await look();
    await waiting();

    running = { ...running, catalogue: { isRemote: true } };
    await look();
    const granted = await waiting();
    running = { ...running, catalogue: { isRemote: false } };
    await look();

    expect(granted).toBe(3);
    expect(await waiting()).toBe(0);
  });

  test('is asked about all items once more when it gets what it lacked', async () => {
    await look();
    await found(3);
    running = { ...running, catalogue: { isRemote: true } };
    await look();
    await waiting();

    await backfill.askAgain('names');
    await backfill.askAgain('unknown');
    await look();
    const ofOthers = await waiting();
    await backfill.askAgain('catalogue');
    await asleep();

    expect(ofOthers).toBe(0);
    expect(await waiting()).toBe(3);
  });

  test('is asked once more when it answers better, if it is on the network', async () => {
    await look();
    await found(3);
    running = { ...running, catalogue: { isRemote: true } };
    await look();
    await waiting();

    running = { names: { answersVersion: 2 }, catalogue: { isRemote: true, answersVersion: 2 } };
    await look();
    const { read } = library.storage.database;
    const asked = await read('items_to_ask').distinct('plugin_id').pluck('plugin_id');
    const better = await waiting();
    await look();

    expect([asked, better]).toEqual([['catalogue'], 3]);
    expect(await waiting()).toBe(0);
  });

  test('is asked about the rest after a stop in between', async () => {
    await look();
    await found(2100);
    running = { ...running, catalogue: {} };
    const { read, write } = library.storage.database;
    const [after] = await read('items').orderBy('no').pluck('no');
    await write((trx) =>
      trx('known_indexers').insert({ plugin_id: 'catalogue', is_remote: false, after }),
    );

    await look();

    expect(await waiting()).toBe(2099);
  });

  test('is checked again while it does not say what it supports', async () => {
    await look();
    await found(3);
    running = { ...running, catalogue: { supports: 'fails' } };
    await look();
    const failing = await waiting();

    running = { ...running, catalogue: {} };
    await look();

    expect(failing).toBe(0);
    expect(await waiting()).toBe(3);
  });

  test('is asked about each item until that is removed', async () => {
    await look();
    await found(3);
    running = { ...running, catalogue: { isRemote: true } };
    await look();
    const { read, write } = library.storage.database;
    const [gone] = await read('items').pluck('id');
    await write((trx) => trx('items').where('id', gone).delete());

    expect(await read('items_to_ask').distinct('plugin_id')).toEqual([{ plugin_id: 'catalogue' }]);
    expect(await waiting()).toBe(2);
  });

  test('is noticed within a minute when only its grant changed', async () => {
    await look();
    await found(3);
    running = { ...running, names: { stages: ['name', 'full'], isRemote: true } };

    await clock.advance(60_000);
    await asleep();

    expect(await waiting()).toBe(3);
  });
});
