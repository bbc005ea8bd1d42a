import { stackMark } from './guest-test-harness.ts';
import { PluginFault } from './plugin-fault.ts';
import type { SourcePositions } from './source-positions.ts';

/** Source lines of a plugin's errors. The isolate boundary passes only the message, so stacks come by the log. */
export type StackNotes = ReturnType<typeof createStackNotes>;

interface Note {
  readonly message: string;
  readonly frames: readonly string[];
}

const mostNotes = 50;

/** Creates it for one module. */
export function createStackNotes(positions: SourcePositions) {
  let notes: readonly Note[] = [];
  let warning = '';

  function framesOf(message: string): readonly string[] {
    const found = notes.findLast((note) => message.startsWith(note.message));
    return (found?.frames ?? []).flatMap((frame) => positions.place(frame) ?? []);
  }

  return {
    /** Whether a line is an internal note, which is not shown. */
    isNote: (text: string): boolean => text.includes(stackMark),
    /** Takes every line of the log. */
    hear: (level: string, text: string): void => {
      const note = text.includes(stackMark) ? parse(text) : null;
      if (note) notes = [...notes.slice(1 - mostNotes), note];
      else if (level === 'warn') warning = text;
    },
    /** The error with its source lines, where they are known. */
    toFault: (code: string, message: string): PluginFault =>
      new PluginFault(code, message, framesOf(message)),
    /** The author's line at the top of the stack of the error with this message. */
    placeOf: (message: string): string | null => framesOf(message)[0] ?? null,
    lastWarning: (): string => warning,
  };
}

/** Parses a line of the guest. The text is not trusted; `null` for a line that is not a note. */
function parse(text: string): Note | null {
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf(stackMark) + stackMark.length));
    if (typeof value !== 'object' || value === null) return null;
    if (!('message' in value && 'frames' in value && Array.isArray(value.frames))) return null;
    return { message: String(value.message), frames: value.frames.map(String) };
  } catch {
    return null;
  }
}
