import type { Database } from '../../../kernel/storage/index.ts';
import type { EntityMarkEventData, MarkEventData } from '../../../plugin-api/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Entities } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import {
  deleteEntityMark,
  findItemMark,
  insertEntityMark,
  saveItemMark,
  type ItemMarkRow,
} from './mark-store.ts';
import type { ItemMarks } from '../../contract/resources/viewing/marks.ts';

/** Favourites and ratings of the viewer's profile. What the viewer may not see is `not_found`. */
export interface Marks {
  readonly setFavourite: (
    itemId: string,
    isFavourite: boolean,
    viewer: Viewer,
  ) => Promise<ItemMarks>;
  /** `null` removes the rating. */
  readonly rate: (itemId: string, rating: number | null, viewer: Viewer) => Promise<ItemMarks>;
  /** The id of a merged entity marks the one that it was merged into. */
  readonly setFavouriteEntity: (
    entityId: string,
    isFavourite: boolean,
    viewer: Viewer,
  ) => Promise<void>;
}

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

export function createMarks({ database, access, entities, events, now }: MarksParts): Marks {
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

  return {
    // A favourite keeps the time at which it became one.
    setFavourite: (itemId, isFavourite, viewer) =>
      mark(itemId, viewer, (known) => ({
        favourite_at: isFavourite ? (known?.favourite_at ?? now()) : null,
      })),
    rate: (itemId, rating, viewer) => mark(itemId, viewer, () => ({ rating })),
    setFavouriteEntity: async (entityId, isFavourite, viewer) => {
      const { id } = await entities.find(entityId, viewer);
      const { profileId } = viewer;
      const entity = { profile_id: profileId, entity_id: id };
      const isChanged = await database.write((trx) =>
        isFavourite ? insertEntityMark(trx, entity, now()) : deleteEntityMark(trx, entity),
      );
      if (isChanged)
        events.emit('playback.entityMarked', { entityId: id, profileId, favourite: isFavourite });
    },
  };
}

const marksOf = (row: ItemMarkRow | undefined): ItemMarks => ({
  favourite: (row?.favourite_at ?? null) !== null,
  myRating: row?.rating ?? null,
});
