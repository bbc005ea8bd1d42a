/** A line of text with its times, as all formats are read into. */
export interface Cue {
  /** Milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** Lines of WebVTT cue text: escaped, with no tags but those of WebVTT, without empty lines. */
  readonly text: string;
  /** Settings of a WebVTT cue. */
  readonly settings?: string | undefined;
}

/** What a reader gets beside the text. */
export interface ReadingHints {
  /** BCP 47. */
  readonly language: string | null;
  readonly frameRate: number | null;
}

/** Reads one format; the cues may be in any order and have any times. */
export type ReadFormat = (text: string, hints: ReadingHints) => readonly Cue[];

/** The lines of a text; a line may end with CR, LF or both. */
export const linesOf = (text: string): string[] => text.split(/\r\n?|\n/);

/** Where a cue stands, by its place on a numeric keypad: 2 is below in the middle. */
export function settingsOf(alignment: number | undefined): string | undefined {
  if (alignment === undefined || alignment === 2) return undefined;
  const settings: string[] = [];
  if (alignment >= 7) settings.push('line:0');
  else if (alignment >= 4) settings.push('line:50%');
  if (alignment % 3 === 1) settings.push('position:0%', 'align:start');
  if (alignment % 3 === 0) settings.push('position:100%', 'align:end');
  return settings.length === 0 ? undefined : settings.join(' ');
}
