/** Faults of the folders of a library. */
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../servers/server.ts';
import { mount, unmount } from './disk-faults.ts';
import type { ToldFault, ToldServer } from './told-server.ts';

const film = async (folder: string, name: string): Promise<void> => {
  await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, name, `${name}.mkv`), name);
};

/** The folder of the library of such a server. */
export const filmsOf = (data: string): string =>
  path.join(path.dirname(data), `${path.basename(data)}-films`);

export async function writeFilms(data: string): Promise<void> {
  for (const name of ['Alien (1979)', 'Brazil (1985)']) await film(filmsOf(data), name);
}

interface Job {
  readonly status: string;
}

/** Scans the library, and waits for the end. */
export async function scan({ ask }: ToldServer): Promise<void> {
  const { libraries } = (await ask('GET', '/api/libraries')) as {
    libraries: readonly { readonly id: string }[];
  };
  const body = { type: 'scan', libraryId: libraries[0]?.id };
  const { job } = (await ask('POST', '/api/jobs', body)) as { job: { readonly id: string } };
  const isOver = async (): Promise<boolean> => {
    const reply = (await ask('GET', `/api/jobs/${job.id}`)) as { job: Job };
    return reply.job.status !== 'pending' && reply.job.status !== 'running';
  };
  await until('the scan is over', isOver, undefined, 100);
}

const away = (root: string): string => `${root}-away`;

const back = async (root: string): Promise<void> => {
  await rm(root, { recursive: true, force: true });
  await rename(away(root), root);
};

const inFolder = (
  name: string,
  code: ToldFault['code'],
  breaks: (root: string) => unknown,
  mends: (root: string) => unknown,
): ToldFault => ({
  name,
  code,
  induce: async (server) => {
    await breaks(filmsOf(server.data));
    await scan(server);
  },
  heal: async (server) => {
    await mends(filmsOf(server.data));
    await scan(server);
  },
});

const linked = (name: string, target: (root: string) => string): ToldFault =>
  inFolder(
    name,
    'library_incomplete',
    (root) => symlink(target(root), path.join(root, 'link')),
    (root) => rm(path.join(root, 'link')),
  );

const deep = Array.from({ length: 70 }, () => 'd').join('/');

/** They take no rights. */
export const folderFaults: readonly ToldFault[] = [
  inFolder('A root is gone', 'library_unreachable', (root) => rename(root, away(root)), back),
  inFolder(
    'A root is empty',
    'library_unreachable',
    async (root) => {
      await rename(root, away(root));
      await mkdir(root);
    },
    back,
  ),
  inFolder(
    'A file is in the place of a root',
    'library_unreachable',
    async (root) => {
      await rename(root, away(root));
      await writeFile(root, 'not a folder');
    },
    back,
  ),
  linked('A link leads nowhere', () => '/nowhere/at/all'),
  linked('A link leads to the folder it is in', (root) => root),
  linked('A link leads out of the library', () => '/usr'),
  inFolder(
    'Folders are too deep',
    'library_incomplete',
    (root) => mkdir(path.join(root, deep), { recursive: true }),
    (root) => rm(path.join(root, 'd'), { recursive: true }),
  ),
];

const disk = (root: string): string => path.join(root, 'disk');
const mountDisk = (folder: string): boolean => mount('-t', 'tmpfs', 'none', folder);

/** A disk below the root, with a film on it that was scanned. */
async function withDisk(server: ToldServer): Promise<string> {
  const folder = disk(filmsOf(server.data));
  await mkdir(folder, { recursive: true });
  mountDisk(folder);
  await film(folder, 'Cube (1997)');
  await scan(server);
  return folder;
}

/** They take the right to mount. */
export const mountedFaults: readonly ToldFault[] = [
  {
    name: 'Another disk is mounted on a root',
    code: 'library_unreachable',
    induce: async (server) => {
      const root = filmsOf(server.data);
      mountDisk(root);
      await film(root, 'Dune (1984)');
      await scan(server);
    },
    heal: async (server) => {
      unmount(filmsOf(server.data));
      await scan(server);
    },
  },
  {
    name: 'A disk below a root is not mounted',
    code: 'library_unreachable',
    induce: async (server) => {
      unmount(await withDisk(server));
      await scan(server);
    },
    heal: async (server) => {
      await withDisk(server);
    },
  },
  {
    name: 'A disk below a root is empty',
    code: 'library_unreachable',
    induce: async (server) => {
      const folder = disk(filmsOf(server.data));
      unmount(folder);
      mountDisk(folder);
      await scan(server);
    },
    heal: async (server) => {
      await film(disk(filmsOf(server.data)), 'Cube (1997)');
      await scan(server);
    },
  },
];
