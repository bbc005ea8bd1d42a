/** Every fault whose telling is recorded, in groups that share a server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasPostgres } from '../storage/postgres.ts';
import {
  backupDiskFaults,
  backupFaults,
  dataDiskFaults,
  failedReads,
  mount,
  refusedWrites,
  unmount,
} from './disk-faults.ts';
import { filmsOf, folderFaults, mountedFaults, scan, writeFilms } from './library-faults.ts';
import {
  damage,
  keyFaults,
  openAwayPostgres,
  openExpiredSource,
  pluginFaults,
  taskFault,
  taskFlags,
} from './part-faults.ts';
import { openToldServer, type Told, type ToldFault, type ToldServer } from './told-server.ts';

type Note = (fault: ToldFault, told: Told) => Promise<void>;

/** Faults that share a server. */
export interface ToldGroup {
  readonly name: string;
  readonly run: (note: Note) => Promise<void>;
}

async function each(server: ToldServer, faults: readonly ToldFault[], note: Note): Promise<void> {
  for (const fault of faults) await note(fault, await server.tell(fault));
}

/** Runs faults on a server of their own. */
const group = (
  name: string,
  faults: readonly ToldFault[],
  open: () => Promise<ToldServer>,
): ToldGroup => ({
  name,
  run: async (note) => {
    const server = await open();
    try {
      await each(server, faults, note);
    } finally {
      await server.close();
    }
  },
});

/** A server with a library that was scanned. */
export async function openWithFilms(): Promise<ToldServer> {
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-told-'));
  await writeFilms(data);
  const library = [`movies:Films:${filmsOf(data)}`];
  const server = await openToldServer({ library, ingest: 'off' }, { data });
  await scan(server);
  return {
    ...server,
    close: async () => {
      await server.close();
      unmount(path.join(filmsOf(data), 'disk'));
      for (const folder of [data, filmsOf(data)])
        await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A server whose data folder is a disk of its own. */
async function openOnDisk(): Promise<ToldServer> {
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-told-'));
  mount('-t', 'tmpfs', '-o', 'size=2500m', 'none', data);
  const server = await openToldServer({}, { data });
  return {
    ...server,
    close: async () => {
      await server.close();
      unmount(data);
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function canMount(): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-mount-'));
  const isMounted = mount('-t', 'tmpfs', 'none', folder);
  if (isMounted) unmount(folder);
  await rm(folder, { recursive: true });
  return isMounted;
}

/** The groups that this machine allows. */
export async function toldGroups(): Promise<readonly ToldGroup[]> {
  const mayMount = await canMount();
  if (!mayMount)
    console.error('Without the right to mount, the faults of real disks are left out.');
  return [
    ...(mayMount ? [group('data disk', dataDiskFaults, openOnDisk)] : []),
    group('backups', [...(mayMount ? backupDiskFaults : []), ...backupFaults], () =>
      openToldServer(),
    ),
    group('writes', refusedWrites, () => openToldServer()),
    group('reads', [...failedReads, damage], () => openToldServer()),
    group('library', [...folderFaults, ...(mayMount ? mountedFaults : [])], openWithFilms),
    group('plugins', pluginFaults, () => openToldServer()),
    group('keys', keyFaults, () => openToldServer()),
    group('tasks', [taskFault], () => openToldServer(taskFlags)),
    {
      name: 'source',
      run: async (note) => {
        const { fault, close } = await openExpiredSource();
        try {
          await group('source', [fault], () => openToldServer()).run(note);
        } finally {
          await close();
        }
      },
    },
    ...(hasPostgres() ? [postgres] : []),
  ];
}

const postgres: ToldGroup = {
  name: 'postgres',
  run: async (note) => {
    const { url, fault, close } = await openAwayPostgres();
    const open = () => openToldServer({ database: url });
    try {
      await group('postgres', [fault], open).run(note);
    } finally {
      await close();
    }
  },
};
