import type { EntityPictureRow, EntityRow } from './entity-store.ts';

/** An entity while mentions are resolved. */
export interface EntityEntry {
  readonly row: EntityRow;
  readonly ids: Map<string, Set<string>>;
  /** By type. */
  readonly pictures: Map<string, Omit<EntityPictureRow, 'entity_no'>>;
  readonly isNew: boolean;
  isChanged: boolean;
  /** Items must be indexed anew: what they are found by has changed. */
  isRenamed: boolean;
  /** What others say counts otherwise now: also what was taken in before is asked anew. */
  hasNewLock: boolean;
  mergedInto: EntityEntry | null;
}
