/** Makes the answer from the findings: complete, bounded, without unknown values. */
import type {
  EmbeddedArtwork,
  MediaStream,
  MediaTags,
  ProbeReport,
} from '../../plugin-api/index.ts';
import type { FoundMedia, StreamDraft, TagsDraft } from './media.ts';
import { language } from '../media-headers/language.ts';

const longestText = 1000;
const longestProse = 32_000;
const mostEntries = 200;
const mostChapters = 2000;
const prose = new Set(['description', 'lyrics']);

export function toReport(found: FoundMedia, size: number): ProbeReport {
  const duration = positive(found.duration);
  return known<ProbeReport>({
    container: found.container,
    duration: duration === undefined ? undefined : round(duration),
    bitrate: positive(found.bitrate) ?? overall(size, duration),
    pages: positive(found.pages),
    streams: found.streams.slice(0, mostEntries).map(toStream),
    chapters: filled(toChapters(found, duration)),
    tags: found.tags && toTags(found.tags),
    replayGain: found.tags?.replayGain,
    artwork: filled(toArtwork(found)),
    disc: found.disc,
    motion: found.motion,
    warnings: filled(found.warnings?.slice(0, 20)),
  });
}

/** Many programs mark the only picture of a file as "other"; it counts as the cover. */
function toArtwork({ pictures = [] }: FoundMedia): readonly EmbeddedArtwork[] {
  const shown = pictures.slice(0, mostEntries);
  const isNamed = shown.some(({ type }) => type === 'cover');
  const onlyOther = isNamed ? undefined : shown.find(({ type }) => type === 'other');
  return shown.map((picture) => ({
    type: picture === onlyOther ? 'cover' : picture.type,
    mimeType: picture.mimeType,
    size: picture.size,
  }));
}

function overall(size: number, duration: number | undefined): number | undefined {
  return duration === undefined ? undefined : Math.round((size * 8) / duration);
}

function toStream(stream: StreamDraft, place: number): MediaStream {
  return known<MediaStream>({
    ...stream,
    index: stream.index ?? place,
    title: text(stream.title),
    codec: text(stream.codec) ?? 'unknown',
    bitrate: rounded(stream.bitrate),
    width: rounded(stream.width),
    height: rounded(stream.height),
    bitDepth: rounded(stream.bitDepth),
    channels: rounded(stream.channels),
    sampleRate: rounded(stream.sampleRate),
    frameRate: positive(stream.frameRate),
  });
}

function toChapters(
  { chapters = [] }: FoundMedia,
  duration: number | undefined,
): ProbeReport['chapters'] {
  const inside = chapters
    .filter(({ startTime }) => Number.isFinite(startTime) && startTime >= 0)
    .filter(({ startTime }) => duration === undefined || startTime < duration + 1)
    .slice(0, mostChapters);
  return inside.map(({ startTime, endTime, title }, at) =>
    known<NonNullable<ProbeReport['chapters']>[number]>({
      startTime: round(startTime),
      endTime: optionallyRounded(endTime ?? inside[at + 1]?.startTime ?? duration, startTime),
      title: text(title),
    }),
  );
}

function optionallyRounded(end: number | undefined, start: number): number | undefined {
  return end === undefined || end <= start ? undefined : round(end);
}

function toTags(tags: TagsDraft): MediaTags | undefined {
  const clean: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(tags)) {
    // Lines with times are read when a client asks for lyrics; the loudness is a part of its own.
    if (key === 'syncedLyrics' || key === 'replayGain') continue;
    const isLanguage = key === 'language' && typeof value === 'string';
    const kept = isLanguage ? language(value) : tagValue(key, value);
    if (kept !== undefined) clean[key] = kept;
  }
  return Object.keys(clean).length === 0 ? undefined : clean;
}

function tagValue(key: string, value: unknown): unknown {
  if (typeof value === 'string') return text(value, prose.has(key) ? longestProse : longestText);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const list = value.map((one) => text(String(one))).filter((one) => one !== undefined);
    return list.length === 0 ? undefined : list.slice(0, mostEntries);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value)
    .map(([name, one]) => [name, text(String(one), 200)] as const)
    .filter(([, one]) => one !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Without control characters except line ends, and cut to a length. */
function text(value: string | undefined, longest = longestText): string | undefined {
  if (value === undefined) return undefined;
  const clean = value
    .slice(0, longest)
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .toWellFormed()
    .trim();
  return clean === '' ? undefined : clean;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}

function rounded(value: number | undefined): number | undefined {
  const kept = positive(value);
  return kept === undefined ? undefined : Math.round(kept);
}

/** To milliseconds. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function filled<Entry>(list: readonly Entry[] | undefined): readonly Entry[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

/** Leaves out `undefined` values: in a report, absent means unknown. */
function known<Shape extends object>(draft: {
  readonly [Key in keyof Shape]: Shape[Key] | undefined;
}): Shape {
  return Object.fromEntries(
    Object.entries(draft).filter(([, value]) => value !== undefined),
  ) as Shape;
}
