import path from 'node:path';
import { createDiskCache } from '../net/index.ts';
import { createArtwork, createAssets, type OpenAsset } from '../streaming/index.ts';
import type { Domains } from './domains.ts';
import type { Ground } from './ground.ts';

/** Of pictures that were cut out of media files, kept on the disk. */
const maxArtworkBytes = 512 * 1024 ** 2;

/** Builds what opens the pictures of items: files, parts of files, or from the network. */
export function composeAssets(
  { config, clock, log }: Ground,
  { kernel, library, files: { filesystems }, waysOut }: Domains,
): OpenAsset {
  const { capabilityConfigOf, providers } = kernel.plugins;
  const folder = path.join(config.data, 'cache/assets');
  return createAssets({
    files: library.files,
    filesystems,
    artwork: createArtwork({
      call: kernel.call,
      providers,
      capabilityConfigOf,
      filesystems,
      cache: createDiskCache({ folder, maxBytes: maxArtworkBytes, log }),
      clock,
    }),
    fetchPicture: waysOut.network.fetchPicture,
  });
}
