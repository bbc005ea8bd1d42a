/** The last lines of the server's log, for the page of admins. */
import type { LogLevel } from './config.ts';
import { type ServerLogLine } from '../contract/resources/operations/logs.ts';

/** The last lines of the server's log. */
export type RecentLog = ReturnType<typeof createRecentLog>;

const mostLines = 1000;
const longestText = 2000;
const numbers: Readonly<Record<number, Exclude<LogLevel, 'silent'>>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
};

/** Creates an empty log of 1000 lines; beyond that, the oldest is dropped. */
export function createRecentLog() {
  const ring: ServerLogLine[] = [];
  let next = 0;
  return {
    /** Takes one line of JSON, as the log writes it, without secrets. */
    keep: (json: string): void => {
      ring[next] = lineOf(JSON.parse(json) as Readonly<Record<string, unknown>>);
      next = (next + 1) % mostLines;
    },
    /** Oldest first. */
    lines: (): readonly ServerLogLine[] => [...ring.slice(next), ...ring.slice(0, next)],
  };
}

function lineOf({
  level,
  time,
  msg,
  err,
  pluginId,
}: Readonly<Record<string, unknown>>): ServerLogLine {
  const cause =
    typeof err === 'object' && err !== null && 'message' in err && typeof err.message === 'string'
      ? ` (${err.message})`
      : '';
  return {
    time: new Date(Number(time)).toISOString(),
    level: numbers[Number(level)] ?? 'error',
    pluginId: typeof pluginId === 'string' ? pluginId : null,
    text: `${String(msg)}${cause}`.slice(0, longestText),
  };
}
