/**
 * Changes of a text index, cut into parts that are short transactions: the writer is everybody's, and one
 * call may bring, or take out, so much text that it would hold the writer for many seconds.
 */
import type { Knex } from 'knex';
import { membersOf, toMembers } from '../read-together.ts';
import { findIndex } from './index-catalogue.ts';
import { tablesOf } from './index-tables.ts';

/** Text of one part, in characters; a part has one document at least, and ends with the one that fills it. */
const fullPart = 64_000;

/** How much text the index of a plugin has of each of those documents, in characters. */
export async function keptText(
  read: Knex,
  pluginId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const entry = await findIndex(read, pluginId);
  if (entry === undefined) return new Map();
  const rows = await read.raw<readonly { readonly id: string; readonly size: number | string }[]>(
    `select id, length(title_words) + length(body_words) as size
     from ${tablesOf(entry.index_id).documents} where id in ${membersOf(read)}`,
    [toMembers(ids)],
  );
  return new Map(rows.map(({ id, size }) => [id, Number(size)]));
}

/** The members of a list in their order, in parts; `sizeOf` gives the characters of one. */
export function inParts<Member>(
  members: readonly Member[],
  sizeOf: (member: Member) => number,
): readonly (readonly Member[])[] {
  const parts: Member[][] = [];
  let room = 0;
  for (const member of members) {
    if (room <= 0) {
      parts.push([]);
      room = fullPart;
    }
    parts.at(-1)?.push(member);
    room -= sizeOf(member);
  }
  return parts;
}
