/** SQLite over a disk that fails while a test says so: at every write, or at every statement. */
import type { SqliteDriver } from '../../../kernel/store/index.ts';

/** How it fails. */
export interface BrokenDisk {
  /** The code of SQLite; `null` = it only takes long. */
  readonly code: string | null;
  readonly which: 'writes' | 'all';
  /** How long each statement takes before that; Infinity = it does not answer. */
  readonly delayMs?: number;
}

/** A driver whose disk can be broken. */
export interface BrokenDriver {
  readonly through: (driver: SqliteDriver) => SqliteDriver;
  /** `null` = the disk is well again; statements that wait go on. */
  readonly set: (disk: BrokenDisk | null) => void;
}

const writing = /^(insert|update|delete|create|drop|alter|commit|pragma user_version =)/i;

/** Creates one whose disk is well. */
export function createBrokenDriver(): BrokenDriver {
  let disk: BrokenDisk | null = null;
  const waiting = new Set<() => void>();

  async function meet(sql: string): Promise<void> {
    if (disk === null || (disk.which === 'writes' && !writing.test(sql))) return;
    const { code, delayMs = 0 } = disk;
    if (delayMs > 0)
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        if (Number.isFinite(delayMs)) setTimeout(resolve, delayMs).unref();
      });
    if (code !== null) throw Object.assign(new Error(`${code}: made by a test`), { code });
  }

  return {
    through: (driver) => ({
      ...driver,
      open: async (file, mode) => {
        const connection = await driver.open(file, mode);
        return {
          ...connection,
          run: async (sql, bindings, wanted) => {
            await meet(sql);
            return connection.run(sql, bindings, wanted);
          },
        };
      },
    }),
    set: (next) => {
      disk = next;
      if (next === null) for (const go of waiting) go();
      waiting.clear();
    },
  };
}
