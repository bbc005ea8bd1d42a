/**
 * Text tracks of files: subtitles and lyrics that can be shown as WebVTT, beside the file, in it, or
 * given by a plugin. They are found among the subtitles that the ingest stored. A track is a file of
 * the same item, or its location is one that its plugin may name; that is asked each time.
 */
import { createHash } from 'node:crypto';
import type { CheckReference } from '../../../files/references/index.ts';
import { givenKey } from '../tables/given-text-store.ts';
import { discOf, type PlacedFile } from '../tables/part-order.ts';
import { isMap, parseMap } from '../tables/rows.ts';
import type { TextTrack } from '../../../contract/resources/library/catalogue.ts';

/** Where a track is. */
export type TextPlace =
  /** A file of the item, or another one below the roots of its library. */
  | { readonly kind: 'file'; readonly uri: string }
  /** A stream of the media file. */
  | { readonly kind: 'stream'; readonly index: number }
  /** Only through the plugin, which serves the scheme. */
  | { readonly kind: 'served'; readonly uri: string; readonly pluginId: string }
  /** On the network, with the plugin's grant, until it is kept under the key. */
  | {
      readonly kind: 'web';
      readonly uri: string;
      readonly pluginId: string;
      readonly key: string;
    }
  /** Kept under the key. */
  | { readonly kind: 'text'; readonly key: string };

/** What decides which tracks plugins may give. */
export interface TrackRules {
  readonly check: CheckReference;
  /** Whether the plugin may write metadata. */
  readonly mayWrite: (pluginId: string) => boolean;
  /** The roots of the item's library. */
  readonly roots: readonly string[];
}

/** A track with its place, which only the server may know. */
export interface PlacedTrack {
  readonly track: TextTrack;
  readonly place: TextPlace;
}

/** A file of an item, as tracks refer to it; in the order of parts. */
export interface TrackFile extends PlacedFile {
  readonly id: string;
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
 * The tracks of an item by the id of their media file, in the order of the ingest. A track that
 * names none of them belongs to the first; one beside them to all versions of it.
 */
export const placedTracks = (
  attachments: string | null,
  files: readonly TrackFile[],
  rules: TrackRules,
): ReadonlyMap<string, readonly PlacedTrack[]> => placedOf(attachments, files, { formats, rules });

/** The subtitles of pictures beside the files, in the same way. They have no form as text. */
export const placedPictures = (
  attachments: string | null,
  files: readonly TrackFile[],
  rules: TrackRules,
): ReadonlyMap<string, readonly PlacedTrack[]> =>
  placedOf(attachments, files, { formats: pictureFormats, rules });

function placedOf(
  attachments: string | null,
  files: readonly TrackFile[],
  known: { readonly formats: ReadonlyMap<string, string>; readonly rules: TrackRules },
): ReadonlyMap<string, readonly PlacedTrack[]> {
  const tracks = new Map<string, PlacedTrack[]>();
  const { subtitles } = parseMap(attachments);
  if (!Array.isArray(subtitles)) return tracks;
  const byUri = new Map(files.map((file) => [file.uri, file]));
  const versions = versionsOf(files.filter(({ type }) => type === 'media'));
  for (const one of (subtitles as unknown[]).filter(isMap)) {
    const format = known.formats.get(String(one['format']).toLowerCase());
    if (format === undefined) continue;
    const named = one['mediaFileUri'];
    const every = one['type'] === 'external' ? versions : versions.slice(0, 1);
    for (const media of typeof named === 'string' ? [byUri.get(named)] : every) {
      if (media?.type !== 'media') continue;
      const found = placed(one, format, media, { byUri, ...known });
      const ofMedia = tracks.get(media.id) ?? [];
      if (found === null || ofMedia.length >= mostTracks) continue;
      const track = inOwnLanguage(found.track, ofMedia);
      if (ofMedia.some((other) => other.track.id === track.id)) continue;
      ofMedia.push({ ...found, track });
      tracks.set(media.id, ofMedia);
    }
  }
  return tracks;
}

/** A file with several languages (SAMI) has a track for each: the first has the id of the file. */
function inOwnLanguage(track: TextTrack, before: readonly PlacedTrack[]): TextTrack {
  const same = before.find((other) => other.track.id === track.id)?.track;
  if (same === undefined || track.format !== 'smi' || track.language === null) return track;
  if (same.language === track.language) return track;
  const id = `${track.id}-${track.language}`;
  return { ...track, id, url: track.url.replace(`${track.id}.vtt`, `${id}.vtt`) };
}

/** The first media file and the other versions of it: of several parts the first of each. */
function versionsOf(media: readonly TrackFile[]): readonly TrackFile[] {
  const [first] = media;
  if (first === undefined) return [];
  return media.filter(
    ({ uri, classification, part_number: part }) =>
      classification === first.classification &&
      part === first.part_number &&
      discOf(uri) === discOf(first.uri),
  );
}

function placed(
  subtitle: Fields,
  format: string,
  media: TrackFile,
  known: { readonly byUri: ReadonlyMap<string, TrackFile>; readonly rules: TrackRules },
): PlacedTrack | null {
  const { type, uri, streamIndex } = subtitle;
  if (type === 'embedded' && format !== 'pgs' && Number.isSafeInteger(streamIndex)) {
    const index = Number(streamIndex);
    return { track: shown(subtitle, `s${index}`, format, media), place: { kind: 'stream', index } };
  }
  if (type !== 'external') return null;
  const file = typeof uri === 'string' ? known.byUri.get(uri) : undefined;
  if (file?.type === 'media') return null;
  const place: TextPlace | null =
    file === undefined ? named(subtitle, known.rules) : { kind: 'file', uri: file.uri };
  if (place === null) return null;
  const id = file?.id ?? `g${idOfPlace(place)}`;
  return { track: shown(subtitle, id, format, media), place };
}

/** The place that its plugin names, if it may. */
function named(subtitle: Fields, { check, mayWrite, roots }: TrackRules): TextPlace | null {
  const { source, uri, textKey: key } = subtitle;
  const pluginId = typeof source === 'string' ? source : '';
  if (typeof key === 'string') return mayWrite(pluginId) ? { kind: 'text', key } : null;
  if (typeof uri !== 'string') return null;
  const place = check({ pluginId, uri, roots });
  switch (place.kind) {
    case 'refused':
      return null;
    case 'library':
      return place.picture === null ? { kind: 'file', uri: place.uri } : null;
    case 'web':
      return { ...place, key: givenKey(pluginId, { uri }) };
    case 'served':
      return place;
  }
}

/** The same for the same place, so that a player finds the track again. */
const idOfPlace = (place: TextPlace): string =>
  createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 24);

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
