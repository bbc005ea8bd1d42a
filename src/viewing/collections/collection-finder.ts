import type { Queries } from '../../../kernel/store/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import { findById } from './collection-items.ts';
import type { CollectionScope, RuledRow } from './collection-store.ts';
import type { CollectionKind } from './collection-sort.ts';
import { ownerOf } from './owner.ts';

/** Finds collections for a viewer. What the viewer may not see is `not_found`. */
export type CollectionFinder = ReturnType<typeof createCollectionFinder>;

const otherWay: Readonly<Record<CollectionKind, string>> = {
  collection: 'Its items change with PUT and DELETE /api/collections/:id/items/:itemId.',
  playlist: 'Its entries change with POST, PATCH and DELETE /api/collections/:id/entries.',
};

export function createCollectionFinder({
  db,
  access,
}: {
  readonly db: Queries;
  readonly access: Pick<Access, 'scopeOf'>;
}) {
  const scopeOf = async (viewer: Viewer): Promise<Omit<CollectionScope, 'withHidden'>> => ({
    owner: ownerOf(viewer),
    scope: await access.scopeOf(viewer),
  });

  /** By its id an owner finds a hidden collection too, and an admin an automatic one. */
  const find = async (id: string, viewer: Viewer): Promise<RuledRow> => {
    const row = await findById(db, id, { viewer, scope: await access.scopeOf(viewer) });
    if (row !== undefined) return row;
    throw new AppError('not_found', { what: `Collection ${id}` });
  };

  return {
    scopeOf,
    find,
    /** One of this kind whose items people choose. */
    findOwn: async (id: string, viewer: Viewer, kind: CollectionKind): Promise<RuledRow> => {
      const row = await find(id, viewer);
      if (row.rule_entity_no !== null)
        throw conflict(
          `The server chooses the items of ${row.name}. Make a collection of your own to choose items.`,
        );
      if (row.kind !== kind) throw conflict(`${row.name} is a ${row.kind}. ${otherWay[row.kind]}`);
      return row;
    },
  };
}

function conflict(what: string): AppError {
  return new AppError('conflict', { what });
}
