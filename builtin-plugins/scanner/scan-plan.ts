/** What a scan was asked to do: the payload of its job. */
export interface ScanPlan {
  /** URIs of the library's roots. */
  readonly roots: readonly string[];
  /** Without dot, lower case. */
  readonly extensions: readonly string[];
  /** Extensions of what lies beside media and belongs to it. */
  readonly auxiliary: readonly string[];
  /** Globs relative to a root; what fits one is media whatever its extension. */
  readonly patterns: readonly string[];
}

/** Reads the payload of a scan; refuses one that does not say what to scan. */
export function parseScanPlan(payload: Readonly<Record<string, unknown>>): ScanPlan {
  const { roots, extensions, auxiliary = [], patterns = [] } = payload;
  if (!isTexts(roots) || roots.length === 0) throw refusal('roots', 'the URIs of the roots');
  if (!isTexts(extensions)) throw refusal('extensions', 'a list of extensions');
  if (!isTexts(auxiliary)) throw refusal('auxiliary', 'a list of extensions');
  if (!isTexts(patterns)) throw refusal('patterns', 'a list of globs');
  return { roots, extensions, auxiliary, patterns };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function refusal(key: string, right: string): Error {
  const message = `payload.${key} of a scan must be ${right}.`;
  return Object.assign(new Error(message), { code: 'invalid_argument' });
}
