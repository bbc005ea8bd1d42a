/** Prints the calls into a plugin for its author, one line for each call. */
import type { NotedCall } from '../test-harness/dispatch-log.ts';

export interface PrinterParts {
  readonly write: (text: string) => void;
  /** Colours are used only on terminals. */
  readonly isTerminal: boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Prints lines. */
export type Printer = ReturnType<typeof createPrinter>;

type Colour = 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const codes: Readonly<Record<Colour, number>> = {
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
};
const kinds: Readonly<Record<string, string>> = {
  'event.dispatch': 'event',
  'hook.dispatch': 'hook',
  'hook.dispatchAll': 'hooks',
  'view.dispatch': 'view',
  'action.run': 'action',
};
const longestLine = 90;
const longestValue = 4000;
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function createPrinter({ write, isTerminal, now }: PrinterParts) {
  const paint = (colour: Colour, text: string): string =>
    isTerminal ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
  const time = (): string => paint('dim', new Date(now()).toISOString().slice(11, 23));
  const put = (text: string): void => write(`${time()}  ${text}\n`);

  function ending({ method, outcome }: NotedCall): string {
    switch (outcome.kind) {
      case 'returned':
        return method === 'event.dispatch' ? '' : shown(outcome.value);
      case 'threw':
        return paint('red', `${outcome.code}: ${plain(outcome.message)}`);
      case 'timed-out':
        return paint('red', 'no answer in time');
      case 'unknown-handler':
        return paint('yellow', 'no handler');
    }
  }

  return {
    call: (call: NotedCall, place: string | null): void => {
      const kind = (kinds[call.method] ?? 'method').padEnd(6);
      const took = `${call.outcome.durationMs.toFixed(1)} ms`.padStart(9);
      put(
        `${paint('cyan', kind)}  ${call.name.padEnd(28)} ${paint('dim', took)}  ${ending(call)}`.trimEnd(),
      );
      if (place !== null) put(`        at ${place}`);
    },
    /** A log line of the plugin itself. */
    line: (level: string, text: string): void => {
      const colour = level === 'error' ? 'red' : level === 'warn' ? 'yellow' : 'green';
      put(`${paint(colour, level.padEnd(6))}  ${plain(text)}`);
    },
    note: (text: string): void => put(paint('dim', text)),
    failure: (text: string, place: string | null = null): void => {
      put(paint('red', plain(text)));
      if (place !== null) put(`        at ${place}`);
    },
  };
}

const plain = (text: string): string => text.replace(control, ' ');

/** JSON of a value: on the line where it is short, else below it. */
function shown(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  const line = JSON.stringify(value) ?? 'null';
  if (line.length <= longestLine) return plain(line);
  const text = plain(JSON.stringify(value, null, 2));
  const cut = text.length > longestValue ? `${text.slice(0, longestValue)} …` : text;
  return `\n${cut.replace(/^/gm, '        ')}`;
}
