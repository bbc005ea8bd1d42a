/**
 * Cuts changes of a text index into short transactions. All plugins share the writer, and one call
 * may add or remove enough text to block it for many seconds.
 */
import type { Knex } from 'knex';
import { membersOf, toMembers } from '../read-together.ts';
import { findIndex } from './index-catalogue.ts';
import { tablesOf } from './index-tables.ts';

/**
 * The text of one part, in characters. A part has at least one document, and ends with the one that
 * reaches this size.
 */
const fullPart = 64_000;

/** The length of the stored text of each of these documents, in characters. */
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

/** Cuts a list into parts, in order; `sizeOf` gives the characters of a member. */
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
