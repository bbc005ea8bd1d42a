import { AppError } from '../../../platform/errors.ts';

/** The folders of a scan that does not cover the whole library. */
export interface ScanPlaces {
  /** Folders that are scanned with everything below. */
  readonly folders: readonly string[];
  /** Folders of which only the direct files are scanned. */
  readonly shallow: readonly string[];
}

const mostPlaces = 1000;

/**
 * The folders in the payload of a scan; null when it names none, for the whole library. A folder
 * inside another one is left out, so that it is not scanned twice.
 */
export function parsePlaces(
  payload: Readonly<Record<string, unknown>>,
  roots: readonly string[],
): ScanPlaces | null {
  const { folders, shallow } = payload;
  if (folders === undefined && shallow === undefined) return null;
  const deep = outermost(parseList('folders', folders ?? [], roots));
  const flat = parseList('shallow', shallow ?? [], roots);
  if (deep.length + flat.length === 0)
    throw refusal('folders', 'at least one folder, or be left out to scan the whole library');
  return { folders: deep, shallow: flat.filter((uri) => !deep.some((one) => holds(one, uri))) };
}

function parseList(key: string, value: unknown, roots: readonly string[]): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!Array.isArray(value) || list.length > mostPlaces)
    throw refusal(key, `a list of at most ${mostPlaces} URIs of folders`);
  return [...new Set(list.map((uri) => parsePlace(key, uri, roots)))].sort();
}

function parsePlace(key: string, uri: unknown, roots: readonly string[]): string {
  const isPlain =
    typeof uri === 'string' &&
    uri.length <= 16_384 &&
    /^[\x21-\x7e]+$/.test(uri) &&
    !/\/(\.{0,2})(\/|$)/.test(uri.slice(uri.indexOf('://') + 3));
  if (isPlain && roots.some((root) => holds(root, uri))) return uri;
  throw refusal(
    key,
    `URIs of folders in a root of the library, spelled as the library spells them, without a slash ` +
      `at the end; ${JSON.stringify(uri)} is not one`,
  );
}

/** Folders of the sorted list that are not inside another one. */
function outermost(sorted: readonly string[]): readonly string[] {
  return sorted.filter((uri) => !sorted.some((other) => other !== uri && holds(other, uri)));
}

/** Whether a scan reaches a file: any, if it names no folders. */
export function reaches({ folders, shallow }: Partial<ScanPlaces>, uri: string): boolean {
  if (folders === undefined && shallow === undefined) return true;
  const parent = uri.slice(0, uri.lastIndexOf('/'));
  return (folders ?? []).some((one) => holds(one, uri)) || (shallow ?? []).includes(parent);
}

function holds(folder: string, uri: string): boolean {
  return uri === folder || uri.startsWith(`${folder}/`);
}

function refusal(key: string, right: string): AppError {
  return new AppError('invalid_request', { what: `payload.${key} of a scan must be ${right}.` });
}
