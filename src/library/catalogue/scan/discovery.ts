import type { ScannedFile } from '../../../../plugin-api/index.ts';
import type { FileRow, NewFileRow } from '../tables/file-store.ts';
import { fileColumnsOf } from '../commit/identification.ts';
import type { KnownFile } from './known-file-store.ts';
import type { IdentifiedFile } from '../commit/identifier.ts';
import type { ItemValues } from '../items/item-values.ts';

/** A file that needs an item: a new one, or a changed one whose item was removed. */
export interface Discovery {
  readonly scanned: ScannedFile;
  /** File name without the folder. */
  readonly name: string;
  readonly known: KnownFile | null;
  readonly identified: IdentifiedFile;
  /** The values of an item that is made from this file. */
  readonly values: ItemValues;
}

export function newFileRow(
  discovery: Discovery,
  ids: Pick<FileRow, 'no' | 'id' | 'fingerprint'> & {
    readonly libraryNo: number;
    readonly itemNo: number;
  },
  now: number,
): NewFileRow {
  return {
    no: ids.no,
    id: ids.id,
    library_no: ids.libraryNo,
    item_no: ids.itemNo,
    uri: discovery.scanned.uri,
    ...fileColumnsOf(discovery.identified.identification),
    status: 'active',
    size: discovery.scanned.size,
    modified_at: discovery.scanned.modifiedAt,
    fingerprint: ids.fingerprint,
    created_at: now,
    updated_at: now,
  };
}
