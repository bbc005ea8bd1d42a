/**
 * What a library holds and does not show: files that could not be read, files of items that a person
 * removed, and hidden entities. Without these lists an admin could not find them again.
 */
import type { Database } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import type { RecordAudit } from '../../../platform/audit/index.ts';
import { readCursor, writeCursor } from '../../../platform/cursor.ts';
import { AppError } from '../../../platform/errors.ts';
import { libraryShowing, toKnown, type Access, type Scope } from '../access/index.ts';
import { messageOf } from '../items/item.ts';
import type { PageDigests } from '../scan/page-digests.ts';
import { relativePath } from '../tables/file-uri.ts';
import { findLibrary, rootsOf, type LibraryRow } from '../tables/library-store.ts';
import {
  findRemoved,
  forgetSizes,
  readHiddenEntities,
  readRemoved,
  readUnread,
  type NumberedPage,
} from './held-file-store.ts';
import type { PageQuery } from '../../../contract/resources/schema-parts.ts';

/** One page of a list. */
export interface HeldPage<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor: string | null;
}

type List<Entry> = (
  libraryId: string,
  viewer: Viewer,
  query: PageQuery,
) => Promise<HeldPage<Entry>>;

/** What libraries hold and do not show. A library that the viewer may not know is not found. */
export type Held = ReturnType<typeof createHeld>;

export interface HeldParts {
  readonly database: Database;
  readonly access: Pick<Access, 'knows' | 'scopeWithin'>;
  readonly pageDigests: Pick<PageDigests, 'invalidateRange'>;
  readonly audit: RecordAudit;
}

interface Opened {
  readonly row: LibraryRow;
  readonly scope: Scope;
}

export function createHeld({ database, access, pageDigests, audit }: HeldParts) {
  const db = database.read;

  async function open(id: string, viewer: Viewer): Promise<Opened> {
    const row = await findLibrary(db, id);
    if (row === undefined || !access.knows(viewer, toKnown(row)))
      throw new AppError('not_found', { what: `Library ${id}` });
    return { row, scope: await access.scopeWithin(viewer, toKnown(row)) };
  }

  /** A list that leaves out the rows for which `toEntry` gives nothing. */
  const list =
    <Row extends { readonly no: number }, Entry>(
      read: (opened: Opened, page: NumberedPage) => Promise<readonly Row[]>,
      toEntry: (row: Row, opened: Opened) => Entry | null,
    ): List<Entry> =>
    async (libraryId, viewer, { limit = 50, cursor }) => {
      const opened = await open(libraryId, viewer);
      const after = cursor === undefined ? 0 : positionIn(cursor);
      const rows = await read(opened, { after, limit: limit + 1 });
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        entries: rows.slice(0, limit).flatMap((row) => toEntry(row, opened) ?? []),
        nextCursor: last === undefined ? null : writeCursor([last.no]),
      };
    };

  return {
    unreadFiles: list(
      ({ row }, page) => readUnread(db, row.no, page),
      (file, { row, scope }) => {
        if (libraryShowing(scope, file) === undefined) return null;
        const { id, uri, code, item_id: itemId, title, file_info } = file;
        const message = scope.showsPaths ? messageOf(file_info) : null;
        return { fileId: id, path: pathIn(row, uri), itemId, title, code, message };
      },
    ),
    // A file without an item has no certification, so who is limited by certifications sees none.
    removedFiles: list(
      async ({ row, scope }, page) => (isLimited(scope) ? [] : readRemoved(db, row.no, page)),
      ({ id, uri }, { row }) => ({ fileId: id, path: pathIn(row, uri) }),
    ),
    hiddenEntities: list(
      async ({ scope }, page) => (scope.findsHidden ? readHiddenEntities(db, scope, page) : []),
      ({ id, type, name }) => ({ id, type, name }),
    ),
    /**
     * Lets the next scan make items of these removed files again, without what was edited before.
     * Gives their number; ids of other files have no effect.
     */
    restore: async (
      libraryId: string,
      fileIds: readonly string[],
      viewer: Viewer,
    ): Promise<number> => {
      const { row, scope } = await open(libraryId, viewer);
      if (isLimited(scope)) return 0;
      return database.write(async (trx) => {
        const files = await findRemoved(trx, row.no, fileIds);
        if (files.length === 0) return 0;
        await forgetSizes(
          trx,
          files.map(({ no }) => no),
        );
        for (const { uri } of files)
          await pageDigests.invalidateRange(trx, row.no, { after: uri.slice(0, -1), through: uri });
        const details = { files: files.length };
        const target = { type: 'library', id: libraryId };
        await audit(trx, {
          actor: viewer,
          action: 'library.restored',
          change: 'event',
          target,
          details,
        });
        return files.length;
      });
    },
  };
}

const isLimited = ({ libraries }: Scope): boolean =>
  libraries.some(({ certifications }) => certifications !== null);

function pathIn(row: LibraryRow, uri: string): string {
  const root = rootsOf(row).find((one) => uri.startsWith(`${one}/`));
  return root === undefined ? (uri.split('/').pop() ?? '') : relativePath(root, uri);
}

function positionIn(cursor: string): number {
  const [no] = readCursor(cursor, 1);
  if (typeof no === 'number') return no;
  const what = 'query.cursor is not of this list; leave it out to start from the beginning.';
  throw new AppError('invalid_request', { what });
}
