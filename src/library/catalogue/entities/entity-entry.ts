import type { EntityPictureRow, EntityRow } from '../tables/entity-store.ts';

/** An entity while mentions are resolved. */
export interface EntityEntry {
  readonly row: EntityRow;
  readonly ids: Map<string, Set<string>>;
  /** By type. */
  readonly pictures: Map<string, Omit<EntityPictureRow, 'entity_no'>>;
  readonly isNew: boolean;
  isChanged: boolean;
  /** Its name changed, so its items must be indexed again. */
  isRenamed: boolean;
  /** Its lock changed, so mentions that were resolved before must be resolved again. */
  hasNewLock: boolean;
  mergedInto: EntityEntry | null;
}
