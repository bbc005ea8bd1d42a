import type { BundleChapter } from '../../../plugin-api/index.ts';
import { toLine } from '../findings/finding.ts';

/** A chapter that is not yet assigned to a file. */
export interface ChapterMark {
  /** Seconds. */
  readonly start: number;
  readonly end?: number | undefined;
  readonly title?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The most chapters of one file. */
export const mostChapters = 2000;

/** Seconds of `01:02:03.456`, `02:03,4`, `01:02:03.000000000`, `01:02:03:456`. */
export function toSeconds(text: string | undefined): number | undefined {
  const parts = /^\s*(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,9}))?\s*$/.exec(text ?? '');
  if (parts === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = parts;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return toMillisecond(whole + Number(`0.${fraction}`));
}

/** Seconds rounded to milliseconds, which is more than any file has. */
export const toMillisecond = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Chapters of one file: each ends where the next begins, the last where the file does. */
export function toChapters(
  marks: readonly ChapterMark[],
  mediaFileUri: string,
  duration: number | undefined,
): BundleChapter[] {
  const ordered = marks
    .slice(0, mostChapters)
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start }) => duration === undefined || start < duration);
  return ordered.map(({ start, end, title, metadata }, at) => {
    const endTime = end ?? ordered[at + 1]?.start ?? duration;
    const name = toLine(title);
    return {
      mediaFileUri,
      startTime: start,
      ...(endTime !== undefined && endTime > start && { endTime }),
      ...(name !== undefined && { title: name }),
      role: 'chapter' as const,
      ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    };
  });
}
