/**
 * A lease on a data folder, for disks that several machines can use at the same time. The owner
 * renews its record at intervals. A machine that finds the record of another one watches it for as
 * long as the lease lasts and takes the folder only if it was not renewed meanwhile, so the clocks of
 * the machines need not agree. An owner that finds the record of another one must stop.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { toTimestamp, type Clock } from '../clock.ts';
import { parseOwner, readOwner, type Owner } from './owner.ts';

/** How long a renewal holds the folder. */
export const leaseSeconds = 30;
const renewalMs = 10_000;
const lookMs = 1000;
/** Records that are older by the clock of the disk are not watched. */
const oldSeconds = 10 * leaseSeconds;

const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

/**
 * Waits until the lease of a record has ended. Resolves to the owner that renewed it meanwhile;
 * `null` = the folder is free.
 */
export async function watchLease(file: string, clock: Clock): Promise<Owner | null> {
  if (ageSeconds(file) > oldSeconds) return null;
  const seen = textOf(file);
  for (let waited = 0; waited < leaseSeconds * 1000; waited += lookMs) {
    await pause(clock, lookMs);
    const now = textOf(file);
    if (now === '') return null;
    if (now !== seen) return readOwner(file);
  }
  return null;
}

/** The age of a file by the clock of its disk; negative after a jump of that clock. */
function ageSeconds(file: string): number {
  const mark = `${file}.now-${process.pid}`;
  try {
    writeFileSync(mark, '', { mode: 0o600 });
    return (statSync(mark).mtimeMs - statSync(file).mtimeMs) / 1000;
  } finally {
    rmSync(mark, { force: true });
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Whether the record is still that of this owner a moment after it was written. */
export async function staysOwner(file: string, owner: Owner, clock: Clock): Promise<boolean> {
  await pause(clock, lookMs);
  return readOwner(file)?.id === owner.id;
}

/** Renews a record at intervals, until it is stopped or another owner is found. */
export function renewLease(
  file: string,
  owner: Owner,
  { clock, onLost }: { readonly clock: Clock; readonly onLost: (other: Owner) => void },
): () => void {
  let isStopped = false;
  let cancel = clock.after(renewalMs, () => void renew());

  async function renew(): Promise<void> {
    // A record that cannot be renewed, as on a full disk, cannot be replaced by others either.
    const other = await replace().catch(() => null);
    if (isStopped) return;
    if (other !== null) onLost(other);
    else cancel = clock.after(renewalMs, () => void renew());
  }

  async function replace(): Promise<Owner | null> {
    const found = parseOwner(await readFile(file, 'utf8').catch(() => ''));
    if (found !== null && found.id !== owner.id) return found;
    if (isStopped) return null;
    const staged = `${file}.${owner.id}`;
    const renewed = { ...owner, renewedAt: toTimestamp(clock.now()) };
    await writeFile(staged, `${JSON.stringify(renewed, null, 2)}\n`, { mode: 0o600 });
    if (!isStopped) await rename(staged, file);
    return null;
  }

  return () => {
    isStopped = true;
    cancel();
    rmSync(`${file}.${owner.id}`, { force: true });
  };
}
