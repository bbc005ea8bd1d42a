/** The calls into filesystem plugins, and the validation of their answers. */
import { type CallPlugin, KernelError, type KernelErrorCode } from '../../../kernel/index.ts';
import type {
  DiskChanges,
  FileEntry,
  FileListing,
  FileProblem,
  MethodCatalogue,
  MethodName,
  PageStretch,
} from '../../../plugin-api/index.ts';

type FilesystemMethod = Extract<MethodName, `filesystem.${string}`>;

/** The error codes that a filesystem plugin may use. */
const passed: ReadonlySet<string> = new Set<KernelErrorCode>([
  'not_found',
  'unreadable',
  'outside_root',
  'symlink_loop',
  'invalid_argument',
  'watch_unavailable',
]);

const timeoutMs = 30_000;

/**
 * Calls a filesystem plugin. An error of the plugin keeps its code, where the code is a known one.
 * What `read` throws of an answer is a failure of the plugin.
 */
export async function callFilesystem<M extends FilesystemMethod, T>(
  call: CallPlugin,
  pluginId: string,
  method: M,
  input: MethodCatalogue[M]['input'],
  { read, waitMs = 0 }: { readonly read: (answer: unknown) => T; readonly waitMs?: number },
): Promise<T> {
  try {
    const options = { timeoutMs: timeoutMs + waitMs, check: read };
    return read(await call(pluginId, method, input, options));
  } catch (error) {
    throw named(error);
  }
}

function named(error: unknown): unknown {
  if (!(error instanceof KernelError) || error.code !== 'plugin_failed') return error;
  const { cause } = error;
  const code = isObject(cause) ? cause['code'] : undefined;
  if (!isPassed(code)) return error;
  const said = isObject(cause) ? cause['message'] : undefined;
  const what =
    code === 'invalid_argument' && typeof said === 'string' ? said : 'The file or folder';
  return new KernelError(code, what, { cause: error });
}

const isPassed = (code: unknown): code is KernelErrorCode =>
  typeof code === 'string' && passed.has(code);

const longestParts = 65_536;

/** Text that every database can store; other text is ignored. */
const isPlain = (parts: string): boolean =>
  parts.length <= longestParts && !/[^\x20-\x7e]/.test(parts);

/** The listing; throws for an answer that is not a listing. */
export function toListing(value: unknown): FileListing {
  if (!isObject(value)) throw nonsense('filesystem.list', aListing);
  const { entries, problems, cursor, progress, digest, isKnown, parts, wantsParts, stretches } =
    value;
  if (!isListOf(entries, isEntry))
    throw nonsense('filesystem.list', firstFault(entries, 'entries', entryFault));
  if (!isListOf(problems, isProblem))
    throw nonsense('filesystem.list', 'problems must be a list of {uri, code}');
  if (!isPlace(cursor))
    throw nonsense('filesystem.list', 'cursor must be a text, or null after the last page');
  if (stretches !== undefined && !isListOf(stretches, isStretch))
    throw nonsense('filesystem.list', 'stretches must be a list of {after, through}');
  return {
    entries,
    problems,
    cursor,
    ...(typeof progress === 'number' && { progress }),
    ...(typeof digest === 'string' && { digest }),
    ...(isKnown === true && { isKnown }),
    ...(typeof parts === 'string' && isPlain(parts) && { parts }),
    ...(wantsParts === true && { wantsParts }),
    ...(stretches !== undefined && { stretches }),
  };
}

export function toEntry(value: unknown): FileEntry {
  if (isEntry(value)) return value;
  throw nonsense('filesystem.stat', entryFault(value, 'it') ?? '');
}

/** The bytes, and no more than were asked for. */
export function toBytes(value: unknown, length: number): Uint8Array {
  if (value instanceof Uint8Array && value.length <= length) return value;
  throw nonsense('filesystem.read', `it must be a Uint8Array of at most ${length} bytes`);
}

