import { open, rm } from 'node:fs/promises';
import path from 'node:path';

/** Why a folder cannot be written. */
export type FolderFault = 'full' | 'read-only' | 'no-permission' | 'failed';

const probeBytes = 4096;
const timeoutMs = 5000;

const faults: Readonly<Record<string, FolderFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
};

/**
 * Tries to write a small file into a folder, and removes it. `null` = that worked. A disk that does
 * not answer in time has failed. The access rights alone do not tell of a disk that became read-only.
 */
export async function probeFolder(folder: string): Promise<FolderFault | null> {
  const late = Promise.withResolvers<FolderFault>();
  const timer = setTimeout(late.resolve, timeoutMs, 'failed').unref();
  try {
    return await Promise.race([writeProbe(path.join(folder, '.write-probe')), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function writeProbe(file: string): Promise<FolderFault | null> {
  try {
    const handle = await open(file, 'w', 0o600);
    try {
      await handle.write(Buffer.alloc(probeBytes));
    } finally {
      await handle.close();
    }
    return null;
  } catch (error) {
    return faults[error instanceof Error && 'code' in error ? String(error.code) : ''] ?? 'failed';
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}
