import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import type { IndexTables } from './index-tables.ts';
import { isWithinOneEdit, neighbourhoodOf } from './similar-words.ts';
import { isUnspaced, wordsOf } from './split-words.ts';

/** A word, and the number of documents that have it. */
export interface IndexedWord {
  readonly text: string;
  readonly documents: number;
}

const lists = {
  sqlite: 'json_group_array(json_array(word, documents))',
  postgres: 'json_agg(json_build_array(word, documents))',
} as const;

/**
 * Words of the index within one edit of a text, the most frequent first. None for a text that is not
 * exactly one word, or for a character of a script without spaces.
 */
export async function findSimilar(
  read: Knex,
  { terms }: IndexTables,
  near: { readonly text: string; readonly limit: number },
): Promise<readonly IndexedWord[]> {
  const [word, ...others] = wordsOf(near.text);
  if (word === undefined || others.length > 0 || isUnspaced(word)) return [];
  const { lengths, head, tail, swapped } = neighbourhoodOf(word);
  const reach = `from ${terms} where length in (?, ?, ?)`;
  // One JSON text costs far less than a thousand rows.
  const list = lists[dialectOf(read)];
  const [answer] = await read.raw<readonly { readonly candidates: string | null }[]>(
    `select ${list} as candidates from (
       select word, documents ${reach} and word >= ? and word < ?
       union
       select word, documents ${reach} and reversed >= ? and reversed < ?
       union
       select word, documents from ${terms} where length = ? and word = ?
     ) as near`,
    [...lengths, head.from, head.to, ...lengths, tail.from, tail.to, lengths[1], swapped],
  );
  const candidates = JSON.parse(answer?.candidates ?? '[]') as readonly [string, number][];
  return candidates
    .filter(([text]) => isWithinOneEdit(word, text))
    .map(([text, documents]) => ({ text, documents }))
    .sort((a, b) => b.documents - a.documents || (a.text < b.text ? -1 : 1))
    .slice(0, near.limit);
}
