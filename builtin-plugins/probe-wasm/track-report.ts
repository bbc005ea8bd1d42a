/** Turns MediaInfo's tracks into the report of a probe. */
import {
  languageOfCode,
  type MediaStream,
  type MediaTags,
  type ProbeReport,
} from '../../plugin-api/index.ts';
import { codecName, containerName } from './codec-names.ts';
import { numberIn, type Track } from './tracks.ts';

type Unfinished<Shape> = { readonly [Key in keyof Shape]: Shape[Key] | undefined };

const kinds = new Map<string, MediaStream['kind']>([
  ['Video', 'video'],
  ['Audio', 'audio'],
  ['Text', 'subtitle'],
  ['Image', 'image'],
]);

/** `undefined` when MediaInfo recognizes nothing in the file. */
export function toReport(
  tracks: readonly Track[],
  warnings: readonly string[],
): ProbeReport | undefined {
  const general = tracks.find((track) => track['@type'] === 'General');
  const streams = tracks.flatMap(toStream).map((stream, index) => ({ ...stream, index }));
  if (general === undefined || streams.length === 0) return undefined;
  const pictures = picturesOf(general);
  return known<ProbeReport>({
    container: containerName(general),
    duration: rounded(numberIn(general, 'Duration') ?? longest(tracks)),
    bitrate: numberIn(general, 'OverallBitRate'),
    pages: undefined,
    streams,
    chapters: undefined,
    tags: toTags(general),
    artwork: pictures.length === 0 ? undefined : pictures.map(({ data: _, ...picture }) => picture),
    warnings: warnings.length === 0 ? undefined : warnings,
  });
}

/** Pictures in the file; their bytes are base64. */
export function picturesOf(general: Track): readonly {
  readonly type: string;
  readonly mimeType: string;
  readonly size: number;
  readonly data: string;
}[] {
  const split = (key: string) => (general[key] ?? '').split(' / ');
  const [roles, types] = [split('Cover_Type'), split('Cover_Mime')];
  return split('Cover_Data').flatMap((data, at) => {
    if (data === '') return [];
    const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
    const mimeType = types[at]?.startsWith('image/') ? types[at] : 'image/jpeg';
    const type = /back/i.test(roles[at] ?? '') ? 'back' : 'cover';
    return [{ type, mimeType, size: (data.length * 3) / 4 - padding, data }];
  });
}

function toStream(track: Track): readonly MediaStream[] {
  const kind = kinds.get(track['@type'] ?? '');
  if (kind === undefined) return [];
  const isVideo = kind === 'video';
  const isSound = kind === 'audio';
  const codec = codecName(track);
  return [
    known<MediaStream>({
      index: 0,
      kind,
      codec,
      profile: isVideo || codec === 'aac' ? track['Format_Profile'] : undefined,
      level: track['Format_Level'],
      language: languageOfCode(track['Language'] ?? '') ?? undefined,
      title: track['Title'],
      isDefault: flag(track['Default']),
      isForced: flag(track['Forced']),
      isHearingImpaired: undefined,
      bitrate: numberIn(track, 'BitRate'),
      ...shownSize(track),
      rotation: isVideo ? numberIn(track, 'Rotation') : undefined,
      frameRate: isVideo ? numberIn(track, 'FrameRate') : undefined,
      bitDepth: isVideo || isLossless(codec) ? numberIn(track, 'BitDepth') : undefined,
      hdr: hdrOf(track),
      isInterlaced: /^(Interlaced|MBAFF|PAFF)/.test(track['ScanType'] ?? '') || undefined,
      channels: isSound ? numberIn(track, 'Channels') : undefined,
      sampleRate: isSound ? numberIn(track, 'SamplingRate') : undefined,
    }),
  ];
}

function shownSize(track: Track): Pick<Unfinished<MediaStream>, 'width' | 'height'> {
  const [width, height] = [numberIn(track, 'Width'), numberIn(track, 'Height')];
  const aspect = numberIn(track, 'PixelAspectRatio') ?? 1;
  return { width: width === undefined ? undefined : Math.round(width * aspect), height };
}

function isLossless(codec: string): boolean {
  return /^(pcm|flac|alac|ape|wavpack|tta|tak|truehd|mlp|dsd|dst)/.test(codec);
}

function hdrOf(track: Track): MediaStream['hdr'] {
  const format = `${track['HDR_Format'] ?? ''} ${track['HDR_Format_Compatibility'] ?? ''}`;
  if (format.includes('Dolby Vision')) return 'dolby-vision';
  if (format.includes('2094')) return 'hdr10plus';
  if (track['transfer_characteristics'] === 'PQ') return 'hdr10';
  return track['transfer_characteristics'] === 'HLG' ? 'hlg' : undefined;
}

function flag(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'Yes';
}

function toTags(general: Track): MediaTags | undefined {
  const date = /\d{4}(-\d{2}(-\d{2})?)?/.exec(
    general['Recorded_Date'] ?? general['Released_Date'] ?? '',
  )?.[0];
  const genre = general['Genre'];
  const composer = general['Composer'];
  const tags = known<MediaTags>({
    title: general['Title'] ?? general['Track'],
    artist: general['Performer'],
    albumArtist: general['Album_Performer'],
    album: general['Album'],
    track: numberIn(general, 'Track_Position'),
    trackTotal: numberIn(general, 'Track_Position_Total') ?? totalIn(general['Track_Position']),
    disc: numberIn(general, 'Part_Position'),
    discTotal: numberIn(general, 'Part_Position_Total') ?? totalIn(general['Part_Position']),
    date,
    year: date === undefined ? undefined : Number(date.slice(0, 4)),
    genres: genre === undefined ? undefined : genre.split(/\s*[;/]\s*/).filter(Boolean),
    composers: composer === undefined ? undefined : [composer],
    publisher: general['Publisher'],
    description: general['Description'] ?? general['Comment'],
    lyrics: general['Lyrics'],
  });
  return Object.keys(tags).length === 0 ? undefined : tags;
}

/** `3/12`: some tags have both numbers in one value. */
function totalIn(position: string | undefined): number | undefined {
  const total = Number(/\/\s*(\d{1,5})/.exec(position ?? '')?.[1] ?? 0);
  return total > 0 ? total : undefined;
}

function longest(tracks: readonly Track[]): number | undefined {
  const all = tracks.flatMap((track) => numberIn(track, 'Duration') ?? []);
  return all.length === 0 ? undefined : Math.max(...all);
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 1000) / 1000;
}

/** Leaves out `undefined` values: in a report, absent means unknown. */
function known<Shape extends object>(draft: Unfinished<Shape>): Shape {
  return Object.fromEntries(
    Object.entries(draft).filter(([, value]) => value !== undefined),
  ) as Shape;
}
