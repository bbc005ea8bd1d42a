import { serverViewer } from '../../people/viewer/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Entities } from '../../library/catalogue/index.ts';
import type { CanPublish } from './recorder.ts';

/**
 * What an admin may receive without asking for hidden things: all events of the server, and of
 * items and entities those that the admin would see. It does not depend on who made a webhook, since
 * that user may have left. Without `entities`, no event about an entity is published.
 */
export function createCanPublish(
  access: Pick<Access, 'visibilityIn' | 'filterVisible'>,
  entities?: Pick<Entities, 'getMany'>,
): CanPublish {
  async function shownOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    return access.filterVisible(serverViewer, [...new Set(ids)]);
  }

  async function shownEntitiesOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0 || entities === undefined) return new Set();
    const found = await entities.getMany([...new Set(ids)], serverViewer);
    return new Set(found.map(({ id }) => id));
  }

  return async (subjects) => {
    const unclear = subjects.flatMap(({ libraryId, itemId }) =>
      itemId !== null && libraryId === null ? [itemId] : [],
    );
    const shown = await shownOf(unclear);
    const shownEntities = await shownEntitiesOf(subjects.flatMap(({ entityId }) => entityId ?? []));
    return subjects.map(({ libraryId, itemId, entityId }) => {
      if (entityId !== null) return shownEntities.has(entityId);
      if (itemId === null) return true;
      if (libraryId === null) return shown.has(itemId);
      return access.visibilityIn(serverViewer, libraryId) === 'all';
    });
  };
}
