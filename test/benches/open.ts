/** What the confinement to the folders of its library adds to the opening of a file: side by side with a disk without it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../kernel/index.ts';
import {
  createDisk,
  encodePlainPath,
  type Disk,
  type DiskOptions,
} from '../../src/files/disk/index.ts';
import { builtDiskWorker } from '../support/run/disk-worker.ts';
import { median, type Figure } from './figure.ts';
import { sized } from './size.ts';

const opens = sized(3000, 100);

export async function benchOpen(): Promise<readonly Figure[]> {
  const top = mkdtempSync(path.join(tmpdir(), 'vitrine-bench-'));
  const folder = path.join(top, 'Shows', 'Empire', 'Season 1');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'Empire S01E01.mkv');
  writeFileSync(file, 'x');
  const roots = [encodePlainPath(top)];
  const diskOf = (libraries: NonNullable<DiskOptions['libraries']>): Disk =>
    createDisk({
      grantedRoots: () => roots,
      libraries,
      workerScript: builtDiskWorker,
      watchTree: () => Promise.reject(new Error('The bench watches nothing.')),
      newEpoch: () => 'epoch',
      log: silentLog,
    });
  // In turns, so that what else the machine does meets both alike.
  const disks = [diskOf(() => [{ roots, links: [] }]), diskOf(() => [])];
  const times = disks.map(() => [] as number[]);
  try {
    for (let at = 0; at < opens; at++)
      for (const [which, disk] of disks.entries()) {
        const from = performance.now();
        const opened = await disk.open('bench', encodePlainPath(file));
        times[which]?.push(performance.now() - from);
        await opened.file.close();
      }
  } finally {
    for (const disk of disks) await disk.close();
    rmSync(top, { recursive: true });
  }
  const [confined = Number.NaN, free = Number.NaN] = times.map(median);
  const name = `open: what the folders of a library add to ${free.toFixed(2)} ms at p50`;
  return [{ name, ours: confined - free, bare: null, unit: 'ms', goal: 0.1 }];
}
