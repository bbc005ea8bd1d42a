/** Whether a walk leaves a name out, with all that is below. Names come encoded. */
export type IsIgnored = (name: string) => boolean;

/** Makes the filter of a listing; `*` in a name to ignore stands for any characters. */
export function createIgnoredNames(ignore: readonly string[] = []): IsIgnored {
  const patterns = ignore.map((name) => name.toLowerCase().split('*'));
  const mayBegin = createBeginnings(patterns);
  return (name) => {
    if (!mayBegin(name)) return false;
    const text = decode(name).toLowerCase();
    return patterns.some((parts) => fits(text, parts));
  };
}

/** Most names begin like no pattern, and a walk asks for each: those are not even decoded. */
function createBeginnings(patterns: readonly (readonly string[])[]): IsIgnored {
  const beginnings = new Set(patterns.map(([first = '']) => first.slice(0, 1)));
  if (beginnings.has('')) return () => true;
  return (name) => name.startsWith('%') || beginnings.has(name.slice(0, 1).toLowerCase());
}

/** Whether the parts stand in the text in their order, the first at its start, the last at its end. */
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

/** The name as people read it; one that is no UTF-8 stays encoded. */
function decode(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
