const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** The time that has passed, as text. */
export function ago(thenMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - thenMs) / 1000));
  const [unit, length] = steps.find(([, size]) => seconds >= size) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  return seconds === 0 ? 'just now' : format.format(-Math.floor(seconds / length), unit);
}
