/** Joins entries as `a, b and c`, with the words of a language for "and" and for no entry. */
export const joinWords =
  (and: string, none: string) =>
  (entries: readonly string[]): string => {
    const [last = none, ...before] = [...entries].reverse();
    return before.length === 0 ? last : `${before.reverse().join(', ')} ${and} ${last}`;
  };
