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

/** After the last entry of the previous page, or at its position if that entry is gone. */
function startOf(keys: readonly string[], cursor: string): number {
  const [key, position] = readCursor(cursor, 2);
  // Lines of a log may have equal keys.
  if (keys[Number(position) - 1] === String(key)) return Number(position);
  const at = keys.indexOf(String(key));
  if (at !== -1) return at + 1;
  return Math.max(0, Number(position) - 1);
}
