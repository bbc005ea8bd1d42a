/** The jobs that look at media, and what they keep. */
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { OwnStill } from '../library/catalogue/items/index.ts';
import { serverViewer, type Viewer } from '../people/viewer/index.ts';
import { createLentCache } from '../platform/blobs/index.ts';
import type { DiskCache, Picture } from '../platform/net/index.ts';
import {
  createOpenInput,
  createStudies,
  type RunningConversions,
} from '../viewing/conversion/index.ts';
import {
  createMediaJobs,
  createPeopleFirst,
  createStills,
  createStillsSoon,
} from '../viewing/media-jobs/index.ts';
import { createPlayedFiles } from '../viewing/playback-sessions/index.ts';
import { createTrickplayStore } from '../viewing/trickplay/index.ts';
import { blobLimits } from './blobs.ts';
import type { MediaFiles } from './files.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Work } from './work.ts';

/** What looks at media. */
export type MediaWatch = ReturnType<typeof composeMediaJobs>;

/** Builds it, and sets the runners of its jobs. */
export function composeMediaJobs(
  { background, blobs, otherBlobs, clock, log }: Infrastructure,
  {
    library,
    files: { filesystems },
    jobs,
  }: { readonly library: LibraryDomain; readonly files: MediaFiles; readonly jobs: Work['jobs'] },
  { transcoder, processes }: Pick<RunningConversions, 'transcoder' | 'processes'>,
) {
  const studies = createStudies({ transcoder, openInput: createOpenInput(filesystems) });
  const cacheOf = (kind: 'trickplay' | 'stills'): DiskCache =>
    blobs.store !== null || otherBlobs === null
      ? blobs.cacheOf(kind)
      : createLentCache(blobs.cacheOf(kind), (name) => otherBlobs.find(kind, name));
  const trickplay = createTrickplayStore({
    cache: cacheOf('trickplay'),
    maxBytes: blobLimits.trickplay,
    clock,
  });
  const look = createPlayedFiles({ files: library.files, filesystems });
  const findPlayed = async (id: string, viewer: Viewer) => (await look(id, viewer)).played;
  const openStill = createStills({ studies, cache: cacheOf('stills'), clock });
  const mediaJobs = createMediaJobs({
    studied: library.studied,
    findPlayed,
    studies,
    still: openStill,
    trickplay,
    jobs,
    people: createPeopleFirst({ processes, background, clock }),
  });
  for (const [type, runner] of Object.entries(mediaJobs.runners)) jobs.register(type, runner);
  const stillsSoon = createStillsSoon({
    jobs,
    startStills: mediaJobs.startStills,
    clock,
    onError: (err) => log.warn({ err }, 'The job stills could not be started after a scan.'),
  });
  return {
    mediaJobs,
    stillsSoon,
    trickplay,
    still: async ({ fileId, at }: OwnStill): Promise<Picture> =>
      openStill(await findPlayed(fileId, serverViewer), at, {
        mayGoOn: () => Promise.resolve(),
        signal: new AbortController().signal,
      }),
  };
}
