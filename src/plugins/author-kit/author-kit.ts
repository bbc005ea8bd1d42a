/** The packages for plugin authors, as the build made them. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface KitFile {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The files that authors install. */
export type AuthorKit = ReturnType<typeof createAuthorKit>;

/** Creates the kit over its folder in the build; a file is read at its first use. */
export function createAuthorKit(folder: string) {
  const known = new Map<string, KitFile>();
  let listed: Promise<ReadonlySet<string>> | null = null;

  async function listedFiles(): Promise<ReadonlySet<string>> {
    const text = await readFile(path.join(folder, 'index.json'), 'utf8');
    const { packages, lock } = JSON.parse(text) as {
      readonly packages: readonly { readonly file: string }[];
      readonly lock?: { readonly file: string };
    };
    return new Set([
      'index.json',
      ...[...packages, ...(lock ? [lock] : [])].map(({ file }) => file),
    ]);
  }

  return {
    /** `index.json`, or a file that it lists; `undefined` = there is no such file. */
    file: async (name: string): Promise<KitFile | undefined> => {
      const found = known.get(name);
      if (found !== undefined) return found;
      listed ??= listedFiles();
      if (!(await listed.catch(() => new Set())).has(name)) {
        listed = null;
        return undefined;
      }
      const file = toFile(name, await readFile(path.join(folder, name)));
      known.set(name, file);
      return file;
    },
  };
}

/** A package keeps its name when its server is built again, so a client asks each time. */
const toFile = (name: string, bytes: Uint8Array): KitFile => ({
  bytes,
  headers: {
    'content-type': name.endsWith('.json') ? 'application/json; charset=utf-8' : 'application/gzip',
    'cache-control': 'no-cache',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  },
});
