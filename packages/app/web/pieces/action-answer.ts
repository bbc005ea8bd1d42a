/**
 * The answer of a plugin to an action, parsed as a stranger's: a text, a page of the app to go to, and a
 * file to save. Pages where people accept or manage something are left out, and so are queries: a plugin
 * leads nobody there.
 */

export interface ActionAnswer {
  readonly message: string | undefined;
  /** The path of a page. */
  readonly go: string | undefined;
  readonly file: AnsweredFile | undefined;
}

/** A file that the browser saves. */
export interface AnsweredFile {
  readonly name: string;
  readonly text: string;
  readonly type: string;
}

const longestMessage = 300;
const longestFile = 4 * 1024 * 1024;
const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  txt: 'text/plain',
};
const ofAnything =
  /^\/(?:lists|(?:items|libraries|lists|shows|seasons|albums|artists|people|genres|series|studios|entities)\/[A-Za-z0-9-]{1,100})$/;

const textIn = (value: unknown, longest: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;

/** What the plugin answered, without what has no known form. */
export function parseAnswer(result: unknown, pluginId: string): ActionAnswer {
  const { message, go, file }: Readonly<Record<string, unknown>> =
    typeof result === 'object' && result !== null ? { ...result } : { message: result };
  return {
    message:
      typeof message === 'string' && message !== '' ? message.slice(0, longestMessage) : undefined,
    go: pageOf(textIn(go, 200), pluginId),
    file: fileOf(file),
  };
}

function pageOf(path: string | undefined, pluginId: string): string | undefined {
  if (path === undefined) return undefined;
  const own = `/plugins/${encodeURIComponent(pluginId)}`;
  return path === own || ofAnything.test(path) ? path : undefined;
}

function fileOf(file: unknown): AnsweredFile | undefined {
  if (typeof file !== 'object' || file === null) return undefined;
  const { name: given, text: words }: { readonly name?: unknown; readonly text?: unknown } = file;
  const [name, text] = [textIn(given, 100), textIn(words, longestFile)];
  const ending = /^[\p{L}\p{N}][\p{L}\p{N} _-]*\.(csv|json|txt)$/u.exec(name ?? '')?.[1] ?? '';
  const type = types[ending];
  return name === undefined || text === undefined || type === undefined
    ? undefined
    : { name, text, type };
}

/** Has the browser save the file; it is never opened. */
export function save({ name, text, type }: AnsweredFile): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}
