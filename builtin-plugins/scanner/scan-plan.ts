/** What a scan was asked to do: the payload of its job. */
export interface ScanPlan {
  /** URIs of the library's roots. */
  readonly roots: readonly string[];
  /** The places to walk, in this order: the roots, or the places that the payload names. */
  readonly places: readonly ScanPlace[];
  /** Without dot, lower case. */
  readonly extensions: readonly string[];
  /** Extensions of sidecars. */
  readonly auxiliary: readonly string[];
  /** Globs relative to a root; a matching file is media with any extension. */
  readonly patterns: readonly string[];
}

/** A folder to walk. */
export interface ScanPlace {
  readonly uri: string;
  /** The root of the library that it is, or is in. */
  readonly root: string;
  /** Only the files directly in it; the content of its folders stays unchanged. */
  readonly isShallow: boolean;
}

/** Reads the payload of a scan; refuses an incomplete one. */
export function parseScanPlan(payload: Readonly<Record<string, unknown>>): ScanPlan {
  const { roots, folders, shallow, extensions, auxiliary = [], patterns = [] } = payload;
  if (!isTexts(roots) || roots.length === 0) throw refusal('roots', 'the URIs of the roots');
  if (!isTexts(extensions)) throw refusal('extensions', 'a list of extensions');
  if (!isTexts(auxiliary)) throw refusal('auxiliary', 'a list of extensions');
  if (!isTexts(patterns)) throw refusal('patterns', 'a list of globs');
  const isWhole = folders === undefined && shallow === undefined;
  const places = isWhole
    ? placesOf('roots', roots, roots, false)
    : [
        ...placesOf('folders', folders ?? [], roots, false),
        ...placesOf('shallow', shallow ?? [], roots, true),
      ];
  return { roots, places, extensions, auxiliary, patterns };
}

function placesOf(
  key: string,
  uris: unknown,
  roots: readonly string[],
  isShallow: boolean,
): readonly ScanPlace[] {
  if (!isTexts(uris)) throw refusal(key, 'a list of URIs of folders');
  return uris.map((uri) => {
    const root = roots.find((one) => uri === one || uri.startsWith(`${one}/`));
    if (root === undefined) throw refusal(key, `URIs in a root of the library, not ${uri}`);
    return { uri, root, isShallow };
  });
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function refusal(key: string, right: string): Error {
  const message = `payload.${key} of a scan must be ${right}.`;
  return Object.assign(new Error(message), { code: 'invalid_argument' });
}
