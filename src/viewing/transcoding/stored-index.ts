/**
 * The index of a file as a plugin answers it, believed only as far as it can be checked: playlists
 * are made of it, so every number in it is whole, in order and within limits.
 */
import type { FrameTimes, TranscodeIndex, TranscodeTrack } from '../../../plugin-api/index.ts';

const maxTracks = 500;
const maxCuts = 100_000;
const maxTimescale = 1_000_000_000;
const maxStateCharacters = 1024 * 1024;
const maxTime = 2 ** 52;

type Fields = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;

/** The index, or what is wrong with it. */
export function parseIndex(value: unknown): TranscodeIndex | string {
  if (!isMap(value) || value['kind'] !== 'read') return 'It is not an index.';
  const { tracks, timescale, cuts, duration, startTime, isComplete, state } = value;
  if (!isWhole(timescale, 1, maxTimescale)) return 'Its timescale is not from 1 to 1 000 000 000.';
  if (!isWhole(duration, 0, maxTime)) return 'Its duration is not a whole number.';
  if (!isWhole(startTime, -maxTime, maxTime)) return 'Its startTime is not a whole number.';
  if (!isCutList(cuts)) return 'Its cuts are not ascending whole numbers from 0.';
  if (Number(cuts.at(-1)) > duration) return 'Its last cut is after its end.';
  if (state !== null && (typeof state !== 'string' || state.length > maxStateCharacters))
    return 'Its state is not a text of at most 1 MiB.';
  if (!Array.isArray(tracks) || tracks.length > maxTracks) return 'It has more than 500 tracks.';
  const parsed = (tracks as unknown[]).map(parseTrack);
  if (parsed.includes(null)) return 'One of its tracks is not valid.';
  const known = parsed.filter((track) => track !== null);
  if (new Set(known.map(({ id }) => id)).size < known.length) return 'Two tracks have one id.';
  return {
    kind: 'read',
    tracks: known,
    timescale,
    cuts,
    duration,
    startTime,
    isComplete: isComplete !== false,
    state,
  };
}

function isCutList(cuts: unknown): cuts is readonly number[] {
  if (!Array.isArray(cuts) || cuts.length === 0 || cuts.length > maxCuts || cuts[0] !== 0)
    return false;
  return (cuts as unknown[]).every(
    (cut, at) => isWhole(cut, 0, maxTime) && (at === 0 || cut > Number(cuts[at - 1])),
  );
}

/** MIME types and codecs stand in playlists and headers, so they have the characters of RFC 6381 only. */
const mimeForm = /^(video|audio)\/[a-z0-9.+-]{1,60}$/;
const codecsForm = /^[A-Za-z0-9]{2,4}[A-Za-z0-9.-]{0,60}$|^(?:opus|flac|mp3|vorbis)$/;
const idForm = /^[a-z0-9][a-z0-9-]{0,31}$/;
const ranges = ['SDR', 'PQ', 'HLG'] as const;

function parseTrack(value: unknown): TranscodeTrack | null {
  if (!isMap(value)) return null;
  const { id, stream, kind, mimeType, codecs, canCopy, videoRange } = value;
  if (typeof id !== 'string' || !idForm.test(id) || !isWhole(stream, 0, 10_000)) return null;
  if (kind !== 'video' && kind !== 'audio') return null;
  if (typeof mimeType !== 'string' || !mimeForm.test(mimeType)) return null;
  // What is not copied may be in a codec that the plugin cannot name.
  const isNamed = typeof codecs === 'string' && (codecsForm.test(codecs) || codecs === '');
  if (!isNamed || (codecs === '' && canCopy === true)) return null;
  const frames = value['frames'] === undefined ? undefined : parseFrames(value['frames']);
  if (frames === null) return null;
  const range = ranges.find((one) => one === videoRange);
  return {
    id,
    stream,
    kind,
    mimeType,
    codecs,
    canCopy: canCopy === true,
    ...textsOf(value),
    ...flagsOf(value),
    ...numbersOf(value),
    ...(range !== undefined && { videoRange: range }),
    ...(frames !== undefined && { frames }),
  };
}

/** A frame lasts at most a second: the starts of segments move by less than that. */
function parseFrames(value: unknown): FrameTimes | null {
  if (!isMap(value)) return null;
  const { timescale, first, length } = value;
  if (!isWhole(timescale, 1, maxTimescale) || !isWhole(first, -maxTime, maxTime)) return null;
  return isWhole(length, 1, timescale) ? { timescale, first, length } : null;
}

const textsOf = (value: Fields): Pick<TranscodeTrack, 'language' | 'title'> =>
  picked(
    value,
    ['language', 'title'],
    (one): one is string => typeof one === 'string' && one.length <= 500,
  );

const flagsOf = (
  value: Fields,
): Pick<TranscodeTrack, 'isDefault' | 'isForced' | 'isHearingImpaired'> =>
  picked(
    value,
    ['isDefault', 'isForced', 'isHearingImpaired'],
    (one): one is boolean => typeof one === 'boolean',
  );

const numberKeys = [
  'width',
  'height',
  'frameRate',
  'bitDepth',
  'channels',
  'sampleRate',
  'bandwidth',
  'averageBandwidth',
  'keyframeBandwidth',
] as const;

const numbersOf = (value: Fields): Pick<TranscodeTrack, (typeof numberKeys)[number]> =>
  picked(
    value,
    numberKeys,
    (one): one is number => typeof one === 'number' && one > 0 && one < 1e12,
  );

function picked<Key extends string, Value>(
  value: Fields,
  keys: readonly Key[],
  isValid: (one: unknown) => one is Value,
): { readonly [Name in Key]?: Value } {
  const found: { [Name in Key]?: Value } = {};
  for (const key of keys) {
    const one = value[key];
    if (isValid(one)) found[key] = one;
  }
  return found;
}
