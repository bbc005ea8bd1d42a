import type { Database } from '../../../../kernel/store/index.ts';
import {
  findNamesakes,
  readAuxiliaryIn,
  type AuxiliaryFile,
  type Namesake,
} from '../tables/beside/auxiliary-store.ts';
import { stemOfUri } from '../tables/beside/basename-match.ts';
import type { FileRow } from '../tables/file-store.ts';
import { extensionOf, fileName, folderOf, relativePath } from '../tables/file-uri.ts';
import { readStoredReports, type StoredReport } from '../tables/probe-report-store.ts';
import { readKeptAnswers, type KeptAnswer } from '../tables/kept-answer-store.ts';
import { readItemRows, type ItemRow } from '../tables/item-store.ts';
import { rootsOf, type LibraryRow } from '../tables/library-store.ts';
import { byPart } from '../tables/part-order.ts';
import { asksSources } from '../tables/pending-store.ts';
import { isMap, parseList, parseMap } from '../tables/rows.ts';
import { isFilm } from './live-photos.ts';
import { openAlbumOf, readOpenTracks } from '../tables/beside/open-album-store.ts';
import { findSharedFolders } from '../tables/beside/shared-folder-store.ts';
import {
  createSidecarLookup,
  foldersConcerning,
  isJson,
  reachOf,
  type SidecarLookup,
} from '../tables/beside/sidecar-rule.ts';

/** A media file as an ingest reads it. `path` is relative to its root. */
export interface IngestFile {
  readonly no: number;
  readonly id: string;
  readonly uri: string;
  readonly path: string;
  readonly filename: string;
  /** Lower case, without dot. */
  readonly extension: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly classification: string;
  readonly edition: string | null;
  readonly partNumber: number | null;
  readonly fingerprint: string | null;
  /** Its `ingest_state` when it was read: a result counts only while the state is unchanged. */
  readonly ticket: number;
  /** The stored report of its last probe; null = it must be probed. */
  readonly known: StoredReport | null;
}

/** A file beside media. */
export interface IngestSidecar {
  readonly no: number;
  readonly uri: string;
  readonly path: string;
  readonly extension: string;
  readonly size: number;
  /** It is not named after media of the item, and other items have media in its folder too. */
  readonly isShared: boolean;
  /** It belongs to this item and no other. */
  readonly isOwn: boolean;
}

/** An item that waits for the ingest, with everything known about it. */
export interface IngestSubject {
  readonly no: number;
  readonly id: string;
  /** Its values come from file names alone. */
  readonly isPristine: boolean;
  /** It was never ingested before. */
  readonly isNew: boolean;
  /** It waits for more than a merge: its sources on the network are asked. */
  readonly asks: boolean;
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Which plugin wrote what. */
  readonly provenance: readonly { readonly pluginId: string; readonly path: string }[];
  /** As `src/library/matching` stores it. */
  readonly match: string | null;
  /** What sources on the network said before, by plugin. */
  readonly answers: ReadonlyMap<string, KeptAnswer>;
  /** Its media files that are not missing, part by part. At least one. */
  readonly files: readonly IngestFile[];
  readonly sidecars: readonly IngestSidecar[];
  /**
   * Of a track whose tags do not say whose album it is: the tags of the other tracks of that album in
   * its folder that were read before.
   */
  readonly beside: readonly Readonly<Record<string, unknown>>[];
}

const mostSidecars = 500;

/** Reads items with their files and the files beside them, with one query per kind. */
export async function readSubjects(
  database: Pick<Database, 'read'>,
  library: LibraryRow,
  itemNumbers: readonly number[],
): Promise<readonly IngestSubject[]> {
  const db = database.read;
  const roots = rootsOf(library);
  const rootOf = (uri: string): string => roots.find((root) => uri.startsWith(`${root}/`)) ?? '';
  const [items, files] = await Promise.all([
    readItemRows(db, itemNumbers),
    db<FileRow>('files')
      .whereIn('item_no', itemNumbers)
      .where('type', 'media')
      .whereNot('status', 'missing')
      .select('*'),
  ]);
  const folders = new Set(files.flatMap(({ uri }) => foldersConcerning(uri, rootOf(uri))));
  const sidecars = await readAuxiliaryIn(db, library.no, [...folders]);
  const shared = await findSharedFolders(db, library.no, [
    ...new Set(sidecars.map(({ uri }) => reachOf(uri))),
  ]);
  const lookup = createSidecarLookup(sidecars, shared);
  const known = await readStoredReports(db, files);
  const answers = await readKeptAnswers(db, itemNumbers);
  const filesOf = Map.groupBy(files.toSorted(byPart), (file) => file.item_no);
  const concerns = new Map(
    [...filesOf].map(([no, own]) => [no, concernsOf(own, lookup, rootOf)] as const),
  );
  const named = [...concerns.values()].flatMap((one) =>
    [...one].flatMap(([{ uri }, isNamed]) =>
      isNamed && !isJson(uri) && shared.has(reachOf(uri)) ? uri : [],
    ),
  );
  const namesakes = await findNamesakes(db, library.no, [...new Set(named.map(besideMedia))]);
  const besideOf = await readAlbums(db, library, files, known);

  return items.flatMap((item) => {
    const own = filesOf.get(item.no) ?? [];
    if (own.length === 0) return [];
    return [
      {
        no: item.no,
        id: item.id,
        isPristine: isPristine(item, own),
        isNew: own.every((file) => file.ingest_state % 2 === 1),
        asks: own.some((file) => asksSources(file.ingest_state)),
        title: item.title,
        metadata: parseMap(item.metadata),
        provenance: parseList(item.provenance).flatMap(toWriter),
        match: item.match,
        answers: answers.get(item.no) ?? new Map<string, KeptAnswer>(),
        files: (library.type === 'photos' ? withFilmsAside(own) : own).map((file) => ({
          ...toIngestFile(file, rootOf(file.uri)),
          known: known.get(file.no) ?? null,
        })),
        sidecars: sidecarsOf({ no: item.no, own }, concerns.get(item.no), { shared, namesakes })
          .slice(0, mostSidecars)
          .map(({ file, ...known }) => ({ ...toSidecar(file, rootOf(file.uri)), ...known })),
        beside: besideOf(own),
      },
    ];
  });
}

