/** The line of time of an item: its parts one after the other. A position is a place on this line. */
import type { Resources } from '../core/api.ts';

type MediaFile = Resources['MediaFile'];

/** One file of the line. */
export interface Part {
  readonly fileId: string;
  /** Where it begins on the line, in seconds. */
  readonly start: number;
  /** Seconds; 0 = not known. */
  readonly duration: number;
}

export interface Place {
  readonly index: number;
  /** Seconds from the start of the part. */
  readonly at: number;
}

const isPlayable = ({ type, status, mediaKind }: MediaFile): boolean =>
  type === 'media' && status === 'active' && (mediaKind === 'video' || mediaKind === 'audio');

/**
 * The parts of the named file's line, or of the first one, as the server counts them: the files of
 * one edition by their part numbers. The files of an audiobook without numbers are parts, too.
 */
export function partsOf(
  files: readonly MediaFile[],
  { fileId, isAudiobook }: { readonly fileId?: string | undefined; readonly isAudiobook: boolean },
): readonly Part[] {
  const playable = files.filter(isPlayable);
  const primary = playable.filter(({ classification }) => classification === 'primary');
  const named =
    fileId === undefined ? (primary[0] ?? playable[0]) : playable.find(({ id }) => id === fileId);
  if (named === undefined) return [];
  if (named.classification !== 'primary') return inLine([named]);
  const isNumbered = named.partNumber !== null;
  const alike = primary.filter(
    ({ edition, partNumber }) => edition === named.edition && (partNumber !== null) === isNumbered,
  );
  if (isAudiobook) return inLine(alike.filter(({ extension }) => extension === named.extension));
  if (!isNumbered) return inLine([named]);
  // Versions of all parts come in one order: the second of one part goes with the second of another.
  const versions = [...Map.groupBy(alike, ({ partNumber }) => partNumber).values()];
  const at = Math.max(0, ...versions.map((version) => version.indexOf(named)));
  return inLine(versions.flatMap((version) => version[at] ?? version[0] ?? []));
}

function inLine(files: readonly MediaFile[]): readonly Part[] {
  return restarted(
    files.map(({ id, duration }) => ({ fileId: id, start: 0, duration: duration ?? 0 })),
  );
}

function restarted(parts: readonly Part[]): readonly Part[] {
  let start = 0;
  return parts.map((part) => {
    const placed = { ...part, start };
    start += part.duration;
    return placed;
  });
}

/** The parts when the length of one is known from the media itself. */
export function withDuration(
  parts: readonly Part[],
  index: number,
  duration: number,
): readonly Part[] {
  if (!Number.isFinite(duration) || duration <= 0) return parts;
  return restarted(parts.map((part, at) => (at === index ? { ...part, duration } : part)));
}

/** Whether an item is read aloud: sound that is on no album. */
export const isAudiobook = ({
  files,
  linkedEntities,
}: Pick<Resources['ItemDetail'], 'files' | 'linkedEntities'>): boolean =>
  files.every(({ mediaKind }) => mediaKind !== 'video') &&
  !linkedEntities.some(({ type }) => type === 'album');

export const lengthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { duration }) => sum + duration, 0);

/** Where a position lies. One beyond the end is the end of the last part. */
export function placeOf(parts: readonly Part[], position: number): Place {
  let index = 0;
  for (const [at, part] of parts.entries())
    if (part.start <= position && (at === 0 || parts[at - 1]?.duration !== 0)) index = at;
  return { index, at: Math.max(0, position - (parts[index]?.start ?? 0)) };
}
