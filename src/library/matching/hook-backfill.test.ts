import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog, type Narrowed } from '../../../kernel/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { openTestLibrary, type TestLibrary } from '../../../test/support/library/library.ts';
import { createHookBackfill, type HookBackfill, type HookOfGrant } from './hook-backfill.ts';

const films = { id: 'films' };
const series = { id: 'series' };

let library: TestLibrary;
let clock: FakeClock;
let granted: readonly HookOfGrant[];
let libraries: readonly string[];
let unreadable: readonly string[];
let busy: readonly string[];
let queued: string[];
let backfill: HookBackfill;
let wake: (name: string) => void;

beforeEach(async () => {
  library = await openTestLibrary();
  clock = createFakeClock();
  granted = [];
  libraries = ['films', 'series'];
  unreadable = [];
  busy = [];
  queued = [];
  open();
});

afterEach(async () => {
  await backfill.stop();
  await library.close();
});

/** A server that starts. */
function open(): void {
  const { database } = library.storage;
  const queue =
    (work: string) => async (id: string, alongside: Parameters<typeof database.write>[0]) => {
      if (busy.includes(id)) return false;
      await database.write(async (trx) => void (await alongside(trx)));
      queued.push(`${work} ${id}`);
      return true;
    };
  const listeners = new Map<string, () => void>();
  backfill = createHookBackfill({
    database,
    hooks: () => granted,
    libraries: () => libraries,
    isUnreadable: (id) => unreadable.includes(id),
    merge: queue('merge'),
    scan: queue('scan'),
    booted: async () => undefined,
    clock,
    log: silentLog,
  });
  backfill.start({
    listen: (name, listener) => {
      listeners.set(name, listener);
      return () => void listeners.delete(name);
    },
  });
  wake = (name) => listeners.get(name)?.();
}

const hook = (pluginId: string, of: Partial<HookOfGrant> = {}): HookOfGrant => ({
  ...{ pluginId, name: 'pipeline.index.afterProcess', isObserver: false },
  ...{ catchesUp: true, answersVersion: 1, isRunning: true, libraries: [films, series] },
  ...of,
});

/** What is queued once these hooks are granted. */
async function look(...hooks: readonly HookOfGrant[]): Promise<readonly string[]> {
  await eventually('it sleeps', () => clock.timers() > 0);
  granted = hooks;
  queued = [];
  wake('plugin.started');
  await eventually('it has looked', () => clock.timers() > 0);
  return queued;
}

describe('a new hook', () => {
  test('has seen every item when it was there from the first start', async () => {
    await backfill.stop();
    await library.storage.database.write((trx) => trx('known_hooks').delete());
    granted = [hook('a')];
    open();

    expect(await look(hook('a'))).toEqual([]);
  });

  test('runs once over the libraries of its grant, also after a restart', async () => {
    const first = await look(hook('a', { libraries: [films] }));
    const again = await look(hook('a', { libraries: [films] }));
    await backfill.stop();
    open();

    expect(first).toEqual(['merge films']);
    expect(again).toEqual([]);
    expect(await look(hook('a', { libraries: [films] }))).toEqual([]);
  });

  test('shares the work of a library with others', async () => {
    const other = hook('b', { name: 'pipeline.probe.afterProcess', isObserver: true });

    expect(await look(hook('a'), other)).toEqual(['merge films', 'merge series']);
  });

  test('that adds files to scans reads the folders', async () => {
    const adds = hook('a', { name: 'pipeline.scan.prepare', libraries: [series] });

    expect(await look(adds)).toEqual(['scan series']);
  });

  test.each([
    ['that does not want to', { catchesUp: false }],
    ['that the server never calls', { name: 'pipeline.item.beforeActivate' }],
  ] as const)('%s does not run', async (_, of) => {
    expect(await look(hook('a', of))).toEqual([]);
  });

  test('waits until its plugin runs, and while a scan runs', async () => {
    const stopped = await look(hook('a', { isRunning: false }));
    busy = ['films'];
    const busyNow = await look(hook('a'));
    busy = [];

    expect(stopped).toEqual([]);
    expect(busyNow).toEqual(['merge series']);
    expect(await look(hook('a'))).toEqual(['merge films']);
  });

  test('is noticed within a minute when its plugin did not start again', async () => {
    await look();
    granted = [hook('a', { libraries: [films] })];

    await clock.advance(60_000);
    await eventually('it has looked', () => clock.timers() > 0);

    expect(queued).toEqual(['merge films']);
  });
});

