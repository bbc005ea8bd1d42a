/**
 * Validates the answers of probes. A report comes from an isolate and describes an untrusted file:
 * the type, range and size of each part are checked before it is used. An invalid part is left out;
 * a report without its head is a failure of its file.
 */
import type {
  EmbeddedArtwork,
  MediaStream,
  MediaTags,
  ProbeOutcome,
  ProbeReport,
  ReplayGain,
} from '../../../plugin-api/index.ts';

/** The result of the probe of one file. */
export type ProbeEnd =
  | {
      readonly kind: 'read';
      readonly report: ProbeReport;
      readonly pluginId: string;
      readonly answersVersion: number;
      /** It is the stored report; no plugin was called. */
      readonly isKnown?: true;
    }
  /** No probe supports such files. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

const failures = ['malformed', 'truncated', 'over-budget', 'unreadable', 'unsupported'] as const;
const streamKinds = ['video', 'audio', 'subtitle', 'image', 'data'] as const;
const hdrKinds = ['hdr10', 'hdr10plus', 'hlg', 'dolby-vision'] as const;

const discRoles = ['main', 'extra'] as const;

/** More parts of one disc would be taken for those of the next. */
const mostParts = 999;
const mostStreams = 200;
const mostChapters = 2000;
const mostPictures = 100;
const mostWarnings = 20;
const mostNames = 100;
const mostIds = 50;
const longestWord = 40;
const longestText = 1000;
const longestProse = 20_000;
const mostSeconds = 100_000_000;
/** Decibels. */
const mostGain = 51;

/** The outcomes of a batch; null when the answer is not one for each file. */
export function parseProbeResult(answer: unknown, count: number): readonly ProbeOutcome[] | null {
  const results = isMap(answer) ? answer['results'] : undefined;
  if (!Array.isArray(results) || results.length !== count) return null;
  return results.map(parseOutcome);
}

/** A stored report, validated like a new one; null when it is no longer valid. */
export function parseStoredReport(report: unknown): ProbeReport | null {
  return parseReport(report);
}

function parseOutcome(value: unknown): ProbeOutcome {
  if (!isMap(value)) return senseless;
  switch (value['kind']) {
    case 'unsupported':
      return { kind: 'unsupported' };
    case 'failed': {
      const code = failures.find((known) => known === value['code']) ?? 'malformed';
      return { kind: 'failed', code, message: text(value['message'], 300) ?? '' };
    }
    case 'read': {
      const report = parseReport(value['report']);
      return report === null ? senseless : { kind: 'read', report };
    }
    default:
      return senseless;
  }
}

const senseless: ProbeOutcome = {
  kind: 'failed',
  code: 'malformed',
  message: 'The answer of the probe is invalid.',
};

function parseReport(value: unknown): ProbeReport | null {
  if (!isMap(value) || !Array.isArray(value['streams'])) return null;
  const container = word(value['container']);
  if (container === undefined) return null;
  const { streams, chapters, tags, replayGain, artwork, disc, motion, warnings } = value;
  return {
    container,
    ...parts({
      duration: within(value['duration'], 0, mostSeconds),
      bitrate: within(value['bitrate'], 0, Number.MAX_SAFE_INTEGER),
      pages: whole(value['pages'], 0, 10_000_000),
    }),
    streams: list(streams, mostStreams).flatMap(parseStream),
    ...(Array.isArray(chapters) && {
      chapters: list(chapters, mostChapters).flatMap(parseChapter),
    }),
    ...(isMap(tags) && { tags: parseTags(tags) }),
    ...(isMap(replayGain) && { replayGain: parseReplayGain(replayGain) }),
    ...(Array.isArray(artwork) && { artwork: list(artwork, mostPictures).map(parsePicture) }),
    ...(isMap(disc) && parseDisc(disc)),
    ...(isMap(motion) && parseMotion(motion)),
    ...(Array.isArray(warnings) && { warnings: texts(warnings, mostWarnings, 300) }),
  };
}

function parseStream(value: unknown): readonly MediaStream[] {
  if (!isMap(value)) return [];
  const index = whole(value['index'], 0, 100_000);
  const kind = streamKinds.find((known) => known === value['kind']);
  const codec = word(value['codec']);
  if (index === undefined || kind === undefined || codec === undefined) return [];
  return [
    {
      index,
      kind,
      codec,
      ...parts({
        profile: text(value['profile'], longestWord),
        level: text(value['level'], longestWord),
        language: language(value['language']),
        title: text(value['title'], 300),
        isDefault: flag(value['isDefault']),
        isForced: flag(value['isForced']),
        isHearingImpaired: flag(value['isHearingImpaired']),
        bitrate: within(value['bitrate'], 0, Number.MAX_SAFE_INTEGER),
        width: whole(value['width'], 0, 1_000_000),
        height: whole(value['height'], 0, 1_000_000),
        rotation: whole(value['rotation'], 0, 359),
        frameRate: within(value['frameRate'], 0, 100_000),
        bitDepth: whole(value['bitDepth'], 0, 64),
        hdr: hdrKinds.find((known) => known === value['hdr']),
        dolbyVisionProfile: whole(value['dolbyVisionProfile'], 0, 127),
        isInterlaced: flag(value['isInterlaced']),
        channels: whole(value['channels'], 0, 1000),
        sampleRate: within(value['sampleRate'], 0, 100_000_000),
      }),
    },
  ];
}

