import { statfsSync, statSync } from 'node:fs';
import { toDiskFault } from './disk-fault.ts';
import { toBuffer, type BytePath } from './disk-path.ts';

/** What is heard of the changes in a folder, by the file system that it is on. */
export interface Hearing {
  /** Others change it, and this machine hears nothing of that. */
  readonly isRemote: boolean;
  /** Others may change it so: what lies behind FUSE can be on this machine or on another one. */
  readonly isHalf: boolean;
}

/** What a watch has to know of the root that it is on. */
export interface WatchedRoot extends Hearing {
  /** Another one = another folder, or another disk, is in its place now. */
  readonly identity: string;
}

/**
 * Types of file systems, as `statfs` numbers them, whose changes this machine does not see when
 * another one makes them: NFS, SMB (three of them), 9P, Ceph, AFS (two), Lustre, Coda.
 */
const remoteTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x6b414653,
  0x0bd00bd0, 0x73757245,
]);

const fuseType = 0x65735546;

/** What is heard on a file system of this type. */
export function hearingOn(type: number): Hearing {
  return { isRemote: remoteTypes.has(type), isHalf: type === fuseType };
}

/** Looks at a root as it is now. Throws a `DiskFault` when it is not there. */
export function lookAtRoot(real: BytePath): WatchedRoot {
  try {
    const path = toBuffer(real);
    const { dev, ino } = statSync(path, { bigint: true });
    return { identity: `${dev}:${ino}`, ...hearingOn(statfsSync(path).type) };
  } catch (error) {
    throw toDiskFault(error, 'The root');
  }
}
