import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and those above it that are missing; gives the first that was made. Node reports a
 * disk that may only be read as ENOENT here; this one throws the fault of the disk itself.
 */
export async function makeFolder(folder: string, mode?: number): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true, mode });
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(await firstMissing(folder), { mode });
    return mkdir(folder, { recursive: true, mode });
  }
}

/** The uppermost folder on the way that does not exist. */
async function firstMissing(folder: string): Promise<string> {
  const above = path.dirname(folder);
  const isThere = await stat(above).then(
    () => true,
    () => false,
  );
  return isThere || above === folder ? folder : firstMissing(above);
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
