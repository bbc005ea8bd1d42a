import { stat, statfs } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Kernel } from '../../kernel/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { Licensing } from '../operations/license/index.ts';
import { serverViewer } from '../people/viewer/index.ts';
import { steadyOf } from '../platform/clock.ts';
import { createDiskCache } from '../platform/net/index.ts';
import type { Notifications } from '../platform/notifications/index.ts';
import {
  AskedServers,
  createConversions,
  createOpenInput,
  createOtherHeads,
  createPartStore,
  createSharedParts,
  PlacedHeads,
  deviceNotice,
  type ConversionsParts,
  type FindFile,
  type RunningConversions,
  type SpeedSettings,
} from '../viewing/conversion/index.ts';
import { createPlayback, type Playback } from '../viewing/playback/index.ts';
import {
  createLocalRegister,
  createPlayableFiles,
  createPlayedFiles,
  createPlaybackSessions,
  createPlayInfos,
  createPrepareSegments,
  createSessionDecision,
  createSessionMedia,
  createSharedRegister,
  type FindPlayable,
  type FindPlayInfos,
  type OpenRegister,
  type PlaybackSessions,
  type SessionMedia,
  type SessionsOf,
} from '../viewing/playback-sessions/index.ts';
import {
  createKeptPictures,
  createStreams,
  type KeptPictures,
  type Streams,
  type Texts,
  type PictureUploads,
} from '../viewing/streaming/index.ts';
import { createDecision, createPlans } from '../viewing/transcoding/index.ts';
import { composeAssets } from './assets.ts';
import type { MediaJobs, StillsSoon } from '../viewing/media-jobs/index.ts';
import { createMovedItems, type MovedItems } from '../viewing/moved-items/index.ts';
import { composeMediaJobs } from './media-jobs.ts';
import type { MediaFiles } from './files.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Work } from './work.ts';
import type { OutboundHttp } from './outbound-http.ts';
import type { People } from './people.ts';
import { composeTexts } from './texts.ts';

/** What plays files. */
export interface Player {
  readonly playback: Playback;
  readonly playInfos: FindPlayInfos;
  readonly sessions: PlaybackSessions;
  readonly sessionMedia: SessionMedia;
  readonly streams: Streams;
  readonly pictureUploads: PictureUploads;
  readonly texts: Texts;
  readonly conversions: RunningConversions;
  readonly mediaJobs: MediaJobs;
  readonly stillsSoon: StillsSoon;
  /** What profiles said goes with a film to another library. */
  readonly movedItems: MovedItems;
  /** Fetches pictures that tiles show before somebody looks at them. */
  readonly keptPictures: KeptPictures;
}

export interface PlayerNeeds {
  readonly kernel: Kernel;
  readonly library: LibraryDomain;
  readonly files: MediaFiles;
  readonly people: People;
  readonly licensing: Licensing;
  readonly outboundHttp: OutboundHttp;
  readonly jobs: Work['jobs'];
  readonly notify: Notifications['notify'];
}

/** The limit of the disk cache of indexes: one has some ten kilobytes. */
const maxIndexBytes = 128 * 1024 ** 2;
/** Sound is cheap to convert. */
const maxSounds = 8;

/** Builds what plays files. A session ends when its credential does. */
export function composePlayer(infrastructure: Infrastructure, needs: PlayerNeeds): Player {
  const { config, database, clock, newId, log } = infrastructure;
  const { kernel, library, files, people, licensing } = needs;
  const { filesystems } = files;
  const { call, events, plugins } = kernel;
  const { allOf: providers } = plugins.providers;
  const { now } = clock;
  const folder = path.join(config.data, 'cache/playback-indexes');
  const plans = createPlans({
    call,
    providers,
    versionOf: (id) =>
      `${plugins.registry.get(id).version} ${plugins.registry.answersVersionOf(id)}`,
    cache: createDiskCache({ folder, maxBytes: maxIndexBytes, log }),
    clock,
  });
  const findPlayed = createPlayedFiles({ files: library.files, filesystems });
  const conversions = composeConversions(infrastructure, {
    ...needs,
    findFile: async (id) => (await findPlayed(id, serverViewer)).played,
  });
  const playback = createPlayback({ ...library, database, events, now });
  const find = createPlayableFiles({
    ...{ files: library.files, filesystems, plans },
    ...(infrastructure.internal !== null && { isAway }),
  });
  const sessions = createPlaybackSessions({
    ...library,
    find,
    decide: createSessionDecision({ decide: createDecision({ call, providers }), conversions }),
    prepare: createPrepareSegments({ plans, conversions, now: steadyOf(clock).now }),
    conversions,
    playback,
    tokens: people.accounts.linkTokens,
    register: registerOf(infrastructure, needs, find),
    emit: events.emit,
    limits: {
      remux: config.playbackRemuxes,
      picture: config.playbackConversions || Math.max(1, Math.floor(availableParallelism() / 2)),
      sound: maxSounds,
      reserved: config.playbackReserved,
    },
    newId,
    clock,
    publicUrl: config.publicUrl,
    hasActiveLicense: licensing.hasActiveLicense,
  });
  const endThose = (of: SessionsOf): void =>
    void sessions
      .endThose(of)
      .catch((err: unknown) => log.error({ err }, 'Playback sessions were not ended.'));
  people.accounts.onRevocation(endThose);
  people.identity.sessions.onEnd((credentialIds) => endThose({ userId: null, credentialIds }));
  const watched = composeMediaJobs(infrastructure, needs, conversions);
  const { trickplay, mediaJobs, stillsSoon } = watched;
  const pictures = composeAssets(infrastructure, { ...needs, still: watched.still });
  const openAsset = pictures.open;
  const keptPictures = createKeptPictures({
    wanted: library.wantedPictures,
    open: openAsset,
    clock,
    log,
    hasRoom: needs.outboundHttp.network.hasPictureRoom,
    background: infrastructure.background,
  });
  const streams = createStreams({ files: library.files, filesystems, openAsset });
  const texts = composeTexts(infrastructure, {
    kernel,
    library,
    files,
    fetchText: needs.outboundHttp.network.fetchText,
  });
  const media = { sessions, files: library.files, filesystems, streams, texts, plans };
  return {
    playback,
    sessions,
    streams,
    texts,
    conversions,
    mediaJobs,
    stillsSoon,
    keptPictures,
    movedItems: createMovedItems({ database, now, log }),
    playInfos: createPlayInfos({ items: library.items, find, trickplay }),
    sessionMedia: createSessionMedia({ ...media, conversions, trickplay }),
    pictureUploads: pictures.uploads,
  };
}

