/**
 * Lists that are short and in memory as a whole. Without a limit the reply has all entries, so a
 * client that ignores `nextCursor` misses none.
 */
import { readCursor, writeCursor } from '../platform/cursor.ts';

/** What a client asked for. */
interface Page {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** One page of a list whose entries have a key each. */
export function shortPage<Entry>(
  entries: readonly Entry[],
  { limit = entries.length, cursor }: Page,
  keyOf: (entry: Entry) => string,
): { readonly page: readonly Entry[]; readonly nextCursor: string | null } {
  const from = cursor === undefined ? 0 : startOf(entries.map(keyOf), cursor);
  const page = entries.slice(from, from + limit);
  const last = page.at(-1);
  const isEnd = last === undefined || from + page.length >= entries.length;
  return { page, nextCursor: isEnd ? null : writeCursor([keyOf(last), from + page.length]) };
}

/** A reply with one page of such a list, under its name. The entries have an id. */
export function shortReply<const Name extends string, Entry extends { readonly id: string }>(
  name: Name,
  entries: readonly Entry[],
  query: Page,
): Readonly<Record<Name, readonly Entry[]>> & { readonly nextCursor: string | null } {
  const { page, nextCursor } = shortPage(entries, query, ({ id }) => id);
  return { [name]: page, nextCursor } as Readonly<Record<Name, readonly Entry[]>> & {
    readonly nextCursor: string | null;
  };
}

/** After the last entry of the previous page, or at its position if that entry is gone. */
function startOf(keys: readonly string[], cursor: string): number {
  const [key, position] = readCursor(cursor, 2);
  // Lines of a log may have equal keys.
  if (keys[Number(position) - 1] === String(key)) return Number(position);
  const at = keys.indexOf(String(key));
  if (at !== -1) return at + 1;
  return Math.max(0, Number(position) - 1);
}
