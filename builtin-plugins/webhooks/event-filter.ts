/** The patterns of a text with commas between them; stray commas name nothing. */
const patternsIn = (events: string): readonly string[] =>
  events
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** Which events match a webhook: comma-separated patterns as in subscriptions, and `*` for all. */
export function eventFilter(events: string): (type: string) => boolean {
  const patterns = patternsIn(events);
  if (patterns.includes('*')) return () => true;
  const segments = patterns.map((pattern) => pattern.split('.'));
  return (type) => {
    const names = type.split('.');
    return segments.some(
      (wanted) =>
        wanted.length === names.length &&
        wanted.every((one, index) => one === '*' || one === names[index]),
    );
  };
}

/** Names of events have two or three segments. */
const everyEvent = ['*.*', '*.*.*'];

/** The patterns that the event log follows for all these webhooks. */
export function patternsFor(events: readonly string[]): readonly string[] {
  const patterns = events.flatMap(patternsIn);
  return patterns.includes('*') ? everyEvent : [...new Set(patterns)].sort();
}
