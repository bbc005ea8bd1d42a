/**
 * Reserved places of the server and of the system, where no library may be: plugins and users who
 * read the library could read keys, passwords and secrets there. The list is checked when a library
 * gets a root, when the server starts, and by the disk at every read, which also detects later
 * moves.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, type Config } from './config.ts';

/** A reserved place of the server, or of the system. */
export interface ReservedPlace {
  /** Its name in messages: `the backup folder of the server`. */
  readonly what: string;
  /** Absolute plain path. */
  readonly path: string;
  /** It is a file; all files whose name begins with its name belong to it. */
  readonly isFile?: boolean;
  /** The setting that sets it; absent for places of the system. */
  readonly setting?: string;
  /** A folder in it that is not reserved. */
  readonly except?: string;
}

const sqlite = 'sqlite:';

const ofSystem = (path: string): ReservedPlace => ({
  what: `${path}, a folder of the system`,
  path,
});

/**
 * Folders of the system that never hold media. `SECURITY.md` names them. People keep media in others,
 * such as `/root`, `/var/lib`, or `/run/media`, where a desktop mounts disks.
 */
export const systemPlaces: readonly ReservedPlace[] = [
  { what: '/proc, which the kernel generates', path: '/proc' },
  { what: '/sys, which the kernel generates', path: '/sys' },
  { what: '/dev, which holds devices', path: '/dev', except: '/dev/shm' },
  ...['/etc', '/boot', '/bin', '/sbin', '/lib', '/lib64'].map(ofSystem),
  { ...ofSystem('/run'), except: '/run/media' },
  { ...ofSystem('/usr'), except: '/usr/local' },
];

/**
 * All reserved places. The data folder contains packages, caches, copies and keys. `/dev/shm`
 * contains ordinary files in memory.
 */
export function reservedPlaces({
  data,
  database,
  backupFolder,
}: Pick<Config, 'data' | 'database' | 'backupFolder'>): readonly ReservedPlace[] {
  return [
    { what: 'the data folder of the server', path: path.resolve(data), setting: '--data' },
    ...(database.startsWith(sqlite)
      ? [
          {
            what: 'the database of the server',
            path: path.resolve(database.slice(sqlite.length)),
            isFile: true,
            setting: '--database',
          },
        ]
      : []),
    {
      what: 'the backup folder of the server',
      path: path.resolve(backupFolder),
      setting: '--backup-folder',
    },
    ...systemPlaces,
  ];
}

/** The first place that equals, contains or lies in the folder, with the links of both followed. */
export function overlappingPlace(
  places: readonly ReservedPlace[],
  folder: string,
): ReservedPlace | undefined {
  const ways = [path.resolve(folder), realPathOf(folder)];
  return places.find((place) => ways.some((way) => isTouching(place, way)));
}

/** A library with its name and the plain paths of its folders on this machine. */
export interface LocatedLibrary {
  readonly name: string;
  readonly paths: readonly string[];
}

/** Refuses to start if a reserved place is in a library, or the other way round. */
export function assertNoOverlap(
  places: readonly ReservedPlace[],
  libraries: readonly LocatedLibrary[],
): void {
  const own = places.filter(({ setting }) => setting !== undefined);
  for (const { name, paths } of libraries)
    for (const root of paths) {
      const place = overlappingPlace(own, root);
      if (place === undefined) continue;
      throw new ConfigError(
        `${place.setting ?? ''}: ${place.what} (${place.path}) and the folder ${root} of the library ${name} overlap, so readers of the library could read the server's secrets. Move one of them.`,
      );
    }
}

function isTouching(place: ReservedPlace, folder: string): boolean {
  const ways = [place.path, realPathOf(place.path)];
  if (ways.some((way) => isWithin(way, folder))) return true;
  if (place.except !== undefined && isWithin(folder, place.except)) return false;
  return ways.some(
    (way) => isWithin(folder, way) || (place.isFile === true && folder.startsWith(way)),
  );
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer === '/' ? outer : `${outer}/`);
}

/** The path with all links followed, as far as it exists. */
function realPathOf(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(realPathOf(parent), path.basename(place));
  }
}
