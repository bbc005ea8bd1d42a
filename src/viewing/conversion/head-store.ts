/** The SQL of the processes that convert on several servers, by the clock of the database. */
import type { Queries, Transaction } from '../../../kernel/store/index.ts';

/** A process of a server, which makes segments from a place of the film to another one. */
export interface HeadRow {
  readonly work: string;
  readonly server: string;
  readonly address: string;
  /** Microseconds. */
  readonly from_us: number;
  readonly until_us: number;
  readonly weight: number;
}

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

export async function insertHead(trx: Transaction, row: HeadRow): Promise<void> {
  await trx('conversion_heads')
    .insert({ ...row, beat_at: trx.raw(now) })
    .onConflict(['work', 'server', 'from_us'])
    .merge();
}

export async function deleteHead(
  trx: Transaction,
  { work, server, from_us }: Pick<HeadRow, 'work' | 'server' | 'from_us'>,
): Promise<void> {
  await trx('conversion_heads').where({ work, server, from_us }).delete();
}

/** Says that all of a server run, and forgets those of servers that are gone. */
export async function beatHeads(trx: Transaction, server: string, goneMs: number): Promise<void> {
  await trx('conversion_heads')
    .where({ server })
    .update({ beat_at: trx.raw(now) });
  await trx.raw(`delete from conversion_heads where beat_at < ${now} - ?`, [goneMs]);
}

/** Those of other servers that make the segment at a place (`null`: any), and ran a moment ago. */
export async function headsAt(
  read: Queries,
  {
    work,
    server,
    at,
  }: { readonly work: string; readonly server: string; readonly at: number | null },
  beatMs: number,
): Promise<readonly string[]> {
  const rows = await read.raw<readonly { readonly address: string }[]>(
    `select address from conversion_heads
     where work = ? and server <> ? and beat_at > ${now} - ?
       and (?::bigint is null or (from_us <= ?::bigint and until_us > ?::bigint))
     order by from_us desc limit 2`,
    [work, server, beatMs, at, at, at],
  );
  return rows.map(({ address }) => address);
}

/** A server that converts for others, and the weight of what it converts. */
export interface ConverterRow {
  readonly id: string;
  readonly address: string;
  readonly load: number;
}

/** All that gave a sign a moment ago, this one too. */
export async function converters(read: Queries, beatMs: number): Promise<readonly ConverterRow[]> {
  const rows = await read.raw<readonly ConverterRow[]>(
    `select member.id, member.internal as address, coalesce(sum(head.weight), 0)::integer as load
     from server_processes as member
     left join conversion_heads as head on head.server = member.id and head.beat_at > ${now} - ?
     where member.converts and member.missing_since is null
       and member.heartbeat_at > clock_timestamp() - ? * interval '1 millisecond'
     group by member.id, member.internal`,
    [beatMs, beatMs],
  );
  return rows;
}
