import type { FileRow } from '../tables/file-store.ts';
import type { ItemRow, ListedItemRow } from '../tables/item-store.ts';
import type { Texts } from '../texts/item-texts.ts';
import { parseList, parseMap, timestamp } from '../tables/rows.ts';
import type { Item, ProfileState } from '../../../contract/resources/library/catalogue.ts';

/** How far the ingest of an item is. */
export interface ItemIngest {
  /** `pending`: some files wait; `failed`: some could not be read; else all are read. */
  readonly state: 'pending' | 'failed' | 'complete';
  /** The files that could not be read, with the error. */
  readonly errors: readonly {
    readonly fileId: string;
    readonly code: string;
    readonly message: string | null;
  }[];
}

/** One item in full, with fields that lists leave out for their size. */
export interface ItemDetail extends Item {
  readonly ingest: ItemIngest;
  /** Which plugin wrote which field or asset; for admins. */
  readonly provenance: readonly Record<string, unknown>[];
  /** Keys that a person changed: scans do not change them. */
  readonly lockedFields: readonly string[];
  readonly subtitles: readonly Record<string, unknown>[];
}

/** A picture that an item can show. */
export interface OfferedPicture {
  readonly id: string;
  readonly type: string;
  readonly aspect: string | null;
  /** The plugin that named it; null = the server made it of the file, or a person chose it. */
  readonly pluginId: string | null;
  /** A person uploaded it. */
  readonly isUploaded: boolean;
}

/** The item of a row, with texts in the language of the viewer over those that are stored. */
export function toItem(
  row: ListedItemRow,
  library: { readonly id: string; readonly name: string },
  { metadata, ...parts }: Pick<Item, 'metadata' | 'files' | 'linkedEntities'> & ProfileState,
  { title = row.title, overview }: Texts = {},
): Item {
  return {
    id: row.id,
    libraryId: library.id,
    libraryName: library.name,
    title,
    certification: row.certification,
    metadata: overview === undefined ? metadata : { ...metadata, overview },
    status: row.status,
    addedAt: timestamp(row.added_at),
    updatedAt: timestamp(row.updated_at),
    ...parts,
    assets: parseMap<string>(row.assets),
    assetAspects: parseMap<string>(row.asset_aspects),
  };
}

/** Sums up the states of an item's files. Error messages of plugins may name paths: for admins. */
export function toItemIngest(
  files: readonly Pick<FileRow, 'id' | 'ingest_state' | 'ingest_error' | 'file_info'>[],
  { showsPaths }: { readonly showsPaths: boolean },
): ItemIngest {
  const errors = files.flatMap(({ id: fileId, ingest_error: code, file_info }) => {
    if (code === null) return [];
    return [{ fileId, code, message: showsPaths ? messageOf(file_info) : null }];
  });
  const isPending = files.some((file) => file.ingest_state > 0);
  return { state: isPending ? 'pending' : errors.length > 0 ? 'failed' : 'complete', errors };
}

/** What the plugin said of a file that it could not read. It may name a path. */
export function messageOf(fileInfo: string | null): string | null {
  const { error } = parseMap(fileInfo);
  return isRecord(error) && typeof error['message'] === 'string' ? error['message'] : null;
}

/** The item in full. */
export function toItemDetail(
  item: Item,
  row: ItemRow,
  parts: Pick<ItemDetail, 'ingest' | 'subtitles'> & { readonly showsProvenance: boolean },
): ItemDetail {
  const { metadata, assets, ...edits } = parseMap(row.edits);
  const lockedFields = [
    ...Object.keys(edits),
    ...Object.keys(metadata ?? {}).map((key) => `metadata.${key}`),
    ...Object.keys(assets ?? {}).map((type) => `assets.${type}`),
  ];
  return {
    ...item,
    ingest: parts.ingest,
    provenance: parts.showsProvenance ? parseList(row.provenance).filter(isRecord) : [],
    lockedFields,
    subtitles: parts.subtitles,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
