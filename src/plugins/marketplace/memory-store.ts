/** The SQL of the permanent memory about sources. Rows are added and changed, never removed. */
import type { Database, Queries, Transaction } from '../../../kernel/store/index.ts';
import type { KeyRotation } from '../../../kernel/run/packages/index.ts';

/** An index that was accepted once. An index is identified by its signing key and its own id. */
export interface SeenIndex {
  readonly sourceKey: string;
  readonly indexId: string;
  /** The highest sequence that was seen. */
  readonly sequence: number;
  /** The digest of its content. */
  readonly digest: string;
}

/** A revocation, by a source, of a package or of all packages of a key. */
export interface SeenRevocation {
  readonly sourceKey: string;
  readonly indexId: string;
  readonly kind: 'package' | 'key';
  /** The SHA-256 of a package, or a publisher's key. */
  readonly subject: string;
  /** For a package; empty for a key. */
  readonly pluginId: string;
  readonly version: string;
  /** The name of the source. */
  readonly sourceName: string;
  readonly reason: string;
  /** The source withdrew it later. */
  readonly isLifted: boolean;
}

export async function createMemoryTables(trx: Transaction): Promise<void> {
  await trx.schema.createTable('marketplace_indexes', (table) => {
    table.text('source_key').notNullable();
    table.text('index_id').notNullable();
    table.bigInteger('sequence').notNullable();
    table.text('digest').notNullable();
    table.text('told_expiry');
    table.primary(['source_key', 'index_id']);
  });
  await trx.schema.createTable('marketplace_revocations', (table) => {
    table.text('source_key').notNullable();
    table.text('index_id').notNullable();
    table.text('kind').notNullable();
    table.text('subject').notNullable();
    table.text('plugin_id').notNullable();
    table.text('version').notNullable();
    table.text('source_name').notNullable();
    table.text('reason').notNullable();
    table.integer('is_lifted').notNullable();
    table.primary(['source_key', 'index_id', 'kind', 'subject']);
  });
  await trx.schema.createTable('marketplace_rotations', (table) => {
    table.text('from_key').primary();
    table.text('source_key').notNullable();
    table.text('record').notNullable();
  });
}

interface IndexRow {
  readonly source_key: string;
  readonly index_id: string;
  /** PostgreSQL returns a bigint as text. */
  readonly sequence: number | string;
  readonly digest: string;
}

interface RevocationRow {
  readonly source_key: string;
  readonly index_id: string;
  readonly kind: SeenRevocation['kind'];
  readonly subject: string;
  readonly plugin_id: string;
  readonly version: string;
  readonly source_name: string;
  readonly reason: string;
  readonly is_lifted: number;
}

interface RotationRow {
  readonly from_key: string;
  readonly source_key: string;
  readonly record: string;
}

const indexes = 'marketplace_indexes';
const revocations = 'marketplace_revocations';
const rotations = 'marketplace_rotations';

export async function listIndexes(read: Queries): Promise<readonly SeenIndex[]> {
  const rows = await read<IndexRow>(indexes).select();
  return rows.map(toIndex);
}

export async function putIndex(trx: Transaction, seen: SeenIndex): Promise<void> {
  const row: IndexRow = {
    source_key: seen.sourceKey,
    index_id: seen.indexId,
    sequence: seen.sequence,
    digest: seen.digest,
  };
  await trx<IndexRow>(indexes).insert(row).onConflict(['source_key', 'index_id']).merge();
}

export async function listRevocations(read: Queries): Promise<readonly SeenRevocation[]> {
  const rows = await read<RevocationRow>(revocations).orderBy('subject').select();
  return rows.map((row) => ({
    sourceKey: row.source_key,
    indexId: row.index_id,
    kind: row.kind,
    subject: row.subject,
    pluginId: row.plugin_id,
    version: row.version,
    sourceName: row.source_name,
    reason: row.reason,
    isLifted: row.is_lifted === 1,
  }));
}

/** Adds these, or updates those of the same index and subject. */
export const putRevocations = (
  { insertRows }: Pick<Database, 'insertRows'>,
  trx: Transaction,
  seen: readonly SeenRevocation[],
): Promise<void> =>
  insertRows(trx, revocations, seen.map(toRevocationRow), {
    columns: ['source_key', 'index_id', 'kind', 'subject'],
    update: ['plugin_id', 'version', 'source_name', 'reason', 'is_lifted'],
  });

/** A record that replaced a key, and the key of the index that contained it. */
export interface SeenRotation {
  readonly sourceKey: string;
  readonly record: KeyRotation;
}

/** For each key the record that was seen first. */
export async function listRotations(read: Queries): Promise<readonly SeenRotation[]> {
  const rows = await read<RotationRow>(rotations).orderBy('from_key').select();
  return rows.map(({ source_key: sourceKey, record }) => ({
    sourceKey,
    // Only `addRotations` writes this column.
    record: JSON.parse(record) as KeyRotation,
  }));
}

/** No effect for a key that has a record. */
export const addRotations = (
  { insertRows }: Pick<Database, 'insertRows'>,
  trx: Transaction,
  seen: readonly SeenRotation[],
): Promise<void> => {
  const rows = seen.map(({ sourceKey, record }) => ({
    from_key: record.from,
    source_key: sourceKey,
    record: JSON.stringify(record),
  }));
  return insertRows(trx, rotations, rows, { columns: ['from_key'], update: [] });
};

const toIndex = (row: IndexRow): SeenIndex => ({
  sourceKey: row.source_key,
  indexId: row.index_id,
  sequence: Number(row.sequence),
  digest: row.digest,
});

const toRevocationRow = (seen: SeenRevocation) => ({
  source_key: seen.sourceKey,
  index_id: seen.indexId,
  kind: seen.kind,
  subject: seen.subject,
  plugin_id: seen.pluginId,
  version: seen.version,
  source_name: seen.sourceName,
  reason: seen.reason,
  is_lifted: Number(seen.isLifted),
});
