import type { Queries } from '../../../../kernel/store/index.ts';
import type { Scope } from '../access/index.ts';
import { readEntitiesByKey, readEntityNames, readEntityRows } from '../tables/entity-store.ts';
import { nameKey } from './entity-name.ts';

/** The numbers of the genres that a name leads to; hidden ones only where the scope shows them. */
export async function readGenreNumbers(
  db: Queries,
  name: string,
  scope: Pick<Scope, 'showsHidden'>,
): Promise<readonly number[]> {
  const key = `genre\n\n${nameKey('genre', name)}`;
  const [named, others] = await Promise.all([
    readEntitiesByKey(db, [key]),
    readEntityNames(db, [key]),
  ]);
  const further = await readEntityRows(
    db,
    others.map(({ entity_no: no }) => no),
  );
  const genres = [...named, ...further].filter(({ hidden }) => scope.showsHidden || !hidden);
  return [...new Set(genres.map(({ no }) => no))];
}
