/**
 * What lists filter and sort by, as columns of an item: read from its metadata and from what the
 * probe found in its files.
 */
import { languageOfCode } from '../../../../plugin-api/index.ts';
import type { FileRow } from './file-store.ts';
import { discOf } from './part-order.ts';
import { isMap, parseMap } from './rows.ts';
import type { resolutions } from '../../../contract/resources/library/items.ts';

export type Resolution = (typeof resolutions)[number];

export type LanguageUse = 'sound' | 'text';

/** A language of an item, as a BCP 47 tag in lower case. */
export interface ItemLanguage {
  readonly used: LanguageUse;
  readonly language: string;
}

/** The columns that the metadata fills. */
export interface MetadataFacts {
  /** 0 to 10; -1 = unknown. */
  readonly rating: number;
  /** As `20010131`; a month or a day that is unknown is 00, and all of it 0. */
  readonly released_on: number;
}

/** The columns that the files fill. */
export interface FileFacts {
  /** Seconds of the first edition, part by part; for books pages. 0 = unknown. */
  readonly duration: number;
  /** The best of its files; `null` = no file has a picture that was read. */
  readonly resolution: Resolution | null;
  readonly hdr: boolean;
}

/** The columns of a file that facts are read from. */
export interface FactFile extends Pick<
  FileRow,
  'uri' | 'classification' | 'edition' | 'part_number' | 'duration'
> {
  /** `file_info` of its row. */
  readonly info: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** The facts of metadata, edits included. */
export function metadataFacts(metadata: Fields): MetadataFacts {
  const { rating } = metadata;
  const isRating = typeof rating === 'number' && rating >= 0 && rating <= 10;
  return { rating: isRating ? rating : -1, released_on: releasedOn(metadata) };
}

const dateKeys = ['releaseDate', 'airDate', 'date', 'takenAt'] as const;
const dateShape = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)/;

function releasedOn(metadata: Fields): number {
  for (const key of dateKeys) {
    const value = metadata[key];
    const parts = typeof value === 'string' ? dateShape.exec(value) : null;
    if (parts === null) continue;
    const [, year, month = '00', day = '00'] = parts;
    return Number(`${year}${month}${day}`);
  }
  const { year } = metadata;
  return Number.isInteger(year) && Number(year) > 0 && Number(year) < 10_000
    ? Number(year) * 10_000
    : 0;
}

/** What a release name says of the picture. */
export function namedResolution({ resolution }: Fields): Resolution | null {
  const lines = typeof resolution === 'string' ? /^(\d{3,4})[pi]$/.exec(resolution)?.[1] : null;
  return lines == null ? null : ofLines(Number(lines));
}

const ofLines = (lines: number): Resolution => (lines < 700 ? 'sd' : lines < 1800 ? 'hd' : '4k');

/** The facts of the media files of an item, in the order of its parts. */
export function fileFacts(files: readonly FactFile[]): FileFacts {
  const primary = files.filter(({ classification }) => classification === 'primary');
  const pictures = primary.flatMap(streamsOf).filter(({ kind }) => kind === 'video');
  const lines = Math.max(0, ...pictures.map(linesOf));
  return {
    duration: durationOf(primary),
    resolution: lines === 0 ? null : ofLines(lines),
    hdr: pictures.some(({ hdr }) => typeof hdr === 'string'),
  };
}

/** A wide film has fewer lines than its screen. */
function linesOf({ width, height }: Fields): number {
  const wide = typeof width === 'number' ? (width * 9) / 16 : 0;
  return Math.max(wide, typeof height === 'number' ? height : 0);
}

/** Two files with one part number on one disc are versions of that part. */
function durationOf(files: readonly FactFile[]): number {
  const [named] = files;
  if (named === undefined) return 0;
  const lengths = new Map<string | null, number>();
  for (const { uri, edition, part_number: number, duration } of files) {
    const part = number === null ? null : `${discOf(uri)} ${number}`;
    if (edition === named.edition && (number === null) === (named.part_number === null))
      lengths.set(part, lengths.get(part) ?? duration ?? 0);
  }
  return [...lengths.values()].reduce((sum, seconds) => sum + seconds, 0);
}

/** The languages of an item: of its streams, of subtitles beside it, and those that its metadata names. */
export function languagesOf(
  files: readonly Pick<FactFile, 'info'>[],
  item: { readonly metadata: Fields; readonly attachments: string | null },
): readonly ItemLanguage[] {
  const streams = files.flatMap(streamsOf);
  const spoken = streams.filter(({ kind }) => kind === 'audio').flatMap(tagsOf);
  const { subtitles } = parseMap(item.attachments);
  const beside = Array.isArray(subtitles) ? subtitles.filter(isMap) : [];
  const written = [...streams.filter(({ kind }) => kind === 'subtitle'), ...beside].flatMap(tagsOf);
  const sound = spoken.length > 0 ? spoken : namedLanguages(item.metadata);
  return [
    ...[...new Set(sound)].map((language) => ({ used: 'sound', language }) as const),
    ...[...new Set(written)].map((language) => ({ used: 'text', language }) as const),
  ];
}

function namedLanguages({ language, languages, identify }: Fields): readonly string[] {
  const read = isMap(identify) ? identify['languages'] : undefined;
  return [language, languages, read].flat().flatMap((one) => tagsOf({ language: one }));
}

const mostStreams = 200;
const longestTag = 40;

/** A tag with a region or a script is found by its language too. */
function tagsOf({ language }: Fields): readonly string[] {
  const tag = typeof language === 'string' ? languageTag(language) : null;
  if (tag === null) return [];
  const [plain = tag] = tag.split('-');
  return plain === tag ? [tag] : [tag, plain];
}

/** A language as it is stored and asked for; `null` = it is not one. */
export function languageTag(text: string): string | null {
  return text.length > longestTag ? null : (languageOfCode(text)?.toLowerCase() ?? null);
}

function streamsOf({ info: { streams } }: Pick<FactFile, 'info'>): readonly Fields[] {
  return Array.isArray(streams) ? streams.filter(isMap).slice(0, mostStreams) : [];
}