function parseChapter(value: unknown): NonNullable<ProbeReport['chapters']> {
  const startTime = isMap(value) ? within(value['startTime'], 0, mostSeconds) : undefined;
  if (!isMap(value) || startTime === undefined) return [];
  const endTime = within(value['endTime'], startTime, mostSeconds);
  return [{ startTime, ...parts({ endTime, title: text(value['title'], 300) }) }];
}

function parseDisc(value: Readonly<Record<string, unknown>>): Pick<ProbeReport, 'disc'> {
  const role = discRoles.find((known) => known === value['role']);
  if (role === undefined) return {};
  return { disc: { role, ...parts({ part: whole(value['part'], 1, mostParts) }) } };
}

function parseMotion(value: Readonly<Record<string, unknown>>): Pick<ProbeReport, 'motion'> {
  const offset = whole(value['offset'], 1, Number.MAX_SAFE_INTEGER);
  const length = whole(value['length'], 1, Number.MAX_SAFE_INTEGER);
  return offset === undefined || length === undefined ? {} : { motion: { offset, length } };
}

function parseReplayGain(value: Readonly<Record<string, unknown>>): ReplayGain {
  return parts({
    trackGainDb: within(value['trackGainDb'], -mostGain, mostGain),
    trackPeakDb: within(value['trackPeakDb'], -100, 40),
    albumGainDb: within(value['albumGainDb'], -mostGain, mostGain),
    albumPeakDb: within(value['albumPeakDb'], -100, 40),
  });
}

/** Its index in the list identifies it, so an invalid one keeps its place. */
function parsePicture(value: unknown): EmbeddedArtwork {
  const picture = isMap(value) ? value : {};
  const mimeType = text(picture['mimeType'], longestWord);
  return {
    type: word(picture['type']) ?? 'other',
    mimeType: mimeType !== undefined && /^image\/[\w.+-]+$/.test(mimeType) ? mimeType : '',
    size: whole(picture['size'], 0, Number.MAX_SAFE_INTEGER) ?? 0,
  };
}

const shortTags = [
  ...([
    'title',
    'sortTitle',
    'subtitle',
    'artist',
    'albumArtist',
    'album',
    'date',
    'series',
  ] as const),
  ...(['publisher', 'language', 'show', 'takenAt', 'camera', 'lens'] as const),
] as const;
const longTags = ['description', 'lyrics'] as const;
const numberTags = ['track', 'trackTotal', 'disc', 'discTotal', 'year'] as const;
const otherNumberTags = ['volume', 'issue', 'season', 'episode'] as const;
const listTags = [
  'artists',
  'albumArtists',
  'genres',
  'composers',
  'authors',
  'narrators',
] as const;

type TagMap = { -readonly [Key in keyof MediaTags]: MediaTags[Key] };

/** Tags as a report may have them; what is not well-formed is left out. */
export function parseTags(value: Readonly<Record<string, unknown>>): MediaTags {
  const tags: TagMap = {};
  for (const key of shortTags) assign(tags, key, text(value[key], longestText));
  for (const key of longTags) assign(tags, key, text(value[key], longestProse));
  for (const key of numberTags) assign(tags, key, whole(value[key], 0, 1_000_000));
  for (const key of otherNumberTags) assign(tags, key, within(value[key], 0, 1_000_000));
  for (const key of listTags) {
    const names = value[key];
    if (Array.isArray(names)) assign(tags, key, texts(names, mostNames, longestText));
  }
  assign(tags, 'isCompilation', flag(value['isCompilation']));
  assign(tags, 'latitude', within(value['latitude'], -90, 90));
  assign(tags, 'longitude', within(value['longitude'], -180, 180));
  const { ids } = value;
  if (isMap(ids)) assign(tags, 'ids', parseTagIds(ids));
  return tags;
}

function parseTagIds(ids: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const known = Object.entries(ids).slice(0, mostIds);
  return Object.fromEntries(
    known.flatMap(([provider, id]): [string, string][] => {
      const name = text(provider, longestWord);
      const value = text(id, 200);
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

function assign<Key extends keyof TagMap>(
  tags: TagMap,
  key: Key,
  value: TagMap[Key] | undefined,
): void {
  if (value !== undefined) tags[key] = value;
}

type Known<Shape> = { readonly [Key in keyof Shape]?: Exclude<Shape[Key], undefined> };

/** Only the known parts. */
function parts<Shape extends Readonly<Record<string, unknown>>>(shape: Shape): Known<Shape> {
  const known: Record<string, unknown> = {};
  for (const key in shape) if (shape[key] !== undefined) known[key] = shape[key];
  return known as Known<Shape>;
}

/**
 * A text that a database and a page can hold: cut to length, without characters that break them.
 */
function text(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const clean = value.slice(0, longest).replaceAll('\0', '').toWellFormed().trim();
  return clean === '' ? undefined : clean;
}

function texts(values: readonly unknown[], most: number, longest: number): readonly string[] {
  return values.slice(0, most).flatMap((value) => text(value, longest) ?? []);
}

function word(value: unknown): string | undefined {
  const said = text(value, longestWord);
  return said !== undefined && /^[\w.+-]+$/.test(said) ? said : undefined;
}

function language(value: unknown): string | undefined {
  const said = text(value, longestWord);
  return said !== undefined && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(said) ? said : undefined;
}

function within(value: unknown, least: number, most: number): number | undefined {
  // JSON cannot represent a negative zero.
  return typeof value === 'number' && value >= least && value <= most ? value || 0 : undefined;
}

function whole(value: unknown, least: number, most: number): number | undefined {
  return Number.isSafeInteger(value) ? within(value, least, most) : undefined;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function list(values: readonly unknown[], most: number): readonly unknown[] {
  return values.slice(0, most);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
