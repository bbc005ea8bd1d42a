import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openStorage, silentLog, type MigrationSet, type Storage } from '../../kernel/index.ts';

/** A database of its own for one test, which is closed and removed when the test ends. */
export async function openTestStorage(...migrations: readonly MigrationSet[]): Promise<Storage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-storage-'));
  const url = `sqlite:${path.join(folder, 'test.db')}`;
  const storage = await openStorage({ url, migrations, log: silentLog });
  onTestFinished(async () => {
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  });
  return storage;
}
