/** The fallback over the real disk and the real filesystem plugin, with a system that has no watches left. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { builtDiskWorker } from '../../../test/support/run/disk-worker.ts';
import localPlugin from '../../../builtin-plugins/filesystem-local/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { KernelError, silentLog, type HostCaller } from '../../../kernel/index.ts';
import type { Host } from '../../../plugin-api/index.ts';
import { createDisk, encodePlainPath, type Disk } from '../../files/disk/index.ts';
import { createFilesystems } from '../../files/filesystems/index.ts';
import { createWatching } from './index.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';
import type { Library } from '../../contract/resources/library/libraries.ts';

/** The built-in plugin as the kernel calls it: its errors are known by their code only. */
async function callLocal(disk: Disk, method: string, input: unknown): Promise<unknown> {
  const caller: HostCaller = {
    pluginId: 'local',
    granted: { disk: 'read' },
    reach: 'all',
    viewer: null,
    signal: new AbortController().signal,
  };
  const host = {
    disk: {
      changes: (asked: Parameters<Disk['changes']>[1]) => disk.changes(caller, asked),
      unwatch: ({ path: at }: { path: string }) => disk.unwatch('local', at),
    },
  } as unknown as Host;
  const handlers = localPlugin.methods as Record<string, (input: unknown, host: Host) => unknown>;
  try {
    return await handlers[method]?.(input, host);
  } catch (cause) {
    throw new KernelError('plugin_failed', String(cause), { cause });
  }
}

test('libraries are scanned at intervals when the system has no watches left, and admins are notified', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine watch-'));
  const root = `file://${encodePlainPath(folder)}`;
  const disk = createDisk({
    grantedRoots: () => [encodePlainPath(folder)],
    workerScript: builtDiskWorker,
    watchTree: () =>
      Promise.reject(new Error('inotify_add_watch on "/films" failed: No space left on device')),
    newEpoch: () => 'e',
    log: silentLog,
  });
  const clock = createFakeClock();
  const scans: unknown[] = [];
  let notices: readonly string[] = [];
  const watching = createWatching({
    libraries: {
      list: async () => [
        { id: 'films', roots: [root], lastScanAt: 'once', watch: true } as unknown as Library,
      ],
      nameOf: () => 'Films',
    },
    filesystems: createFilesystems({
      call: (_pluginId, method, input) => callLocal(disk, method, input),
      filesystemFor: () => 'local',
      hasLocalFiles: () => true,
      roots: () => [root],
      disk,
    }),
    canWatch: () => true,
    jobs: {
      enqueue: async ({ payload = 'all' }) => ({ id: String(scans.push(payload)) }) as Job,
      list: () => Promise.reject(new Error('Nobody asks.')),
    },
    rescanMs: 600_000,
    report: (found) =>
      void (notices = found.map(({ message, action }) => `${message.english} ${action.english}`)),
    onReach: () => undefined,
    clock,
    log: silentLog,
  });
  onTestFinished(async () => {
    watching.stop();
    await disk.close();
    rmSync(folder, { recursive: true });
  });

  watching.start();
  await eventually('a person is told', () => notices.length > 0);
  await clock.advance(60_000);
  const atStart = scans.splice(0);
  await clock.advance(601_000);

  expect(notices).toEqual([
    'The library Films is not watched for changes: its folders cannot be watched here. ' +
      'It is scanned every 10 minutes instead. ' +
      'vitrine doctor says whether the system has too few watches.',
  ]);
  expect(atStart).toEqual(['all']);
  expect(scans).toEqual(['all']);
});
