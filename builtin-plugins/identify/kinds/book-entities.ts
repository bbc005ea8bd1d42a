import type { BundleEntity } from '../../../plugin-api/index.ts';
import { pendingEntity } from './pending-entity.ts';

/** Author, series and narrator by their roles. */
export function bookEntities(
  author: string | undefined,
  series: string | undefined,
  narrator?: string,
): Readonly<Record<string, readonly BundleEntity[]>> | undefined {
  const entities: Record<string, readonly BundleEntity[]> = {};
  if (author !== undefined) entities['author'] = [pendingEntity('person', author)];
  if (series !== undefined) entities['series'] = [pendingEntity('series', series)];
  if (narrator !== undefined) entities['narrator'] = [pendingEntity('person', narrator)];
  return Object.keys(entities).length === 0 ? undefined : entities;
}
