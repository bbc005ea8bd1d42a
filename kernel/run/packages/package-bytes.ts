/**
 * Where all servers of a database find the bytes of installed packages, by their SHA-256. A server
 * that takes one from here checks its digest and its signature again.
 */
import type { Database, Transaction } from '../../store/index.ts';

/** The bytes of packages that every server finds. */
export interface PackageBytes {
  readonly has: (sha256: string) => Promise<boolean>;
  /** `null` = nobody has put them there. */
  readonly read: (sha256: string) => Promise<Uint8Array | null>;
  readonly write: (sha256: string, bytes: Uint8Array) => Promise<void>;
  /** Removes all others, except those that were just put there: another server may be installing. */
  readonly sweep: (keep: ReadonlySet<string>) => Promise<void>;
}

const table = 'package_bytes';
const justPutMs = 60 * 60_000;

interface Row {
  readonly sha256: string;
  readonly bytes: Uint8Array;
  readonly put_at: number;
}

export async function createPackageBytesTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('sha256').primary();
    columns.binary('bytes').notNullable();
    columns.bigInteger('put_at').notNullable();
  });
}

/** The bytes in a table of the database. */
export function createPackageBytes(database: Database, now: () => number): PackageBytes {
  return {
    has: async (sha256) =>
      (await database.read<Row>(table).where({ sha256 }).first('sha256')) !== undefined,
    read: async (sha256) =>
      (await database.read<Row>(table).where({ sha256 }).first('bytes'))?.bytes ?? null,
    write: (sha256, bytes) =>
      database.write(async (trx) => {
        const row = { sha256, bytes: Buffer.from(bytes), put_at: now() };
        await trx<Row>(table).insert(row).onConflict('sha256').merge(['put_at']);
      }),
    sweep: (keep) =>
      database.write(async (trx) => {
        await trx<Row>(table)
          .whereNotIn('sha256', [...keep])
          .where('put_at', '<', now() - justPutMs)
          .delete();
      }),
  };
}
