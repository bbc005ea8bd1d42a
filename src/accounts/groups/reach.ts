/**
 * What somebody may see, from what was written down to the sight that queries obey. Where it fails,
 * it shows less: a library that is gone, a group without libraries, a rating that no table knows any
 * more give nothing, and a list that holds nothing but such entries is not an empty list.
 */
import type { Transaction } from '../../../kernel/index.ts';
import { AppError } from '../../errors.ts';
import {
  toLibraryAccess,
  type LibraryAccess,
  type WantedLibraryAccess,
} from '../library-access.ts';
import type { CheckReach, Reach } from '../new-user.ts';
import { parseRatingLimit } from '../ratings/index.ts';
import { fullSight, type Admission, type RatingLimit, type Sight } from '../sight.ts';
import { findGroups } from './group-store.ts';

/** The entries, with their texts trimmed and each once, or a refusal that names the field. */
export function checkedAccess(
  entries: readonly WantedLibraryAccess[],
  hasLibrary: (id: string) => boolean,
): readonly LibraryAccess[] {
  const byText = new Map<string, LibraryAccess>();
  for (const [index, { libraryId, maxRating }] of entries.map(toLibraryAccess).entries()) {
    const field = `libraryAccess.${index}`;
    if (!hasLibrary(libraryId)) {
      throw new AppError('invalid_request', {
        what: `${field}.libraryId: there is no library ${JSON.stringify(libraryId.slice(0, 100))}.`,
      });
    }
    if (maxRating !== null) parseRatingLimit(maxRating, `${field}.maxRating`);
    const entry = { libraryId, maxRating: maxRating?.trim() ?? null };
    byText.set(JSON.stringify([entry.libraryId, entry.maxRating]), entry);
  }
  return [...byText.values()];
}

/** Makes what users, and invites, have their reach checked with. */
export const createCheckReach =
  (hasLibrary: (id: string) => boolean): CheckReach =>
  async (trx, { libraryAccess, groupIds }) => {
    const ids = [...new Set(groupIds)];
    await assertGroups(trx, ids);
    return { libraryAccess: checkedAccess(libraryAccess, hasLibrary), groupIds: ids };
  };

async function assertGroups(trx: Transaction, ids: readonly string[]): Promise<void> {
  const known = new Set((await findGroups(trx, ids)).map(({ id }) => id));
  const index = ids.findIndex((id) => !known.has(id));
  if (index < 0) return;
  throw new AppError('invalid_request', {
    what: `groupIds.${index}: there is no group ${JSON.stringify(ids[index]?.slice(0, 100))}.`,
  });
}

/** What a user may see at most: their own libraries and those of their groups; neither = all. */
export function ceilingOf(
  { libraryAccess, groupIds }: Reach,
  groups: readonly { readonly libraryAccess: readonly LibraryAccess[] }[],
): Sight {
  if (libraryAccess.length === 0 && groupIds.length === 0) return fullSight;
  return sightOfAccess([...libraryAccess, ...groups.flatMap((group) => group.libraryAccess)]);
}

/** What a list of entries shows: of a library named twice, what either of them shows. */
export function sightOfAccess(entries: readonly LibraryAccess[]): Sight {
  const byLibrary = Map.groupBy(entries, ({ libraryId }) => libraryId);
  const libraries = [...byLibrary].map(([id, own]) => [id, admissionOf(own)] as const);
  return { libraries: new Map(libraries), showsHidden: false };
}

function admissionOf(entries: readonly LibraryAccess[]): Admission {
  const ratings = entries.map(({ maxRating }) => maxRating);
  return ratings.includes(null) ? [] : [ratings.flatMap((text) => limitOf(text ?? ''))];
}

function limitOf(text: string): readonly RatingLimit[] {
  try {
    return [parseRatingLimit(text)];
  } catch {
    return [];
  }
}
