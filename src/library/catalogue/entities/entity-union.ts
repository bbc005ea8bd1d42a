/**
 * Merges entities because a person says that they are one. Later mentions of either lead to the
 * first.
 */
import type { Database } from '../../../../kernel/store/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { mergeRows } from './entity-merge.ts';
import { renumberLinked } from '../tables/entity-link-store.ts';
import { mergeEntityRows } from './entity-merge-store.ts';
import { readEntityRows, saveEntityRows, type EntityRow } from '../tables/entity-store.ts';
import { parseMap } from '../tables/rows.ts';

/** How many can be merged in one request. */
export const mostToUnite = 50;

/** Refuses entities that cannot be merged: another type, or the entity itself. */
export function assertUnitable(
  to: Pick<EntityRow, 'no' | 'id' | 'type'>,
  others: readonly Pick<EntityRow, 'no' | 'id' | 'type'>[],
): void {
  if (others.length === 0 || others.length > mostToUnite)
    throw refusal(`ids must name 1 to ${mostToUnite} entities.`);
  const same = others.find(({ no }) => no === to.no);
  if (same) throw refusal(`ids has ${same.id}, which is the entity itself.`);
  const other = others.find(({ type }) => type !== to.type);
  if (other)
    throw refusal(
      `ids has ${other.id}, a ${other.type}; only a ${to.type} can be this ${to.type}.`,
    );
}

/**
 * Merges the others into the first and deletes them; their ids and names lead to it. Its name is
 * locked, since a person chose which one stays.
 */
export async function uniteEntities(
  { write, insertRows }: Pick<Database, 'write' | 'insertRows'>,
  entities: { readonly toNo: number; readonly fromNumbers: readonly number[] },
  now: number,
): Promise<void> {
  await write(async (trx) => {
    const [to] = await readEntityRows(trx, [entities.toNo]);
    if (to === undefined) throw new AppError('not_found', { what: 'The entity' });
    to.edits = JSON.stringify({ ...parseMap(to.edits), name: to.name });
    to.updated_at = now;
    for (const no of entities.fromNumbers) {
      // A child of another merged entity may have been merged already.
      const [from] = await readEntityRows(trx, [no]);
      if (from === undefined) continue;
      mergeRows(to, from);
      await mergeEntityRows(trx, insertRows, { to, from });
    }
    await saveEntityRows(insertRows, trx, [to]);
    await renumberLinked(trx, [to.no]);
  });
}

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
