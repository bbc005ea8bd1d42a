import { statfsSync, statSync } from 'node:fs';
import { toDiskFault } from './disk-fault.ts';
import { toBuffer, type BytePath } from './disk-path.ts';

/** What a watch has to know of the root that it is on. */
export interface WatchedRoot {
  /** Another one = another folder, or another disk, is in its place now. */
  readonly identity: string;
  /** Others change it without this machine hearing of it. */
  readonly isRemote: boolean;
}

/**
 * Types of file systems, as `statfs` numbers them, whose changes this machine does not see when
 * another one makes them: NFS, SMB (three of them), 9P, Ceph, AFS (two), Lustre, Coda.
 */
const remoteTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x6b414653,
  0x0bd00bd0, 0x73757245,
]);

/** Looks at a root as it is now. Throws a `DiskFault` when it is not there. */
export function lookAtRoot(real: BytePath): WatchedRoot {
  try {
    const path = toBuffer(real);
    const { dev, ino } = statSync(path, { bigint: true });
    return { identity: `${dev}:${ino}`, isRemote: remoteTypes.has(statfsSync(path).type) };
  } catch (error) {
    throw toDiskFault(error, 'The root');
  }
}
