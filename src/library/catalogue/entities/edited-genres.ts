/**
 * Genres that a person wrote for an item (`metadata.genres` of its edits). They replace those that its
 * sources name, now and at each later scan.
 */
import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import {
  insertLinks,
  readLinkRows,
  touch,
  unlinkItems,
  type LinkRow,
} from '../tables/entity-link-store.ts';
import { mentionsOf, type Mention } from './entity-mention.ts';
import type { EntityRegistry } from './entity-registry.ts';

const role = 'genre';

/** The metadata of a person's edits; absent when nothing of it was edited. */
type EditedMetadata = Readonly<Record<string, unknown>> | undefined;

/** The mentions of an item with the genres that a person wrote, if one did. */
export function withEditedGenres(
  mentions: readonly Mention[],
  edited: EditedMetadata,
): readonly Mention[] {
  const genres = genresIn(edited);
  return genres === null
    ? mentions
    : [...mentions.filter((mention) => mention.role !== role), ...genres];
}

/** Links an item to the genres that a person wrote; it has no other ones then. */
export async function linkEditedGenres(
  trx: Transaction,
  parts: {
    readonly insertRows: Database['insertRows'];
    readonly entities: Pick<EntityRegistry, 'resolve'>;
  },
  item: { readonly no: number; readonly library_no: number },
  edited: { readonly metadata: EditedMetadata; readonly now: number },
): Promise<void> {
  const genres = genresIn(edited.metadata);
  if (genres === null) return;
  const numbers = await parts.entities.resolve(trx, genres, edited.now);
  const before = await readLinkRows(trx, [item.no]);
  const others = before.filter((link) => link.role !== role);
  const last = Math.max(-1, ...others.map(({ sort_order }) => sort_order));
  const wanted = new Set(genres.flatMap(({ key }) => numbers.get(key) ?? []));
  const links = [...wanted].map((entity_no, at): LinkRow => {
    return { item_no: item.no, entity_no, role, sort_order: last + 1 + at, metadata: null };
  });
  await unlinkItems(trx, [item.no]);
  await insertLinks(parts.insertRows, trx, [...others, ...links]);
  const known = before.filter((link) => link.role === role).map(({ entity_no }) => entity_no);
  const touched = [...new Set([...known, ...wanted])];
  await touch(
    parts.insertRows,
    trx,
    touched.map((entity_no) => ({ entity_no, library_no: item.library_no })),
  );
}

/** As mentions; `null` = no person wrote genres. */
function genresIn(edited: EditedMetadata): readonly Mention[] | null {
  const value = edited?.['genres'];
  if (value === undefined) return null;
  const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  const genres = names.map((name) => ({ name, type: role, status: 'complete', source: '' }));
  return mentionsOf({ [role]: genres }, {}, null);
}
