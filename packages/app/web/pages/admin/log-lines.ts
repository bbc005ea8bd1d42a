/** Lines of the logs of the server and of plugins, as one list. */

/** The levels, the least first. */
export const levels = ['debug', 'info', 'warn', 'error'] as const;

/** How much a line matters. */
export type Level = (typeof levels)[number];

/** One line, and where it comes from. */
export interface Line {
  readonly time: string;
  readonly level: Level;
  readonly text: string;
  /** `null` = the server. */
  readonly pluginId: string | null;
}

/** A line with a key of its own. */
export interface ShownLine extends Line {
  readonly key: string;
}

/** The level of an address; all but debugging if it names none. */
export const levelOf = (text: string | null): Level =>
  levels.find((level) => level === text) ?? 'info';

/** The newest lines from a level on, newest first. */
export function mergeLines(
  lines: readonly Line[],
  { level, most }: { readonly level: Level; readonly most: number },
): readonly ShownLine[] {
  const seen = new Map<string, number>();
  return lines
    .filter((line) => levels.indexOf(line.level) >= levels.indexOf(level))
    .sort((one, other) => (one.time < other.time ? 1 : one.time > other.time ? -1 : 0))
    .slice(0, most)
    .map((line) => {
      const text = `${line.time} ${line.pluginId ?? ''} ${line.text}`;
      const count = seen.get(text) ?? 0;
      seen.set(text, count + 1);
      return { ...line, key: `${text} ${count}` };
    });
}
