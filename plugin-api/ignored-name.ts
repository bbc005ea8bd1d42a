/** Whether a walk leaves a name out, with all below it. Names are encoded. */
export type IsIgnored = (name: string) => boolean;

/** Makes the filter of a listing; `*` in an ignored name stands for any characters. */
export function createIgnoredNames(ignore: readonly string[] = []): IsIgnored {
  const patterns = ignore.map((name) => name.toLowerCase().split('*'));
  const mayBegin = createBeginnings(patterns);
  return (name) => {
    if (!mayBegin(name)) return false;
    const text = decode(name).toLowerCase();
    return patterns.some((parts) => fits(text, parts));
  };
}

/** Compares first characters, so that most names need not be decoded. */
function createBeginnings(patterns: readonly (readonly string[])[]): IsIgnored {
  const beginnings = new Set(patterns.map(([first = '']) => first.slice(0, 1)));
  if (beginnings.has('')) return () => true;
  return (name) => name.startsWith('%') || beginnings.has(name.slice(0, 1).toLowerCase());
}

/** Whether the text contains the parts in order, the first at its start, the last at its end. */
function fits(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const found = text.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

/** The decoded name; a name that is not UTF-8 stays encoded. */
function decode(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
