/** Which events a webhook wants: comma-separated patterns as in subscriptions, and `*` for all. */
export function eventFilter(events: string): (type: string) => boolean {
  const patterns = events.split(',').map((text) => text.trim().split('.'));
  if (patterns.some(([first, ...rest]) => first === '*' && rest.length === 0)) return () => true;
  return (type) => {
    const names = type.split('.');
    return patterns.some(
      (wanted) =>
        wanted.length === names.length &&
        wanted.every((one, index) => one === '*' || one === names[index]),
    );
  };
}

/** Names of events have two segments or three. */
const everyEvent = ['*.*', '*.*.*'];

/** The patterns that the event log follows for these webhooks together. */
export function patternsFor(events: readonly string[]): readonly string[] {
  const patterns = events.flatMap((text) => text.split(',').map((one) => one.trim()));
  return patterns.includes('*') ? everyEvent : [...new Set(patterns)].sort();
}
