/**
 * Places in a plugin's own file, for the stacks of what it threw. The source map is made from the
 * running source when the first stack is read, and dropped after a period without use.
 */
import { guestWords } from '../../foreign-text.ts';
import type { Clock } from '../plugin/clock.ts';
import { framesOf, type FindPosition } from '../scripts/script-positions.ts';

/** Finds places. */
export type FailurePlaces = ReturnType<typeof createFailurePlaces>;

/** The parts of a finder. */
export interface FailurePlacesParts {
  /** The name of the plugin's file, as its manifest has it. */
  readonly file: string;
  /** Makes the map of a source. */
  readonly positions: (source: string) => Promise<FindPosition>;
  /** The source as it is on the disk now. */
  readonly read: () => Promise<string>;
  readonly digest: (source: string) => string;
  readonly clock: Pick<Clock, 'after'>;
}

const keptMs = 5 * 60_000;
/** Longest name of a source in a plugin's own source map. */
const longestSource = 200;

/** Creates the finder; nothing runs yet. */
export function createFailurePlaces(parts: FailurePlacesParts) {
  const { file, clock } = parts;
  let running: string | null = null;
  let made: Promise<FindPosition> | null = null;

  /** Refuses a source that changed after the plugin started: it is not the one that threw. */
  async function make(): Promise<FindPosition> {
    const source = await parts.read();
    return parts.digest(source) === running ? parts.positions(source) : () => null;
  }

  function map(): Promise<FindPosition> {
    if (made === null) {
      const fresh = make();
      made = fresh;
      clock.after(keptMs, () => {
        if (made === fresh) made = null;
      });
    }
    return made;
  }

  return {
    /** Stacks refer to this source from now on. */
    runs: (source: string): void => {
      const digest = parts.digest(source);
      if (digest === running) return;
      running = digest;
      made = null;
    },
    /** `year (index.js:12:5)`, the innermost first; empty when the source is unknown. */
    of: async (stack: string): Promise<readonly string[]> => {
      const frames = framesOf(stack);
      if (frames.length === 0) return [];
      const find = await map();
      return frames.flatMap(({ name, line, column }) => {
        const found = find(line, column);
        if (found === null) return [];
        const source = found.source === null ? file : guestWords(found.source, longestSource);
        const at = `${source}:${found.line}:${found.column}`;
        return [name === '' ? at : `${name} (${at})`];
      });
    },
  };
}
