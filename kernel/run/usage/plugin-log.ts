import type { FailureKind } from '../../call/failure.ts';
import type { Clock } from '../plugin/clock.ts';

/** The level of a line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The failure that a line reports. */
export interface LoggedFailure {
  readonly kind: FailureKind;
  readonly handler: string;
  readonly message: string;
  readonly durationMs: number | null;
  /** Places in the plugin's own files, the innermost first; empty when unknown. */
  readonly stack: readonly string[];
}

/** A line that a plugin wrote, or that the server wrote about it. */
export interface LogLine {
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly level: LogLevel;
  readonly text: string;
  readonly failure?: LoggedFailure;
}

/** The last lines of one plugin: its own, and those of the server about it. */
export type PluginLog = ReturnType<typeof createPluginLog>;

const maxLines = 1000;
const maxLineLength = 2000;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Creates an empty log of 1000 lines; beyond that, the oldest is dropped. */
export function createPluginLog(clock: Clock) {
  const ring: LogLine[] = [];
  let next = 0;

  function write(level: LogLevel, text: string, failure?: LoggedFailure): void {
    ring[next] = {
      time: new Date(clock.now()).toISOString(),
      level,
      text: printable(text),
      ...(failure && { failure: printableFailure(failure) }),
    };
    next = (next + 1) % maxLines;
  }

  return {
    write /** Oldest first. */,
    lines: (): readonly LogLine[] => [...ring.slice(next), ...ring.slice(0, next)],
  };
}

/** A guest's text without characters that terminals or log readers would act on. */
function printable(text: string): string {
  return text.slice(0, maxLineLength).replace(unprintable, ' ');
}

function printableFailure(failure: LoggedFailure): LoggedFailure {
  const { handler, message, stack } = failure;
  return {
    ...failure,
    handler: printable(handler),
    message: printable(message),
    stack: stack.map(printable),
  };
}
