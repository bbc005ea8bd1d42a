/**
 * The files of the pages. Their scripts hold the user's key for moments, so the policy is as strict
 * as a browser supports, and only files with the hash that the build recorded are served.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A file of the pages, ready to be served. */
export interface PageFile {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export type PageFiles = ReturnType<typeof createPageFiles>;

/** Paths at which the shell is served; `:requestId` is one segment. */
export const pagePaths = [
  '/',
  '/pair',
  '/pair/:requestId',
  '/link/:requestId',
  '/recover',
  '/developer',
] as const;

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

/**
 * A page loads only files of this broker, cannot be framed, and never turns text into script.
 * `wasm-unsafe-eval` is needed for argon2id: it allows WebAssembly, and no script from text.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Creates the files over the folder of the build; each file is read at its first use. */
export function createPageFiles({ folder }: { readonly folder: string }) {
  let listed: Promise<ReadonlyMap<string, string>> | undefined;
  const known = new Map<string, Promise<PageFile>>();

  async function load(name: string, type: string, sha256: string): Promise<PageFile> {
    const bytes = await readFile(path.join(folder, name));
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (digest !== sha256)
      throw new Error(`The page file ${name} does not have the hash of the build.`);
    return {
      bytes,
      headers: {
        'content-type': type,
        'content-security-policy': pagePolicy,
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy':
          'publickey-credentials-get=(self), publickey-credentials-create=(self)',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        etag: `"${digest.slice(0, 32)}"`,
      },
    };
  }

  /** A file under `/pages/`; `undefined` = there is no such file. */
  const file = async (name: string): Promise<PageFile | undefined> => {
    listed ??= readBundle(folder);
    const sha256 = (await listed).get(name);
    const type = types.get(path.extname(name));
    if (sha256 === undefined || type === undefined) return undefined;
    const found = known.get(name) ?? load(name, type, sha256);
    known.set(name, found);
    found.catch(() => known.delete(name));
    return found;
  };

  return {
    file,
    /** The shell, at each address that is a page. */
    shell: async (): Promise<PageFile> => {
      const shell = await file('index.html');
      if (shell === undefined) throw new Error('The pages have no index.html: build them.');
      return shell;
    },
  };
}

/** Each file of the build, with its SHA-256. */
async function readBundle(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(folder, 'bundle.json'), 'utf8');
  const { files } = JSON.parse(text) as { readonly files: Readonly<Record<string, string>> };
  return new Map(Object.entries(files));
}
