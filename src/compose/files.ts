/** Access to media files: on the disk, or through a plugin. */
import path from 'node:path';
import type { Kernel } from '../../kernel/index.ts';
import { createFolders, folderReader, type Folders } from '../files/folders/index.ts';
import { createDisk, parsePath, toPlainPath, watchTree } from '../files/disk/index.ts';
import {
  createDiskRoots,
  createFilesystems,
  createFsService,
  createLocalCopies,
  toDiskRoots,
  type Filesystems,
  type LocalCopies,
} from '../files/filesystems/index.ts';
import type { IngestionParts } from '../library/ingestion/index.ts';
import type {
  FoldersOfLibrary,
  Libraries,
  MakeFingerprints,
  ValidateRoot,
} from '../library/catalogue/index.ts';
import { assertNoOverlap, reservedPlaces, overlappingPlace } from '../platform/reserved-places.ts';
import type { PluginReach } from '../plugins/scopes/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/** The file systems of a server. */
export interface MediaFiles {
  readonly filesystems: Filesystems;
  readonly localCopies: LocalCopies;
  readonly folders: Folders;
  readonly validateRoot: ValidateRoot;
  /**
   * Refuses to start if a library contains a reserved folder of the server, or the other way round.
   */
  readonly assertNoOverlap: (libraries: readonly FoldersOfLibrary[]) => void;
  readonly fingerprints: MakeFingerprints;
  readonly withLocalFiles: IngestionParts['withLocalFiles'];
}

const prefix = 'file://';

/** Builds them over the roots of the libraries, and provides their host services. */
export function composeFiles(
  { config, built, background, newId, holds, log }: Infrastructure,
  { call, plugins, provide }: Kernel,
  {
    roots,
    folders,
    reach,
  }: {
    readonly roots: () => readonly string[];
    readonly folders: Libraries['folders'];
    readonly reach: Pick<PluginReach, 'rootsWithin' | 'rootsOf' | 'seesOf'>;
  },
): MediaFiles {
  const { filesystemFor } = plugins.providers;
  const places = reservedPlaces(config);
  const rootsOfPlugin = createDiskRoots({
    roots,
    filesystemFor,
    rootsWithin: (id, all) => reach.rootsWithin(plugins.grants.reachOf(id), all),
  });
  const disk = createDisk({
    grantedRoots: (id) => (id === folderReader ? ['/'] : rootsOfPlugin(id)),
    libraries: (id) =>
      id === folderReader
        ? []
        : folders().map((one) => ({
            roots: toDiskRoots(one.roots),
            links: one.links.flatMap((link) => {
              const [root, folder] = toDiskRoots([link.root, link.folder]);
              return root === undefined || folder === undefined ? [] : [{ root, folder }];
            }),
          })),
    workerScript: path.join(built.folder, 'disk-worker.mjs'),
    barred: places.filter(({ except }) => except === undefined),
    watchTree,
    newEpoch: newId,
    log,
  });
  holds(disk.close);
  const filesystems = createFilesystems({
    call,
    filesystemFor,
    hasLocalFiles: (id) =>
      plugins.registry.get(id).capabilityConfig.filesystem?.supportsLocalFileAccess ?? false,
    roots,
    disk,
  });
  const localCopies = createLocalCopies({
    filesystems,
    folder: path.join(config.data, 'cache/local-files'),
    limitBytes: config.localCopiesGb * 1024 ** 3,
    newId,
    log,
  });
  provide(disk.service);
  provide(
    createFsService(filesystems, background, {
      roots,
      rootsOf: reach.rootsOf,
      seesOf: reach.seesOf,
    }),
  );

  return {
    filesystems,
    localCopies,
    folders: createFolders(disk),
    validateRoot: async (uri) => {
      const local = localPathOf(uri);
      const place = local === null ? undefined : overlappingPlace(places, local);
      if (place === undefined) return filesystems.validate(uri);
      return { ok: false, isReserved: true, message: `It contains ${place.what}, or lies in it.` };
    },
    assertNoOverlap: (libraries) =>
      assertNoOverlap(
        places,
        libraries.map(({ name, roots: own, links }) => ({
          name,
          paths: [...own, ...links.map(({ folder }) => folder)].flatMap(
            (uri) => localPathOf(uri) ?? [],
          ),
        })),
      ),
    fingerprints: async (uris) => {
      const made = await filesystems.fingerprints(uris);
      return new Map(uris.flatMap((uri, index) => (made[index] ? [[uri, made[index]]] : [])));
    },
    withLocalFiles: async (uris, work) => {
      const held = await localCopies.hold(uris);
      try {
        return await work(held.paths);
      } finally {
        await held.release();
      }
    },
  };
}

/** The plain path of a root on this machine; `null` for a remote or invalid one. */
function localPathOf(uri: string): string | null {
  if (!uri.startsWith(prefix)) return null;
  try {
    return toPlainPath(parsePath(uri.slice(prefix.length) || '/'));
  } catch {
    return null;
  }
}
