import type { CollectionEventData } from '../../../plugin-api/index.ts';
import type { CollectionRow } from './collection-store.ts';

/** Emits the events about collections. */
export interface CollectionEvents {
  readonly emit: (
    type: 'collection.created' | 'collection.updated' | 'collection.deleted',
    data: CollectionEventData,
  ) => void;
}

/** What the events say of a collection. */
export const eventOf = ({
  id,
  kind,
  profile_id: profileId,
}: Pick<CollectionRow, 'id' | 'kind' | 'profile_id'>): CollectionEventData => ({
  collectionId: id,
  kind,
  profileId: profileId || null,
});