/** Where the file is on this machine, spelled as in `host.disk`; `null` when it is not. */
export function toDiskPath(value: unknown): string | null {
  if (value === null) return null;
  if (isObject(value) && typeof value['path'] === 'string') return value['path'];
  throw nonsense('filesystem.getLocalPath', 'it must be {path}, or null');
}

/** The paths of many files, in the order of the URIs. */
export function toDiskPaths(value: unknown, count: number): readonly (string | null)[] {
  const paths = isObject(value) ? value['paths'] : undefined;
  if (isListOf(paths, isPlace) && paths.length === count) return paths;
  throw nonsense('filesystem.getLocalPaths', `paths must be a list of ${count} texts or null`);
}

/** Whether a call failed because the plugin lacks the method, which is optional. */
export function isUnknownMethod(error: unknown): boolean {
  if (!(error instanceof KernelError) || !isObject(error.cause)) return false;
  return error.cause['code'] === 'unknown_handler';
}

/** The plugin's check of a root. */
export function toValidity(value: unknown): { readonly ok: boolean; readonly message?: string } {
  if (!isObject(value)) throw nonsense('filesystem.validate', 'it must be {ok, message?}');
  const { ok, message } = value;
  return { ok: ok === true, ...(typeof message === 'string' && { message }) };
}

export function toChanges(value: unknown): DiskChanges {
  if (!isObject(value)) throw nonsense('filesystem.watch', 'it must be {changes, cursor}');
  const { changes, cursor, overflow, isHalf } = value;
  if (!isListOf(changes, isChange) || typeof cursor !== 'string')
    throw nonsense('filesystem.watch', 'changes must be a list of {uri, kind}, and cursor a text');
  return { changes, cursor, overflow: overflow === true, ...(isHalf === true && { isHalf }) };
}

/** A path, or a place in the order of URIs. */
const isPlace = (value: unknown): value is string | null =>
  value === null || typeof value === 'string';

const isStretch = (value: unknown): value is PageStretch =>
  isObject(value) && isPlace(value['after']) && isPlace(value['through']);

type Change = DiskChanges['changes'][number];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isListOf = <T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] =>
  Array.isArray(value) && value.every(is);

const isEntry = (value: unknown): value is FileEntry => entryFault(value, '') === null;

/** What is wrong with an entry at a place of the answer; `null` = nothing. */
function entryFault(value: unknown, at: string): string | null {
  if (!isObject(value)) return `${at} must be an object {uri, kind, size, modifiedAt}`;
  const { uri, kind, size, modifiedAt } = value;
  if (typeof uri !== 'string') return `${at}.uri must be a text`;
  if (kind !== 'file' && kind !== 'folder') return `${at}.kind must be "file" or "folder"`;
  if (!isCount(size)) return `${at}.size must be a whole number of bytes`;
  return Number.isFinite(modifiedAt) ? null : `${at}.modifiedAt must be Unix milliseconds`;
}

function firstFault(
  list: unknown,
  name: string,
  faultOf: (value: unknown, at: string) => string | null,
): string {
  if (!Array.isArray(list)) return `${name} must be a list`;
  for (const [index, one] of list.entries()) {
    const fault = faultOf(one, `${name}[${index}]`);
    if (fault !== null) return fault;
  }
  return '';
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isProblem = (value: unknown): value is FileProblem =>
  isObject(value) && typeof value['uri'] === 'string' && typeof value['code'] === 'string';

const isChange = (value: unknown): value is Change =>
  isObject(value) &&
  typeof value['uri'] === 'string' &&
  (value['kind'] === 'changed' || value['kind'] === 'removed');

const aListing = 'it must be an object {entries, problems, cursor}';

function nonsense(method: string, fault: string): KernelError {
  const what = `The filesystem plugin gave a wrong answer to ${method}: ${fault}.`;
  return new KernelError('plugin_failed', what);
}
