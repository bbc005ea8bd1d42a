/** Who uses a data folder, as its file `vitrine.owner` says, for messages and for leases. */
import { readFileSync, readlinkSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a process runs. */
export interface Place {
  readonly host: string;
  /** Differs between machines and between their starts; `null` = the system does not tell. */
  readonly bootId: string | null;
  /** Processes with the same namespace see each other's numbers; `null` = the system has none. */
  readonly pidNamespace: string | null;
}

/** A process that uses a data folder. */
export interface Owner extends Place {
  /** Random, so a server knows its own record. */
  readonly id: string;
  readonly pid: number;
  /** Distinguishes processes with the same number; empty = unknown. */
  readonly processStart: string;
  /** The number of the lock file on its disk. A copy of the folder has another one. */
  readonly inode: number;
  /** Seconds for which each renewal holds the folder; 0 = the lock of the system holds it. */
  readonly leaseSeconds: number;
  readonly renewedAt: string;
}

/** The place of this process. */
export const thisPlace = (): Place => ({
  host: hostname(),
  bootId: textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  pidNamespace: textOf(() => readlinkSync('/proc/self/ns/pid')),
});

function textOf(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Whether locks of the system hold between two places. */
export const sharesKernel = (one: Place, other: Place): boolean =>
  one.bootId === other.bootId && (one.bootId !== null || one.host === other.host);

const sharesNumbers = (one: Place, other: Place): boolean =>
  sharesKernel(one, other) && one.pidNamespace === other.pidNamespace;

/** The start time of a process, in the system's units; empty = it does not run, or unknown. */
export function startOf(pid: number): string {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Whether the owner runs; `null` = it cannot be seen from here. */
export function isRunning(owner: Owner, here: Place): boolean | null {
  if (!sharesNumbers(owner, here)) return null;
  if (owner.processStart !== '') return startOf(owner.pid) === owner.processStart;
  try {
    return process.kill(owner.pid, 0);
  } catch {
    return false;
  }
}

/** Names the owner for a person. */
export function nameOf(owner: Owner | null, here: Place): string {
  if (owner === null || isRunning(owner, here) === false) return 'another process';
  const { pid, host } = owner;
  return sharesNumbers(owner, here)
    ? `process ${pid}`
    : `process ${pid} of the container or host "${host}"`;
}

/** The owner that the file names; `null` = it is missing or not a record. */
export function readOwner(file: string): Owner | null {
  const text = textOf(() => readFileSync(file, 'utf8'));
  return text === null ? null : parseOwner(text);
}

/** Replaces the record as a whole. */
export function writeOwner(file: string, owner: Owner): void {
  const staged = `${file}.${owner.id}`;
  try {
    writeFileSync(staged, `${JSON.stringify(owner, null, 2)}\n`, { mode: 0o600 });
    renameSync(staged, file);
  } finally {
    rmSync(staged, { force: true });
  }
}

/** The record in a text; `null` = it is not one. */
export function parseOwner(text: string): Owner | null {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof Owner, unknown>> | null;
    return value !== null && isOwner(value) ? value : null;
  } catch {
    return null;
  }
}

function isOwner(value: Partial<Record<keyof Owner, unknown>>): value is Owner {
  const isText = (one: unknown): boolean => typeof one === 'string' && one.length <= 300;
  return (
    [value.id, value.host, value.processStart, value.renewedAt].every(isText) &&
    [value.bootId, value.pidNamespace].every((one) => one === null || isText(one)) &&
    [value.pid, value.inode, value.leaseSeconds].every((one) => Number.isSafeInteger(one))
  );
}

/** Types of file systems (statfs) that only one machine can have mounted. */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
  0xf2f52010, // F2FS
  0x794c7630, // overlay
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x3153464a, // JFS
  0x52654973, // ReiserFS
  0x4d44, // FAT
  0x2011bab0, // exFAT
  0x7366746e, // NTFS
]);

/** Whether no other machine can use the folder at the same time. */
export const isLocalDisk = (folder: string): boolean =>
  process.platform === 'linux' && localTypes.has(statfsSync(folder).type);
