/**
 * Reads that are confined to some roots, with every link followed. Bytes are confined by the disk itself;
 * what a folder holds is asked of the plugin that serves it, which follows links to wherever it may go,
 * so here each name is held against the roots before it is told.
 */
import { KernelError } from '../../kernel/index.ts';
import type { FileListing } from '../../plugin-api/index.ts';
import type { FileReads } from './file-reads.ts';

/** Reads below the roots, of which only listings and facts can still lead out. */
type RootedReads = FileReads & {
  readonly localPath: (uri: string) => Promise<string | null>;
};

/** Creates them. What a link leads out to is `permission_denied`, and left out of listings. */
export function createConfinedReads(files: RootedReads): FileReads {
  async function assertWithin(uri: string): Promise<void> {
    await files.localPath(uri);
  }

  async function withoutStrays(listing: FileListing): Promise<FileListing> {
    const { entries } = listing;
    if (entries.length === 0) return listing;
    const places = await files.localPaths(entries.map(({ uri }) => uri));
    const kept = entries.filter(({ uri }) => places.get(uri)?.kind !== 'nowhere');
    return kept.length === entries.length ? listing : { ...listing, entries: kept };
  }

  return {
    localPaths: files.localPaths,
    readRanges: files.readRanges,
    read: (input) => denying(() => files.read(input)),
    open: (uri) => denying(() => files.open(uri)),
    stat: (uri) =>
      denying(async () => {
        await assertWithin(uri);
        return files.stat(uri);
      }),
    list: (input) =>
      denying(async () => {
        await assertWithin(input.uri);
        if (input.ignoreFilesFrom !== undefined) await assertWithin(input.ignoreFilesFrom);
        return withoutStrays(await files.list(input));
      }),
  };
}

/** What lies elsewhere is not the asker's to know: not even that it is there. */
async function denying<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof KernelError) || error.code !== 'outside_root') throw error;
    throw new KernelError('permission_denied', 'files outside of the libraries', { cause: error });
  }
}
