/** Where a walk begins: a place in the order of names below its root. */
export type WalkStart = ReturnType<typeof createWalkStart>;

/** Encoded names never contain this character, and all their characters sort before it. */
const behindAll = '\x7F';

/** The start for a cursor, which may be any text; only URIs that sort after it are walked. */
export function createWalkStart(rootUri: string, cursor: string | null) {
  const text = relativeTo(`${rootUri}/`, cursor);

  /** Where to begin in a folder that contains the start. */
  function nameIn(prefix: string): string | undefined {
    if (!text.startsWith(prefix)) return undefined;
    const [name = ''] = text.slice(prefix.length).split('/', 1);
    return name === '' ? undefined : name;
  }

  return {
    /** The place, relative to the root; empty for the very start. */
    text,
    nameIn,
    /**
     * Whether anything can sort after the start. The key of a folder ends in a slash and stands for
     * everything below.
     */
    isBefore: (key: string): boolean => key > text || (key.endsWith('/') && text.startsWith(key)),
    /** The folders that contain the start, from the root on, as prefixes. */
    prefixes(): readonly string[] {
      const prefixes = [''];
      for (const name of text.split('/').slice(0, -1)) {
        if (name === '') break;
        prefixes.push(`${prefixes.at(-1) ?? ''}${name}/`);
      }
      return prefixes;
    },
  };
}

function relativeTo(inside: string, cursor: string | null): string {
  if (cursor === null || cursor <= inside) return '';
  return cursor.startsWith(inside) ? cursor.slice(inside.length) : behindAll;
}
