import type { ScannedFile } from '../../plugin-api/index.ts';
import type { FileRow, NewFileRow } from './file-store.ts';
import type { KnownFile } from './known-file-store.ts';
import type { IdentifiedFile } from './identifier.ts';
import type { ItemValues } from './item-values.ts';

/** A file that has to be given to an item: a new one, or one that changed after it was forgotten. */
export interface Discovery {
  readonly scanned: ScannedFile;
  /** File name without its folder. */
  readonly name: string;
  readonly known: KnownFile | null;
  readonly identified: IdentifiedFile;
  /** What an item is if this file says so. */
  readonly values: ItemValues;
}

/** The row of a file that was not known. */
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
    ...ownColumns(discovery),
    status: 'active',
    size: discovery.scanned.size,
    modified_at: discovery.scanned.modifiedAt,
    fingerprint: ids.fingerprint,
    created_at: now,
    updated_at: now,
  };
}

/** What a file's own name says of it. */
export function ownColumns({
  identified,
}: Discovery): Pick<FileRow, 'classification' | 'edition' | 'part_number'> {
  const { classification, edition, partNumber } = identified.identification;
  return {
    classification: classification ?? 'primary',
    edition: edition ?? null,
    part_number: partNumber ?? null,
  };
}
