/** What can be made again and is kept for all servers: in the blob store, or in the data folder. */
import path from 'node:path';
import type { Log } from '../../kernel/index.ts';
import {
  createBlobCache,
  createBlobSweep,
  createFolderBlobs,
  createS3Blobs,
  readBlobKeys,
  watchedBlobs,
  type BlobStore,
  type BlobStoreFailed,
} from '../platform/blobs/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { createDiskCache, type DiskCache } from '../platform/net/index.ts';
import type { FoundProblem } from '../platform/problems/index.ts';
import { quoted, say } from '../platform/text.ts';

/** The blobs of the server. */
export interface Blobs {
  /** `null` = the operator named none, and each kind has a folder of its own in the data folder. */
  readonly store: BlobStore | null;
  /** What is kept of one kind, within its limit. */
  readonly cacheOf: (kind: keyof typeof blobLimits) => DiskCache;
  /** Keeps the limits; on one server at a time. */
  readonly sweep: { readonly start: () => void; readonly stop: () => void };
  /** What is wrong with the store. */
  readonly problems: () => Promise<readonly FoundProblem[]>;
}

export interface BlobNeeds {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

const gibibyte = 1024 ** 3;
/** The most bytes of each kind: some four megabytes a film, and a tenth of one a still. */
export const blobLimits = { trickplay: 8 * gibibyte, stills: gibibyte, probe: 1024 };

/** Throws a `ConfigError` for keys that are not there. */
export function composeBlobs({ config, clock, log }: BlobNeeds): Blobs {
  const opened = openStore(config, clock);
  if (opened === null)
    return {
      store: null,
      cacheOf: (kind) =>
        createDiskCache({
          folder: path.join(config.data, 'cache', kind),
          maxBytes: blobLimits[kind],
          log,
        }),
      sweep: { start: () => undefined, stop: () => undefined },
      problems: () => Promise.resolve([]),
    };
  const { store, look } = watchedBlobs(opened);
  return {
    store,
    cacheOf: (kind) => createBlobCache({ store, kind, clock, log }),
    sweep: createBlobSweep({
      store,
      limits: { ...blobLimits, conversions: config.playbackCacheGb * gibibyte },
      clock,
      log,
    }),
    problems: async () => problemsOf(await look()),
  };
}

function openStore(config: Config, clock: Clock): BlobStore | null {
  const { blobs, blobsEndpoint: endpoint, blobsRegion: region, blobsKeyFile, blobKeys } = config;
  if (blobs === null) return null;
  if (blobs.kind === 'folder') return createFolderBlobs(blobs.folder);
  const keys = readBlobKeys(blobsKeyFile, blobKeys);
  return createS3Blobs({ ...blobs, endpoint, region, keys, clock });
}

const problemsOf = (failure: BlobStoreFailed | null): readonly FoundProblem[] =>
  failure === null
    ? []
    : [
        {
          code: 'blobs_failing',
          subject: { type: 'store', id: 'blobs' },
          message: failure.reason === 'full' ? say('blobs.storeFull') : say('blobs.storeFails'),
          detail: quoted(failure.message),
          action: say('blobs.checkStore'),
        },
      ];
