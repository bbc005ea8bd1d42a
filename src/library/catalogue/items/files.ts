import { LRUCache } from 'lru-cache';
import type { Database } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Picture } from '../../../platform/net/index.ts';
import type { CheckReference, Place } from '../../../files/references/index.ts';
import {
  libraryShowing,
  type Access,
  type RatedRow,
  type Scope,
  type ScopedLibrary,
} from '../access/index.ts';
import {
  findAsset,
  findEntityPicture,
  fileOf,
  findFile,
  findFileContent,
  readTrackRows,
  type OwnedFileRow,
} from './asset-store.ts';
import { readEntitiesById } from '../entities/entity-list-store.ts';
import { stillSource, uploadedSource, type AssetRow } from '../tables/extras-store.ts';
import { contentOf, toFile, type FileContent, type PlacedContent } from './file.ts';
import { readChaptersOf } from './item-parts-store.ts';
import { placedPictures, placedTracks, type PlacedTrack, type TrackRules } from './text-track.ts';
import { isMap, parseMap } from '../tables/rows.ts';
import { findEntityUpload, readUpload } from '../tables/uploaded-picture-store.ts';
import type { LibraryFile } from '../../../contract/resources/library/catalogue.ts';

/** A picture of an item or an entity, and where it may be read. */
export interface Asset {
  readonly id: string;
  readonly mimeType: string | null;
  /** The address by which equal pictures of several items are the same. */
  readonly uri: string;
  readonly place: Place | OwnPicture | OwnStill | UploadedPicture;
}

/** A picture inside a file of the item itself: a viewer who sees the item sees the file. */
export interface OwnPicture {
  readonly kind: 'own';
  readonly uri: string;
  readonly roots: readonly string[];
  readonly picture: number;
}

/** A picture that a person uploaded for the item or the entity. */
export interface UploadedPicture {
  readonly kind: 'uploaded';
  readonly uri: string;
  readonly load: () => Promise<Picture>;
}

/** A frame of a video of the item itself. */
export interface OwnStill {
  readonly kind: 'still';
  readonly uri: string;
  readonly roots: readonly string[];
  readonly fileId: string;
  /** Milliseconds since the beginning of the film. */
  readonly at: number;
}

/** A file with its text tracks, and where they may be read. */
export interface FileText {
  /** Frames per second of the picture, if known. */
  readonly file: FileContent & {
    readonly frameRate: number | null;
    /** The number of its item. */
    readonly itemNo: number;
    /** Bytes and Unix milliseconds, as a scan saw them. */
    readonly size: number;
    readonly modifiedAt: number;
  };
  readonly roots: readonly string[];
  readonly tracks: readonly PlacedTrack[];
  /** Subtitles of pictures beside it. */
  readonly pictures: readonly PlacedTrack[];
}

export interface FilesParts {
  readonly database: Database;
  readonly access: Pick<Access, 'scopeOf'>;
  readonly checkReference: CheckReference;
  readonly mayWrite: TrackRules['mayWrite'];
}

/** Pictures of this source were chosen by a person, so no plugin's grant applies. */
const manual = 'manual';
/** Files whose content is known. */
const mostKnown = 500;

/** Files and pictures by id, for viewers who may see their item. */
export class Files {
  readonly #parts: FilesParts;
  readonly #db: Database['read'];
  readonly #known = new LRUCache<string, RatedContent>({ max: mostKnown });

  constructor(parts: FilesParts) {
    this.#parts = parts;
    this.#db = parts.database.read;
  }

  async #find(id: string, viewer: Viewer): Promise<FoundFile> {
    const row = await findFile(this.#db, id);
    const scope = await this.#parts.access.scopeOf(viewer);
    const library = row && libraryShowing(scope, row);
    if (row !== undefined && library !== undefined) return { row, library, scope };
    throw noFile(id);
  }

  /**
   * A player asks for parts of one file several times a second, so what was read is used again until
   * the next write. Who may see it is asked each time.
   */
  async #contentWithRating(id: string): Promise<RatedContent | undefined> {
    const writes = this.#parts.database.writes();
    const before = this.#known.get(id);
    if (before !== undefined && before.writes === writes) return before;
    const row = await findFileContent(this.#db, id);
    if (row === undefined) return undefined;
    const { library_no, certification } = row;
    const found = { content: contentOf(row), rated: { library_no, certification }, writes };
    if (writes !== null) this.#known.set(id, found);
    return found;
  }

