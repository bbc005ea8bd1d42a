/** Which names a walk takes, by their encoded form. */
export interface NameFilter {
  /** Left out, with all that is below. */
  readonly isIgnored: (name: string) => boolean;
  readonly isWanted: (fileName: string) => boolean;
}

/** Makes the filter of a listing. Extensions have no dot; absent means all. */
export function createNameFilter(
  extensions: readonly string[] | undefined,
  ignore: readonly string[] = [],
): NameFilter {
  const wanted = extensions && new Set(extensions.map((text) => encodeURIComponent(text)));
  const patterns = ignore.map((name) => name.toLowerCase().split('*'));
  return {
    isIgnored(name) {
      if (patterns.length === 0) return false;
      const text = decode(name).toLowerCase();
      return patterns.some((parts) => fits(text, parts));
    },
    isWanted: (name) => wanted?.has(extensionOf(name)) ?? true,
  };
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
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
