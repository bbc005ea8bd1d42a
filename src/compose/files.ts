/** The way to media files, wherever they are: on the disk, or behind a plugin. */
import path from 'node:path';
import type { Kernel } from '../../kernel/index.ts';
import { touchesDataFolder } from '../data-folder.ts';
import { createDisk, watchTree } from '../disk/index.ts';
import {
  createDiskRoots,
  createFilesystems,
  createFsService,
  createLocalCopies,
  type Filesystems,
  type LocalCopies,
} from '../filesystems/index.ts';
import type { IngestionParts } from '../ingestion/index.ts';
import type { MakeFingerprints, ValidateRoot } from '../library/index.ts';
import type { PluginReach } from '../plugin-reach/index.ts';
import type { Ground } from './ground.ts';

/** The file systems of a server. */
export interface MediaFiles {
  readonly filesystems: Filesystems;
  readonly localCopies: LocalCopies;
  readonly validateRoot: ValidateRoot;
  readonly fingerprints: MakeFingerprints;
  readonly withLocalFiles: IngestionParts['withLocalFiles'];
}

/** Builds them over the roots of the libraries, and offers them to plugins. */
export function composeFiles(
  { config, built, pace, newId, holds, log }: Ground,
  { call, plugins, provide }: Kernel,
  {
    roots,
    reach,
  }: {
    readonly roots: () => readonly string[];
    readonly reach: Pick<PluginReach, 'rootsWithin' | 'rootsOf'>;
  },
): MediaFiles {
  const { filesystemFor } = plugins;
  const disk = createDisk({
    grantedRoots: createDiskRoots({
      roots,
      filesystemFor,
      rootsWithin: (id, all) => reach.rootsWithin(plugins.reachOf(id), all),
    }),
    workerScript: path.join(built.folder, 'disk-worker.mjs'),
    watchTree,
    newEpoch: newId,
    log,
  });
  holds(disk.close);
  const filesystems = createFilesystems({
    call,
    filesystemFor,
    hasLocalFiles: (id) =>
      plugins.get(id).capabilityConfig.filesystem?.supportsLocalFileAccess ?? false,
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
  provide(createFsService(filesystems, pace, roots, reach.rootsOf));

  return {
    filesystems,
    localCopies,
    validateRoot: async (uri) => {
      const answer = await filesystems.validate(uri);
      const local = answer.ok ? await filesystems.localPath(uri) : null;
      if (local === null || !touchesDataFolder(config.data, local)) return answer;
      return { ok: false, message: 'It holds the data folder of the server, or lies in it.' };
    },
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