  async #tracksOf(
    row: OwnedFileRow,
    { roots }: ScopedLibrary,
  ): Promise<Pick<FileText, 'tracks' | 'pictures'>> {
    if (row.type !== 'media' || row.item_no === null) return { tracks: [], pictures: [] };
    const { attachments, files } = await readTrackRows(this.#db, row.item_no);
    const rules = { check: this.#parts.checkReference, mayWrite: this.#parts.mayWrite, roots };
    return {
      tracks: placedTracks(attachments, files, rules).get(row.id) ?? [],
      pictures: placedPictures(attachments, files, rules).get(row.id) ?? [],
    };
  }

  async #itemPicture(row: AssetRow, { roots }: ScopedLibrary): Promise<Shown | null> {
    const own = ownPicture.exec(row.uri);
    const [, uri = '', picture] = own ?? [];
    if (own !== null && (await fileOf(this.#db, row.item_no, uri)) !== null)
      return { uri: row.uri, place: { kind: 'own', uri, roots, picture: Number(picture) } };
    if (row.source === uploadedSource) return this.#uploadedOf(row);
    if (row.source === stillSource) return this.#ownStillOf(row, roots);
    const pluginId = row.source === manual ? null : row.source;
    const place = this.#judged({ pluginId, uri: row.uri, roots });
    return place === null ? null : { uri: row.uri, place };
  }

  readonly #uploadedOf = ({ id, uri, mime_type: mimeType }: AssetRow): Shown => ({
    uri,
    place: {
      kind: 'uploaded',
      uri,
      load: async () => {
        const bytes = await readUpload(this.#db, id);
        if (bytes === undefined) throw new AppError('not_found', { what: `Asset ${id}` });
        return { mimeType: mimeType ?? '', bytes };
      },
    },
  });

  async #ownStillOf(row: AssetRow, roots: readonly string[]): Promise<Shown | null> {
    const [, uri = '', at] = ownStill.exec(row.uri) ?? [];
    const fileId = at === undefined ? null : await fileOf(this.#db, row.item_no, uri);
    if (fileId === null) return null;
    return { uri: row.uri, place: { kind: 'still', uri, roots, fileId, at: Number(at) } };
  }

  /**
   * A picture that lies in a library is for viewers of that library, also when it shows an entity.
   */
  async #entityPicture(id: string, scope: Scope): Promise<Shown | null> {
    const row = await findEntityPicture(this.#db, id);
    if (row === undefined) return this.#entityUpload(id, scope);
    const [entity] = await readEntitiesById(this.#db, [row.entity_id], scope, 'found');
    if (entity === undefined) return null;
    const { uri, source: pluginId } = row;
    const places = [...scope.libraries.map(({ roots }) => roots), []];
    const place = places.map((roots) => this.#judged({ pluginId, uri, roots })).find(isPlace);
    return place === undefined ? null : { uri, place };
  }

  async #entityUpload(id: string, scope: Scope): Promise<Shown | null> {
    const row = await findEntityUpload(this.#db, id);
    if (row === undefined) return null;
    const { uri, mime_type: mimeType, bytes } = row;
    const [entity] = await readEntitiesById(this.#db, [row.entity_id], scope, 'found');
    if (entity === undefined) return null;
    return { uri, place: { kind: 'uploaded', uri, load: async () => ({ mimeType, bytes }) } };
  }

  #judged(claim: Parameters<CheckReference>[0]): Asset['place'] | null {
    const verdict = this.#parts.checkReference(claim);
    return verdict.kind === 'refused' ? null : verdict;
  }

  /** With the fields that the viewer may see; see `File`. */
  readonly get = async (id: string, viewer: Viewer): Promise<LibraryFile> => {
    const { row, library, scope } = await this.#find(id, viewer);
    const owner = { libraryId: library.id, itemId: row.item_id, scope };
    const text = (await this.#tracksOf(row, library)).tracks.map(({ track }) => track);
    return toFile(row, owner, { chapters: await readChaptersOf(this.#db, [row]), text });
  };

  /** Where its bytes are. Only the server may know this. */
  readonly content = async (id: string, viewer: Viewer): Promise<PlacedContent> => {
    const found = await this.#contentWithRating(id);
    const scope = await this.#parts.access.scopeOf(viewer);
    const library = found && libraryShowing(scope, found.rated);
    if (found === undefined || library === undefined) throw noFile(id);
    return { ...found.content, roots: library.roots };
  };

  /** Its text tracks, and where they may be read. Only the server may know this. */
  readonly text = async (id: string, viewer: Viewer): Promise<FileText> => {
    const { row, library } = await this.#find(id, viewer);
    const { roots } = library;
    const file = {
      ...{ ...contentOf(row), ...ratesOf(row), itemNo: row.item_no ?? 0 },
      ...{ size: Number(row.size), modifiedAt: Number(row.modified_at) },
    };
    return { file, roots, ...(await this.#tracksOf(row, library)) };
  };

  readonly asset = async (id: string, viewer: Viewer): Promise<Asset> => {
    const row = await findAsset(this.#db, id);
    const scope = await this.#parts.access.scopeOf(viewer);
    const library = row && libraryShowing(scope, row);
    const shown =
      row === undefined
        ? await this.#entityPicture(id, scope)
        : library === undefined
          ? null
          : await this.#itemPicture(row, library);
    if (shown === null) throw new AppError('not_found', { what: `Asset ${id}` });
    return { id, mimeType: row?.mime_type ?? null, ...shown };
  };
}

export const createFiles = (parts: FilesParts): Files => new Files(parts);

const noFile = (id: string): AppError => new AppError('not_found', { what: `File ${id}` });

type Shown = Pick<Asset, 'uri' | 'place'>;

function ratesOf({ file_info }: OwnedFileRow): { readonly frameRate: number | null } {
  const { streams } = parseMap(file_info);
  const rates = (Array.isArray(streams) ? (streams as unknown[]) : [])
    .filter(isMap)
    .map((stream) => Number(stream['frameRate']));
  return { frameRate: rates.find((rate) => rate > 0) ?? null };
}

interface RatedContent {
  readonly content: FileContent;
  readonly rated: RatedRow;
  /** The write version of the database before it was read. */
  readonly writes: number | null;
}

interface FoundFile {
  readonly row: OwnedFileRow;
  readonly library: ScopedLibrary;
  readonly scope: Scope;
}

const ownPicture = /^(.+)#artwork=(\d{1,4})$/;
const ownStill = /^(.+)#still=(\d{1,10})$/;

const isPlace = (place: Asset['place'] | null): place is Asset['place'] => place !== null;