/** Several servers have the sessions in common. */
function registerOf(
  { cluster, database, isLeader, clock, log }: Infrastructure,
  { people, licensing }: Pick<PlayerNeeds, 'people' | 'licensing'>,
  find: FindPlayable,
): OpenRegister {
  if (cluster === null) return createLocalRegister(clock);
  return createSharedRegister({
    database,
    server: cluster.processId,
    onEnded: (listener) => cluster.onChange('playback-sessions', listener),
    isLeader,
    find,
    tokens: people.accounts.linkTokens,
    hasActiveLicense: licensing.hasActiveLicense,
    clock,
    log,
  });
}

const gibibyte = 1024 ** 3;
const mostThreads = 8;

/** What is converted is kept beside the data, within its limit and a tenth of the free disk. */
function composeConversions(
  infrastructure: Infrastructure,
  {
    files: { filesystems },
    notify,
    findFile,
  }: Pick<PlayerNeeds, 'files' | 'notify'> & { readonly findFile: FindFile },
): RunningConversions {
  const { blobs, config, clock, log, metrics } = infrastructure;
  const { ffmpeg, transcoderCage: mode, searchPath, transcoderHardware: hardware } = config;
  const folder = path.join(config.data, 'cache/conversions');
  const maxBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(folder);
    return Math.min(config.playbackCacheGb * gibibyte, (bavail * bsize) / 10);
  };
  const own = createPartStore(folder, maxBytes);
  return createConversions({
    settings: { ffmpeg, mode, searchPath, hardware },
    speed: speedOf(config),
    store:
      blobs.store === null || config.blobsConversions === 'off'
        ? own
        : createSharedParts(own, blobs.store, log),
    openInput: createOpenInput(filesystems),
    threads: Math.min(mostThreads, availableParallelism()),
    seen: metrics.transcode,
    converts: config.roles.includes('convert'),
    ...othersOf(infrastructure, findFile),
    deviceRests: (kind) => notify(deviceNotice(kind)),
    clock,
    log,
  });
}

/** How the servers convert for each other; nothing where there is one, or no internal port. */
function othersOf(
  { cluster, database, internal, otherBlobs, clock, log }: Infrastructure,
  findFile: FindFile,
): Pick<ConversionsParts, 'others' | 'findFile'> {
  if (cluster === null || internal === null) return {};
  const server = cluster.processId;
  const asked = new AskedServers({ ask: internal.ask, clock });
  const placing = new PlacedHeads({ database, server, asked, clock });
  placing.watch();
  const others = createOtherHeads({
    ...{ database, server, address: internal.address, asked, placing, clock, log },
    keptElsewhere: async (name) => (await otherBlobs?.find('conversions', name)) ?? null,
  });
  return { others, findFile };
}

/** Whether none of the folders is there: this server was given no media. */
async function isAway(roots: readonly string[]): Promise<boolean> {
  const isThere = async (root: string): Promise<boolean> =>
    !root.startsWith('file:') ||
    stat(fileURLToPath(root)).then(
      () => true,
      () => false,
    );
  return !(await Promise.all(roots.map(isThere))).includes(true);
}

/** The height that the admin chose; else it is measured once for the machine. */
function speedOf({ data, playbackHeight }: Infrastructure['config']): SpeedSettings {
  if (playbackHeight > 0) return { kind: 'fixed', height: Math.max(144, playbackHeight) };
  const [processor] = cpus();
  const machine = `${processor?.model ?? 'unknown'} ${availableParallelism()}`;
  return { kind: 'learnt', file: path.join(data, 'cache/conversion-speed.json'), machine };
}
