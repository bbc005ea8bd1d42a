/**
 * Text tracks of files: subtitles and lyrics that can be shown as WebVTT, beside the file or in it.
 * They are found among the subtitles that the ingest stored. A track beside the file is a file of the
 * same item; a location that is not one is left out, so a track never leads out of the item.
 */
import { isMap, parseMap } from '../tables/rows.ts';

/** A text track of a file, as clients see it. */
export interface TextTrack {
  readonly id: string;
  readonly kind: 'subtitle' | 'lyrics';
  /** `srt ass ssa vtt ttml smi sub sbv mov_text lrc`. */
  readonly format: string;
  /** BCP 47. */
  readonly language: string | null;
  readonly title: string | null;
  readonly isForced: boolean;
  /** With sounds as text, for people who are hard of hearing. */
  readonly isSdh: boolean;
  readonly isDefault: boolean;
  /** The track as WebVTT. */
  readonly url: string;
}

/** Where a track is: a file of the item, or a stream of the media file. */
export type TextPlace =
  | { readonly kind: 'file'; readonly uri: string }
  | { readonly kind: 'stream'; readonly index: number };

/** A track with its place, which only the server may know. */
export interface PlacedTrack {
  readonly track: TextTrack;
  readonly place: TextPlace;
}

/** A file of an item, as tracks refer to it. */
export interface TrackFile {
  readonly id: string;
  readonly uri: string;
  readonly type: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Formats that are text, by the names that probes and sidecars use. */
const formats: ReadonlyMap<string, string> = new Map([
  ['srt', 'srt'],
  ['subrip', 'srt'],
  ['ass', 'ass'],
  ['ssa', 'ssa'],
  ['vtt', 'vtt'],
  ['webvtt', 'vtt'],
  ['ttml', 'ttml'],
  ['mov_text', 'mov_text'],
  ['smi', 'smi'],
  ['sub', 'sub'],
  ['sbv', 'sbv'],
  ['lrc', 'lrc'],
]);

/** Formats that are pictures, and are sent as they are; only those beside the files. */
const pictureFormats: ReadonlyMap<string, string> = new Map([['pgs', 'pgs']]);

const mostTracks = 200;

/**
 * The tracks of an item by the id of their media file, in the order of the ingest. A track beside
 * the files that names none of them belongs to the first.
 */
export const placedTracks = (
  attachments: string | null,
  files: readonly TrackFile[],
): ReadonlyMap<string, readonly PlacedTrack[]> => placedOf(attachments, files, formats);

/** The subtitles of pictures beside the files, in the same way. They have no form as text. */
export const placedPictures = (
  attachments: string | null,
  files: readonly TrackFile[],
): ReadonlyMap<string, readonly PlacedTrack[]> => placedOf(attachments, files, pictureFormats);

function placedOf(
  attachments: string | null,
  files: readonly TrackFile[],
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly PlacedTrack[]> {
  const tracks = new Map<string, PlacedTrack[]>();
  const { subtitles } = parseMap(attachments);
  if (!Array.isArray(subtitles)) return tracks;
  const byUri = new Map(files.map((file) => [file.uri, file]));
  const first = files.find(({ type }) => type === 'media');
  for (const one of (subtitles as unknown[]).filter(isMap)) {
    const named = one['mediaFileUri'];
    const media = typeof named === 'string' ? byUri.get(named) : first;
    if (media?.type !== 'media') continue;
    const format = known.get(String(one['format']).toLowerCase());
    const found = format === undefined ? null : placed(one, format, media, byUri);
    const ofMedia = tracks.get(media.id) ?? [];
    if (found === null || ofMedia.length >= mostTracks) continue;
    if (ofMedia.some(({ track }) => track.id === found.track.id)) continue;
    ofMedia.push(found);
    tracks.set(media.id, ofMedia);
  }
  return tracks;
}

function placed(
  subtitle: Fields,
  format: string,
  media: TrackFile,
  byUri: ReadonlyMap<string, TrackFile>,
): PlacedTrack | null {
  const { type, uri, streamIndex } = subtitle;
  if (type === 'embedded' && format !== 'pgs' && Number.isSafeInteger(streamIndex)) {
    const index = Number(streamIndex);
    return { track: shown(subtitle, `s${index}`, format, media), place: { kind: 'stream', index } };
  }
  const file = typeof uri === 'string' ? byUri.get(uri) : undefined;
  if (type !== 'external' || file === undefined || file.type === 'media') return null;
  const track = shown(subtitle, file.id, format, media);
  return { track, place: { kind: 'file', uri: file.uri } };
}

function shown(subtitle: Fields, id: string, format: string, media: TrackFile): TextTrack {
  const text = (key: string): string | null =>
    typeof subtitle[key] === 'string' ? subtitle[key] : null;
  return {
    id,
    kind: format === 'lrc' ? 'lyrics' : 'subtitle',
    format,
    language: text('language'),
    title: text('title'),
    isForced: subtitle['isForced'] === true,
    isSdh: subtitle['isHearingImpaired'] === true,
    isDefault: subtitle['isDefault'] === true,
    url: `/api/files/${media.id}/text/${id}.vtt`,
  };
}
