import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../kernel/log.ts';
import { openStorage, type Storage, type StorageOptions } from '../../kernel/storage/index.ts';

/** Storage behaves alike over both drivers: `describe.each(sqliteDrivers)`. */
export const sqliteDrivers = ['sqlite3', 'better-sqlite3'] as const;

/** A folder that is gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Storage over a real file in a folder of its own, closed when the test ends. */
export async function openTestStorage(options: Partial<StorageOptions> = {}): Promise<Storage> {
  const url = options.url ?? `sqlite:${path.join(temporaryFolder(), 'test.db')}`;
  const storage = await openStorage({ migrations: [], log: silentLog, ...options, url });
  onTestFinished(() => storage.close());
  return storage;
}
