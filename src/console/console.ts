import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A file of the pages, ready to be served. */
export interface ConsoleFile {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The pages of the server: one shell for all of them, and its files. */
export interface Console {
  /** `undefined` = there is no such file. */
  readonly file: (name: string) => Promise<ConsoleFile | undefined>;
}

/** The files that are served, with their types; no other file of the folder is. */
const types: ReadonlyMap<string, string> = new Map([
  ['index.html', 'text/html; charset=utf-8'],
  ['main.js', 'text/javascript; charset=utf-8'],
  ['style.css', 'text/css; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
]);

/**
 * The content security policy: a page loads only files of this server, cannot be framed, and never
 * turns text into script (Trusted Types).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Creates the pages over the folder of the build; a file is read at its first use. */
export function createConsole({ folder }: { readonly folder: string }): Console {
  const known = new Map<string, Promise<ConsoleFile>>();

  async function load(name: string, type: string): Promise<ConsoleFile> {
    const bytes = await readFile(path.join(folder, name));
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return {
      bytes,
      headers: {
        'content-type': type,
        'content-security-policy': policy,
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
        etag: `"${digest}"`,
      },
    };
  }

  return {
    file: async (name) => {
      const type = types.get(name);
      if (type === undefined) return undefined;
      const file = known.get(name) ?? load(name, type);
      known.set(name, file);
      return file;
    },
  };
}
