/** What the media jobs read of the libraries, and where they store what they found. */
import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import { albumGainOf, type Measured, type StoredLoudness } from '../items/loudness.ts';
import { pictureColumns } from '../items/item-values.ts';
import { mediaJobsOf } from '../libraries/library.ts';
import type { MediaJobType } from '../libraries/media-jobs.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import { touchLinked } from '../tables/entity-link-store.ts';
import { stillSource, type AssetRow } from '../tables/extras-store.ts';
import { saveItemRows } from '../tables/item-store.ts';
import type { EmitLibraryEvent } from '../tables/library-events.ts';
import { readLibraries } from '../tables/library-store.ts';
import {
  findItemRow,
  lastFileOf,
  readAlbumSounds,
  readStudiedFiles,
  saveLoudness,
  type AlbumSound,
  type StudiedFile,
} from './studied-file-store.ts';

/** The files of the libraries, as the media jobs go through them. */
export type StudiedFiles = ReturnType<typeof createStudiedFiles>;

/** What they need. */
export interface StudiedFilesParts {
  readonly database: Database;
  readonly emit: EmitLibraryEvent;
  readonly newId: NewId;
  readonly now: () => number;
}

/** Albums whose gains are computed in one transaction. */
const albumsAtOnce = 50;

export function createStudiedFiles({ database, emit, newId, now }: StudiedFilesParts) {
  const db = database.read;

  /** Computes the gain of each album of the library of which all sounds were measured. */
  async function setAlbumGains(libraryId: string): Promise<void> {
    for (let after = 0; ;) {
      const sounds = await readAlbumSounds(db, libraryId, { after, albums: albumsAtOnce });
      if (sounds.length === 0) return;
      const changes = [...Map.groupBy(sounds, ({ albumNo }) => albumNo).values()].flatMap(changed);
      if (changes.length > 0)
        await database.write(async (trx) => {
          for (const { no, loudness } of changes) await saveLoudness(trx, no, loudness);
        });
      after = Math.max(...sounds.map(({ albumNo }) => albumNo));
    }
  }

  async function addStill(trx: Transaction, itemId: string, uri: string) {
    const row = await findItemRow(trx, itemId);
    if (row === undefined || row.status !== 'active' || row.assets !== null) return undefined;
    const asset: AssetRow = {
      id: newId(),
      item_no: row.no,
      type: 'thumbnail',
      uri,
      source: stillSource,
      mime_type: 'image/jpeg',
      aspect: 'landscape',
    };
    await database.insertRows(trx, 'assets', [asset]);
    await touchLinked(trx, [row.no]);
    const seq = await takeNumbers(trx, 1);
    const after = { ...row, ...pictureColumns([asset]), seq, updated_at: now() };
    await saveItemRows(database.insertRows, trx, [after]);
    return after;
  }

  return {
    /** The libraries for which jobs of this type run at night. */
    librariesWith: async (type: MediaJobType): Promise<readonly string[]> =>
      (await readLibraries(db))
        .filter((row) => mediaJobsOf(row).includes(type))
        .map(({ id }) => id),
    page: (
      libraryId: string,
      range: { readonly after: number; readonly limit: number },
    ): Promise<readonly StudiedFile[]> => readStudiedFiles(db, libraryId, range),
    /** The `no` of the last file; 0 = there is none. */
    last: (libraryId: string): Promise<number> => lastFileOf(db, libraryId),
    setLoudness: ({ no }: StudiedFile, loudness: StoredLoudness): Promise<void> =>
      database.write((trx) => saveLoudness(trx, no, loudness)),
    setAlbumGains,
    /** Shows a frame of the film as the thumbnail of its item, if that has no picture. */
    setStill: async (
      libraryId: string,
      { itemId, uri }: Pick<StudiedFile, 'itemId' | 'uri'>,
      atMs: number,
    ): Promise<void> => {
      const row = await database.write((trx) => addStill(trx, itemId, `${uri}#still=${atMs}`));
      if (row !== undefined) emit('library.item.updated', { itemId, libraryId, title: row.title });
    },
  };
}

/** The sounds of one album whose stored gain is not that of the album. */
function changed(
  sounds: readonly AlbumSound[],
): readonly { readonly no: number; readonly loudness: StoredLoudness }[] {
  const known = sounds.map(({ loudness, duration }): Measured | null =>
    loudness === null || loudness.lufs === null || duration === null
      ? null
      : { lufs: loudness.lufs, duration },
  );
  const whole = known.filter((one) => one !== null);
  const albumGain = whole.length === sounds.length ? albumGainOf(whole) : null;
  return sounds.flatMap(({ no, loudness }) =>
    loudness === null || loudness.albumGain === albumGain
      ? []
      : [{ no, loudness: { ...loudness, albumGain } }],
  );
}
