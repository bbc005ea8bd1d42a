/** Time expressions of TTML: clocks, clocks with frames, and offsets with a unit. */

/** Frames and ticks per second. */
export interface TtmlRates {
  readonly frames: number;
  readonly ticks: number;
}

const clock = /^(\d{1,6}):(\d{1,4}):(\d{1,4})(?:(\.\d{1,9})|:(\d{1,4})(?:\.\d{1,9})?)?$/;
const offset = /^(\d{1,15}(?:\.\d{1,9})?)(h|ms|m|s|f|t)$/;

/** Milliseconds; `undefined` when it is not a time. */
export function parseTtmlTime(text: string, { frames, ticks }: TtmlRates): number | undefined {
  const time = text.trim();
  const onClock = clock.exec(time);
  if (onClock !== null) {
    const [, hours, minutes, seconds, fraction = '0', frame = '0'] = onClock;
    const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return (whole + Number(fraction) + Number(frame) / frames) * 1000;
  }
  const [, count, unit] = offset.exec(time) ?? [];
  if (count === undefined) return undefined;
  const perUnit: Readonly<Record<string, number>> = {
    h: 3_600_000,
    m: 60_000,
    s: 1000,
    ms: 1,
    f: 1000 / frames,
    t: 1000 / ticks,
  };
  return Number(count) * (perUnit[unit ?? 's'] ?? 0);
}
