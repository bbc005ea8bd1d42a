import { describeFailure } from './failure.ts';
import {
  define,
  floor,
  getOwnPropertyDescriptor,
  isObject,
  max,
  min,
  now,
  readData,
  slice,
  toJson,
  toText,
} from './primordials.ts';
import type { Outbox } from './outbox.ts';

const lineLength = 2000;
const linesBurst = 200;
const linesPerSecond = 50;

/** Writes one line to the plugin's log; drops it beyond the rate limit. */
export type LogLine = (level: 'debug' | 'info' | 'warn' | 'error', text: string) => void;

export function createLogLine(outbox: Outbox): LogLine {
  let allowance = linesBurst;
  let countedAt = now();
  let dropped = 0;

  return (level, text) => {
    const at = now();
    allowance = min(linesBurst, allowance + (max(0, at - countedAt) * linesPerSecond) / 1000);
    countedAt = at;
    if (allowance < 1) {
      dropped++;
      return;
    }
    allowance--;
    const words = dropped === 0 ? text : `[${floor(dropped)} lines dropped] ${text}`;
    dropped = 0;
    outbox.post(`{"kind":"log","level":"${level}","text":${toJson(slice(words, 0, lineLength))}}`);
  };
}

/** `console`, which writes to the plugin's log. */
export function createConsole(log: LogLine): object {
  const to =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...values: unknown[]): void => {
      log(level, formatAll(values));
    };
  const guestConsole = {};
  define(guestConsole, 'debug', to('debug'));
  define(guestConsole, 'log', to('info'));
  define(guestConsole, 'info', to('info'));
  define(guestConsole, 'warn', to('warn'));
  define(guestConsole, 'error', to('error'));
  define(guestConsole, 'trace', to('debug'));
  return guestConsole;
}

function formatAll(values: unknown[]): string {
  let line = '';
  for (let index = 0; index < values.length && line.length < lineLength; index++) {
    line += (index === 0 ? '' : ' ') + format(values[index]);
  }
  return line;
}

function format(value: unknown): string {
  if (typeof value === 'string') return slice(value, 0, lineLength);
  if (typeof value === 'function') return '[function]';
  if (!isObject(value)) return toText(value);
  try {
    if (isError(value)) return `${nameOf(value)}: ${describeFailure(value).message}`;
    const json: unknown = toJson(value);
    return typeof json === 'string' ? slice(json, 0, lineLength) : '[object]';
  } catch {
    return '[object]';
  }
}

/** Whether the value is an error: only errors have an own `stack`. */
function isError(value: object): boolean {
  return (
    readData(value, 'message') !== undefined &&
    getOwnPropertyDescriptor(value, 'stack') !== undefined
  );
}

function nameOf(error: object): string {
  const name = readData(error, 'name');
  return typeof name === 'string' ? slice(name, 0, 100) : 'Error';
}
