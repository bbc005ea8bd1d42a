/** `a, b and c`; `nothing` for an empty list. */
export function joinWords(entries: readonly string[]): string {
  const [last = 'nothing', ...before] = [...entries].reverse();
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`;
}
