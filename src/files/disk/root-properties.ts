import { statfsSync, statSync } from 'node:fs';
import { toDiskFault } from './disk-fault.ts';
import { toBuffer, type BytePath } from './disk-path.ts';

/** Which changes the file system of a folder reports. */
export interface ChangeReporting {
  /** Other machines change it, and this machine gets no events for that. */
  readonly isRemote: boolean;
  /** It may be remote: a FUSE file system can be on this machine or on another one. */
  readonly isHalf: boolean;
}

/** The properties of a root for a watch. */
export interface RootProperties extends ChangeReporting {
  /** A different value means that another folder or disk is in its place now. */
  readonly identity: string;
}

/**
 * File systems, by their `statfs` type, that do not report changes of other machines: NFS, SMB
 * (three of them), 9P, Ceph, AFS (two), Lustre, Coda.
 */
const remoteTypes: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x6b414653,
  0x0bd00bd0, 0x73757245,
]);

const fuseType = 0x65735546;

/** Which changes a file system of this type reports. */
export function reportingOf(type: number): ChangeReporting {
  return { isRemote: remoteTypes.has(type), isHalf: type === fuseType };
}

/** Reads the properties of a root. Throws a `DiskFault` when it is missing. */
export function readRootProperties(real: BytePath): RootProperties {
  try {
    const path = toBuffer(real);
    const { dev, ino } = statSync(path, { bigint: true });
    return { identity: `${dev}:${ino}`, ...reportingOf(statfsSync(path).type) };
  } catch (error) {
    throw toDiskFault(error, 'The root');
  }
}
