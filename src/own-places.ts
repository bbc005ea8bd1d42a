/**
 * The places of the server itself, and of the system, where no library may be. A plugin that reads
 * libraries would read the keys, passwords and secrets there, and whoever sees the library as well. One
 * list is asked when a library gets a root, when the server starts, and by the disk at every read: what
 * moves later is found out by the last.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, type Config } from './config.ts';

/** A place of the server, or of the system. */
export interface OwnPlace {
  /** As it stands in a message: `the backup folder of the server`. */
  readonly what: string;
  /** Absolute plain path. */
  readonly path: string;
  /** It is a file; all that begins with its name belongs to it. */
  readonly isFile?: boolean;
  /** The setting that says where it is; absent for places of the system. */
  readonly setting?: string;
  /** A folder in it that is like any other. */
  readonly but?: string;
}

const sqlite = 'sqlite:';

/**
 * All of them. In the data folder are packages, caches, copies and keys. What lies in `/dev/shm` is
 * ordinary files in memory.
 */
export function ownPlaces({
  data,
  database,
  backupFolder,
}: Pick<Config, 'data' | 'database' | 'backupFolder'>): readonly OwnPlace[] {
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
    { what: '/proc, which the system makes up', path: '/proc' },
    { what: '/sys, which the system makes up', path: '/sys' },
    { what: '/dev, which holds devices', path: '/dev', but: '/dev/shm' },
  ];
}

/** The first place that a folder is, lies in or holds, with the links of both followed. */
export function placeTouching(places: readonly OwnPlace[], folder: string): OwnPlace | undefined {
  const ways = [path.resolve(folder), realPathOf(folder)];
  return places.find((place) => ways.some((way) => isTouching(place, way)));
}

/** A library that is there, by its name and the plain paths of its roots on this machine. */
export interface LocatedLibrary {
  readonly name: string;
  readonly paths: readonly string[];
}

/** Refuses to start with settings that put a place of the server into a library, or the other way round. */
export function assertApartFromLibraries(
  places: readonly OwnPlace[],
  libraries: readonly LocatedLibrary[],
): void {
  const own = places.filter(({ setting }) => setting !== undefined);
  for (const { name, paths } of libraries)
    for (const root of paths) {
      const place = placeTouching(own, root);
      if (place === undefined) continue;
      throw new ConfigError(
        `${place.setting ?? ''}: ${place.what} (${place.path}) and the root ${root} of the library ${name} lie in each other; whoever reads the library would read the server's secrets. Move one of them.`,
      );
    }
}

function isTouching(place: OwnPlace, folder: string): boolean {
  const ways = [place.path, realPathOf(place.path)];
  if (ways.some((way) => isWithin(way, folder))) return true;
  if (place.but !== undefined && isWithin(folder, place.but)) return false;
  return ways.some(
    (way) => isWithin(folder, way) || (place.isFile === true && folder.startsWith(way)),
  );
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer === '/' ? outer : `${outer}/`);
}

/** With every link followed, as far as it is there. */
function realPathOf(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(realPathOf(parent), path.basename(place));
  }
}
