/** The files of a web server: folders as JSON from nginx, and ranges of files. */
import { toFetchedBytes, type FileEntry, type Host } from '@vitrine/plugin-api';
import type { Configuration } from './configuration.ts';

/** The operations on the web server. */
export interface WebFiles {
  /** Whether it is the topmost folder. */
  readonly isTop: (uri: string) => boolean;
  /** The entries of a folder, in any order. */
  readonly list: (folder: string) => Promise<readonly FileEntry[]>;
  /** Fewer bytes at the end of the file. */
  readonly read: (file: string, offset: number, length: number) => Promise<Uint8Array>;
}

/** An error with a code that the server understands: `not_found`, `unreadable`, `invalid_argument`. */
export const fault = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

const top = 'template-filesystem-scheme://files';

/** Creates it over the host. */
export function createWebFiles({
  net,
  config,
}: Pick<Host<Configuration>, 'net' | 'config'>): WebFiles {
  /** A URI's names are encoded like a URL's, so the part after the top is the URL's path. */
  async function addressOf(uri: string): Promise<string> {
    const { address } = await config.get({});
    if (address === undefined || !URL.canParse(address))
      throw fault('invalid_argument', 'Enter the address of the files in the configuration first.');
    if (uri !== top && !uri.startsWith(`${top}/`))
      throw fault('not_found', `A root is ${top}, or a folder of it such as ${top}/films.`);
    return address.replace(/\/+$/, '') + uri.slice(top.length);
  }

  return {
    isTop: (uri) => uri === top,
    list: async (folder) => {
      const url = `${await addressOf(folder)}/`;
      const { status, body } = await net.fetch({ url, maxAge: 0 });
      if (status !== 200) throw statusFault(status);
      return entriesIn(folder, body);
    },
    read: async (file, offset, length) => {
      const range = `bytes=${offset}-${offset + length - 1}`;
      const url = await addressOf(file);
      const asked = { url, headers: { range }, bodyAs: 'bytes' } as const;
      const { status, bodyBytes } = toFetchedBytes(await net.fetch(asked));
      if (status === 416) return new Uint8Array();
      // 200 is the whole file, from a server without ranges or for an empty file.
      if (status === 200) return bodyBytes.slice(offset, offset + length);
      if (status !== 206) throw statusFault(status);
      return bodyBytes.slice(0, length);
    },
  };
}

function statusFault(status: number): Error {
  const code = status === 404 || status === 410 ? 'not_found' : 'unreadable';
  return fault(code, `The web server answered ${status}.`);
}

/** The listing is untrusted: invalid entries are left out. */
function entriesIn(folder: string, body: string): readonly FileEntry[] {
  const listed = parse(body);
  if (!Array.isArray(listed))
    throw fault(
      'unreadable',
      'The web server does not return JSON: it needs autoindex_format json.',
    );
  return listed.flatMap((one: unknown): readonly FileEntry[] => {
    if (typeof one !== 'object' || one === null) return [];
    const { name, type, size, mtime } = one as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || !isName(name)) return [];
    const uri = `${folder}/${encodeURIComponent(name)}`;
    const time = typeof mtime === 'string' ? Date.parse(mtime) : Number.NaN;
    const modifiedAt = Number.isFinite(time) ? time : 0;
    if (type === 'directory') return [{ uri, kind: 'folder', size: 0, modifiedAt }];
    if (type !== 'file' || !Number.isSafeInteger(size) || Number(size) < 0) return [];
    return [{ uri, kind: 'file', size: Number(size), modifiedAt }];
  });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name) && name.isWellFormed();
