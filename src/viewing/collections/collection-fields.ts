/** Validates the fields of collections that people enter. */
import { AppError } from '../../platform/errors.ts';
import type { CollectionKind } from './collection-sort.ts';
import type { CollectionRow } from './collection-store.ts';
import type { CollectionFields, NewCollection } from './collection.ts';

const longestName = 200;
const longestId = 200;
const longestDescription = 10_000;

type FieldColumns = Partial<
  Pick<
    CollectionRow,
    'name' | 'sort_name' | 'description' | 'media_type' | 'sort_by' | 'sort_order' | 'hidden'
  >
>;

/** The columns of the given fields; absent fields are left out. */
export function checkedFields({
  name,
  description,
  mediaType,
  sortBy,
  sortOrder,
  hidden,
}: CollectionFields): FieldColumns {
  if (name !== undefined && (name.trim() === '' || name.length > longestName))
    throw refusal(`name must have 1 to ${longestName} characters.`);
  if (typeof description === 'string' && description.length > longestDescription)
    throw refusal(`description may have ${longestDescription} characters.`);
  if (typeof mediaType === 'string' && !/^(?:[a-z][a-z0-9-]{0,63})?$/.test(mediaType))
    throw refusal(
      'mediaType must be lowercase letters, digits and -, such as movies, tv or music, or null.',
    );
  return {
    ...(name !== undefined && { name: name.trim(), sort_name: sortNameOf(name) }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(mediaType !== undefined && { media_type: mediaType ?? '' }),
    ...(sortBy !== undefined && { sort_by: sortBy }),
    ...(sortOrder !== undefined && { sort_order: sortOrder }),
    ...(hidden !== undefined && { hidden }),
  };
}

/** A distributed id, or a refusal. Only a playlist may have its own id instead. */
export function checkedId(
  { kind, distributedId: given }: Pick<NewCollection, 'kind' | 'distributedId'>,
  ownId: string,
): string {
  const distributedId = given ?? (kind === 'playlist' ? ownId : undefined);
  if (distributedId === undefined) throw refusal('body.distributedId is missing.');
  const id = distributedId.trim();
  if (id !== '' && id.length <= longestId) return id;
  throw refusal(`distributedId must have 1 to ${longestId} characters.`);
}

/** A name for sorting collections: no case, no accents. */
export function sortNameOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** Refuses an order for a playlist, which has that of its entries. */
export function assertOrder(
  kind: CollectionKind,
  { sortBy, sortOrder }: Pick<CollectionFields, 'sortBy' | 'sortOrder'>,
): void {
  if (kind === 'collection') return;
  if ((sortBy ?? 'manual') !== 'manual' || (sortOrder ?? 'asc') !== 'asc')
    throw refusal('sortBy of a playlist must be manual, and its sortOrder asc.');
}

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
