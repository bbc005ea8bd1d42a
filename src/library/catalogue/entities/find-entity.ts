import type { Queries } from '../../../../kernel/store/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Scope } from '../access/index.ts';
import { readEntitiesById } from './entity-list-store.ts';
import { findSurvivor, type EntityRow } from '../tables/entity-store.ts';

/**
 * The entity with this id, or the one that it was merged into. An admin finds a hidden entity too,
 * to be able to show it again.
 *
 * @throws {AppError} `not_found` when it is missing or outside the scope
 */
export async function findEntity(db: Queries, id: string, scope: Scope): Promise<EntityRow> {
  const [row] = await readEntitiesById(db, [id], scope, 'found');
  if (row) return row;
  const survivor = await findSurvivor(db, id);
  const [known] = survivor ? await readEntitiesById(db, [survivor.id], scope, 'found') : [];
  if (known) return known;
  throw entityNotFound(id);
}

export function entityNotFound(id: string): AppError {
  return new AppError('not_found', { what: `Entity ${id}` });
}
