import type { LaneEnding } from './host-lane.ts';
import type { Headers } from './header-rules.ts';

/** What a response says about the state of its host. */
export function laneEndingOf(status: number, headers: Headers, now: number): LaneEnding {
  const asked = headers['retry-after'];
  if (status === 429 || (status === 503 && asked !== undefined)) {
    return { kind: 'busy', retryAfterMs: retryAfterMs(asked, now) };
  }
  return { kind: status === 502 || status === 503 || status === 504 ? 'failed' : 'answered' };
}

/** `Retry-After` in milliseconds from now, from seconds or a date; `null` for other text. */
export function retryAfterMs(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
