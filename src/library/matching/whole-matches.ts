/**
 * A person's choice for a show or an album also counts for its files that come later. It is kept
 * by what names, tags and sidecars say of the whole, since catalogues may call it something else:
 * the entity that a new file names is not always the one that the fixed files belong to.
 */
import type { Database } from '../../../kernel/store/index.ts';
import { normalizeName } from '../catalogue/commit/index.ts';
import type { Match, Matches } from './match.ts';
import { readWholeMatches, saveWholeMatches, type WholeMatch } from './whole-match-store.ts';

/** An item with its matches, and the show or album that it belongs to. */
export interface PartOfWhole {
  /** As `wholeOf` gives it; `null` = it belongs to nothing. */
  readonly whole: string | null;
  readonly matches: Matches;
}

/** What people chose for shows and albums. */
export type WholeMatches = ReturnType<typeof createWholeMatches>;

/** Names of a show or an album, as a key. */
const longest = 300;

/** The show or album that an item belongs to, by its local metadata. */
export function wholeOf(fields: Readonly<Record<string, unknown>>): string | null {
  const { series, year, album, albumArtist, artist } = fields;
  const text = (value: unknown): string =>
    typeof value === 'string' ? normalizeName(value).slice(0, longest).toWellFormed() : '';
  if (text(series) !== '')
    return JSON.stringify(['show', text(series), typeof year === 'number' ? year : null]);
  if (text(album) === '') return null;
  return JSON.stringify(['album', text(album), text(albumArtist) || text(artist)]);
}

export function createWholeMatches(database: Database) {
  return {
    /**
     * The matches of these items of a library, in their order: each with the choices that a person
     * made for its show or album. Keeps the choices that are in the items and not known yet.
     */
    inherit: async (
      libraryNo: number,
      parts: readonly PartOfWhole[],
    ): Promise<readonly Matches[]> => {
      const wholes = [...new Set(parts.flatMap(({ whole }) => whole ?? []))];
      if (wholes.length === 0) return parts.map(({ matches }) => matches);
      const known = await readWholeMatches(database.read, libraryNo, wholes);
      const fresh = newChoices(parts, known);
      if (fresh.length > 0) {
        const rows = fresh.map((one) => ({ library_no: libraryNo, ...one }));
        await database.write((trx) => saveWholeMatches(database.insertRows, trx, rows));
      }
      const all = Map.groupBy([...known, ...fresh], ({ whole }) => whole);
      return parts.map(({ whole, matches }) =>
        (whole === null ? [] : (all.get(whole) ?? [])).reduce(withChoice, matches),
      );
    },
  };
}

type Choice = Omit<WholeMatch, 'library_no'>;

/** The choices in items that are newer than those that are known; the newest of each plugin last. */
function newChoices(parts: readonly PartOfWhole[], known: readonly Choice[]): readonly Choice[] {
  const newest = new Map(known.map((one) => [keyOf(one), one]));
  const fresh = new Map<string, Choice>();
  for (const { whole, matches } of parts) {
    if (whole === null) continue;
    for (const [plugin_id, { id, manual, matchedAt }] of Object.entries(matches)) {
      const one = { whole, plugin_id, match_id: id, matched_at: matchedAt };
      if (!manual || (newest.get(keyOf(one))?.matched_at ?? -1) >= matchedAt) continue;
      newest.set(keyOf(one), one);
      fresh.set(keyOf(one), one);
    }
  }
  return [...fresh.values()];
}

const keyOf = ({ whole, plugin_id }: Choice): string => `${plugin_id}\n${whole}`;

/** A choice for the item itself stays. */
function withChoice(matches: Matches, { plugin_id, match_id, matched_at }: Choice): Matches {
  if (matches[plugin_id]?.manual === true) return matches;
  const match: Match = {
    id: match_id,
    manual: true,
    confidence: null,
    title: null,
    matchedAt: matched_at,
  };
  return { ...matches, [plugin_id]: match };
}
