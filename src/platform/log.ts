import { pino, type DestinationStream } from 'pino';
import type { Clock } from './clock.ts';
import type { LogLevel } from './config.ts';
import { createLogLimit, kindOf } from './log-limit.ts';

export type ServerLog = pino.Logger;

/** Fields that are never written, at any depth. */
const secrets = [
  'authorization',
  'cookie',
  'secret',
  'licenseKey',
  'token',
  'pin',
  'password',
  'key',
];

const redact = {
  paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  censor: '***',
};

/** The destination and form of log lines. */
export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'text' | 'json';
  /** Writes one line, with its line end. */
  readonly write: (line: string) => void;
  /** Gets each line as JSON too. */
  readonly keep?: (json: string) => void;
  /** For tests. */
  readonly after?: Clock['after'];
}

/**
 * Creates the log: one JSON object per line, or one line of text for people. Warnings and errors of
 * one kind are limited to one in ten seconds.
 */
export function createLog(options: LogOptions): ServerLog {
  const { level, format, write, keep, after = later } = options;
  const limit = createLogLimit({ after });
  const stream: DestinationStream = {
    write: (line) => {
      keep?.(line);
      write(format === 'json' ? line : textLine(line));
    },
  };
  return pino(
    {
      level,
      redact,
      base: null,
      serializers: { err: shownError },
      hooks: {
        logMethod(given, method, number) {
          if (number < leastLimited) {
            method.apply(this, given);
            return;
          }
          const [fields, message] = typeof given[0] === 'string' ? [{}, given[0]] : given;
          limit.pass(kindOf(fields, message), (leftOut) => {
            if (leftOut === 0) method.apply(this, given);
            else method.apply(this, [{ ...Object(fields), leftOut }, message]);
          });
        },
      },
    },
    stream,
  );
}

/** An error with the messages of its causes. A cause that the text already quotes is not repeated. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...pino.stdSerializers.err(error), message: messageOf(error) };
}

function messageOf(error: Error): string {
  const seen = new Set<unknown>([error]);
  let text = error.message;
  for (let { cause } = error; isError(cause) && !seen.has(cause); cause = causeOf(cause)) {
    seen.add(cause);
    if (!text.includes(cause.message)) text = `${text}: ${cause.message}`;
  }
  return text;
}

const causeOf = (error: object): unknown => ('cause' in error ? error.cause : undefined);

/** The number of the level `warn`. */
const leastLimited = 40;

const later: Clock['after'] = (delayMs, run) => {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
};

const levelNames: Readonly<Record<number, string>> = {
  20: 'debug',
  30: '',
  40: 'warning: ',
  50: 'error: ',
};

/** A moment as text lines have it: date and time in UTC, to the second. */
export const timeStamp = (unixMs: number): string =>
  `${new Date(unixMs).toISOString().slice(0, 19)}Z`;

function textLine(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const clock = timeStamp(Number(time));
  const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${shown(value)}`);
  const cause = isError(err) ? ` (${err.message})` : '';
  return `${clock} ${levelNames[Number(level)] ?? ''}${String(msg)}${cause}${rest.join('')}\n`;
}

const isError = (value: unknown): value is { readonly message: string } =>
  typeof value === 'object' &&
  value !== null &&
  'message' in value &&
  typeof value.message === 'string';

const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:/@-]*$/.test(value) ? value : JSON.stringify(value);
