import type { DiskFolder, Host } from '../../plugin-api/index.ts';
import { refusal } from './file-uri.ts';

/**
 * Reads many folders in one host call: the missing one, the folders that are needed next, and folders
 * inside them.
 */
export type FolderReader = ReturnType<typeof createFolderReader>;

/** Folders named in the first call, and the same number inside them; doubled with each call, up to the most. */
const firstBatch = 64;
const maxBatch = 256;
/** Folders that are cached at once. Some are never requested: those below the greatest depth of a walk. */
const mostAhead = 4096;

export interface FolderReaderOptions {
  readonly disk: Pick<Host['disk'], 'list'>;
  /** Extensions of the files to list; all when absent. */
  readonly extensions: readonly string[] | undefined;
  /** Names of files to report separately from the entries. */
  readonly markers: readonly string[];
  /** Names of folders that are never entered. */
  readonly ignore: readonly string[];
  /** Up to `count` folders that are needed next. */
  readonly upcoming: (count: number) => readonly string[];
}

export function createFolderReader(options: FolderReaderOptions) {
  const { disk, extensions, markers, ignore, upcoming } = options;
  const ahead = new Map<string, DiskFolder>();
  let batch = firstBatch;
  let hostCalls = 0;

  async function ask(after: ReadonlyMap<string, string | undefined>, most = 0) {
    hostCalls += 1;
    const starts = [...after].filter((pair): pair is [string, string] => pair[1] !== undefined);
    const { folders } = await disk.list({
      paths: [...after.keys()],
      ...(starts.length > 0 && { after: Object.fromEntries(starts) }),
      ...(extensions && { extensions }),
      ...(markers.length > 0 && { markers }),
      ...(most > 0 && { below: { most, ignore } }),
    });
    return folders;
  }

  function keep(folders: readonly DiskFolder[]): void {
    for (const folder of folders) ahead.set(folder.path, folder);
    for (const oldest of ahead.keys()) {
      if (ahead.size <= mostAhead) break;
      ahead.delete(oldest);
    }
  }

  /** Reads a folder again, from a name on. */
  async function fetch(path: string, after: string | undefined): Promise<DiskFolder> {
    const most = batch;
    const next = upcoming(most - 1);
    batch = Math.min(maxBatch, batch * 2);
    const named = new Map([[path, after], ...next.map((other) => [other, undefined] as const)]);
    const [folder, ...others] = await ask(named, most);
    if (!folder) throw refusal('unreadable', 'The disk did not answer.');
    keep(others);
    return folder;
  }

  return {
    /** A folder; with `after`, only entries that sort after that name. */
    async read(path: string, after: string | undefined): Promise<DiskFolder> {
      const known = ahead.get(path);
      ahead.delete(path);
      return known ?? fetch(path, after);
    },
    readOn: fetch,
    /** Reads ahead some folders that will be requested soon. */
    prepare: async (after: ReadonlyMap<string, string | undefined>): Promise<void> =>
      keep(await ask(after)),
    /** Folders that were read ahead and not requested yet. */
    peek: (path: string): DiskFolder | undefined => ahead.get(path),
    /** Host calls so far. */
    hostCalls: (): number => hostCalls,
  };
}
