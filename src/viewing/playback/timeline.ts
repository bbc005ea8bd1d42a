/**
 * The line of time of an item: its parts one after the other, as they are played. A position of an
 * item is always a place on this line.
 */

/** A primary file of an item, in the order of playing. */
export interface TimelineFile {
  readonly id: string;
  readonly extension: string;
  readonly edition: string | null;
  readonly partNumber: number | null;
  /** Seconds, for books pages; `null` = not known. */
  readonly duration: number | null;
}

/** A part, and where it begins on the line; `null` = a part before it has no known duration. */
export interface TimelinePart extends TimelineFile {
  readonly start: number | null;
}

/** The parts of an item one after the other, as far as their lengths are known. */
export interface Timeline {
  readonly parts: readonly TimelinePart[];
  /** The sum of all parts; `null` = not all are known. */
  readonly duration: number | null;
}

/**
 * The line of the file, or of the first one. Another edition is another line. Files with part
 * numbers are parts of one line; in a film or an episode, two with one number are two versions of
 * it. Files without numbers are versions, but for the files of an audiobook, which are chapters.
 */
export function timelineOf(
  files: readonly TimelineFile[],
  { fileId, isAudiobook }: { readonly fileId?: string | undefined; readonly isAudiobook: boolean },
): Timeline {
  const named = fileId === undefined ? files[0] : files.find(({ id }) => id === fileId);
  if (named === undefined) return { parts: [], duration: null };
  const isNumbered = named.partNumber !== null;
  const alike = files.filter(
    ({ edition, partNumber }) => edition === named.edition && (partNumber !== null) === isNumbered,
  );
  if (isAudiobook) return inLine(alike.filter(({ extension }) => extension === named.extension));
  return inLine(isNumbered ? oneOfEachNumber(alike, named) : [named]);
}

/** Versions of all parts come in one order: the second of one part goes with the second of another. */
function oneOfEachNumber(
  files: readonly TimelineFile[],
  preferred: TimelineFile,
): readonly TimelineFile[] {
  const versions = [...Map.groupBy(files, ({ partNumber }) => partNumber).values()];
  const at = Math.max(0, ...versions.map((version) => version.indexOf(preferred)));
  return versions.flatMap((version) => version[at] ?? version[0] ?? []);
}

function inLine(files: readonly TimelineFile[]): Timeline {
  let start: number | null = 0;
  const parts = files.map((file): TimelinePart => {
    const part = { ...file, start };
    start = start === null || !isKnown(file) ? null : start + (file.duration ?? 0);
    return part;
  });
  return { parts, duration: start };
}

const isKnown = ({ duration }: TimelineFile): boolean => duration !== null && duration > 0;
