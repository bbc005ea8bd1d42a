import { AppError } from '../../platform/errors.ts';
import type { Reported } from './play-state.ts';
import type { Timeline, TimelinePart } from './timeline.ts';
import type { PlaybackChange } from '../../contract/resources/viewing/playback.ts';

/** What the server knows of the item. */
export interface Known {
  readonly line: Timeline;
  /** Where credits begin in the last part, in seconds. */
  readonly credits: readonly number[];
  /** The duration of the last report; 0 = not known. */
  readonly duration: number;
}

const completedShare = 0.9;
/** Credits before this share are those of the opening. */
const closingShare = 0.5;

/** The report on the line of the item. A position after the end is set to the end. */
export function onTimeline(change: PlaybackChange, known: Known): Reported {
  const { parts } = known.line;
  const named = parts.find(({ id }) => id === change.fileId);
  const last = parts.at(-1);
  const isInLast = named === undefined || named === last;
  const start = named === undefined ? 0 : startOf(named);
  const length = named?.duration ?? Infinity;
  const place = start + (length > 0 ? Math.min(change.position, length) : change.position);
  const duration = known.line.duration ?? givenDuration(change, start, isInLast) ?? known.duration;
  const position = duration > 0 ? Math.min(place, duration) : place;
  const isAtEnd = isInLast && ends(position, duration, known);
  return {
    position,
    duration,
    // What is played to the end is the named part.
    completed: isInLast && (change.completed ?? isAtEnd),
  };
}

function startOf({ start, id }: TimelinePart): number {
  if (start !== null) return start;
  throw new AppError('conflict', {
    what: `The duration of a part before file ${id} is not known yet: report the position on the item's timeline, without fileId.`,
  });
}

/** A duration that a player gives with a file is that of the file. */
function givenDuration(
  { duration }: PlaybackChange,
  start: number,
  isInLast: boolean,
): number | undefined {
  return duration === undefined || !isInLast ? undefined : start + duration;
}

/** Never at the end of a part that is not the last, however short the last one is. */
function ends(position: number, duration: number, { line, credits }: Known): boolean {
  if (duration <= 0) return false;
  const lastStart = line.parts.at(-1)?.start ?? 0;
  if (line.parts.length > 1 && position <= lastStart) return false;
  const closing = credits
    .map((start) => lastStart + start)
    .filter((start) => start >= duration * closingShare);
  return position >= Math.min(duration * completedShare, ...closing);
}
