import { serverViewer } from '../../people/viewer/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { CanPublish } from './recorder.ts';

/**
 * What an admin may receive without asking for hidden things: all events of the server, and of
 * items those that the admin would see. It does not depend on who made a webhook, since that user
 * may have left.
 */
export function createCanPublish(
  access: Pick<Access, 'visibilityIn' | 'filterVisible'>,
): CanPublish {
  return async (subjects) => {
    const unclear = subjects.flatMap(({ libraryId, itemId }) =>
      itemId !== null && libraryId === null ? [itemId] : [],
    );
    const shown =
      unclear.length === 0
        ? new Set<string>()
        : await access.filterVisible(serverViewer, [...new Set(unclear)]);
    return subjects.map(({ libraryId, itemId }) => {
      if (itemId === null) return true;
      if (libraryId === null) return shown.has(itemId);
      return access.visibilityIn(serverViewer, libraryId) === 'all';
    });
  };
}
