import { pino, type DestinationStream } from 'pino';
import type { LogLevel } from './config.ts';

/** The server's log. */
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
}

/** Creates the log: one JSON object per line, or one line of text for people. */
export function createLog({ level, format, write }: LogOptions): ServerLog {
  const stream: DestinationStream = {
    write: format === 'json' ? write : (line) => write(textLine(line)),
  };
  return pino({ level, redact, base: null }, stream);
}

const levelNames: Readonly<Record<number, string>> = {
  20: 'debug',
  30: '',
  40: 'warning: ',
  50: 'error: ',
};

function textLine(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${shown(value)}`);
  const cause = isError(err) ? ` (${err.message})` : '';
  return `${clock} ${levelNames[Number(level)] ?? ''}${String(msg)}${cause}${rest.join('')}\n`;
}

const isError = (value: unknown): value is { readonly message: string } =>
  typeof value === 'object' && value !== null && 'message' in value;

const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:/@-]*$/.test(value) ? value : JSON.stringify(value);
