/** Times of subtitles in milliseconds. */

/** A clock as in `01:02:03,450`, `62:03.45` or `-0:00:01,5`: hours may have any number of digits. */
export const clock = String.raw`-?(?:\d{1,6}:)?\d{1,4}:\d{1,4}(?:[.,;:]\d{1,9})?`;

const parts = /^(-?)(?:(\d{1,6}):)?(\d{1,4}):(\d{1,4})(?:[.,;:](\d{1,9}))?$/;

/** Milliseconds; `undefined` when it is not a clock. */
export function parseClock(text: string): number | undefined {
  const found = parts.exec(text.trim());
  if (found === null) return undefined;
  const [, sign, hours = '0', minutes = '0', seconds = '0', fraction = ''] = found;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const ms = whole * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return sign === '-' ? -ms : ms;
}
