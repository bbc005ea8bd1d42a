/** The folders of this machine, from which an admin chooses those of a library. */
import type { DiskFolder } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import { encodePlainPath, parsePath, toPlainPath, type Disk } from '../disk/index.ts';
import type { FolderPage } from '../../contract/resources/library/folders.ts';

/**
 * The name under which the disk reads whole folders of the machine. It is not the id of a plugin,
 * which cannot begin with `#`.
 */
export const folderReader = '#folders';

/** Lists folders. */
export type Folders = ReturnType<typeof createFolders>;

/** The most entries of one listing. */
const mostFolders = 1000;

/**
 * Creates it. The disk follows links first, and neither lists the folders that the server keeps for
 * itself nor what links to them.
 */
export function createFolders({ list }: Pick<Disk, 'list'>) {
  return {
    /** The folders in this one, by name; names that begin with a dot are left out. */
    list: async (path: string): Promise<FolderPage> => {
      const place = checked(path);
      const reply = await list(folderReader, {
        paths: [encodePlainPath(place)],
        extensions: [],
        limit: mostFolders,
      });
      const text = typeof reply === 'string' ? reply : new TextDecoder().decode(reply);
      const [folder] = (JSON.parse(text) as { readonly folders: readonly DiskFolder[] }).folders;
      return pageOf(place, folder);
    },
  };
}

/** The path without a slash at its end. Refuses what is not one plain absolute path. */
function checked(path: string): string {
  const names = path.split('/').filter((name) => name !== '');
  const isPlain = !path.includes('\0') && !names.some((name) => name === '.' || name === '..');
  if (path.startsWith('/') && isPlain) return `/${names.join('/')}`;
  throw new AppError('invalid_request', {
    what: 'query.path must be a whole path, such as /media/films, without "." and "..".',
  });
}

function pageOf(path: string, folder: DiskFolder | undefined): FolderPage {
  if (folder === undefined || folder.error !== undefined)
    throw refusalOf(path, folder?.error?.code);
  const inside = path === '/' ? '' : path;
  const names = folder.entries
    .filter(({ kind }) => kind === 'folder')
    .flatMap(({ name }) => plainName(name) ?? [])
    .filter((name) => !name.startsWith('.'))
    .sort((a, b) => a.localeCompare(b, 'en'));
  return {
    path,
    parent: path === '/' ? null : path.slice(0, path.lastIndexOf('/')) || '/',
    folders: names.map((name) => ({ name, path: `${inside}/${name}` })),
    complete: folder.remaining === undefined,
  };
}

/** A name that is not UTF-8 cannot be shown, nor sent back. */
const plainName = (encoded: string): string | null =>
  toPlainPath(parsePath(`/${encoded}`))?.slice(1) ?? null;

function refusalOf(path: string, code: string | undefined): AppError {
  if (code === 'not_found') return new AppError('not_found', { what: `The folder ${path}` });
  const why = code === 'outside_root' ? 'is kept for the server itself' : 'cannot be read';
  return new AppError('invalid_request', {
    what: `The folder ${path} ${why}. Choose another one.`,
  });
}
