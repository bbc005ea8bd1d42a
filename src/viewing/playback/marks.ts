import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { EntityMarkEventData, MarkEventData } from '../../../plugin-api/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Entities } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import {
  deleteEntityMark,
  findItemMark,
  insertEntityMark,
  readEntityMarks,
  saveEntityRating,
  saveItemMark,
  type EntityMark,
  type ItemMarkRow,
} from './mark-store.ts';
import type { EntityMarks, ItemMarks } from '../../contract/resources/viewing/marks.ts';

/** Favourites and ratings of the viewer's profile. What the viewer may not see is `not_found`. */
export type Marks = ReturnType<typeof createMarks>;

export interface MarksParts {
  readonly database: Database;
  readonly access: Pick<Access, 'filterVisible'>;
  readonly entities: Pick<Entities, 'find'>;
  readonly events: {
    readonly emit: (
      ...event:
        | [type: 'playback.marked', data: MarkEventData]
        | [type: 'playback.entityMarked', data: EntityMarkEventData]
    ) => void;
  };
  readonly now: () => number;
}

export function createMarks({ database, access, entities, events, now }: MarksParts) {
  async function mark(
    itemId: string,
    { profileId, ...viewer }: Viewer,
    change: (known: ItemMarkRow | undefined) => Parameters<typeof saveItemMark>[2],
  ): Promise<ItemMarks> {
    const seen = await access.filterVisible({ ...viewer, profileId }, [itemId]);
    if (!seen.has(itemId)) throw new AppError('not_found', { what: `Item ${itemId}` });
    const { before, after } = await database.write(async (trx) => {
      const known = await findItemMark(trx, profileId, itemId);
      await saveItemMark(trx, { profile_id: profileId, item_id: itemId }, change(known));
      return { before: marksOf(known), after: marksOf(await findItemMark(trx, profileId, itemId)) };
    });
    if (before.favourite !== after.favourite || before.myRating !== after.myRating)
      events.emit('playback.marked', { itemId, profileId, ...after });
    return after;
  }

  async function markEntity(
    entityId: string,
    { profileId, ...viewer }: Viewer,
    change: (trx: Transaction, mark: EntityMark) => Promise<unknown>,
  ): Promise<EntityMarks> {
    const { id } = await entities.find(entityId, { ...viewer, profileId });
    const marksIn = async (trx: Transaction): Promise<EntityMarks> =>
      (await readEntityMarks(trx, profileId, [id])).get(id) ?? nothingSaid;
    const { before, after } = await database.write(async (trx) => {
      const known = await marksIn(trx);
      await change(trx, { profile_id: profileId, entity_id: id });
      return { before: known, after: await marksIn(trx) };
    });
    if (before.favourite !== after.favourite || before.myRating !== after.myRating)
      events.emit('playback.entityMarked', { entityId: id, profileId, ...after });
    return after;
  }

  return {
    // A favourite keeps the time at which it became one.
    setFavourite: (itemId: string, isFavourite: boolean, viewer: Viewer): Promise<ItemMarks> =>
      mark(itemId, viewer, (known) => ({
        favourite_at: isFavourite ? (known?.favourite_at ?? now()) : null,
      })),
    /** `null` removes the rating. */
    rate: (itemId: string, rating: number | null, viewer: Viewer): Promise<ItemMarks> =>
      mark(itemId, viewer, () => ({ rating })),
    /** The id of a merged entity marks the one that it was merged into. */
    setFavouriteEntity: (
      entityId: string,
      isFavourite: boolean,
      viewer: Viewer,
    ): Promise<EntityMarks> =>
      markEntity(entityId, viewer, (trx, mark) =>
        isFavourite ? insertEntityMark(trx, mark, now()) : deleteEntityMark(trx, mark),
      ),
    /** `null` removes the rating. */
    rateEntity: (entityId: string, rating: number | null, viewer: Viewer): Promise<EntityMarks> =>
      markEntity(entityId, viewer, (trx, mark) => saveEntityRating(trx, mark, rating)),
  };
}

const nothingSaid: EntityMarks = { favourite: false, myRating: null };

const marksOf = (row: ItemMarkRow | undefined): ItemMarks => ({
  favourite: (row?.favourite_at ?? null) !== null,
  myRating: row?.rating ?? null,
});
