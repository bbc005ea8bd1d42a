import path from 'node:path';
import { createDiskCache, type Picture } from '../platform/net/index.ts';
import {
  createArtwork,
  createAssets,
  createPictureUploads,
  createSizedPictures,
} from '../viewing/streaming/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { OwnStill } from '../library/catalogue/items/index.ts';
import type { MediaFiles } from './files.ts';
import type { OutboundHttp } from './outbound-http.ts';
import type { People } from './people.ts';
import type { Kernel } from '../../kernel/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/** The limit of the disk cache of pictures extracted from media files. */
const maxArtworkBytes = 512 * 1024 ** 2;
/** The limit of the disk cache of pictures in the sizes that clients asked for. */
const maxPictureBytes = 2 * 1024 ** 3;

/** Pictures of items, entities and profiles: opened, and uploaded. */
export type ItemPictures = ReturnType<typeof composeAssets>;

/** What pictures are built from. */
export interface AssetNeeds {
  readonly kernel: Kernel;
  readonly library: LibraryDomain;
  readonly people: People;
  readonly files: MediaFiles;
  readonly outboundHttp: OutboundHttp;
  readonly still: (still: OwnStill) => Promise<Picture>;
}

/** Builds the access to pictures of items: files, parts of files, or the network. */
export function composeAssets(
  { config, clock, log }: Infrastructure,
  { kernel, library, people, files: { filesystems }, outboundHttp, still }: AssetNeeds,
) {
  const { registry, providers } = kernel.plugins;
  const folder = path.join(config.data, 'cache/assets');
  const { pictureLooks: looks, items, entities } = library;
  const sizedPictures = createSizedPictures({
    call: kernel.call,
    providers: providers.allOf,
    answersVersionOf: registry.answersVersionOf,
    cache: createDiskCache({
      folder: path.join(config.data, 'cache/pictures'),
      maxBytes: maxPictureBytes,
      log,
    }),
    clock,
  });
  const open = createAssets({
    files: library.files,
    filesystems,
    still,
    artwork: createArtwork({
      call: kernel.call,
      providers: providers.allOf,
      capabilityConfigOf: registry.capabilityConfigOf,
      answersVersionOf: registry.answersVersionOf,
      filesystems,
      cache: createDiskCache({ folder, maxBytes: maxArtworkBytes, log }),
      clock,
    }),
    looks,
    fetchPicture: outboundHttp.network.fetchPicture,
    sizedPictures,
  });
  const { profiles } = people.profileDomain;
  const makePicture = sizedPictures.make;
  return { open, uploads: createPictureUploads({ items, entities, profiles, makePicture, looks }) };
}
