import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtDiskWorker } from '../../../test/support/run/disk-worker.ts';
import { silentLog, type HostCaller } from '../../../kernel/index.ts';
import { createFolderWatches, type WatchEvent, type WatchTree } from './folder-watches.ts';
import { createDisk, encodePlainPath, watchTree } from './index.ts';

/** A watcher that the test drives. */
function handWatcher() {
  const listeners = new Map<string, Parameters<WatchTree>[1]>();
  let subscriptions = 0;
  const watch: WatchTree = (folder, listener) => {
    subscriptions += 1;
    listeners.set(folder, listener);
    return Promise.resolve({
      unsubscribe: () => {
        listeners.delete(folder);
        return Promise.resolve();
      },
    });
  };
  return {
    watch,
    tell: (...events: WatchEvent[]) => listeners.get('/media')?.(null, events),
    fail: () => listeners.get('/media')?.(new Error('queue overflow'), []),
    running: () => [...listeners.keys()],
    subscriptions: () => subscriptions,
  };
}

function watchesOver(watch: WatchTree, clock: () => number = () => 0) {
  let epochs = 0;
  const watches = createFolderWatches({
    watchTree: watch,
    newEpoch: () => `e${(epochs += 1)}`,
    clock,
    log: silentLog,
  });
  onTestFinished(() => watches.close());
  const ask = (cursor: string | null, waitMs = 0, more = {}) =>
    watches.changes({
      asker: 'plugin',
      root: '/media',
      identity: '1:1',
      folder: '/media',
      cursor,
      waitMs,
      signal: new AbortController().signal,
      ...more,
    });
  return { ask, watches };
}

const update = (file: string): WatchEvent => ({ path: file, type: 'update' });

describe('folder watches', () => {
  test('restart when another folder is in the place of the root, and report lost changes', async () => {
    const hand = handWatcher();
    const { ask } = watchesOver(hand.watch);
    const { cursor } = await ask(null);

    const page = await ask(cursor, 0, { identity: '1:2' });

    expect(page.overflow).toBe(true);
    expect(hand.subscriptions()).toBe(2);
  });

  test('restart when the root was moved away and is back, also as the same folder', async () => {
    const hand = handWatcher();
    const { ask } = watchesOver(hand.watch);
    const { cursor } = await ask(null);

    hand.tell({ path: '/media', type: 'delete' });
    const page = await ask(cursor);

    expect(page.overflow).toBe(true);
    expect(hand.subscriptions()).toBe(2);
  });

  test('give the changes since the cursor, each once', async () => {
    const hand = handWatcher();
    const { ask } = watchesOver(hand.watch);
    const { cursor } = await ask(null);
    hand.tell(update('/media/a'), { path: '/media/b', type: 'delete' });

    const page = await ask(cursor);

    expect(page).toMatchObject({
      changes: [
        { path: '/media/a', kind: 'changed' },
        { path: '/media/b', kind: 'removed' },
      ],
      overflow: false,
    });
    expect((await ask(page.cursor)).changes).toEqual([]);
  });

  test('wake waiting callers, and skip changes outside of their folder', async () => {
    const hand = handWatcher();
    const { ask } = watchesOver(hand.watch);
    const { cursor } = await ask(null);
    const waiting = ask(cursor, 20_000, { folder: '/media/in' });
    await Promise.resolve();
    hand.tell(update('/media/inside'), update('/media/out/file'));
    hand.tell(update('/media/in/file'));

    expect((await waiting).changes).toEqual([{ path: '/media/in/file', kind: 'changed' }]);
  });

  test('return nothing after the timeout, and at once when the caller ends', async () => {
    const { ask } = watchesOver(handWatcher().watch);
    const { cursor } = await ask(null);
    const ending = new AbortController();
    const waiting = ask(cursor, 20_000, { signal: ending.signal });
    ending.abort();

    expect(await ask(cursor, 5)).toEqual({ changes: [], cursor, overflow: false });
    expect(await waiting).toEqual({ changes: [], cursor, overflow: false });
  });

  test('report overflow for a cursor that is too old, invented, or from before a loss', async () => {
    const hand = handWatcher();
    const { ask } = watchesOver(hand.watch);
    const { cursor } = await ask(null);
    hand.tell(...Array.from({ length: 10_001 }, (_, index) => update(`/media/${index}`)));
    expect(await ask(cursor)).toMatchObject({ changes: [], overflow: true });
    expect(await ask('nonsense')).toMatchObject({ overflow: true });

    const { cursor: fresh } = await ask(null);
    hand.fail();
    expect(await ask(fresh)).toMatchObject({ overflow: true });
  });

  test('share one watch of a root, and end it when no caller needs it', async () => {
    const hand = handWatcher();
    const { ask, watches } = watchesOver(hand.watch);
    await ask(null);
    await ask(null, 0, { asker: 'other' });
    await watches.unwatch('plugin', '/media');
    expect([hand.subscriptions(), hand.running()]).toEqual([1, ['/media']]);

    await watches.unwatch('other', '/media');

    expect(hand.running()).toEqual([]);
  });

  test('report that the system’s watches are used up, and do not walk the tree again at once', async () => {
    let tries = 0;
    let now = 0;
    const full: WatchTree = () => {
      tries += 1;
      return Promise.reject(
        new Error("inotify_add_watch on '/media' failed: No space left on device"),
      );
    };
    const { ask } = watchesOver(full, () => now);

    await expect(ask(null)).rejects.toMatchObject({ code: 'watch_unavailable' });
    await expect(ask(null)).rejects.toMatchObject({ code: 'watch_unavailable' });
    expect(tries).toBe(1);

    now = 6 * 60_000;
    await expect(ask(null)).rejects.toMatchObject({ code: 'watch_unavailable' });
    expect(tries).toBe(2);
  });
});

test('host.disk.changes gives a real file, spelled like a listing', async () => {
  const top = mkdtempSync(path.join(tmpdir(), 'vitrine watch ä-'));
  mkdirSync(`${top}/in side`);
  const root = encodePlainPath(top);
  const disk = createDisk({
    grantedRoots: () => [root],
    workerScript: builtDiskWorker,
    watchTree,
    newEpoch: () => 'e',
    log: silentLog,
  });
  onTestFinished(async () => {
    await disk.close();
    rmSync(top, { recursive: true, force: true });
  });
  const caller: HostCaller = {
    pluginId: 'any',
    granted: {},
    reach: 'all',
    viewer: null,
    signal: new AbortController().signal,
  };
  const folder = `${root}/in%20side`;
  const { cursor } = await disk.changes(caller, { path: folder, cursor: null, waitMs: 0 });
  writeFileSync(`${top}/outside.mkv`, 'x');
  writeFileSync(`${top}/in side/ä film.mkv`, 'x');

  const { changes } = await disk.changes(caller, { path: folder, cursor, waitMs: 20_000 });

  expect(changes[0]).toEqual({ path: `${folder}/%C3%A4%20film.mkv`, kind: 'changed' });
});
