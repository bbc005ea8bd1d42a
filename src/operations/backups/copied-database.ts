/** The database in a backup: a file of SQLite, or what pg_dump makes of PostgreSQL. */
import { openReadOnly, type Queries } from '../../../kernel/store/index.ts';
import type { Log } from '../../../kernel/index.ts';
import { BackupError } from './backup-error.ts';
import { copyDatabase, databaseFault, postgresBytes } from './backup-store.ts';
import { sizeOf } from './backup-writer.ts';
import { dumpPostgres, readDump } from './postgres-programs.ts';

/** How a database gets into a backup. */
export interface CopiedDatabase {
  /** Its path in the backup. */
  readonly part: 'database.db' | 'database.pgdump';
  readonly sizeBytes: () => Promise<number>;
  /** Copies it into a new file, and checks the copy. */
  readonly copy: (file: string) => Promise<void>;
}

/** The database at a url. */
export function copiedDatabase({
  url,
  read,
  searchPath,
  log,
}: {
  readonly url: string;
  readonly read: Queries;
  readonly searchPath: string;
  readonly log: Log;
}): CopiedDatabase {
  if (url.startsWith('sqlite:')) return sqlite(url.slice('sqlite:'.length), read, log);
  const place = { url, searchPath };
  return {
    part: 'database.pgdump',
    sizeBytes: () => postgresBytes(read),
    copy: async (file) => {
      await dumpPostgres(place, file);
      await readDump(place, file);
    },
  };
}

const sqlite = (source: string, read: Queries, log: Log): CopiedDatabase => ({
  part: 'database.db',
  sizeBytes: () => sizeOf(source),
  copy: async (file) => {
    await copyDatabase(read, file);
    const copy = await openReadOnly({ url: `sqlite:${file}`, log });
    try {
      const fault = await databaseFault(copy.read);
      if (fault !== null) throw new BackupError(`The database is damaged: ${fault}.`);
    } finally {
      await copy.close();
    }
  },
});
