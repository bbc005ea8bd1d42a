/**
 * Places of the server in values that plugins and files fill freely, such as the metadata of items,
 * entities and chapters and the tags of files. A value that names one is left out: when it is stored, and
 * when it is shown to a viewer who may not see paths, since what was stored before may have one. No key of
 * such a value means a place, so nothing of use is lost.
 */
type Fields = Readonly<Record<string, unknown>>;

/** Leaves out what names a place of the server. */
export type ServerPlaces = ReturnType<typeof createServerPlaces>;

/** What stands before a path that is not the end of a longer one or of a web address. */
const before = String.raw`(?<![\w.~%-]/{0,4})(?<!:/)(?!(?<=:)//[^/])`;
const after = String.raw`(?![\w.~%-])`;

/** Creates it for the URIs of all roots. */
export function createServerPlaces(roots: readonly string[]) {
  const paths = [...new Set(roots.flatMap(pathsOf))];
  const place = new RegExp(
    [String.raw`(?<!\w)file:[/\\]`, ...paths.map((path) => before + escaped(path) + after)].join(
      '|',
    ),
    'i',
  );
  const isNamedIn = (text: string): boolean =>
    place.test(text) || (escapes.test(text) && place.test(unescaped(text)));
  // In JSON a path may be escaped, and what stands before it too: most columns need no closer look.
  const inJson = paths.map((path) => escaped(JSON.stringify(path).slice(1, -1)));
  const mayBeIn = new RegExp([String.raw`file:[/\\]`, escapes.source, ...inJson].join('|'), 'i');

  function kept(value: unknown): unknown {
    if (typeof value === 'string') return isNamedIn(value) ? undefined : value;
    if (Array.isArray(value)) {
      const list = value.map(kept).filter((one) => one !== undefined);
      return list.length === value.length && list.every((one, at) => one === value[at])
        ? value
        : list;
    }
    return isMap(value) ? withoutAny(value) : value;
  }

  /** The map without such keys and values, at any depth; the same map where there is none. */
  function withoutAny(fields: Fields): Fields {
    const all = Object.entries(fields);
    const own = all.flatMap(([key, value]): [string, unknown][] => {
      const left = isNamedIn(key) ? undefined : kept(value);
      return left === undefined ? [] : [[key, left]];
    });
    const isSame = own.length === all.length && own.every(([key, value]) => fields[key] === value);
    return isSame ? fields : Object.fromEntries(own);
  }

  return {
    withoutAny,
    /** The JSON object of a column without such keys and values. */
    readMap: (column: string | null): Fields => {
      const value: unknown = column === null ? {} : JSON.parse(column);
      const fields = isMap(value) ? value : {};
      return column !== null && mayBeIn.test(column) ? withoutAny(fields) : fields;
    },
  };
}

/** As a pattern, in which each slash stands for `//` and `/./` as well: they lead to the same place. */
const escaped = (path: string): string =>
  path.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('/', String.raw`/(?:\.?/){0,4}`);

/** Escapes of characters that paths have. */
const escapes = /%[2-7][\da-f]/i;

/** The text without such escapes; escapes of other characters stay, as they may be no UTF-8. */
const unescaped = (text: string): string =>
  text.replace(/%[2-7][\da-f]/gi, (one) => String.fromCharCode(Number.parseInt(one.slice(1), 16)));

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The spellings of a root: its URI, and its path as it is and with escapes. */
function pathsOf(root: string): readonly string[] {
  if (!root.startsWith('file://')) return [root];
  const path = root.slice('file://'.length);
  return path.length > 1 ? [path, decodeURIComponent(path)] : [];
}