describe('a hook that is known', () => {
  const folder = (...names: readonly string[]): Narrowed => [
    { id: 'films', folders: names.map((name) => `file:///films/${name}`) },
  ];

  test.each<[string, Partial<HookOfGrant>, Partial<HookOfGrant>, readonly string[]]>([
    ['got one more library', { libraries: [films] }, {}, ['merge series']],
    ['lost a library', {}, { libraries: [films] }, []],
    ['may change items now', { isObserver: true }, {}, ['merge films', 'merge series']],
    ['may only observe now', {}, { isObserver: true }, []],
    [
      'got one more folder',
      { libraries: folder('a') },
      { libraries: folder('a', 'b') },
      ['merge films'],
    ],
    ['got a folder of its folder', { libraries: folder('a') }, { libraries: folder('a/b') }, []],
    ['got the whole library', { libraries: folder('a') }, { libraries: [films] }, ['merge films']],
    ['lost all but a folder', { libraries: [films] }, { libraries: folder('a') }, []],
    ['wants to see all now', { catchesUp: false }, {}, ['merge films', 'merge series']],
    ['answers better now', {}, { answersVersion: 2 }, ['merge films', 'merge series']],
    ['answers as an older version', { answersVersion: 2 }, {}, []],
    ['is granted again', { libraries: [] }, {}, ['merge films', 'merge series']],
  ])('runs over what it has not seen: it %s', async (_, before, now, expected) => {
    await look(hook('a', before));

    expect(await look(hook('a', now))).toEqual(expected);
    expect(await look(hook('a', now))).toEqual([]);
  });

  test('runs again when it was narrowed and is widened later', async () => {
    await look(hook('a'));
    await look(hook('a', { libraries: folder('a') }));

    expect(await look(hook('a'))).toEqual(['merge films', 'merge series']);
  });

  test('runs again when it answers better than the older version that it went back to', async () => {
    await look(hook('a', { answersVersion: 2, libraries: [films] }));
    await look(hook('a', { libraries: [films] }));

    expect(await look(hook('a', { answersVersion: 2, libraries: [films] }))).toEqual([
      'merge films',
    ]);
  });

  test('stays known while its package cannot be read, and not when it was removed', async () => {
    await look(hook('a'));
    unreadable = ['a'];
    await look();
    unreadable = [];
    const back = await look(hook('a'));
    await look();

    expect(back).toEqual([]);
    expect(await look(hook('a'))).toEqual(['merge films', 'merge series']);
  });

  test('has seen what a new library has, since that is ingested with it, unless it did not run', async () => {
    const everywhere = { libraries: [films, series, { id: 'music' }] };
    await look(hook('a'), hook('off'));
    libraries = ['films', 'series', 'music'];
    granted = [hook('a', everywhere), hook('off', { ...everywhere, isRunning: false })];
    queued = [];
    wake('library.created');
    await eventually('it has looked', () => clock.timers() > 0);

    expect(queued).toEqual([]);
    expect(await look(hook('a', everywhere), hook('off', everywhere))).toEqual(['merge music']);
    const late = hook('late', { libraries: [{ id: 'music' }] });
    expect(await look(...granted, late)).toEqual(['merge music']);
  });

  test('is forgotten with its library', async () => {
    await look(hook('a'));
    libraries = ['series'];
    await look(hook('a'));

    const rows = await library.storage.database.read('known_hooks').pluck('library_id');
    expect([...new Set(rows)]).toEqual(['series']);
  });
});

describe.each(['probe', 'indexer', 'library'] as const)('the capability %s', (name) => {
  const reader = (answersVersion: number): HookOfGrant => hook('a', { name, answersVersion });

  test('was there before: its first answers are not asked for again, and better ones are', async () => {
    await look();

    const first = await look(reader(1));
    const better = await look(reader(2));

    expect([first, better]).toEqual([[], ['merge films', 'merge series']]);
    expect(await look(reader(2))).toEqual([]);
  });

  test('of a plugin that raises its version again and again is asked once, when its library is free', async () => {
    await look(reader(1));
    busy = ['films', 'series'];
    for (let version = 2; version < 12; version += 1)
      expect(await look(reader(version))).toEqual([]);
    busy = [];

    expect(await look(reader(12))).toEqual(['merge films', 'merge series']);
    expect(await look(reader(12))).toEqual([]);
  });

  test('of an older server answered as version 1', async () => {
    await look();

    expect(await look(reader(2))).toEqual(['merge films', 'merge series']);
  });

  test('has answered for a new library as it does now', async () => {
    await look();
    granted = [{ ...reader(2), libraries: [{ id: 'music' }] }];
    libraries = ['music'];
    queued = [];
    wake('library.created');
    await eventually('it has looked', () => clock.timers() > 0);

    expect(queued).toEqual([]);
  });
});