/** Reads the tracks beside those of these files whose tags do not say whose album they are of. */
async function readAlbums(
  db: Database['read'],
  { no, type }: LibraryRow,
  files: readonly FileRow[],
  known: ReadonlyMap<number, StoredReport>,
): Promise<(own: readonly FileRow[]) => IngestSubject['beside']> {
  const openIn = (file: FileRow): string | null =>
    type === 'music' ? openAlbumOf(known.get(file.no)?.report['tags']) : null;
  const open = files.filter((file) => openIn(file) !== null);
  const tracks = await readOpenTracks(
    db,
    no,
    open.map(({ uri }) => folderOf(uri)),
  );
  return ([file]) => {
    const album = file === undefined ? null : openIn(file);
    if (file === undefined || album === null) return [];
    const folder = folderOf(file.uri);
    return tracks
      .filter((one) => one.folder === folder && one.album === album && one.itemNo !== file.item_no)
      .map(({ tags }) => tags);
  };
}

/**
 * A photo before the short film that its camera took with it. The film is then a companion; a film
 * without a photo is the item itself.
 */
function withFilmsAside(files: readonly FileRow[]): readonly FileRow[] {
  const [films, photos] = [
    files.filter(({ uri }) => isFilm(uri)),
    files.filter(({ uri }) => !isFilm(uri)),
  ];
  const classification = photos.length === 0 ? 'primary' : 'companion';
  return [...photos, ...films.map((film) => ({ ...film, classification }))];
}

/** Why files concern an item: whether they are named after one of its media. */
type Concerns = ReadonlyMap<AuxiliaryFile, boolean>;

function concernsOf(
  media: readonly Pick<FileRow, 'uri'>[],
  lookup: SidecarLookup<AuxiliaryFile>,
  rootOf: (uri: string) => string,
): Concerns {
  const found = new Map<AuxiliaryFile, boolean>();
  for (const { uri } of media)
    for (const { sidecar, isNamed } of lookup.concerning(uri, rootOf(uri)))
      found.set(sidecar, isNamed || found.get(sidecar) === true);
  return found;
}

/** Where a file would lie if it were directly beside the media that it concerns. */
const besideMedia = (uri: string): string => `${reachOf(uri)}${uri.slice(uri.lastIndexOf('/'))}`;

/** The files that concern an item, without those that are named after media of another one. */
function sidecarsOf(
  { no, own }: { readonly no: number; readonly own: readonly Pick<FileRow, 'uri'>[] },
  concerns: Concerns = new Map(),
  known: {
    readonly shared: ReadonlySet<string>;
    readonly namesakes: ReadonlyMap<string, Namesake>;
  },
): readonly (Pick<IngestSidecar, 'isShared' | 'isOwn'> & { readonly file: AuxiliaryFile })[] {
  const stems = new Set(own.map(({ uri }) => stemOfUri(uri)));
  return [...concerns].flatMap(([file, isNamed]) => {
    const namesake = isNamed ? known.namesakes.get(besideMedia(file.uri)) : undefined;
    if (namesake !== undefined && !stems.has(namesake.stem)) return [];
    const isShared = !isNamed && known.shared.has(reachOf(file.uri));
    const isOwn = !isShared && (namesake === undefined || namesake.itemNo === no);
    return [{ file, isShared, isOwn }];
  });
}

/** A person's edits cover what the names said, so the row alone does not tell. */
function isPristine(item: ItemRow, files: readonly FileRow[]): boolean {
  return item.edits === null && files.every((file) => file.ingest_state % 2 === 1);
}

function toWriter(value: unknown): IngestSubject['provenance'] {
  if (!isMap(value)) return [];
  const { pluginId, path } = value;
  return typeof pluginId === 'string' && typeof path === 'string' ? [{ pluginId, path }] : [];
}

function toIngestFile(row: FileRow, root: string): Omit<IngestFile, 'known'> {
  const filename = fileName(row.uri);
  return {
    no: row.no,
    id: row.id,
    uri: row.uri,
    path: relativePath(root, row.uri),
    filename,
    extension: extensionOf(filename),
    size: Number(row.size),
    modifiedAt: Number(row.modified_at),
    classification: row.classification,
    edition: row.edition,
    partNumber: row.part_number,
    fingerprint: row.fingerprint,
    ticket: row.ingest_state,
  };
}

function toSidecar(
  { no, uri, size }: AuxiliaryFile,
  root: string,
): Omit<IngestSidecar, 'isShared' | 'isOwn'> {
  return { no, uri, size, path: relativePath(root, uri), extension: extensionOf(fileName(uri)) };
}
